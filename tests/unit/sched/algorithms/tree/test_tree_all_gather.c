/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_all_gather: the all-gather among the leaves of a tree.
 *
 * State space: tree × capacities × model × method. Exhaustive: the 139 trees of k_i = 2 … 5 and n ≤
 * 64, six capacity patterns each. Sampled: 60 trees of k_i = 2 … 9, n ≤ 400; k, h up to n = 512;
 * the rows of golden/tree.csv and tree-mixed.csv, which another implementation generated. The
 * numbers of steps are closed forms of the paper, or general forms that are written here
 * independently; every schedule is verified and judged (judge_tree.h). Counter-cases: schedules
 * that were broken on purpose, each reported with its own fault; rejections, with the legal range.
 */
#include "sched/base/compare.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_tree.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"

#include <string.h>

enum method { FLOOD, QUEUE_FREE, INTERLEAVED };

static uint64_t steps_of(const struct topology *tree, enum model model, unsigned method)
{
    return tree_lab_steps(support_algorithm("tree-all-gather"), tree, model, method,
                          method != FLOOD && model == MODEL_MULTIPORT);
}

/* Returns the steps of a single-port all-gather. The root sends n(k_h - 1) packets, from step h + 1
 * on, and a router of level i < h sends n k_i packets down and up from step i + 1 on; then they
 * descend as in a broadcast, to one of k_j children after the other. */
static uint64_t single_port_steps(const struct topology *tree)
{
    uint64_t most = 0;
    for (unsigned i = 1; i <= tree->height; i++) {
        uint64_t steps = i + (uint64_t)tree->nodes * tree->children[i];
        if (i == tree->height)
            steps -= tree->nodes;
        for (unsigned j = i - 1; j > 0; j--)
            steps += tree->children[j];
        most = MAX(most, steps);
    }
    return most;
}

static uint64_t flood_steps(const struct topology *tree)
{
    return tree->height > 1 && tree->children[1] == 2 ? tree->nodes + 1 : tree->nodes;
}

static void check_tree(const struct topology *tree, struct rng *rng)
{
    uint64_t free_steps = tree->nodes + 2 * tree->height - 2;
    assert_int_equal(steps_of(tree, MODEL_SINGLE_PORT, FLOOD), single_port_steps(tree));
    for (unsigned pattern = 0; pattern < TREE_LAB_PATTERNS; pattern++) {
        const struct topology fat = tree_lab_pattern(tree, pattern, rng);
        assert_int_equal(steps_of(&fat, MODEL_MULTIPORT, FLOOD), flood_steps(tree));
        assert_int_equal(steps_of(&fat, MODEL_MULTIPORT, QUEUE_FREE), free_steps);
        if (pattern == 0 || tree->nodes <= 32)
            assert_int_equal(steps_of(&fat, MODEL_MULTIPORT, INTERLEAVED), flood_steps(tree));
    }
}

static void test_small(void **state)
{
    (void)state;
    struct topology tree = {0};
    struct rng rng = {1};
    unsigned trees = 0;
    for (; tree_lab_next(64, &tree); trees++)
        check_tree(&tree, &rng);
    assert_int_equal(trees, 139);
}

static void test_random(void **state)
{
    (void)state;
    struct rng rng = {2};
    for (unsigned which = 0; which < 60; which++) {
        const struct topology tree = tree_lab_random(which < 50 ? 150 : 400, &rng);
        check_tree(&tree, &rng);
    }
}

/* Theorem 4 and Theorem 7 in the form of the paper. */
static void test_uniform(void **state)
{
    (void)state;
    for (uint32_t k = 2; k <= 22; k++) {
        uint32_t children[TOPOLOGY_MAX_HEIGHT], ones[TOPOLOGY_MAX_HEIGHT], n = k;
        for (unsigned h = 0; h < TOPOLOGY_MAX_HEIGHT; h++) {
            children[h] = k;
            ones[h] = 1;
        }
        for (unsigned h = 2; n * k <= 512; h++) {
            n *= k;
            const struct topology tree = tree_lab_make(h, children, ones);
            assert_int_equal(steps_of(&tree, MODEL_SINGLE_PORT, FLOOD),
                             k * n + (k + 1) * (h - 2) + 1);
            assert_int_equal(steps_of(&tree, MODEL_MULTIPORT, FLOOD), n + (k == 2));
            assert_int_equal(steps_of(&tree, MODEL_MULTIPORT, QUEUE_FREE), n + 2 * h - 2);
            assert_int_equal(steps_of(&tree, MODEL_MULTIPORT, INTERLEAVED), n + (k == 2));
        }
    }
}

static bool check_row(const struct tree_lab_row *row)
{
    static const struct {
        const char *model, *algorithm;
        enum model ours;
        enum method method;
    } known[] = {{"single", "fig4_rotation", MODEL_SINGLE_PORT, FLOOD},
                 {"multi", "flood_fifo", MODEL_MULTIPORT, FLOOD},
                 {"multi", "queue_free_near_first", MODEL_MULTIPORT, QUEUE_FREE},
                 {"multi", "queue_free_far_first", MODEL_MULTIPORT, QUEUE_FREE}};
    for (unsigned which = 0; which < sizeof known / sizeof *known; which++)
        if (strcmp(row->model, known[which].model) == 0 &&
            strcmp(row->algorithm, known[which].algorithm) == 0) {
            assert_int_equal(steps_of(&row->tree, known[which].ours, known[which].method),
                             row->number[0]);
            return true;
        }
    return false;
}

static void test_golden(void **state)
{
    (void)state;
    assert_int_equal(tree_lab_golden("tests/golden/tree.csv", "multinode_broadcast", check_row),
                     91);
    assert_int_equal(
        tree_lab_golden("tests/golden/tree-mixed.csv", "multinode_broadcast", check_row), 51);
}

/* Number of packets that cross a branch: n(n + routers - 1) if no packet crosses a branch twice. */
static void test_transfers(void **state)
{
    (void)state;
    struct topology tree = {0};
    while (tree_lab_next(32, &tree))
        for (unsigned which = 0; which < 3; which++) {
            const struct collective asked =
                tree_lab_ask(&tree, which == 0 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT, which / 2);
            struct schedule schedule = {0};
            struct verify_report report;
            struct err err = {0};
            support_true(
                algorithm_build(support_algorithm("tree-all-gather"), &asked, &schedule, &err),
                &err);
            support_true(verify_schedule("multinode", &schedule, &report, &err), &err);
            size_t once = (size_t)tree.nodes * (tree.all - 1);
            assert_int_equal(schedule.transfer_count - report.redundant, once);
            size_t again = 0; /* in phase l a packet goes up l branches k_l - 1 times */
            for (unsigned level = 1; level <= tree.height && which == 2; level++)
                again += (size_t)tree.nodes * (level * (tree.children[level] - 1) - 1);
            assert_int_equal(report.redundant, again);
            schedule_free(&schedule);
        }
}

/* Builds a schedule of the tree of k = 3, 2 and capacities 1, 2, which the tests break. */
static void build_sample(enum model model, unsigned method, struct schedule *schedule)
{
    static struct topology tree;
    struct err err = {0};
    tree = tree_lab_parse("3,2", "1,2");
    const struct collective asked = tree_lab_ask(&tree, model, method);
    *schedule = (struct schedule){0};
    support_true(algorithm_build(support_algorithm("tree-all-gather"), &asked, schedule, &err),
                 &err);
}

static void expect_wrong(struct schedule *schedule, bool queue_free, const char *wrong)
{
    const char *found = judge_tree(schedule, COLLECTIVE_ALL_GATHER, 0, queue_free);
    if (wrong == NULL)
        assert_null(found);
    else
        assert_string_equal(found != NULL ? found : "nothing", wrong);
    schedule_free(schedule);
}

/* Makes a packet arrive once more at the router of leaf 0. */
static void repeat(struct schedule *s)
{
    assert_non_null(schedule_open_step(s, s->end + 1, 1, NULL));
    assert_true(schedule_append_lane(s, (struct transfer){0, 6, 1}, 0, NULL));
    schedule_close_step(s, 0);
}

/* The judge must detect faults in the schedule itself … */
static void test_broken_schedule(void **state)
{
    (void)state;
    struct schedule s;
    build_sample(MODEL_MULTIPORT, FLOOD, &s);
    s.step[1].time = 1;
    expect_wrong(&s, false, "out of order");
    build_sample(MODEL_MULTIPORT, FLOOD, &s);
    s.end++;
    expect_wrong(&s, false, "another end");
    build_sample(MODEL_MULTIPORT, FLOOD, &s);
    s.demand[1].source = 2;
    expect_wrong(&s, false, "another demand");
    build_sample(MODEL_MULTIPORT, FLOOD, &s);
    s.demand_count--;
    expect_wrong(&s, false, "other packets");
    build_sample(MODEL_MULTIPORT, FLOOD, &s);
    s.transfer[0].packet = 7;
    expect_wrong(&s, false, "no such node or packet");
}

/* … and in its transfers. */
static void test_broken(void **state)
{
    (void)state;
    struct schedule s;
    build_sample(MODEL_SINGLE_PORT, FLOOD, &s);
    expect_wrong(&s, false, NULL);
    build_sample(MODEL_SINGLE_PORT, FLOOD, &s);
    s.transfer[s.transfer_count - 1].packet ^= 1;
    expect_wrong(&s, false, "heard twice");
    build_sample(MODEL_SINGLE_PORT, FLOOD, &s);
    s.transfer_count--;
    expect_wrong(&s, false, "not delivered");
    build_sample(MODEL_MULTIPORT, FLOOD, &s);
    repeat(&s);
    expect_wrong(&s, false, "heard twice");
    build_sample(MODEL_MULTIPORT, QUEUE_FREE, &s);
    expect_wrong(&s, false, "heard twice");
    build_sample(MODEL_MULTIPORT, QUEUE_FREE, &s);
    repeat(&s);
    expect_wrong(&s, true, "heard in vain");
    build_sample(MODEL_MULTIPORT, FLOOD, &s);
    s.transfer[0].packet = 2;
    expect_wrong(&s, false, "not held");
    build_sample(MODEL_MULTIPORT, FLOOD, &s);
    s.transfer[0].destination = s.topology.all - 1;
    expect_wrong(&s, false, "no branch");
    build_sample(MODEL_MULTIPORT, FLOOD, &s);
    s.lane[0] = 1;
    expect_wrong(&s, false, "no lane");
    build_sample(MODEL_MULTIPORT, FLOOD, &s);
    memset(s.lane, 0, s.transfer_count * sizeof *s.lane);
    expect_wrong(&s, false, "used twice");
    build_sample(MODEL_MULTIPORT, FLOOD, &s);
    memset(s.lane, 0, s.transfer_count * sizeof *s.lane);
    s.model = MODEL_SINGLE_PORT;
    expect_wrong(&s, false, "used twice");
    build_sample(MODEL_MULTIPORT, FLOOD, &s);
    expect_wrong(&s, true, "kept waiting");
    build_sample(MODEL_MULTIPORT, QUEUE_FREE, &s);
    for (size_t k = 2; k < s.step_count; k++)
        s.step[k].time++;
    expect_wrong(&s, true, "kept waiting");
}

static void test_refused(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("2,3", "1,2"), thick = tree_lab_parse("2,3", "2,2");
    struct topology half = tree;
    half.half_duplex = true;
    const struct tree_lab_refused refused[] = {
        {{.n = 6, .m = 1, .model = MODEL_MULTIPORT, .topology = &thick, .method = INTERLEAVED},
         "leaves with one link, and c_1 is 2; expected flood or queue-free"},
        {{.n = 6, .m = 1, .model = MODEL_MULTIPORT, .topology = &half, .method = INTERLEAVED},
         "method: interleaved requires full-duplex links"},
        {{.n = 6, .m = 1, .model = MODEL_MULTIPORT, .topology = &half, .method = QUEUE_FREE},
         "method: queue-free requires full-duplex links"},
        {{.n = 6, .m = 1, .model = MODEL_SINGLE_PORT, .topology = &tree, .method = INTERLEAVED},
         "method: interleaved of tree-all-gather requires the model multiport"},
        {{.n = 6, .m = 1, .source = 1, .model = MODEL_MULTIPORT, .topology = &tree},
         "expected source 0"},
        {{.n = 6, .m = 2, .model = MODEL_MULTIPORT, .topology = &tree}, "expected 1 packet"},
        {{.n = 6, .m = 1, .model = MODEL_SINGLE_PORT, .topology = &tree, .method = QUEUE_FREE},
         "method: queue-free of tree-all-gather requires the model multiport; "
         "expected no method in single-port"},
        {{.n = 6, .m = 1, .model = MODEL_SEND_RECEIVE, .topology = &tree},
         "expected one of single-port multiport"},
        {{.n = 6, .m = 1, .model = MODEL_MULTIPORT}, "expected tree"}};
    tree_lab_refuses(support_algorithm("tree-all-gather"), &tree, refused,
                     sizeof refused / sizeof *refused);
}

/* Legal, but the schedule exceeds memory. */
static void test_huge(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("4096,4096", "1,4096");
    for (unsigned which = 0; which < 3; which++) {
        struct collective asked =
            tree_lab_ask(&tree, which == 0 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT, which / 2);
        struct schedule schedule = {0};
        struct err err = {0};
        assert_false(
            algorithm_build(support_algorithm("tree-all-gather"), &asked, &schedule, &err));
        assert_int_equal(err.code, ERR_TOO_BIG);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),     cmocka_unit_test(test_random),
        cmocka_unit_test(test_uniform),   cmocka_unit_test(test_golden),
        cmocka_unit_test(test_transfers), cmocka_unit_test(test_broken_schedule),
        cmocka_unit_test(test_broken),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_huge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
