/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_rule: the schedules with queues are those of self-timed routers, transfer by transfer.
 *
 * State space: schedule × tree × capacities × source. Exhaustive: the 139 trees of k_i = 2 … 5 and
 * n ≤ 64; in the multiport model six patterns of capacities each, one of them random; all sources
 * for n ≤ 12, otherwise three fixed and two sampled ones; for n > 24 every 7th schedule (`make
 * test-all` runs all). Each schedule is compared with the run of rule_reference.h, which takes only
 * the sends of the leaves from the schedule; a leaf must send one packet a step from step 1 on, the
 * furthest first. The total exchange keeps one queue for all children; under the rule with one
 * queue for each child it ends in the same step. Counter-cases: a run computed by hand; schedules
 * with a lane, an order, a step or a source changed, which must all differ.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/room.h"
#include "tests/support/rule_reference.h"
#include "tests/support/running.h"
#include "tests/support/support.h"
#include "tests/support/tree_lab.h"

#include <stdlib.h>
#include <string.h>

#define SEED 5
#define FEW_LEAVES 24 /* up to this number every schedule is checked */
#define SAMPLED 7

static const struct subject {
    const char *name;
    enum model model;
    unsigned method;
    bool source, one_down; /* has a source; rule_reference.h */
} subjects[] = {
    {"tree-broadcast", MODEL_SINGLE_PORT, 0, true, false},
    {"tree-broadcast", MODEL_MULTIPORT, 0, true, false},
    {"tree-scatter", MODEL_SINGLE_PORT, 0, true, false},
    {"tree-scatter", MODEL_MULTIPORT, 0, true, false},
    {"tree-gather", MODEL_SINGLE_PORT, 1, true, false},
    {"tree-gather", MODEL_MULTIPORT, 1, true, false},
    {"tree-all-gather", MODEL_SINGLE_PORT, 0, false, false},
    {"tree-all-gather", MODEL_MULTIPORT, 0, false, false},
    {"tree-total-exchange", MODEL_SINGLE_PORT, 0, false, true},
};
#define SUBJECTS (sizeof subjects / sizeof *subjects)
enum { BROADCAST_ONE, BROADCAST_ALL, GATHER_ALL = 5, MULTINODE_ONE, MULTINODE_ALL, EXCHANGE };

static void build(const struct subject *subject, const struct topology *tree, uint32_t source,
                  struct schedule *schedule)
{
    struct collective asked = tree_lab_ask(tree, subject->model, subject->method);
    asked.source = source;
    support_schedule(support_algorithm(subject->name), &asked, schedule);
}

/* Returns the level at which two leaves meet, by their lists of children. */
static unsigned meet(const struct topology *tree, uint32_t a, uint32_t b)
{
    unsigned level = 0;
    for (; a != b; level++) {
        a /= tree->children[level + 1];
        b /= tree->children[level + 1];
    }
    return level;
}

/* Checks that a leaf sends its own packets in steps 1, 2, … without a pause, the furthest first. */
static void check_leaves(const struct schedule *s)
{
    uint32_t *sent = room_of(s->nodes, sizeof *sent), *far = room_of(s->nodes, sizeof *far);
    size_t all = 0;
    for (size_t k = 0; k < s->step_count; k++)
        for (size_t index = s->step[k].first; index < schedule_step_end(s, k); index++) {
            const struct transfer *t = &s->transfer[index];
            const struct demand *demand = schedule_demand_of(s, t->packet);
            if (t->source >= s->nodes)
                continue;
            assert_int_equal(demand->source, t->source);
            assert_int_equal(s->step[k].time, ++sent[t->source]);
            uint32_t now =
                demand->wanted_count > 0 ? meet(&s->topology, t->source, demand->wanted[0]) : 1;
            assert_true(sent[t->source] == 1 || now <= far[t->source]);
            far[t->source] = now;
            all++;
        }
    assert_int_equal(all, s->packets); /* each once */
    free(sent);
    free(far);
}

static void check(const struct subject *subject, const struct topology *tree, uint32_t source)
{
    struct schedule schedule;
    char text[160];
    build(subject, tree, source, &schedule);
    check_leaves(&schedule);
    if (*rule_reference_differs(&schedule, subject->one_down, text) != '\0')
        fail_msg("%s, n = %u, source %u: %s", schedule.algorithm, tree->nodes, source, text);
    if (subject->one_down) {
        struct rule_reference rule;
        rule_reference_run(&rule, &schedule, false);
        assert_int_equal(rule.hops, schedule.transfer_count);
        assert_int_equal(rule.hop[rule.hops - 1].step, schedule.end);
        rule_reference_free(&rule);
    }
    schedule_free(&schedule);
}

/* Numbers of requested schedules, of those with more than FEW_LEAVES leaves, and of checked
 * schedules. */
struct totals {
    unsigned all, large, checked;
};

/* Checks all sources or some; with many leaves, only those of the sample. */
static void check_sources(const struct subject *subject, const struct topology *tree,
                          struct rng *rng, struct totals *totals)
{
    const uint32_t n = tree->nodes, samples[] = {0, n / 2, n - 1, (uint32_t)rng_below(rng, n),
                                                 (uint32_t)rng_below(rng, n)};
    uint32_t sources = !subject->source ? 1 : n <= 12 ? n : 5;
    for (uint32_t which = 0; which < sources; which++) {
        totals->all++;
        if (n > FEW_LEAVES && totals->large++ % running_stride(SAMPLED) != 0)
            continue;
        check(subject, tree, n <= 12 ? which : samples[which]);
        totals->checked++;
    }
}

static void test_all_trees(void **state)
{
    (void)state;
    struct topology tree = {0};
    struct rng rng = {SEED};
    struct totals totals = {0};
    unsigned trees = 0;
    print_message("seed %u\n", SEED);
    for (; tree_lab_next(64, &tree); trees++)
        for (unsigned which = 0; which < SUBJECTS; which++)
            for (unsigned pattern = 0; pattern < TREE_LAB_PATTERNS; pattern++) {
                const struct topology fat = tree_lab_pattern(&tree, pattern, &rng);
                /* With one port capacities are irrelevant: one pattern suffices, and a second one
                 * confirms this. */
                if (subjects[which].model == MODEL_MULTIPORT || pattern == 0 ||
                    (pattern == 1 && which != EXCHANGE))
                    check_sources(&subjects[which], &fat, &rng, &totals);
            }
    assert_int_equal(trees, 139);
    print_message("%u schedules\n", totals.checked);
    assert_true(totals.all > 15000);
    assert_int_equal(totals.checked,
                     totals.all - totals.large + running_met(totals.large, SAMPLED));
}

/* k = 2, 2, one port, every leaf to all: the packets that 1:0 (4) and the root (6) send, computed
 * by hand. */
static void test_by_hand(void **state)
{
    (void)state;
    static const struct rule_reference_hop expected[] = {
        {2, 4, 6, 0, 1}, {3, 4, 6, 0, 2}, {3, 6, 4, 0, 3}, {4, 4, 0, 0, 2},
        {4, 6, 5, 0, 1}, {5, 4, 1, 0, 1}, {5, 6, 4, 0, 4}, {6, 4, 0, 0, 3},
        {6, 6, 5, 0, 2}, {7, 4, 1, 0, 3}, {8, 4, 0, 0, 4}, {9, 4, 1, 0, 4}};
    const struct topology tree = tree_lab_parse("2,2", "1,1");
    struct schedule schedule;
    struct rule_reference rule;
    size_t found = 0;
    build(&subjects[MULTINODE_ONE], &tree, 0, &schedule);
    rule_reference_run(&rule, &schedule, false);
    qsort(rule.hop, rule.hops, sizeof *rule.hop, rule_reference_compare);
    for (size_t which = 0; which < rule.hops; which++)
        if (rule.hop[which].source == 4 || rule.hop[which].source == 6) {
            assert_true(found < sizeof expected / sizeof *expected);
            assert_memory_equal(&rule.hop[which], &expected[found++], sizeof *expected);
        }
    assert_int_equal(found, sizeof expected / sizeof *expected);
    rule_reference_free(&rule);
    schedule_free(&schedule);
}

/* Checks that the schedule differs from its rule as the text states, and frees it. */
static void expect_different(struct schedule *schedule, bool one_down, const char *part)
{
    char text[160];
    if (strstr(rule_reference_differs(schedule, one_down, text), part) == NULL || text[0] == '\0')
        fail_msg("expected '%s', got '%s'", part, text);
    schedule_free(schedule);
}

/* Returns the index of the first of two packets that `router` sends on a branch in one step. */
static size_t find_two(const struct schedule *s)
{
    for (size_t index = 1; index < s->transfer_count; index++)
        if (s->transfer[index - 1].source == s->transfer[index].source &&
            s->transfer[index - 1].destination == s->transfer[index].destination)
            return index - 1;
    fail_msg("no two packets on a branch");
    return 0;
}

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

static void test_counter_cases(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("3,3", "1,3");
    struct schedule s;
    build(&subjects[MULTINODE_ALL], &tree, 0, &s);
    size_t two = find_two(&s);
    swap(&s.lane[two], &s.lane[two + 1]); /* another lane each … */
    expect_different(&s, false, "on lane");
    build(&subjects[BROADCAST_ALL], &tree, 0, &s);
    s.lane[s.step[1].first] = 1; /* … or one that is free */
    expect_different(&s, false, "on lane 1; by the rule step 2");
    build(&subjects[GATHER_ALL], &tree, 8, &s);
    size_t last = s.transfer_count - 1, other = last;
    while (s.transfer[--other].destination != s.transfer[last].destination)
        assert_true(other > 0);
    swap(&s.transfer[last].packet, &s.transfer[other].packet); /* another order */
    expect_different(&s, false, "by the rule");
    build(&subjects[BROADCAST_ONE], &tree, 0, &s);
    s.step[s.step_count - 1].time++; /* a step late */
    expect_different(&s, false, "by the rule");
    build(&subjects[BROADCAST_ONE], &tree, 0, &s);
    s.transfer_count--;
    expect_different(&s, false, "transfers");
    build(&subjects[EXCHANGE], &tree, 0, &s); /* the other rule */
    expect_different(&s, false, "by the rule");
    /* An automorphism moves the order of the children together with the source: the schedule is
     * legal, but does not follow the rule. */
    build(&subjects[BROADCAST_ONE], &tree, 0, &s);
    for (size_t index = 0; index < s.transfer_count; index++) {
        s.transfer[index].source = topology_move(&tree, s.transfer[index].source, 4);
        s.transfer[index].destination = topology_move(&tree, s.transfer[index].destination, 4);
    }
    s.demand[0].source = 4;
    expect_different(&s, false, "by the rule");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_trees),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_counter_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
