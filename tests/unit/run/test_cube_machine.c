/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_machine: broadcasts in hypercubes on the routers of csim.
 *
 * Every subset of sources of the cubes of d = 1 … 4, every set that the other algorithms allow for
 * d ≤ 3; seeded and adversarial sets for d = 5 … 7. Of the subsets for d = 4 a 251st is run, of the
 * runs for d ≥ 5 an 11th, all in `make test-all`. The scoreboard checks every receipt at its
 * endpoint in its cycle, and every payload. Links have 0 … 2 registers, packets 1 … 3 flits,
 * alternately.
 *
 * tags: long
 */
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "sched/route/rewrite.h"
#include "sched/route/route.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/cube_runs.h"
#include "tests/support/running.h"
#include "tests/support/tree_machine.h"

#define SEED 20261201

#define SUBSETS 251 /* for d = 4 one subset in so many runs */
#define SAMPLED 11  /* one run of large cubes in so many */
#define LARGE 5     /* d of the smallest large cube */

struct totals {
    uint64_t sets, receipts;
    uint64_t large; /* runs of large cubes that were requested */
};

/* Runs a set with alternating registers and flits. Only a sample of the large cubes runs. */
static void run(const char *name, const char *method, const struct topology *cube,
                const struct cube_runs_set *set, struct totals *totals)
{
    if (cube->dimensions >= LARGE && totals->large++ % running_stride(SAMPLED) != 0)
        return;
    struct schedule schedule;
    cube_runs_schedule(name, method, cube, set, &schedule);
    totals->receipts += cube_runs_alone(&schedule, (unsigned)(totals->sets % 3),
                                        1 + (uint32_t)(totals->sets / 3 % 3));
    totals->sets++;
}

static void print_totals(const char *what, const struct totals *totals)
{
    print_message("%s: %llu runs, %llu receipts\n", what, (unsigned long long)totals->sets,
                  (unsigned long long)totals->receipts);
}

static void test_subsets(void **state)
{
    (void)state;
    struct totals totals = {0};
    const unsigned stride = running_stride(SUBSETS);
    for (unsigned d = 1; d <= 4; d++) {
        const struct topology cube = cube_lab_make(d);
        for (uint64_t bits = 0; bits < UINT64_C(1) << cube.nodes; bits += d == 4 ? stride : 1) {
            const struct cube_runs_set set = cube_runs_set_of(cube.nodes, bits);
            run("cube-broadcast", NULL, &cube, &set, &totals);
        }
    }
    print_totals("every subset", &totals);
    assert_int_equal(totals.sets, 4 + 16 + 256 + running_met(65536, SUBSETS));
}

static void test_others(void **state)
{
    (void)state;
    struct totals totals = {0};
    const struct algorithm *known = support_algorithm("cube-ranked");
    for (unsigned d = 1; d <= 7; d++) {
        const struct topology cube = cube_lab_make(d);
        run("cube-all-gather", "known", &cube, &(struct cube_runs_set){0}, &totals);
        run("cube-all-gather", "termination", &cube, &(struct cube_runs_set){0}, &totals);
        run("cube-all-gather", "optimal", &cube, &(struct cube_runs_set){0}, &totals);
        for (uint32_t source = 0; source < cube.nodes; source += 1 + cube.nodes / 16)
            run("cube-single", NULL, &cube, &(struct cube_runs_set){1, {source}}, &totals);
        for (uint64_t bits = 1; d <= 3 && bits < UINT64_C(1) << cube.nodes; bits++) {
            const struct cube_runs_set set = cube_runs_set_of(cube.nodes, bits);
            run("cube-unbalanced", NULL, &cube, &set, &totals);
            run("cube-reserved", NULL, &cube, &set, &totals);
            for (const char *const *method = known->methods; set.count <= d && *method != NULL;
                 method++)
                run("cube-ranked", *method, &cube, &set, &totals);
        }
    }
    print_totals("the other algorithms", &totals);
}

/* -- Large cubes ------------------------------------------------------------------------------- */

/* Returns a set that is hard or unusual: all nodes, none, one with all packets, one opposite the
 * first root, half a cube, all nodes of one parity. */
static struct cube_runs_set adversarial(unsigned which, const struct topology *cube)
{
    struct cube_runs_set set = {0};
    uint32_t last = cube->nodes - 1;
    for (uint32_t node = 0; node < cube->nodes; node++) {
        bool taken = which == 0 || (which == 3 && node == (last ^ 1)) ||
                     (which == 4 && node > last / 2) ||
                     (which == 5 && __builtin_popcount(node) % 2 == 1);
        for (uint32_t packets = which == 2 && node == 5 ? 2 * cube->dimensions + 3 : taken;
             packets > 0; packets--)
            set.node[set.count++] = node;
    }
    return set;
}
#define ADVERSARIAL 6

static void run_sets(const struct topology *cube, struct rng *rng, struct totals *totals)
{
    for (unsigned which = 0; which < ADVERSARIAL; which++) {
        const struct cube_runs_set set = adversarial(which, cube);
        run("cube-broadcast", NULL, cube, &set, totals);
        if (set.count > 0)
            run("cube-unbalanced", NULL, cube, &set, totals);
    }
    for (unsigned which = 0; which < 12; which++) {
        struct cube_runs_set set = {.count = rng_below(rng, cube->nodes + 1)};
        if (which % 2 == 0)
            cube_lab_tuple(cube->nodes, set.count, rng_next(rng), set.node);
        else
            cube_lab_multi(cube->nodes, set.count, rng_next(rng), set.node);
        run("cube-broadcast", NULL, cube, &set, totals);
        if (set.count > 0)
            run("cube-unbalanced", NULL, cube, &set, totals);
        set.count = MIN(set.count, cube->dimensions);
        if (set.count > 0)
            run("cube-ranked", NULL, cube, &set, totals);
    }
}

/* The methods of cube-broadcast, on sets of different nodes and of several packets a node. */
static void test_variants(void **state)
{
    (void)state;
    struct totals totals = {0};
    struct rng rng = {SEED + 1};
    print_message("seed %d\n", SEED + 1);
    const struct algorithm *algorithm = support_algorithm("cube-broadcast");
    for (unsigned d = 1; d <= 6; d++)
        for (unsigned trial = 0; trial < 6; trial++) {
            const struct topology cube = cube_lab_make(d);
            struct cube_runs_set set = {.count = 1 + rng_below(&rng, cube.nodes)};
            if (trial % 2 == 0)
                cube_lab_tuple(cube.nodes, set.count, rng_next(&rng), set.node);
            else
                cube_lab_multi(cube.nodes, set.count, rng_next(&rng), set.node);
            for (const char *const *method = algorithm->methods; *method != NULL; method++)
                run("cube-broadcast", *method, &cube, &set, &totals);
        }
    print_totals("the variants of cube-broadcast", &totals);
    assert_int_equal(totals.large, 2 * 6 * 9);
    assert_int_equal(totals.sets, 4 * 6 * 9 + running_met(totals.large, SAMPLED));
}

static void test_sets(void **state)
{
    (void)state;
    struct totals totals = {0};
    struct rng rng = {SEED};
    print_message("seed %d\n", SEED);
    for (unsigned d = 5; d <= 7; d++) {
        const struct topology cube = cube_lab_make(d);
        run_sets(&cube, &rng, &totals);
    }
    print_totals("seeded and adversarial sets", &totals);
    assert_true(totals.large > 90);
    assert_int_equal(totals.sets, running_met(totals.large, SAMPLED));
}

/* -- Counter-cases ----------------------------------------------------------------------------- */

struct broken {
    struct support_job job;
    struct machine machine;
};

static void open_wide(struct broken *broken, unsigned width)
{
    const struct topology cube = cube_lab_make(3);
    const struct cube_runs_set set = {3, {1, 6, 6}};
    struct schedule schedule;
    cube_runs_schedule("cube-broadcast", NULL, &cube, &set, &schedule);
    broken->machine = tree_machine_of(MACHINE_CUBE, &cube, 0);
    broken->machine.width = width;
    tree_machine_fit(&schedule, 3, &broken->machine);
    tree_machine_job(&schedule, &broken->machine, 3, &broken->job);
}

static void open_broken(struct broken *broken)
{
    open_wide(broken, 16);
}

/* Runs an image that deviates from the schedule, and expects that the first violation has the code
 * and the part. */
static void breaks(struct broken *broken, enum err_code code, const char *part)
{
    const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
    struct simulate_report report;
    struct err err = {0};
    const struct support_job *job = &broken->job;
    assert_false(simulate(&job->image, &job->schedule, &job->payload, &options, &report, &err));
    support_error(&err, code, part);
    support_job_free(&broken->job);
}

/* Finds the first word of a region with these bits under the mask. */
static struct image_word *find_word(struct broken *broken, enum machine_region region,
                                    uint32_t mask, uint32_t is)
{
    struct image *image = &broken->job.image;
    for (size_t k = 0; k < image->count; k++) {
        struct image_word *word = &image->word[k];
        if (machine_region_of(word->address) == region && (word->word & mask) == is)
            return word;
    }
    fail_msg("no such word");
    return NULL;
}

static void test_broken(void **state)
{
    (void)state;
    struct broken broken;
    open_broken(&broken); /* an endpoint that does not send */
    find_word(&broken, MACHINE_SEND, MACHINE_VALID, MACHINE_VALID)->word = 0;
    breaks(&broken, ERR_LOST, "dimension");
    open_broken(&broken); /* a router that does not send */
    find_word(&broken, MACHINE_TABLE, MACHINE_VALID, MACHINE_VALID)->word &= ~MACHINE_VALID;
    breaks(&broken, ERR_LOST, "dimension");
    open_broken(&broken); /* a router that sends a packet that it does not hold */
    image_append(&broken.job.image, machine_table_address(&broken.machine, 2, 0, 0),
                 machine_send_word(1), NULL);
    breaks(&broken, ERR_FLAG, "router 2 flags sending what it does not hold");
    open_broken(&broken); /* an endpoint that sends a packet that its node does not have */
    image_append(&broken.job.image, machine_program_address(&broken.machine, MACHINE_SEND, 0, 0),
                 MACHINE_VALID | 1, NULL);
    breaks(&broken, ERR_FLAG, "node 0, dimension 1 flags sending what it does not hold");
    open_broken(&broken); /* a packet that no node expects */
    image_append(&broken.job.image, machine_program_address(&broken.machine, MACHINE_SEND, 5, 0),
                 MACHINE_VALID | 0, NULL);
    breaks(&broken, ERR_FLAG, "dimension 3 flags receiving what it does not expect");
}

/* An endpoint and a router on one arc in one round: their words are ORed, here with ones. Flits of
 * 40 bits have two parts. */
static void test_two_on_an_arc(void **state)
{
    (void)state;
    for (unsigned width = 16; width <= 40; width += 24) {
        struct broken broken;
        open_wide(&broken, width);
        const struct machine *machine = &broken.machine;
        struct image_word *table = find_word(&broken, MACHINE_TABLE, MACHINE_VALID, MACHINE_VALID);
        const struct machine_place at = machine_place_of(machine, table->address);
        uint32_t endpoint = at.bank * 3 + at.column / machine->reads;
        uint32_t packet = broken.job.schedule.packets;
        for (uint32_t word = 0; word < 3 * machine_parts(machine); word++) {
            const uint32_t part = word % machine_parts(machine);
            const uint32_t ones = width == 16 ? 0xffff : part == 0 ? UINT32_MAX : 0xff;
            image_append(&broken.job.image,
                         machine_packet_word_address(machine, endpoint, packet - 1, word),
                         machine_part_word(machine, part, ones), NULL);
        }
        image_append(&broken.job.image,
                     machine_program_address(machine, MACHINE_SEND, endpoint, at.row),
                     MACHINE_VALID | (packet - 1), NULL);
        breaks(&broken, ERR_CORRUPT, width == 16 ? "= 8000ffff; expected" : "= ffffffff; expected");
    }
}

/* A buffer of one packet less than route reports as required. */
static void test_small_buffers(void **state)
{
    (void)state;
    unsigned refused = 0;
    for (unsigned d = 2; d <= 6; d++) {
        const struct topology cube = cube_lab_make(d);
        const struct cube_runs_set set = adversarial(0, &cube);
        struct schedule schedule;
        cube_runs_schedule("cube-unbalanced", NULL, &cube, &set, &schedule);
        struct machine machine = tree_machine_of(MACHINE_CUBE, &cube, 0);
        tree_machine_fit(&schedule, 1, &machine);
        if (machine.depth[1] > 1) {
            struct payload payload;
            struct image image;
            struct err err = {0};
            machine.depth[1]--;
            support_payload(&schedule, &machine, 1, 1, &payload);
            assert_false(route_schedule(&schedule, &machine, &payload, &image, &err));
            support_error(&err, ERR_BUFFER,
                          "which a later packet has overwritten; expected buffers of");
            payload_free(&payload);
            refused++;
        }
        schedule_free(&schedule);
    }
    assert_true(refused >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subsets),       cmocka_unit_test(test_others),
        cmocka_unit_test(test_sets),          cmocka_unit_test(test_variants),
        cmocka_unit_test(test_broken),        cmocka_unit_test(test_two_on_an_arc),
        cmocka_unit_test(test_small_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
