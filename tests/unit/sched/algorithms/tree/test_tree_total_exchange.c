/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_total_exchange: the total exchange among the leaves of a tree.
 *
 * State space: tree × capacities × model × method, interleaved only on wide branches. Exhaustive:
 * the 139 trees of k_i = 2 … 5 and n ≤ 64, six capacity patterns each (for n > 24, here and below,
 * every 5th case; `make test-all` runs all); all c_2, c_3 ≤ 20 of one tree, whether or not they
 * divide its numbers of leaves. Sampled: 40 trees of k_i = 2 … 9, n ≤ 130; the rows of
 * golden/tree.csv and tree-mixed.csv, which another implementation generated. The numbers of steps
 * are corrected closed forms of the paper, or general forms that are written here independently;
 * every schedule is verified and judged (judge_tree.h; the judge's counter-cases are in
 * test_tree_all_gather). Counter-cases here: packets on the lanes that the formula without x
 * assigns; rejections, with the legal range.
 */
#include "sched/base/compare.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_tree.h"
#include "tests/support/running.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"

#include <string.h>

#define FEW_LEAVES 24 /* up to this number every pattern is tried */
#define SAMPLED 5

enum method { PIPELINED, PHASES, INTERLEAVED };

static uint64_t steps_of(const struct topology *tree, enum model model, unsigned method)
{
    return tree_lab_steps(support_algorithm("tree-total-exchange"), tree, model, method,
                          model == MODEL_MULTIPORT);
}

/* Returns the number of packets that a router of level i sends: for each leaf below it, those to
 * and from the leaves outside, and those to the leaves below its other children. */
static uint64_t router_load(const struct topology *tree, unsigned i)
{
    uint64_t load = 0, below = tree->leaves[i];
    /* up, down; turning here */
    for (uint64_t leaf = 0; leaf < below; leaf++)
        load += 2 * (tree->nodes - below) + below - tree->leaves[i - 1];
    return load;
}

/* Returns the steps with one port. A router of level i is busy from step i + 1 on, and its last
 * packet has i more steps to go. */
static uint64_t single_port_steps(const struct topology *tree)
{
    uint64_t most = 0;
    for (unsigned i = 1; i <= tree->height; i++) {
        uint64_t steps = i + router_load(tree, i) + i - 1;
        most = MAX(most, steps);
    }
    return most;
}

/* Returns Σ ⌈(k_l - 1) N_{l-1}² / e_l⌉ + beyond. */
static uint64_t phases_steps(const struct topology *tree, uint64_t beyond)
{
    uint64_t effective = 1, steps = beyond;
    for (unsigned l = 1; l <= tree->height; l++) {
        uint64_t m = tree->leaves[l - 1], most = l == 1 ? 1 : effective * tree->children[l - 1];
        effective = MIN(most, tree->capacity[l]);
        while (effective > most) /* more than the level below can deliver */
            effective--;
        uint64_t packets = m * m * (tree->children[l] - 1);
        steps += packets / effective + (packets % effective != 0);
    }
    return steps;
}

static void check_multiport(const struct topology *tree)
{
    uint64_t h = tree->height;
    assert_int_equal(steps_of(tree, MODEL_MULTIPORT, PIPELINED), phases_steps(tree, 2 * h - 1));
    assert_int_equal(steps_of(tree, MODEL_MULTIPORT, PHASES), phases_steps(tree, h * h));
}

/* Returns the fewest steps if branches carry a packet for each leaf below: n - 2 + the mean number
 * of links between two leaves, rounded up (docs/algorithms/tree.md has the proof). */
static uint64_t fewest_steps(const struct topology *tree)
{
    uint64_t links = 0, others = tree->nodes - 1;
    for (uint32_t to = 1; to < tree->nodes; to++)
        links += 2 * topology_meet(tree, 0, to);
    return tree->nodes - 2 + (links + others - 1) / others;
}

/* Returns whether a case of that tree is tried; `large` counts those of many leaves. */
static bool is_wanted(const struct topology *tree, unsigned *large)
{
    return tree->nodes <= FEW_LEAVES || (*large)++ % running_stride(SAMPLED) == 0;
}

/* Checks one port and the six patterns: seven cases. The cases that are tried rotate from tree to
 * tree. */
static void check_tree(const struct topology *tree, struct rng *rng, unsigned *large)
{
    if (is_wanted(tree, large))
        assert_int_equal(steps_of(tree, MODEL_SINGLE_PORT, PIPELINED), single_port_steps(tree));
    for (unsigned pattern = 0; pattern < TREE_LAB_PATTERNS; pattern++) {
        const struct topology fat = tree_lab_pattern(tree, pattern, rng);
        if (is_wanted(tree, large))
            check_multiport(&fat);
    }
    const struct topology exponential = tree_lab_pattern(tree, 1, rng);
    const struct collective asked = tree_lab_ask(&exponential, MODEL_MULTIPORT, PIPELINED);
    assert_int_equal(algorithm_end(support_algorithm("tree-total-exchange"), &asked),
                     tree->nodes + 2 * tree->height - 2);
    if (tree->nodes <= FEW_LEAVES || *large % running_stride(SAMPLED) == 0)
        assert_int_equal(steps_of(&exponential, MODEL_MULTIPORT, INTERLEAVED),
                         fewest_steps(&exponential));
}

static void test_small(void **state)
{
    (void)state;
    struct topology tree = {0};
    struct rng rng = {1};
    unsigned trees = 0, large = 0;
    for (; tree_lab_next(64, &tree); trees++)
        check_tree(&tree, &rng, &large);
    assert_true(large > 300);
    assert_int_equal(trees, 139);
}

static void test_random(void **state)
{
    (void)state;
    struct rng rng = {2};
    unsigned large = 0;
    for (unsigned which = 0; which < 40; which++) {
        const struct topology tree = tree_lab_random(which < 30 ? 60 : 130, &rng);
        check_tree(&tree, &rng, &large);
    }
}

/* The capacities have every remainder modulo the number of branches below. */
static void test_capacities(void **state)
{
    (void)state;
    static const uint32_t children[] = {3, 2, 3};
    for (uint32_t second = 1; second <= 20; second++)
        for (uint32_t third = 1; third <= 20; third++) {
            const struct topology tree =
                tree_lab_make(3, children, (const uint32_t[]){1, second, third});
            check_multiport(&tree);
        }
}

/* The corrected Theorem 6, and (4) for constant capacities, in closed form. */
static void test_uniform(void **state)
{
    (void)state;
    for (uint32_t k = 2; k <= 11; k++) {
        uint32_t children[] = {k, k, k, k, k, k, k}, ones[] = {1, 1, 1, 1, 1, 1, 1};
        uint64_t n = k;
        for (unsigned h = 2; n * k <= 128; h++) {
            n *= k;
            const struct topology tree = tree_lab_make(h, children, ones);
            uint64_t router = n * n * (2 * k + 1) * (k - 1) / (k * k * k) + 2 * h - 3;
            uint64_t root = n * n * (k - 1) / k + 2 * h - 1;
            assert_int_equal(steps_of(&tree, MODEL_SINGLE_PORT, PIPELINED), k == 2 ? router : root);
            assert_true(k == 2 ? router >= root : root > router);
            assert_int_equal(steps_of(&tree, MODEL_MULTIPORT, PIPELINED),
                             (n * n - 1) / (k + 1) + 2 * h - 1);
        }
    }
}

/* Section 2.5 states that total exchange requires larger k. Given the load of the root, smaller k
 * are better, up to k = √n, which takes n²(1 - 1/√n) + 3 steps: more than n√n by a factor of √n -
 * 1. */
static void test_smaller_k(void **state)
{
    (void)state;
    static const struct {
        uint32_t k, height, leaves, steps;
    } trees[] = {{2, 4, 16, 165},  {4, 2, 16, 195},  {2, 6, 64, 2569}, {4, 3, 64, 3077},
                 {8, 2, 64, 3587}, {3, 4, 81, 4381}, {9, 2, 81, 5835}};
    for (size_t which = 0; which < sizeof trees / sizeof *trees; which++) {
        uint32_t k = trees[which].k, children[] = {k, k, k, k, k, k}, ones[] = {1, 1, 1, 1, 1, 1};
        const struct topology tree = tree_lab_make(trees[which].height, children, ones);
        assert_int_equal(tree.nodes, trees[which].leaves);
        assert_int_equal(steps_of(&tree, MODEL_SINGLE_PORT, PIPELINED), trees[which].steps);
        if (which > 0 && trees[which - 1].leaves == trees[which].leaves)
            assert_true(trees[which - 1].steps < trees[which].steps);
        if (trees[which].height == 2)
            assert_int_equal(trees[which].steps, k * k * k * (k - 1) + 3);
    }
}

static bool check_row(const struct tree_lab_row *row)
{
    static unsigned large; /* in both files */
    if (!is_wanted(&row->tree, &large))
        return true;
    bool single = strcmp(row->model, "single") == 0;
    assert_true(single || strcmp(row->model, "multi") == 0);
    unsigned method = strcmp(row->algorithm, "phases") == 0 ? PHASES : PIPELINED;
    assert_int_equal(steps_of(&row->tree, single ? MODEL_SINGLE_PORT : MODEL_MULTIPORT, method),
                     row->number[0]);
    return true;
}

static void test_golden(void **state)
{
    (void)state;
    assert_int_equal(tree_lab_golden("tests/golden/tree.csv", "total_exchange", check_row), 169);
    assert_int_equal(tree_lab_golden("tests/golden/tree-mixed.csv", "total_exchange", check_row),
                     82);
}

/* Packets travel on the shortest path only. */
static void test_transfers(void **state)
{
    (void)state;
    struct topology tree = {0};
    while (tree_lab_next(32, &tree))
        for (unsigned which = 0; which < 3; which++) {
            const struct collective asked =
                tree_lab_ask(&tree, which == 0 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT, which / 2);
            struct schedule schedule;
            support_schedule(support_algorithm("tree-total-exchange"), &asked, &schedule);
            size_t hops = 0;
            for (uint32_t from = 0; from < tree.nodes; from++)
                for (uint32_t to = 0; to < tree.nodes; to++)
                    hops += 2 * topology_meet(&tree, from, to);
            assert_int_equal(schedule.transfer_count, hops);
            schedule_free(&schedule);
        }
}

/* 5-ary, h = 2, c_2 = 6: (4) with c_2 = 6 promises 24, which no schedule reaches; 5 leaves can send
 * only 5 packets in a step. */
static void test_effective_capacity(void **state)
{
    (void)state;
    const struct topology wide = tree_lab_parse("5,5", "1,6"),
                          narrow = tree_lab_parse("5,5", "1,5");
    assert_int_equal(steps_of(&wide, MODEL_MULTIPORT, PIPELINED), 27);
    assert_int_equal(steps_of(&narrow, MODEL_MULTIPORT, PIPELINED), 27);
}

/* Gives the packets that pass the root lane ⌊i / P⌋ on their way down, without x: i counts the
 * packets from a subtree of the root in a step on a level. Returns the number of lanes that
 * change. */
static size_t forget_x(struct schedule *schedule)
{
    const struct topology *tree = &schedule->topology;
    unsigned h = tree->height;
    uint32_t m = tree->leaves[h - 1], others = tree->nodes - 1;
    size_t changed = 0;
    for (size_t k = 0; k < schedule->step_count; k++) {
        uint32_t count[4][8] = {{0}}; /* [level][subtree] */
        for (size_t index = schedule->step[k].first; index < schedule_step_end(schedule, k);
             index++) {
            const struct transfer *transfer = &schedule->transfer[index];
            uint32_t from = (transfer->packet - 1) / others,
                     other = (transfer->packet - 1) % others;
            unsigned level = topology_branch(tree, transfer->source, transfer->destination);
            if (transfer->source < transfer->destination ||
                topology_meet(tree, from, other + (other >= from)) < h)
                continue;
            uint32_t lane = count[level][from / m]++ / (m / tree->leaves[level - 1]);
            changed += lane != schedule->lane[index];
            schedule->lane[index] = lane;
        }
    }
    return changed;
}

/* Without x two packets share a link if P does not divide c; if P divides c nothing changes. */
static void test_pitfall(void **state)
{
    (void)state;
    static const char *const capacities[] = {"1,2,3", "1,2,4"};
    for (unsigned which = 0; which < 2; which++) {
        const struct topology tree = tree_lab_parse("2,2,2", capacities[which]);
        const struct collective asked = tree_lab_ask(&tree, MODEL_MULTIPORT, PIPELINED);
        struct schedule schedule;
        struct verify_report report;
        struct err err = {0};
        support_schedule(support_algorithm("tree-total-exchange"), &asked, &schedule);
        assert_int_equal(forget_x(&schedule) > 0, which == 0);
        assert_int_equal(verify_schedule("pitfall", &schedule, &report, &err), which == 1);
        assert_int_equal(err.code, which == 0 ? ERR_LANE : ERR_NONE);
        const char *wrong = judge_tree(&schedule, COLLECTIVE_TOTAL_EXCHANGE, 0, true);
        assert_string_equal(wrong != NULL ? wrong : "nothing",
                            which == 0 ? "used twice" : "nothing");
        schedule_free(&schedule);
    }
}

/* The trees on which interleaving saves a step, and one more leaf at the top level, where it does
 * not; wider branches change nothing. By the SAT solver of tests/cli/tree_optima.sh: 2,2,2. */
static void test_interleaved(void **state)
{
    (void)state;
    static const struct {
        const char *children, *capacity;
        uint64_t steps, pipelined;
    } trees[] = {{"2,2,2", "exp", 11, 12},     {"2,2,2", "1,5,9", 11, 12}, {"2,2,3", "exp", 16, 16},
                 {"2,2,2,2,2", "exp", 39, 40}, {"2,4,2", "exp", 19, 20},   {"5", "exp", 5, 5},
                 {"3,3,3,2", "exp", 59, 60},   {"3,3", "exp", 11, 11},     {"8,2,2", "exp", 35, 36},
                 {"7,3,2", "exp", 45, 46}};
    for (size_t which = 0; which < sizeof trees / sizeof *trees; which++) {
        const struct topology tree = tree_lab_parse(trees[which].children, trees[which].capacity);
        assert_int_equal(steps_of(&tree, MODEL_MULTIPORT, INTERLEAVED), trees[which].steps);
        assert_int_equal(steps_of(&tree, MODEL_MULTIPORT, PIPELINED), trees[which].pipelined);
    }
}

static void test_refused(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("2,3", "1,2");
    const struct topology narrow = tree_lab_parse("2,3", "1,1"),
                          thick = tree_lab_parse("2,3", "2,4");
    const struct tree_lab_refused refused[] = {
        {{.n = 6, .m = 1, .source = 5, .model = MODEL_SINGLE_PORT, .topology = &tree},
         "expected source 0"},
        {{.n = 6, .m = 3, .model = MODEL_SINGLE_PORT, .topology = &tree}, "expected 1 packet"},
        {{.n = 6, .m = 1, .model = MODEL_SINGLE_PORT, .topology = &tree, .method = PHASES},
         "method: phases of tree-total-exchange requires the model multiport; "
         "expected no method in single-port"},
        {{.n = 6, .m = 1, .model = MODEL_SINGLE_PORT, .topology = &tree, .method = INTERLEAVED},
         "method: interleaved of tree-total-exchange requires the model multiport"},
        {{.n = 6, .m = 1, .model = MODEL_MULTIPORT, .topology = &narrow, .method = INTERLEAVED},
         "expected capacity exp, or pipelined"},
        {{.n = 6, .m = 1, .model = MODEL_MULTIPORT, .topology = &thick, .method = INTERLEAVED},
         "leaves with one link"},
        {{.n = 6, .m = 1, .model = MODEL_TELEPHONE, .topology = &tree},
         "expected one of single-port multiport"},
        {{.n = 6, .m = 1, .model = MODEL_SINGLE_PORT}, "expected tree"}};
    tree_lab_refuses(support_algorithm("tree-total-exchange"), &tree, refused,
                     sizeof refused / sizeof *refused);
}

/* Legal, but the number of packets exceeds the range of packet numbers. */
static void test_huge(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("128,128", "1,128");
    const struct collective asked = tree_lab_ask(&tree, MODEL_MULTIPORT, PIPELINED);
    struct schedule schedule = {0};
    struct err err = {0};
    assert_false(
        algorithm_build(support_algorithm("tree-total-exchange"), &asked, &schedule, &err));
    assert_int_equal(err.code, ERR_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),      cmocka_unit_test(test_random),
        cmocka_unit_test(test_capacities), cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_smaller_k),  cmocka_unit_test(test_golden),
        cmocka_unit_test(test_transfers),  cmocka_unit_test(test_effective_capacity),
        cmocka_unit_test(test_pitfall),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_huge),       cmocka_unit_test(test_interleaved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
