/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_queues: the depth of queues in the all-gather and the total-exchange, against
 * golden/tree*.csv, which an independent implementation wrote; and the rows of these files that no
 * test uses.
 *
 *     tree-queues.csv             by level: packets that wait in a router, and for an output;
 *                                 packets stored
 *     tree.csv, tree-mixed.csv    the most packets that wait in a router
 *
 * buffers.c measures the schedules of this project. The golden "one output" of a single-port
 * exchange is the longer of two FIFOs, one for the parent and one for all children; a run of
 * rule_reference.h measures it. Counter-case: if leaves send in another order, the exchange is as
 * fast, but the queues of the routers have another depth.
 */
#include "sched/base/compare.h"
#include "sched/verify/buffers.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/rule_reference.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"

#include <string.h>

#define QUEUES "tests/golden/tree-queues.csv"
#define UNIFORM "tests/golden/tree.csv"
#define MIXED "tests/golden/tree-mixed.csv"

/* Numbers of packets that wait in the routers of a tree, by level. The last result is kept, because
 * the rows of a tree are consecutive. */
struct measured {
    struct topology tree;
    enum model model;
    struct buffer_depth depth[TOPOLOGY_MAX_HEIGHT + 1];
    struct buffer_depth ours[TOPOLOGY_MAX_HEIGHT + 1];
};

static void measure(const struct schedule *schedule, struct buffer_depth depth[])
{
    struct err err = {0};
    support_true(buffers_measure(schedule, depth, &err), &err);
}

static void measure_ours(const char *name, const struct topology *tree, enum model model,
                         struct buffer_depth depth[])
{
    const struct collective asked = tree_lab_ask(tree, model, 0);
    struct schedule schedule;
    support_schedule(support_algorithm(name), &asked, &schedule);
    measure(&schedule, depth);
    schedule_free(&schedule);
}

static unsigned deepest(const struct topology *tree, const struct buffer_depth depth[])
{
    unsigned most = 0;
    for (unsigned level = 1; level <= tree->height; level++)
        most = MAX(most, depth[level].wait);
    return most;
}

static enum model model_of(const struct tree_lab_row *row)
{
    assert_true(strcmp(row->model, "single") == 0 || strcmp(row->model, "multi") == 0);
    return row->model[0] == 's' ? MODEL_SINGLE_PORT : MODEL_MULTIPORT;
}

/* --- multinode broadcast
 * --------------------------------------------------------------------------- */

static const struct measured *multinode(const struct tree_lab_row *row)
{
    static struct measured last;
    if (topology_equal(&last.tree, &row->tree) && last.model == model_of(row))
        return &last;
    last.tree = row->tree;
    last.model = model_of(row);
    measure_ours("tree-all-gather", &last.tree, last.model, last.depth);
    return &last;
}

static bool is_queue_free(const struct tree_lab_row *row)
{
    return strncmp(row->algorithm, "queue_free", strlen("queue_free")) == 0;
}

static bool check_multinode_levels(const struct tree_lab_row *row)
{
    const struct buffer_depth *at = &multinode(row)->depth[row->number[0]];
    assert_int_equal(at->wait, row->number[1]);
    assert_int_equal(at->wait_output, row->number[2]);
    assert_int_equal(at->stored, row->number[3]);
    return true;
}

/* The judge in test_tree_all_gather checks that no packet waits. */
static bool check_multinode(const struct tree_lab_row *row)
{
    if (strcmp(row->algorithm, "queue_free_via_root") == 0)
        return false;
    assert_int_equal(is_queue_free(row) ? 0 : deepest(&row->tree, multinode(row)->depth),
                     row->number[1]);
    return true;
}

static void test_multinode(void **state)
{
    (void)state;
    assert_int_equal(tree_lab_golden(QUEUES, "multinode_broadcast", check_multinode_levels), 219);
    assert_int_equal(tree_lab_golden(UNIFORM, "multinode_broadcast", check_multinode), 91);
    assert_int_equal(tree_lab_golden(MIXED, "multinode_broadcast", check_multinode), 51);
}

/* --- total exchange
 * -------------------------------------------------------------------------------- */

/* Returns the packet that a leaf sends in step number `which`, from 0, in another order: the
 * furthest first, and equally distant ones cyclically from the next child on. */
static uint32_t cyclic(const struct topology *tree, uint32_t leaf, uint32_t which)
{
    uint32_t all = tree->nodes;
    for (unsigned level = tree->height; level > 0; level--) {
        uint32_t own = all / tree->children[level], child = leaf % all / own * own;
        if (which < all - own)
            return leaf - leaf % all + (child + own + which) % all;
        which -= all - own;
        all = own;
    }
    fail_msg("a leaf sends %u packets too many", which + 1);
    return 0;
}

static void begin(const struct topology *tree, struct schedule *schedule)
{
    struct err err = {0};
    *schedule = (struct schedule){0};
    support_true(schedule_init(schedule, "golden",
                               &(struct collective){.topology = tree,
                                                    .kind = COLLECTIVE_TOTAL_EXCHANGE,
                                                    .m = 1,
                                                    .model = MODEL_SINGLE_PORT},
                               &err),
                 &err);
}

/* Builds the sends of the leaves of an exchange in that order. */
static void build_cyclic(const struct topology *tree, struct schedule *schedule)
{
    begin(tree, schedule);
    for (uint32_t step = 1; step < tree->nodes; step++) {
        assert_non_null(schedule_open_step(schedule, step, 1, NULL));
        for (uint32_t leaf = 0; leaf < tree->nodes; leaf++) {
            uint32_t to = cyclic(tree, leaf, step - 1);
            uint32_t packet = leaf * (tree->nodes - 1) + (to < leaf ? to + 1 : to);
            const struct transfer transfer = {leaf, tree->nodes + leaf / tree->children[1], packet};
            assert_true(schedule_append_lane(schedule, transfer, 0, NULL));
        }
        schedule_close_step(schedule, 0);
    }
}

/* Runs the leaves' sends through routers that have one FIFO up and one down. Returns the number of
 * steps. */
static uint32_t run_exchange(const struct schedule *leaves, struct buffer_depth depth[])
{
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    struct rule_reference rule;
    begin(&leaves->topology, &schedule);
    rule_reference_run(&rule, leaves, true);
    for (size_t which = 0; which < rule.hops; which++) {
        const struct rule_reference_hop *hop = &rule.hop[which];
        if (which > 0 && hop->step != hop[-1].step)
            schedule_close_step(&schedule, 0);
        if (which == 0 || hop->step != hop[-1].step)
            assert_non_null(schedule_open_step(&schedule, hop->step, 1, &err));
        const struct transfer transfer = {hop->source, hop->destination, hop->packet};
        assert_true(schedule_append_lane(&schedule, transfer, hop->lane, &err));
    }
    schedule_close_step(&schedule, 0);
    uint32_t steps = rule.hop[rule.hops - 1].step;
    support_true(verify_schedule("golden", &schedule, &report, &err), &err);
    measure(&schedule, depth);
    for (unsigned level = 1; level <= leaves->topology.height; level++)
        depth[level].wait_output = (uint32_t)rule.longest[level]; /* both FIFOs, not branches */
    rule_reference_free(&rule);
    schedule_free(&schedule);
    return steps;
}

static const struct measured *exchange(const struct tree_lab_row *row)
{
    static struct measured last;
    if (topology_equal(&last.tree, &row->tree))
        return &last;
    const struct collective asked = tree_lab_ask(&row->tree, MODEL_SINGLE_PORT, 0);
    struct schedule schedule;
    last.tree = row->tree;
    support_schedule(support_algorithm("tree-total-exchange"), &asked, &schedule);
    assert_int_equal(run_exchange(&schedule, last.depth), schedule.end);
    schedule_free(&schedule);
    measure_ours("tree-total-exchange", &last.tree, MODEL_SINGLE_PORT, last.ours);
    return &last;
}

static bool check_exchange_levels(const struct tree_lab_row *row)
{
    const struct measured *measured = exchange(row);
    unsigned level = row->number[0];
    assert_int_equal(measured->ours[level].wait, row->number[1]);
    assert_int_equal(measured->depth[level].wait_output, row->number[2]);
    assert_int_equal(measured->ours[level].stored, row->number[3]);
    return true;
}

static bool check_exchange(const struct tree_lab_row *row)
{
    if (model_of(row) == MODEL_MULTIPORT) { /* the judge of test_tree_total_exchange checks this */
        assert_int_equal(row->number[1], 0);
        return true;
    }
    assert_int_equal(deepest(&row->tree, exchange(row)->ours), row->number[1]);
    return true;
}

static void test_exchange(void **state)
{
    (void)state;
    assert_int_equal(tree_lab_golden(QUEUES, "total_exchange", check_exchange_levels), 30);
    assert_int_equal(tree_lab_golden(UNIFORM, "total_exchange", check_exchange), 169);
    assert_int_equal(tree_lab_golden(MIXED, "total_exchange", check_exchange), 82);
}

/* The depth depends on the order in which leaves send: k = 3, h = 3, level 2. */
static void test_leaf_order(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("3,3,3", "const");
    const struct collective asked = tree_lab_ask(&tree, MODEL_SINGLE_PORT, 0);
    struct schedule schedule;
    struct buffer_depth depth[TOPOLOGY_MAX_HEIGHT + 1];
    build_cyclic(&tree, &schedule);
    uint32_t steps = run_exchange(&schedule, depth);
    assert_int_equal(depth[2].wait, 168);
    schedule_free(&schedule);
    support_schedule(support_algorithm("tree-total-exchange"), &asked, &schedule);
    assert_int_equal(run_exchange(&schedule, depth), steps);
    assert_int_equal(depth[2].wait, 190);
    schedule_free(&schedule);
}

/* --- which test looks at which rows
 * ---------------------------------------------------------------- */

/* Every row belongs to one of these groups. `test`: the test that builds the schedule and compares
 * all numbers of the row; NULL: none. */
static const struct covered {
    const char *file, *collective, *model, *algorithm;
    unsigned rows;
    const char *test;
} covered[] = {
    {UNIFORM, "broadcast", "single", "up_first", 15, "golden"},
    {UNIFORM, "broadcast", "multi", "replicate", 21, "golden"},
    {UNIFORM, "scatter", "single", "furthest_first", 19, "golden"},
    {UNIFORM, "scatter", "multi", "furthest_first", 14, "golden"},
    {UNIFORM, "gather", "single", "greedy_fifo", 16, "golden"},
    {UNIFORM, "gather", "single", "reversed_scatter", 12, "golden"},
    {UNIFORM, "gather", "multi", "greedy_fifo", 53, "golden"},
    {UNIFORM, "gather", "multi", "reversed_scatter", 16, "golden"},
    {UNIFORM, "multinode_broadcast", "single", "fig4_rotation", 13, "multinode, queues"},
    {UNIFORM, "multinode_broadcast", "multi", "flood_fifo", 53, "multinode, queues"},
    {UNIFORM, "multinode_broadcast", "multi", "queue_free_near_first", 13, "multinode, queues"},
    /* This project sends nearest first, with the same steps and queues: the numbers are compared,
     * not the order. */
    {UNIFORM, "multinode_broadcast", "multi", "queue_free_far_first", 12, "multinode, queues"},
    /* A leaf sends once, and all packets pass the root: n + 2h - 1 steps, one more than here. This
     * project has no such method. */
    {UNIFORM, "multinode_broadcast", "multi", "queue_free_via_root", 15, NULL},
    {UNIFORM, "total_exchange", "single", "fig5_fifo", 11, "exchange, queues"},
    {UNIFORM, "total_exchange", "multi", "phases", 51, "exchange, queues"},
    {UNIFORM, "total_exchange", "multi", "pipelined_near_first", 56, "exchange, queues"},
    /* as above */
    {UNIFORM, "total_exchange", "multi", "pipelined_far_first", 51, "exchange, queues"},
    {MIXED, "broadcast", "single", "up_first", 12, "golden"},
    {MIXED, "broadcast", "multi", "replicate", 6, "golden"},
    {MIXED, "scatter", "single", "furthest_first", 7, "golden"},
    {MIXED, "scatter", "multi", "furthest_first", 6, "golden"},
    {MIXED, "gather", "single", "greedy_fifo", 6, "golden"},
    {MIXED, "gather", "single", "reversed_scatter", 1, "golden"},
    {MIXED, "gather", "multi", "greedy_fifo", 25, "golden"},
    {MIXED, "gather", "multi", "reversed_scatter", 9, "golden"},
    {MIXED, "multinode_broadcast", "single", "fig4_rotation", 7, "multinode, queues"},
    {MIXED, "multinode_broadcast", "multi", "flood_fifo", 30, "multinode, queues"},
    {MIXED, "multinode_broadcast", "multi", "queue_free_near_first", 8, "multinode, queues"},
    {MIXED, "multinode_broadcast", "multi", "queue_free_far_first", 6, "multinode, queues"},
    {MIXED, "multinode_broadcast", "multi", "queue_free_via_root", 7, NULL},
    {MIXED, "total_exchange", "single", "fig5_fifo", 4, "exchange, queues"},
    {MIXED, "total_exchange", "multi", "phases", 23, "exchange, queues"},
    {MIXED, "total_exchange", "multi", "pipelined_near_first", 31, "exchange, queues"},
    {MIXED, "total_exchange", "multi", "pipelined_far_first", 24, "exchange, queues"},
    {QUEUES, "gather", "single", "greedy_fifo", 45, "golden"},
    {QUEUES, "gather", "multi", "greedy_fifo", 163, "golden"},
    {QUEUES, "multinode_broadcast", "single", "fig4_rotation", 43, "queues"},
    {QUEUES, "multinode_broadcast", "multi", "flood_fifo", 176, "queues"},
    {QUEUES, "total_exchange", "single", "fig5_fifo", 30, "queues"},
};
#define COVERED (sizeof covered / sizeof *covered)

static const struct covered *looked_for;

static bool is_looked_for(const struct tree_lab_row *row)
{
    return strcmp(row->collective, looked_for->collective) == 0 &&
           strcmp(row->model, looked_for->model) == 0 &&
           strcmp(row->algorithm, looked_for->algorithm) == 0;
}

static bool is_row(const struct tree_lab_row *row)
{
    return row->tree.nodes > 1;
}

static void test_covered(void **state)
{
    (void)state;
    unsigned rows = 0, nobody = 0;
    for (looked_for = covered; looked_for < covered + COVERED; looked_for++) {
        assert_int_equal(tree_lab_golden(looked_for->file, "", is_looked_for), looked_for->rows);
        rows += looked_for->rows;
        nobody += looked_for->test == NULL ? looked_for->rows : 0;
    }
    assert_int_equal(rows, tree_lab_golden(UNIFORM, "", is_row) +
                               tree_lab_golden(MIXED, "", is_row) +
                               tree_lab_golden(QUEUES, "", is_row));
    assert_int_equal(rows, 441 + 212 + 457);
    assert_int_equal(nobody, 22);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multinode),
        cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_leaf_order),
        cmocka_unit_test(test_covered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
