/* SPDX-License-Identifier: Apache-2.0 */
/* test_fat_tree_rtl: random tables and random packets on the fat tree machines of csim and RTL, in
 * lockstep.
 *
 * The runs of test_fat_tree.c and test_fat_tree_auto.c, which use csim on any machine, are executed
 * here on both engines, on four shapes of machine for either kind of router: each is built once and
 * gets one random run after another, with tables, packets, flits, row lengths and port models of
 * its own. Both engines must agree in every cycle, and with the reference. The self-timed machines
 * are large enough for a part of the runs only: in the others some router overflows, which the
 * reference predicts, and the engines must still agree. In some of these only the read ports are
 * too few. Routers that combine packets run random words on a shape of their own, with each
 * operator; test_tree_reductions.c runs schedules on them. The seeds are printed.
 */
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/fat_tree_rule.h"
#include "tests/support/fat_tree_tables.h"
#include "tests/support/support.h"

#define SEED 20261123
#define RUNS 60 /* of a machine */
#define SHAPES 4

struct shape {
    unsigned height;
    uint32_t children[4], capacity[4], depth[4], queue[4], reads;
    unsigned pad, width;
    bool combines;
};

static const struct shape with_tables[SHAPES] = {
    {1, {5}, {1}, {6}, {0}, 2, 0, 12},
    {2, {3, 2}, {1, 2}, {3, 5}, {0}, 3, 1, 31},
    {3, {2, 3, 2}, {1, 2, 3}, {2, 1, 4}, {0}, 1, 0, 17},
    {2, {2, 2}, {3, 2}, {4, 3}, {0}, 2, 0, 14},
};

static const struct shape self_timed[SHAPES] = {
    {1, {3}, {1}, {11}, {12}, 2, 0, 12},
    {2, {3, 2}, {1, 2}, {20, 13}, {31, 16}, 2, 1, 31},
    {3, {2, 2, 2}, {1, 2, 1}, {16, 9, 21}, {24, 17, 26}, 4, 2, 17},
    {2, {2, 2}, {3, 2}, {20, 12}, {40, 24}, 4, 0, 14},
};

static const struct shape combining = {2, {3, 2}, {1, 2}, {3, 5}, {0}, 2, 1, 9, true};

/* Opens a lab of that shape, without state of the previous lab. */
static struct fat_tree_lab open_shape(const struct shape *shape, enum machine_kind kind,
                                      uint64_t seed, unsigned log2_flits, unsigned log2_rows)
{
    struct fat_tree_lab lab = fat_tree_lab_open(seed, kind, shape->height, shape->children,
                                                shape->capacity, shape->pad, log2_flits, log2_rows);
    lab.machine.width = shape->width;
    lab.machine.reads = shape->reads;
    lab.machine.combines = shape->combines;
    for (unsigned level = 1; level <= shape->height; level++) {
        lab.machine.depth[level] = shape->depth[level - 1];
        lab.machine.queue[level] = shape->queue[level - 1];
    }
    fat_tree_lab_forget(&lab);
    return lab;
}

/* Runs on the open machine, which the first run opens. */
static void run_on(struct fat_tree_lab *lab, struct testbench *testbench)
{
    struct err err = {0};
    lab->image.machine = lab->machine;
    lab->image.run = lab->run;
    if (testbench->engine_count == 0)
        support_true(testbench_open(fat_tree_lab_engines, FAT_TREE_LAB_ALL, &lab->machine, false,
                                    testbench, &err),
                     &err);
    lab->testbench = *testbench;
    fat_tree_lab_again(lab);
    *testbench = lab->testbench;
}

static struct fat_tree_lab draw_tables(const struct shape *shape, uint64_t seed)
{
    struct rng rng = {seed};
    struct fat_tree_lab lab = open_shape(shape, MACHINE_FAT_TREE, seed, 4, 5);
    bool hurried = shape->pad == 0 && fat_tree_reference_draw(&rng, 6) == 0; /* rows of one cycle */
    uint32_t flits = hurried ? 1 : 1 + fat_tree_reference_draw(&rng, 16);
    lab.run = (struct run){.rows = 32 - fat_tree_reference_draw(&rng, 5),
                           .flits = flits,
                           .row_cycles = flits + shape->pad +
                                         (hurried ? 0 : fat_tree_reference_draw(&rng, 2) * 3),
                           .single_port = fat_tree_reference_draw(&rng, 4) == 0};
    fat_tree_tables_draw(&lab);
    return lab;
}

/* Writes random words, which no compiler produces, to all tables, programs and memories: both
 * engines behave the same, and the words read back are the same. */
static void visit_all(struct testbench *testbench, struct rng *rng)
{
    struct err err = {0};
    unsigned visited = 0;
    for (enum machine_region region = MACHINE_TABLE; region <= MACHINE_PACKET; region++)
        for (uint32_t field = 0; field < UINT32_C(1) << 16; field++) {
            uint32_t address = machine_region_address(region) | field,
                     word = (uint32_t)rng_next(rng);
            if (!machine_has_address(&testbench->machine, address))
                continue;
            support_true(testbench_write(testbench, address, word, &err) &&
                             testbench_read(testbench, address, &word, &err),
                         &err);
            visited++;
        }
    assert_true(visited > 1000);
}

static bool look_away(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)self, (void)cycle, (void)obs, (void)err;
    return true;
}

static void run_any_words(struct testbench *testbench, uint64_t seed)
{
    const struct testbench_observer observer = {NULL, look_away};
    struct rng rng = {seed};
    struct err err = {0};
    for (uint32_t flits = 1; flits <= 9; flits += 4) {
        const struct run run = {.rows = 32,
                                .flits = flits,
                                .row_cycles = machine_row_cycles(&testbench->machine, flits),
                                .operation = testbench->machine.combines
                                                 ? (uint32_t)(seed + flits / 4) % MACHINE_OPERATORS
                                                 : 0};
        uint64_t cycles;
        uint32_t word;
        visit_all(testbench, &rng);
        support_true(testbench_write(testbench, MACHINE_RUN_ROWS, run.rows, &err) &&
                         testbench_write(testbench, MACHINE_RUN_FLITS, run.flits, &err) &&
                         testbench_write(testbench, MACHINE_RUN_ROW_CYCLES, run.row_cycles, &err) &&
                         testbench_write(testbench, MACHINE_RUN_SINGLE_PORT,
                                         UINT32_C(0xfffffffe) + flits / 4 % 2, &err) &&
                         (!testbench->machine.combines ||
                          testbench_write(testbench, MACHINE_RUN_OPERATOR, run.operation, &err)) &&
                         testbench_run(testbench, &run, &observer, &cycles, &err),
                     &err);
        for (uint32_t router = 0; router < machine_routers(&testbench->machine); router++)
            support_true(
                testbench_read(testbench, machine_router_flags_address(router), &word, &err), &err);
        for (uint32_t field = 0; field < machine_ports(&testbench->machine) << 7; field++)
            support_true(
                testbench_read(testbench,
                               machine_packet_address(&testbench->machine, 0, 0, 0) + field, &word,
                               &err),
                &err);
    }
}

static void random_tables(void **unused)
{
    (void)unused;
    uint32_t receipts = 0;
    print_message("seeds %d …\n", SEED);
    for (size_t s = 0; s < SHAPES; s++) {
        struct testbench testbench = {0};
        for (uint64_t seed = SEED; seed < SEED + RUNS; seed++) {
            struct fat_tree_lab lab = draw_tables(&with_tables[s], seed);
            run_on(&lab, &testbench);
            fat_tree_lab_assert_right(&lab);
            receipts += lab.receipts;
            fat_tree_lab_close(&lab);
        }
        run_any_words(&testbench, SEED + s);
        testbench_close(&testbench);
    }
    print_message("%u receipts\n", receipts);
    assert_true(receipts > 10000);
}

static void any_words_of_routers_that_combine(void **unused)
{
    (void)unused;
    struct err err = {0};
    struct testbench testbench = {0};
    struct fat_tree_lab lab = open_shape(&combining, MACHINE_FAT_TREE, SEED, 4, 5);
    support_true(testbench_open(fat_tree_lab_engines, FAT_TREE_LAB_ALL, &lab.machine, false,
                                &testbench, &err),
                 &err);
    for (uint64_t seed = SEED; seed < SEED + MACHINE_OPERATORS; seed++)
        run_any_words(&testbench, seed);
    testbench_close(&testbench);
    fat_tree_lab_close(&lab);
}

/* Returns whether the needed sizes fit the machine, apart from the read ports. */
static bool fits(const struct machine *needed, const struct machine *machine)
{
    bool large = true;
    for (unsigned level = 1; level <= machine->topology.height; level++)
        large = large && needed->depth[level] <= machine->depth[level] &&
                needed->queue[level] <= machine->queue[level];
    return large;
}

static void random_packets(void **unused)
{
    (void)unused;
    uint32_t receipts = 0, overflows = 0, shortages = 0;
    print_message("seeds %d …\n", SEED);
    for (size_t s = 0; s < SHAPES; s++) {
        struct testbench testbench = {0};
        for (uint64_t seed = SEED; seed < SEED + RUNS; seed++) {
            struct rng rng = {seed};
            struct fat_tree_rule rule;
            struct fat_tree_lab lab = open_shape(&self_timed[s], MACHINE_FAT_TREE_AUTO, seed, 4, 6);
            struct machine needed = lab.machine;
            fat_tree_rule_draw(&lab, &rule, &rng);
            fat_tree_rule_fit(&lab, &rule, &needed);
            run_on(&lab, &testbench);
            bool fit = fits(&needed, &lab.machine), few = needed.reads > lab.machine.reads;
            if (fit && !few) {
                fat_tree_lab_assert_right(&lab);
                receipts += lab.receipts;
            } else {
                /* If read ports are too few, routers send slots that may hold no packet. */
                assert_int_equal(lab.router_flags & (few ? MACHINE_ROUTER_OVERFLOW : UINT32_MAX),
                                 MACHINE_ROUTER_OVERFLOW);
                overflows += !few;
                shortages += fit;
            }
            fat_tree_rule_close(&rule);
            fat_tree_lab_close(&lab);
        }
        testbench_close(&testbench);
    }
    print_message("%u receipts; %u runs that overflow, %u for want of read ports alone\n", receipts,
                  overflows, shortages);
    assert_true(receipts > 5000 && overflows > 20 && shortages > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_tables),
                                       cmocka_unit_test(any_words_of_routers_that_combine),
                                       cmocka_unit_test(random_packets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
