/* SPDX-License-Identifier: Apache-2.0 */
/* test_fat_tree_auto: the fat tree machine of self-timed routers, against an independent reference
 * with queues.
 *
 * Leaves send random packets in random rows, to one leaf or to all others. The reference queues
 * packets for the branches that they must leave by and serves the queues by the rule; the packets
 * that each leaf receives, their rows and cycles, and the packets that it holds in the end must be
 * the same. The reference also computes the smallest sufficient queues, buffers and numbers of read
 * ports: with these no flag is raised, and with one less of any of them the level in question
 * overflows. Sampled: trees, flits, latencies, both port models, the load; the seeds are printed.
 * Another counter-case: a packet for a leaf that does not exist arrives at a leaf that does not
 * expect it.
 */
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/fat_tree_rule.h"

#define SEED 20261122
#define TREES (sizeof trees / sizeof *trees)

static const struct {
    unsigned height;
    uint32_t children[4], capacity[4];
} trees[] = {{1, {3}, {1}},
             {2, {2, 2}, {1, 1}},
             {2, {3, 2}, {1, 2}},
             {2, {4, 4}, {1, 4}},
             {2, {2, 3}, {1, 2}},
             {3, {2, 2, 2}, {1, 1, 1}},
             {3, {2, 3, 2}, {1, 2, 3}},
             {3, {4, 2, 3}, {1, 1, 1}},
             {4, {2, 2, 2, 2}, {1, 2, 4, 8}},
             {1, {3}, {2}},
             {2, {2, 3}, {3, 1}},
             {3, {2, 2, 2}, {2, 1, 3}}};

/* Draws a run on a machine that is just large enough. `rule` is left open. */
static struct fat_tree_lab draw_lab(uint64_t seed, struct fat_tree_rule *rule)
{
    struct rng rng = {seed};
    size_t tree = seed % TREES;
    struct fat_tree_lab lab =
        fat_tree_lab_open(seed, MACHINE_FAT_TREE_AUTO, trees[tree].height, trees[tree].children,
                          trees[tree].capacity, fat_tree_reference_draw(&rng, 4), 4, 6);
    fat_tree_rule_draw(&lab, rule, &rng);
    fat_tree_rule_fit(&lab, rule, &lab.machine);
    return lab;
}

/* Repeats the run with `size`, a member of the machine, reduced by one, which is too small. */
static void run_smaller(struct fat_tree_lab *lab, uint32_t *size, unsigned level,
                        uint32_t *overflows)
{
    if (*size < 2)
        return;
    --*size;
    fat_tree_lab_start(lab);
    assert_true((level == 0 ? lab->router_flags : lab->level_flags[level]) &
                MACHINE_ROUTER_OVERFLOW);
    testbench_close(&lab->testbench);
    ++*size;
    ++*overflows;
}

static void random_packets_go_by_the_rule(void **unused)
{
    (void)unused;
    uint32_t receipts = 0, queues = 0, depths = 0, reads = 0;
    print_message("seeds %d …\n", SEED);
    for (uint64_t seed = SEED; seed < SEED + 14 * TREES; seed++) {
        struct fat_tree_rule rule;
        struct fat_tree_lab lab = draw_lab(seed, &rule);
        fat_tree_rule_close(&rule);
        fat_tree_lab_start(&lab);
        fat_tree_lab_assert_right(&lab);
        receipts += lab.receipts;
        fat_tree_lab_again(&lab);
        fat_tree_lab_assert_right(&lab);
        testbench_close(&lab.testbench);
        run_smaller(&lab, &lab.machine.reads, 0, &reads);
        for (unsigned level = 1; level <= lab.machine.topology.height; level++) {
            run_smaller(&lab, &lab.machine.queue[level], level, &queues);
            run_smaller(&lab, &lab.machine.depth[level], level, &depths);
        }
        fat_tree_lab_close(&lab);
    }
    print_message("%u receipts; overflows of %u queues, %u buffers, %u read ports\n", receipts,
                  queues, depths, reads);
    assert_true(receipts > 10000 && queues > 50 && depths > 50 && reads > 20);
}

/* Three leaves have numbers of two bits. Only the last branch leads toward leaf 3. */
static void a_stray_packet_is_not_expected(void **unused)
{
    (void)unused;
    struct fat_tree_lab lab = fat_tree_lab_open(
        SEED, MACHINE_FAT_TREE_AUTO, 1, (const uint32_t[]){3}, (const uint32_t[]){1}, 0, 4, 4);
    lab.run = (struct run){
        .rows = 2, .flits = 5, .row_cycles = 5 + fat_tree_rule_control_cycles(&lab.reference, 5)};
    fat_tree_lab_fill(&lab, FAT_TREE_LAB_SLOTS);
    lab.payload[5] = 6;
    lab.payload[5 + 1] = 3;
    fat_tree_lab_load_packets(&lab);
    fat_tree_lab_load_run(&lab);
    fat_tree_lab_word(&lab, machine_program_address(&lab.machine, MACHINE_SEND, 0, 0),
                      MACHINE_VALID);
    lab.expected[1 * 3 + 2] = MACHINE_UNEXPECTED << MACHINE_OBS_FLAGS;
    *fat_tree_lab_memory(&lab, 2, 6) = 1;
    lab.reference.steps = 2;
    fat_tree_lab_start(&lab);
    assert_int_equal(lab.differ, 4); /* the flits after the first are not stored */
    assert_int_equal(lab.leaf_flags, MACHINE_UNEXPECTED);
    assert_int_equal(lab.router_flags, 0);
    testbench_close(&lab.testbench);
    fat_tree_lab_close(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_packets_go_by_the_rule),
        cmocka_unit_test(a_stray_packet_is_not_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
