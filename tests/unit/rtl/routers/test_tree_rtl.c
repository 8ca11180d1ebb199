/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_rtl: all collectives on the routers of csim and RTL, in lockstep.
 *
 * 2-ary trees, and 3-ary trees with tables; if every space is exhausted also higher trees, 64
 * leaves of height 3 with capacities const, exp and CM-5's 1, 2, 4, and a mixed tree; both routers,
 * table-driven and self-timed. Each machine is built once, for the largest of its schedules, and
 * runs all of them one after another, by table load. On one self-timed tree leaves also send
 * seeded random packets.
 */
#include "sched/shape/topology.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_kept.h"
#include "tests/support/running.h"
#include "tests/support/tree_machine.h"

#define FLITS 3
#define DRAWN 40

static const struct tree_machine_case cases[] = {
    {"tree-broadcast", NULL, MODEL_SINGLE_PORT, 1},
    {"tree-broadcast", NULL, MODEL_MULTIPORT, 3},
    {"tree-scatter", NULL, MODEL_SINGLE_PORT, 2},
    {"tree-scatter", NULL, MODEL_MULTIPORT, 0},
    {"tree-gather", "timed", MODEL_SINGLE_PORT, 0},
    {"tree-gather", "timed", MODEL_MULTIPORT, 1},
    {"tree-gather", "greedy", MODEL_SINGLE_PORT, 3},
    {"tree-gather", "greedy", MODEL_MULTIPORT, 2},
    {"tree-all-gather", NULL, MODEL_SINGLE_PORT, 0},
    {"tree-all-gather", "flood", MODEL_MULTIPORT, 0},
    {"tree-total-exchange", NULL, MODEL_SINGLE_PORT, 0},
    {"tree-total-exchange", "phases", MODEL_MULTIPORT, 0},
    {"tree-total-exchange", "pipelined", MODEL_MULTIPORT, 0},
    {"tree-all-gather", "queue-free", MODEL_MULTIPORT, 0},
};
#define CASES (sizeof cases / sizeof *cases)

static size_t draw(const struct topology *tree, struct schedule schedule[DRAWN])
{
    struct rng rng = {JUDGE_KEPT_SEED};
    print_message("seed %llu\n", (unsigned long long)JUDGE_KEPT_SEED);
    for (size_t k = 0; k < DRAWN; k++)
        judge_kept_draw(tree, k % 2 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT, &rng, &schedule[k]);
    return DRAWN;
}

static void run_tree(const char *children, const char *capacity, enum machine_kind kind,
                     unsigned pad)
{
    struct err err = {0};
    struct topology tree;
    support_true(topology_parse_tree(children, capacity, &tree, &err), &err);
    struct machine machine = tree_machine_of(kind, &tree, pad);
    /* A schedule that sends a packet to a router twice requires tables. */
    size_t count = kind == MACHINE_FAT_TREE_AUTO ? CASES - 1 : CASES;
    struct schedule schedule[CASES + DRAWN];
    uint64_t receipts = 0;
    for (size_t k = 0; k < count; k++)
        tree_machine_schedule(&cases[k], &tree, &schedule[k]);
    if (kind == MACHINE_FAT_TREE_AUTO && tree.nodes == 4)
        count += draw(&tree, &schedule[count]);
    for (size_t k = 0; k < count; k++)
        tree_machine_fit(&schedule[k], FLITS, &machine);
    for (size_t k = 0; k < count; k++) {
        struct support_job job;
        tree_machine_job(&schedule[k], &machine, FLITS, &job);
        receipts += tree_machine_run(&job, true, schedule[k].end);
        support_job_free(&job);
    }
    print_message("%s capacity %s, %s: %zu schedules, %llu receipts\n", children, capacity,
                  kind == MACHINE_FAT_TREE ? "tables" : "self-timed", count,
                  (unsigned long long)receipts);
}

static void run_both(const char *children, const char *capacity, unsigned pad)
{
    run_tree(children, capacity, MACHINE_FAT_TREE, pad);
    run_tree(children, capacity, MACHINE_FAT_TREE_AUTO, pad);
}

static void test_binary(void **state)
{
    (void)state;
    run_both("2,2", "1,2", 1);
}

static void test_high(void **state)
{
    (void)state;
    run_both("2,2,2,2,2", "const", 0);
}

static void test_ternary(void **state)
{
    (void)state;
    run_tree("3,3,3", "exp", MACHINE_FAT_TREE, 0);
}

static void test_ternary_self_timed(void **state)
{
    (void)state;
    run_tree("3,3,3", "exp", MACHINE_FAT_TREE_AUTO, 0);
}

static void test_mixed(void **state)
{
    (void)state;
    run_both("2,3,4", "1,2,3", 2);
}

static void test_quaternary(void **state)
{
    (void)state;
    run_both("4,4,4", "const", 0);
    run_both("4,4,4", "exp", 0);
    run_both("4,4,4", "1,2,4", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_binary),
                                       cmocka_unit_test(test_ternary)};
    const struct CMUnitTest large[] = {cmocka_unit_test(test_ternary_self_timed),
                                       cmocka_unit_test(test_high), cmocka_unit_test(test_mixed),
                                       cmocka_unit_test(test_quaternary)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return running_exhaustive() ? failed + cmocka_run_group_tests(large, NULL, NULL) : failed;
}
