/* SPDX-License-Identifier: Apache-2.0 */
/* test_placement: trees whose links carry packets in one direction at a time.
 *
 * State space: trees of k_i = 2 … 5 × capacities × model × algorithm. Exhaustive: all 43 trees of n
 * ≤ 24, both models, all algorithms that schedule data; sampled: two random capacities each, c_i =
 * 1 … 4. Each schedule is verified and judged (judge_tree.h, which shares no code with verify), and
 * its end is compared with the full-duplex end: equal if packets cross each branch in one direction
 * only, otherwise between that end and twice that end, the factor of the paper. It is also at least
 * the number of steps that the packets crossing a branch in both directions need, counted here, and
 * exactly that number if the bound is met. Counter-cases: full-duplex schedules, read as
 * half-duplex ones, break the rule in either model, and the queue-free method is rejected.
 */
#include "sched/algorithms/placement.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_tree.h"
#include "tests/support/running.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"

#include "sched/verify/verify.h"

#define SEED 13
#define MOST_LEAVES 24

static const struct subject {
    const char *name;
    unsigned method;
    bool unidirectional;
} subjects[] = {
    {"tree-broadcast", 0, true}, {"tree-scatter", 0, true},     {"tree-gather", 0, true},
    {"tree-gather", 1, true},    {"tree-all-gather", 0, false}, {"tree-total-exchange", 0, false},
};
#define SUBJECTS (sizeof subjects / sizeof *subjects)

static uint64_t end_of(const struct subject *subject, const struct topology *tree, enum model model)
{
    const struct algorithm *algorithm = support_algorithm(subject->name);
    const struct collective asked = tree_lab_ask(tree, model, subject->method);
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    running("%s n = %u %s", subject->name, tree->nodes, model_name(model));
    support_schedule(algorithm, &asked, &schedule);
    support_true(verify_schedule(subject->name, &schedule, &report, &err), &err);
    const char *wrong = judge_tree(&schedule, algorithm->kind, 0, false);
    if (wrong != NULL)
        fail_msg("%s, n = %u: %s", schedule.algorithm, tree->nodes, wrong);
    uint64_t end = schedule.end, promised = algorithm_end(algorithm, &asked);
    schedule_free(&schedule);
    assert_true(promised == end || (promised == ALGORITHM_UNKNOWN && !subject->unidirectional));
    return end;
}

/* Returns the least number of steps for the packets that cross the branches of a level in both
 * directions, including the steps before and after. */
static uint64_t both_directions(const struct topology *tree, enum model model, bool exchange)
{
    uint64_t most = 0, inside = 1, n = 1;
    for (unsigned i = 1; i <= tree->height; i++)
        n *= tree->children[i];
    for (unsigned i = 1; i <= tree->height; i++) {
        uint64_t lanes = tree->capacity[i];
        lanes = model == MODEL_SINGLE_PORT && lanes > 2 ? 2 : lanes;
        uint64_t packets = exchange ? 2 * inside * (n - inside) : n;
        uint64_t end = (packets + lanes - 1) / lanes + 2 * (i - 1);
        most = end > most ? end : most;
        inside *= tree->children[i];
    }
    return most;
}

static void check(const struct topology *full)
{
    struct topology half = *full;
    half.half_duplex = true;
    for (unsigned which = 0; which < 2 * SUBJECTS; which++) {
        const struct subject *subject = &subjects[which / 2];
        enum model model = which % 2 == 0 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT;
        if (model == MODEL_SINGLE_PORT && !subject->unidirectional && subject->method != 0)
            continue;
        uint64_t before = end_of(subject, full, model), end = end_of(subject, &half, model);
        assert_true(end >= before && end <= 2 * before);
        if (subject->unidirectional)
            assert_int_equal(end, before);
        else
            assert_true(end >= both_directions(full, model, which / 2 == 5));
    }
}

static void test_all(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    struct topology tree = {0};
    unsigned trees = 0;
    for (; tree_lab_next(MOST_LEAVES, &tree); trees++) {
        uint32_t capacity[TOPOLOGY_MAX_HEIGHT];
        check(&tree);
        for (unsigned i = 0; i < tree.height; i++)
            capacity[i] = 1 + (uint32_t)rng_below(&rng, 4);
        const struct topology fat = tree_lab_make(tree.height, tree.children + 1, capacity);
        check(&fat);
    }
    assert_int_equal(trees, 43);
}

/* The flooding all-gather meets the bound on these trees. */
static void test_ends(void **state)
{
    (void)state;
    static const char *const known[][2] = {
        {"4,4,4", "const"}, {"4,4,4", "exp"}, {"3,3,3", "const"}, {"8,8", "8,1"}};
    for (unsigned k = 0; k < sizeof known / sizeof *known; k++) {
        struct topology tree = tree_lab_parse(known[k][0], known[k][1]);
        uint64_t least = both_directions(&tree, MODEL_MULTIPORT, false);
        tree.half_duplex = true;
        assert_int_equal(end_of(&subjects[4], &tree, MODEL_MULTIPORT), least);
    }
}

static void test_counter_cases(void **state)
{
    (void)state;
    struct topology tree = tree_lab_parse("2,2", "const");
    for (unsigned which = 0; which < 2; which++) {
        const struct collective asked =
            tree_lab_ask(&tree, which == 0 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT, 0);
        struct schedule schedule;
        struct verify_report report;
        struct err err = {0};
        support_schedule(support_algorithm("tree-all-gather"), &asked, &schedule);
        support_true(verify_schedule("full", &schedule, &report, &err), &err);
        schedule.topology.half_duplex = true;
        assert_false(verify_schedule("half", &schedule, &report, &err));
        support_error(&err, ERR_LANE, "lane 0 between 2:0 and 1:0 carries packets 2 and 3");
        assert_string_equal(judge_tree(&schedule, COLLECTIVE_ALL_GATHER, 0, false), "used twice");
        schedule_free(&schedule);
    }
    tree.half_duplex = true;
    const struct collective asked = tree_lab_ask(&tree, MODEL_MULTIPORT, 1);
    struct err err = {0};
    assert_false(algorithm_check(support_algorithm("tree-all-gather"), &asked, &err));
    support_error(&err, ERR_ALGORITHM, "queue-free requires full-duplex links");
}

/* Returns the round in which a schedule has a transfer; 0 if it has none. */
static uint64_t round_of(const struct schedule *schedule, uint32_t source, uint32_t destination)
{
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t i = schedule->step[k].first; i < schedule_step_end(schedule, k); i++)
            if (schedule->transfer[i].source == source &&
                schedule->transfer[i].destination == destination)
                return schedule->step[k].time;
    return 0;
}

#define TEXT                                                                                   \
    "roundcast-schedule 1\nalgorithm hand\ntopology tree 2 2 capacity 1 1 half-duplex\nmodel " \
    "multiport\ndemand 1 0 *\n"

/* A packet that returns to a router is not later there: 4 sends it to leaf 1 in round 2, as soon as
 * it has received it for the first time. */
static void test_second_arrival(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct err err = {0};
    support_true(support_read(TEXT "round 1\n0 1:0 1 0\n1:0 2:0 1 0\n2:0 1:0 1 0\n1:0 1 1 0\n"
                                   "2:0 1:1 1 0\n1:1 2 1 0\n1:1 3 1 0\nend 1\n",
                              "t.sched", &schedule, &err),
                 &err);
    support_true(placement_run(&schedule, &err), &err);
    assert_int_equal(round_of(&schedule, 0, 4), 1);
    assert_int_equal(round_of(&schedule, 4, 6), 2);
    assert_int_equal(round_of(&schedule, 6, 4), 3);
    assert_int_equal(round_of(&schedule, 4, 1), 2);
    assert_int_equal(round_of(&schedule, 6, 5), 3);
    assert_int_equal(round_of(&schedule, 5, 2), 4);
    assert_int_equal(schedule.end, 4);
    schedule_free(&schedule);
}

/* Twice as many rounds as a schedule has, and two more, are tried; 2^30 are too many. */
static void test_too_many_rounds(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct err err = {0};
    support_true(support_read(TEXT "round 600000000\n0 1:0 1 0\nend 600000000\n", "t.sched",
                              &schedule, &err),
                 &err);
    assert_false(placement_run(&schedule, &err));
    support_error(&err, ERR_TOO_BIG, "1200000002 rounds of 7 branches");
    assert_int_equal(schedule.end, 600000000);
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_counter_cases),
        cmocka_unit_test(test_second_arrival),
        cmocka_unit_test(test_too_many_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
