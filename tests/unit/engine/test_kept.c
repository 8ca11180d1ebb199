/* SPDX-License-Identifier: Apache-2.0 */
/* test_kept: an engine that a process keeps behaves like a new engine each time it is opened.
 *
 * For each kind of machine, network and way to store settings: runs that differ in their packets or
 * bytes, one after another, on a kept model of csim in lockstep with a new model: every output is
 * the same in every cycle, including the host port, and the scoreboard passes. Then all signals are
 * compared after the same seeded random inputs. Counter-cases: a model that is not rewound differs
 * from a new model in each of these machines; a model in use is not handed out twice; another
 * machine, and waves, get their own model. If there is no memory to keep a model, a new one is
 * used.
 *
 * tags: no-memory
 */
#include "csim/kernel/csim.h"
#include "sched/base/rng.h"
#include "sched/machine/machine_network.h"
#include "sched/route/compile.h"
#include "testbench/engine/dut_csim.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <string.h>

#define SEED UINT64_C(20261123)
#define CYCLES 400

static struct engine_store *store;

/* A machine, and the collective that runs on it. */
static const struct kind {
    const char *algorithm, *network;
    uint32_t n, m;
    enum model model;
    enum machine_settings settings;
    bool computed;
    uint32_t reconfigure; /* 0: settings are not held */
    const char *tree;     /* NULL: a complete graph; "": a hypercube */
} kinds[] = {
    {"circulant", "benes:8", 8, 3, MODEL_SEND_RECEIVE, MACHINE_FULL, false, 0, NULL},
    {"circulant", "benes:8", 8, 3, MODEL_SEND_RECEIVE, MACHINE_INDEXED, false, 0, NULL},
    {"circulant", "benes:8", 8, 3, MODEL_SEND_RECEIVE, MACHINE_TAGS, true, 0, NULL},
    {"hypercube-trees", "benes:8", 8, 3, MODEL_SEND_RECEIVE, MACHINE_MASKS, false, 0, NULL},
    {"matching", "waksman:8,pad=2", 6, 2, MODEL_SEND_RECEIVE, MACHINE_FULL, false, 3, NULL},
    {"circulant", "clos:3,3,3,pipe=2", 8, 3, MODEL_SEND_RECEIVE, MACHINE_FULL, false, 0, NULL},
    {"circulant", "omega:16,pipe=0", 16, 2, MODEL_SEND_RECEIVE, MACHINE_FULL, false, 0, NULL},
    {"fabric-broadcast", "multicast:8", 8, 3, MODEL_FABRIC_MULTICAST, MACHINE_FULL, false, 0, NULL},
    {"postal-pipeline", "benes:8,pad=1", 6, 3, MODEL_POSTAL, MACHINE_FULL, false, 0, NULL},
    {"circulant", "benes:64", 64, 9, MODEL_SEND_RECEIVE, MACHINE_FULL, false, 0, NULL},
    {"tree-broadcast", "fat-tree,pad=1", 4, 1, MODEL_SINGLE_PORT, MACHINE_FULL, false, 0, "2,2"},
    {"tree-total-exchange", "fat-tree-auto", 4, 1, MODEL_MULTIPORT, MACHINE_FULL, false, 0, "2,2"},
    {"cube-broadcast", "cube-auto", 8, 2, MODEL_ALL_PORT, MACHINE_FULL, false, 0, ""},
    {"cube-broadcast", "cube,pad=1", 8, 2, MODEL_ALL_PORT, MACHINE_FULL, false, 0, ""},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static void parse(const struct kind *kind, struct compile_request *request,
                  struct topology *topology)
{
    struct err err = {0};
    *request = (struct compile_request){.has_network = true, .reconfigure = kind->reconfigure};
    request->machine.width = 16;
    request->has_latency = strchr(kind->network, ',') != NULL;
    support_true(machine_parse_network(kind->network, &request->machine, &err), &err);
    request->machine.settings = kind->settings;
    request->machine.computed = kind->computed;
    request->machine.reconfigures = kind->reconfigure != 0;
    *topology = topology_complete(kind->n);
    if (kind->tree != NULL && kind->tree[0] != '\0')
        support_true(topology_parse_tree(kind->tree, "const", topology, &err), &err);
    else if (kind->tree != NULL)
        support_true(topology_hypercube(3, topology, &err), &err);
}

/* Makes a run of a kind. The runs of one kind differ in their bytes, and in their source if the
 * algorithm has one. */
static void make(const struct kind *kind, uint64_t seed, struct support_job *job)
{
    struct topology topology;
    struct compile_request request;
    struct machine machine;
    struct err err = {0};
    struct split_report splitted;
    static const uint32_t sources[] = {1, 6};
    parse(kind, &request, &topology);
    struct collective collective = {.n = kind->n,
                                    .m = kind->m,
                                    .model = kind->model,
                                    .seed = seed,
                                    .topology = kind->tree != NULL ? &topology : NULL};
    if (!model_has_times(kind->model))
        collective.lambda = (struct rational){1, 1};
    const struct algorithm *algorithm = support_algorithm(kind->algorithm);
    collective.kind = algorithm->kind;
    if (algorithm->kind == COLLECTIVE_SIMULTANEOUS)
        collective.sources = sources;
    if (kind->tree == NULL)
        collective.source = (uint32_t)seed % kind->n;
    request.seed = seed;
    support_true(compile_machine(&request, &collective, &machine, &job->payload, &err), &err);
    support_true(algorithm_build(algorithm, &collective, &job->schedule, &err), &err);
    support_true(
        (compile_rewrite(&request, &machine, &job->schedule, &splitted, &err) &&
         compile_schedule(&request, &job->schedule, &job->payload, &machine, &job->image, &err)),
        &err);
}

/* The first of the two engines is kept; their outputs are compared in each cycle. */
static void runs_are_those_of_new_engines(void **state)
{
    (void)state;
    const struct simulate_options both = {
        .engine_count = 2, .engine = {ENGINE_CSIM, ENGINE_CSIM}, .engines = store};
    for (unsigned round = 0; round < 2; round++)
        for (size_t which = 0; which < KINDS; which++)
            for (uint64_t seed = 1; seed <= 3; seed++) {
                struct support_job job = {0};
                struct simulate_report report;
                struct err err = {0};
                running("%s on %s, seed %u", kinds[which].algorithm, kinds[which].network,
                        (unsigned)seed);
                make(&kinds[which], seed, &job);
                support_true(
                    simulate(&job.image, &job.schedule, &job.payload, &both, &report, &err), &err);
                assert_true(report.checks.packets > 0);
                support_job_free(&job);
            }
}

/* Applies random inputs: writes and reads at random addresses, many of which the machine has. */
static void disturb(void *self, const struct image *image, struct rng *rng)
{
    struct dut_outputs outputs;
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        struct dut_inputs inputs = {.rst = rng_below(rng, 50) == 0,
                                    .start = rng_below(rng, 20) == 0,
                                    .host_we = rng_below(rng, 2) == 0};
        inputs.host_re = !inputs.host_we;
        const struct image_word *word = &image->word[rng_below(rng, (uint32_t)image->count)];
        inputs.host_addr = word->address;
        inputs.host_wdata = rng_below(rng, 4) == 0 ? (uint32_t)rng_next(rng) & 0xffff : word->word;
        dut_csim_ops.step(self, &inputs, &outputs);
    }
}

static bool same_signals(void *self, void *other)
{
    struct csim *a = dut_csim_simulator(self), *b = dut_csim_simulator(other);
    assert_int_equal(csim_net_count(a), csim_net_count(b));
    bool same = csim_cycles(a) == csim_cycles(b);
    for (size_t net = 0; net < csim_net_count(a); net++) {
        const struct csim_net *one = csim_net_at(a, net), *two = csim_net_at(b, net);
        same = same &&
               memcmp(csim_peek(one), csim_peek(two), csim_elements(one) * sizeof(uint32_t)) == 0;
    }
    return same;
}

/* Returns whether a disturbed model equals a new model after the same inputs. */
static bool is_new(void *model, const struct image *image, uint64_t seed)
{
    struct rng one = {seed}, other = {seed};
    struct err err = {0};
    void *fresh = dut_csim_create(&image->machine, &err);
    assert_non_null(fresh);
    bool same = same_signals(model, fresh);
    disturb(model, image, &one);
    disturb(fresh, image, &other);
    same = same && same_signals(model, fresh);
    dut_csim_ops.destroy(fresh);
    return same;
}

static void all_signals_are_those_of_new_engines(void **state)
{
    (void)state;
    printf("# seed %" PRIu64 "\n", SEED);
    for (size_t which = 0; which < KINDS; which++) {
        struct support_job job = {0};
        struct engine engine;
        struct err err = {0};
        running("%s on %s", kinds[which].algorithm, kinds[which].network);
        make(&kinds[which], 1, &job);
        const struct machine *machine = &job.image.machine;
        support_true(engine_open_kept(store, ENGINE_CSIM, machine, false, &engine, &err), &err);
        void *model = engine.self;
        assert_true(is_new(model, &job.image, SEED));
        assert_false(is_new(model, &job.image, SEED)); /* it has been run */
        for (unsigned again = 0; again < 3; again++) {
            engine_close(&engine);
            support_true(engine_open_kept(store, ENGINE_CSIM, machine, false, &engine, &err), &err);
            assert_ptr_equal(engine.self, model);
            assert_true(is_new(model, &job.image, SEED + again));
        }
        engine_close(&engine);
        support_job_free(&job);
    }
}

static void models_in_use_are_nobody_elses(void **state)
{
    (void)state;
    struct engine engine[2];
    struct err err = {0};
    const struct machine small = support_machine(2, 1, 0), other = support_machine(2, 1, 1);
    support_true(engine_open_kept(store, ENGINE_CSIM, &small, false, &engine[0], &err), &err);
    void *model = engine[0].self;
    support_true(engine_open_kept(store, ENGINE_CSIM, &small, false, &engine[1], &err), &err);
    assert_ptr_not_equal(engine[1].self, model);
    engine_close(&engine[1]);
    engine_close(&engine[0]);
    support_true(engine_open_kept(store, ENGINE_CSIM, &small, true, &engine[1], &err), &err);
    assert_ptr_not_equal(engine[1].self, model);
    engine_close(&engine[1]);
    support_true(engine_open_kept(store, ENGINE_CSIM, &small, false, &engine[0], &err), &err);
    assert_ptr_equal(engine[0].self, model);
    engine_close(&engine[0]);
    support_true(engine_open_kept(store, ENGINE_CSIM, &other, false, &engine[0], &err), &err);
    assert_true(is_new(
        engine[0].self,
        &(struct image){.machine = other, .word = (struct image_word[]){{0}}, .count = 1}, SEED));
    engine_close(&engine[0]);
}

/* Whichever call fails, no memory is leaked: there is no engine, or an engine that is not kept. */
static void memory_that_runs_out(void **state)
{
    (void)state;
    struct engine engine;
    struct err err = {0};
    const struct machine machine = support_machine(3, 1, 0);
    unsigned opened = 0, refused = 0;
    for (uint64_t number = 1;; number++) {
        int64_t left;
        no_memory_begin(number, false);
        bool open = engine_open_kept(store, ENGINE_CSIM, &machine, false, &engine, &err);
        if (open)
            engine_close(&engine);
        if (no_memory_end(&left) < number) /* none failed: it is kept */
            break;
        assert_int_equal(left, 0);
        opened += open;
        refused += !open;
    }
    assert_int_equal(opened, 1);
    assert_true(refused > 10);
}

static int keep(void **state)
{
    (void)state;
    store = engine_store_new(NULL);
    return store != NULL ? 0 : 1;
}

static int release(void **state)
{
    (void)state;
    engine_store_free(store);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_those_of_new_engines),
        cmocka_unit_test(all_signals_are_those_of_new_engines),
        cmocka_unit_test(models_in_use_are_nobody_elses),
        cmocka_unit_test(memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, keep, release);
}
