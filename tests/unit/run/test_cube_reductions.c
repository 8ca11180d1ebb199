/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_reductions: hypercubes whose nodes combine packets, end to end.
 *
 * State space. On csim, exhaustive: reduce to each node and all-reduce of 1 … d packets, and
 * reduce-scatter, d = 1 … 4, each operator, with 1 … 4 flits, on arcs with 0 … 2 registers; then
 * all-reduce by doubling, cube-blocks-all-reduce of 1 … 20 packets, and drawn schedules of several
 * packets, each combined along a random spanning tree to a random node, and for every second packet
 * sent back along the tree. On the RTL, in lockstep with csim: a seeded sample of all, a machine
 * for each of d = 1 … 4. `simulate` fails if a packet arrives in another cycle, if a flag is set,
 * or if a word in memory is not the combination of the contributions in the payload. A reduction
 * takes as many cycles as the broadcast that it reverses takes on routers.
 *
 * Counter-cases. Each combine bit is flipped, and each word of the programs is cleared or names
 * another packet: the scoreboard must find each of these. Machines of other kinds are rejected.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/partial_results.h"
#include "sched/route/route.h"
#include "sched/verify/combination.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/reduction_lab.h"

#include <inttypes.h>
#include <stdio.h>

#define SEED UINT64_C(20261128)
#define MOST 4 /* dimensions */
#define DRAWN 150
#define RTL_RUNS 30

static struct machine machine_of(unsigned d, unsigned pad)
{
    struct machine machine = {.kind = MACHINE_CUBE,
                              .topology = cube_lab_make(d),
                              .combines = true,
                              .reads = 1,
                              .pad = pad,
                              .width = 16};
    topology_remove_routers(&machine.topology);
    return machine;
}

/* Builds the image of a schedule that node memories can execute. */
static void build(struct machine machine, bool fits, uint32_t flits, uint64_t seed,
                  struct support_job *job)
{
    struct err err = {0};
    support_true(partial_results_check_arcs("it", &job->schedule, &err), &err);
    reduction_lab_build(machine, fits, flits, seed, job);
}

/* Runs an image. Returns the number of receipts. */
static uint64_t run(struct support_job *job, const struct simulate_options *options,
                    uint32_t operation)
{
    const struct simulate_report report = reduction_lab_run(job, options, operation);
    struct combination combination;
    struct err err = {0};
    assert_int_equal(report.checks.seen, job->schedule.transfer_count);
    assert_int_equal(report.run_cycles, job->schedule.end * job->image.run.row_cycles);
    support_true(combination_of(&job->schedule, COMBINATION_BY_PORT, &combination, &err), &err);
    assert_true(report.checks.certificate == combination.certificate);
    return report.checks.seen;
}

/* -- Algorithms -------------------------------------------------------------------------------- */

static void algorithm(const char *name, unsigned d, uint32_t m, uint32_t source,
                      struct support_job *job)
{
    const struct topology cube = cube_lab_make(d);
    const struct algorithm *found = support_algorithm(name);
    const struct collective asked = {.kind = found->kind,
                                     .n = cube.nodes,
                                     .m = m,
                                     .source = source,
                                     .model = MODEL_ALL_PORT,
                                     .topology = &cube};
    *job = (struct support_job){0};
    support_schedule(found, &asked, &job->schedule);
}

/* Returns the cycles of the broadcast of m packets of a node, on routers. */
static uint64_t broadcast_cycles(unsigned d, uint32_t m, uint32_t flits, unsigned pad)
{
    struct support_job job;
    struct simulate_report report;
    struct err err = {0};
    struct machine machine = {
        .kind = MACHINE_CUBE, .topology = cube_lab_make(d), .pad = pad, .width = 16};
    algorithm("cube-single", d, m, 0, &job);
    support_payload(&job.schedule, &machine, flits, SEED, &job.payload);
    support_true(machine_sizing_fit(&job.schedule, flits, NULL, &machine, &err), &err);
    support_true(route_schedule(&job.schedule, &machine, &job.payload, &job.image, &err), &err);
    support_true(
        simulate(&job.image, &job.schedule, &job.payload, &reduction_lab_csim, &report, &err),
        &err);
    support_job_free(&job);
    return report.run_cycles;
}

static void each_size_and_operator_on_csim(void **state)
{
    (void)state;
    uint64_t runs = 0, receipts = 0;
    for (unsigned d = 1; d <= MOST; d++)
        for (uint32_t m = 1; m <= d; m++)
            for (uint32_t source = 0; source <= 1u << d; source++) {
                const unsigned pad = source % 3;
                const uint32_t flits = 1 + (source + m) % 4;
                struct support_job job;
                /* the last one: all-reduce */
                algorithm(source >> d ? "cube-all-reduce" : "cube-reduce", d, m,
                          source >> d ? 0 : source, &job);
                build(machine_of(d, pad), true, flits, SEED + source, &job);
                assert_int_equal(job.image.run.row_cycles, (flits < 2 ? 2 : flits) + pad);
                assert_int_equal(job.schedule.end, (source >> d) + 1u == 2 ? 2 * d : d);
                for (uint32_t operation = 0; operation < MACHINE_OPERATORS; operation++, runs++)
                    receipts += run(&job, &reduction_lab_csim, operation);
                if (flits >= 2 && !(source >> d))
                    assert_int_equal(job.schedule.end * job.image.run.row_cycles,
                                     broadcast_cycles(d, m, flits, pad));
                support_job_free(&job);
            }
    for (unsigned d = 1; d <= MOST; d++)
        for (uint32_t operation = 0; operation < MACHINE_OPERATORS; operation++, runs += 2) {
            struct support_job job;
            algorithm("cube-doubling-all-reduce", d, 2 * d - 1, 0, &job);
            build(machine_of(d, operation % 3), true, 1 + operation % 4, SEED, &job);
            receipts += run(&job, &reduction_lab_csim, operation);
            support_job_free(&job);
            algorithm("cube-reduce-scatter", d, 1, 0, &job);
            build(machine_of(d, operation % 3), true, 1 + operation % 4, SEED, &job);
            receipts += run(&job, &reduction_lab_csim, operation);
            support_job_free(&job);
        }
    for (unsigned d = 1; d <= MOST; d++)
        for (uint32_t m = 1; m <= 20; m++, runs++) {
            struct support_job job;
            algorithm("cube-blocks-all-reduce", d, m, 0, &job);
            build(machine_of(d, m % 3), true, 1 + m % 4, SEED, &job);
            receipts += run(&job, &reduction_lab_csim, m % MACHINE_OPERATORS);
            support_job_free(&job);
        }
    print_message("%" PRIu64 " runs, %" PRIu64 " receipts\n", runs, receipts);
    assert_int_equal(runs, (3 + 2 * 5 + 3 * 9 + 4 * 17 + 2 * 4) * MACHINE_OPERATORS + 4 * 20);
}

/* -- Drawn schedules --------------------------------------------------------------------------- */

#define PACKETS 5
#define NODES (1u << MOST)

/* A packet that is combined along a spanning tree, and perhaps sent back along it. */
struct tree {
    uint32_t root, parent[NODES];
    unsigned children[NODES]; /* that have not sent */
    bool sent[NODES], back, full[NODES];
};

/* Draws a spanning tree: again and again, a node outside gets a neighbour inside as its parent. */
static void draw_tree(struct rng *rng, unsigned d, struct tree *tree)
{
    const uint32_t nodes = 1u << d;
    bool inside[NODES] = {false};
    *tree = (struct tree){.root = rng_below(rng, nodes), .back = rng_below(rng, 2)};
    inside[tree->root] = true;
    for (uint32_t left = nodes - 1; left > 0;) {
        const uint32_t node = rng_below(rng, nodes), other = node ^ 1u << rng_below(rng, d);
        if (inside[node] || !inside[other])
            continue;
        inside[node] = true;
        tree->parent[node] = other;
        tree->children[other]++;
        left--;
    }
}

/* Chooses the transfers of a round: a node sends its packet to its parent when its children have
 * sent it, and a result to its children, if the arc is free. Appends them to the text. Returns how
 * many there are. */
static unsigned draw_round(struct tree tree[], uint32_t packets, unsigned d, char *text,
                           size_t *length, size_t room)
{
    const uint32_t nodes = 1u << d;
    bool busy[NODES][MOST] = {{false}}, ready[PACKETS][NODES], full[PACKETS][NODES];
    unsigned count = 0;
    for (uint32_t p = 0; p < packets; p++)
        for (uint32_t node = 0; node < nodes; node++) {
            ready[p][node] = tree[p].children[node] == 0;
            full[p][node] = tree[p].full[node] || (node == tree[p].root && ready[p][node]);
        }
    for (uint32_t p = 0; p < packets; p++)
        for (uint32_t node = 0; node < nodes; node++) {
            struct tree *t = &tree[p];
            if (node == t->root)
                continue;
            const uint32_t up = t->parent[node];
            const unsigned across = (unsigned)__builtin_ctz(node ^ up);
            const bool rises = ready[p][node] && !t->sent[node] && !busy[node][across];
            const bool falls = t->back && full[p][up] && !t->full[node] && !busy[up][across];
            if (!rises && !falls)
                continue;
            busy[rises ? node : up][across] = true;
            *length += (size_t)snprintf(text + *length, room - *length,
                                        rises ? "%u %u %u\n" : "%u %u %u replace\n",
                                        rises ? node : up, rises ? up : node, p + 1);
            if (rises) {
                t->sent[node] = true;
                t->children[up]--;
            } else {
                t->full[node] = true;
            }
            count++;
        }
    return count;
}

static void draw(struct rng *rng, unsigned d, struct support_job *job)
{
    static char text[65536], rounds[60000];
    const uint32_t packets = 1 + rng_below(rng, PACKETS);
    struct tree tree[PACKETS];
    size_t length = 0, head;
    unsigned number = 0;
    for (uint32_t p = 0; p < packets; p++)
        draw_tree(rng, d, &tree[p]);
    for (;;) {
        const size_t before = length;
        length += (size_t)snprintf(rounds + length, sizeof rounds - length, "round %u\n", ++number);
        if (draw_round(tree, packets, d, rounds, &length, sizeof rounds) == 0) {
            rounds[before] = '\0';
            break;
        }
    }
    head = (size_t)snprintf(text, sizeof text,
                            "roundcast-schedule 1\nalgorithm drawn\ntopology hypercube %u\n"
                            "model all-port\n",
                            d);
    for (uint32_t p = 0; p < packets; p++) {
        char to[16] = "*";
        if (!tree[p].back)
            snprintf(to, sizeof to, "%u", tree[p].root);
        head += (size_t)snprintf(text + head, sizeof text - head, "reduce %u %s *\n", p + 1, to);
    }
    snprintf(text + head, sizeof text - head, "%send %u\n", rounds, number - 1);
    struct err err = {0};
    *job = (struct support_job){0};
    support_true(support_read(text, "drawn", &job->schedule, &err), &err);
}

static void several_packets_at_once_on_csim(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    uint64_t receipts = 0;
    for (unsigned which = 0; which < DRAWN; which++) {
        struct support_job job;
        const unsigned d = 2 + which % (MOST - 1);
        draw(&rng, d, &job);
        build(machine_of(d, which % 3), true, 1 + which % 4, SEED + which, &job);
        receipts += run(&job, &reduction_lab_csim, which % MACHINE_OPERATORS);
        support_job_free(&job);
    }
    print_message("seed %" PRIu64 ": %u schedules, %" PRIu64 " receipts\n", SEED, DRAWN, receipts);
}

/* -- RTL --------------------------------------------------------------------------------------- */

static void sample_on_rtl(void **state)
{
    (void)state;
    for (unsigned d = 1; d <= MOST; d++) {
        struct rng rng = {SEED + d};
        uint64_t receipts = 0;
        struct machine machine = machine_of(d, d % 2);
        machine.log2_packets = d < MOST ? 3 : 4;
        machine.log2_flits = 2;
        machine.log2_rows = 6;
        for (unsigned which = 0; which < RTL_RUNS; which++) {
            struct support_job job;
            const uint32_t m = 1 + rng_below(&rng, d);
            if (which % 5 == 0)
                algorithm("cube-doubling-all-reduce", d, m, 0, &job);
            else if (which % 5 == 1)
                algorithm("cube-blocks-all-reduce", d, d + m, 0, &job);
            else if (which % 3 == 0 || d == 1)
                algorithm(which % 2 ? "cube-all-reduce" : "cube-reduce", d, m,
                          which % 2 ? 0 : rng_below(&rng, 1u << d), &job);
            else if (which % 3 == 1)
                algorithm("cube-reduce-scatter", d, 1, 0, &job);
            else
                draw(&rng, d, &job);
            build(machine, false, 1 + which % 4, SEED + which, &job);
            receipts += run(&job, &reduction_lab_both, which % MACHINE_OPERATORS);
            support_job_free(&job);
        }
        print_message("d = %u, seed %" PRIu64 ": %u runs, %" PRIu64 " receipts\n", d, SEED + d,
                      RTL_RUNS, receipts);
    }
}

/* -- Faults ------------------------------------------------------------------------------------ */

/* Checks that the scoreboard finds a fault, and that the run is right without it. */
static void must_find(struct support_job *job, size_t word, uint32_t wrong)
{
    struct simulate_report report;
    struct err err = {0};
    const uint32_t right = job->image.word[word].word;
    job->image.word[word].word = wrong;
    assert_false(
        simulate(&job->image, &job->schedule, &job->payload, &reduction_lab_csim, &report, &err));
    assert_int_equal(err_exit_status(err.code), 1);
    job->image.word[word].word = right;
}

static void each_fault_is_found(void **state)
{
    (void)state;
    unsigned flipped = 0, cleared = 0, other = 0;
    for (unsigned which = 0; which < 2; which++)
        for (unsigned d = 2; d <= 3; d++) {
            struct support_job job;
            algorithm(which ? "cube-all-reduce" : "cube-reduce", d, d, 0, &job);
            build(machine_of(d, 0), true, 2, SEED, &job);
            run(&job, &reduction_lab_csim, MACHINE_OPERATOR_SUM);
            for (size_t k = 0; k < job.image.count; k++) {
                const struct image_word at = job.image.word[k];
                const enum machine_region region = machine_region_of(at.address);
                if (at.address & MACHINE_ALL_NODES || !(at.word & MACHINE_VALID) ||
                    (region != MACHINE_SEND && region != MACHINE_RECEIVE))
                    continue;
                must_find(&job, k, 0);
                cleared++;
                must_find(&job, k, at.word ^ 1);
                other++;
                if (region != MACHINE_RECEIVE)
                    continue;
                must_find(&job, k, at.word ^ MACHINE_COMBINE);
                flipped++;
            }
            run(&job, &reduction_lab_csim, MACHINE_OPERATOR_SUM);
            support_job_free(&job);
        }
    /* transfers of reduce: d (2^d - 1); of all-reduce: twice as many */
    assert_int_equal(flipped, 3 * (2 * 3 + 3 * 7));
    assert_int_equal(cleared, 2 * flipped);
    assert_int_equal(other, cleared);
}

static void other_machines_are_rejected(void **state)
{
    (void)state;
    struct err err = {0};
    struct machine machine = machine_of(3, 0);
    machine.log2_packets = machine.log2_flits = machine.log2_rows = 3;
    support_true(machine_check(&machine, &err), &err);
    assert_true(machine_has_node_memories(&machine));
    assert_int_equal(machine_routers(&machine), 0);
    machine.kind = MACHINE_CUBE_AUTO;
    machine.topology = cube_lab_make(3);
    machine.depth[1] = machine.queue[1] = 4;
    assert_false(machine_check_combines(&machine, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    machine.combines = false;
    assert_true(machine_check_combines(&machine, &err));
    assert_false(machine_has_node_memories(&machine));
}

/* A node without a contribution passes on what it receives: 3 to 1, and 1 to 0. */
static void relays_contribute_nothing(void **state)
{
    (void)state;
    static const char text[] = "roundcast-schedule 1\nalgorithm by-hand\ntopology hypercube 2\n"
                               "model all-port\nreduce 1 0 0,3\nround 1\n3 1 1\nround 2\n"
                               "1 0 1\nend 2\n";
    for (uint32_t operation = 0; operation < MACHINE_OPERATORS; operation++)
        for (uint32_t flits = 1; flits <= 3; flits++) {
            struct support_job job = {0};
            struct err err = {0};
            support_true(support_read(text, "by-hand", &job.schedule, &err), &err);
            build(machine_of(2, flits % 2), true, flits, SEED + operation, &job);
            assert_int_equal(run(&job, &reduction_lab_csim, operation), 2);
            support_job_free(&job);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_size_and_operator_on_csim),
                                       cmocka_unit_test(relays_contribute_nothing),
                                       cmocka_unit_test(several_packets_at_once_on_csim),
                                       cmocka_unit_test(sample_on_rtl),
                                       cmocka_unit_test(each_fault_is_found),
                                       cmocka_unit_test(other_machines_are_rejected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
