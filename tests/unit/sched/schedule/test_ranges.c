/* SPDX-License-Identifier: Apache-2.0 */
/* test_ranges: the ranges and splits that are found in a schedule.
 *
 * State space. The splits of the paper's Figure 1 (n = 14, λ = 5/2) by hand; postal-bcast and
 * postal-pipeline for n = 1 … 40, m = 1 … 9 and seven λ: nodes that know only the range that
 * arrives and the table of splits, simulated tick by tick without the schedule, make exactly its
 * transfers. Receivers of any range under random tables are in the range. Counter-cases: schedules
 * that split otherwise, each with its message.
 */
#include "sched/base/rng.h"
#include "sched/schedule/ranges.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261126)
#define MOST_NODES 40

static void figure_1(void **state)
{
    (void)state;
    /* Nodes after the holder, and how far the receiver is from it: node 0 sends to 9, 6, 4, 3, 2
     * and 1, node 9 (9 … 13) to 12, node 6 (6 … 8) to 8. */
    static const uint32_t expected[][2] = {{13, 9}, {8, 6}, {5, 4}, {3, 3}, {2, 2}, {1, 1}, {4, 3}};
    const struct collective asked = {.n = 14, .m = 1, .model = MODEL_POSTAL, .lambda = {5, 2}};
    struct schedule schedule;
    struct ranges ranges;
    struct err err = {0};
    support_schedule(support_algorithm("postal-bcast"), &asked, &schedule);
    support_true(ranges_find(&schedule, &ranges, &err), &err);
    assert_int_equal(ranges.last[0], 13);
    assert_int_equal(ranges.last[9], 13);
    assert_int_equal(ranges.last[6], 8);
    assert_int_equal(ranges.last[12], 13);
    assert_int_equal(ranges.last[1], 1);
    for (unsigned k = 0; k < sizeof expected / sizeof *expected; k++)
        assert_int_equal(ranges_receiver(ranges.split, ranges.split_count, expected[k][0]),
                         expected[k][1]);
    ranges_free(&ranges);
    schedule_free(&schedule);
}

/* A node of the reference: it has the packets up to `has`, serves node … last, and sends packet
 * `next` of its message from tick `free` on. */
struct node {
    uint32_t last, has, next, to;
    uint64_t arrival[10], free;
};

/* Makes the sends of a tick, and compares them with the transfers of the schedule. Returns their
 * number. */
static size_t tick(const struct schedule *schedule, const struct ranges *ranges, uint64_t now,
                   size_t first, struct node node[])
{
    size_t made = 0;
    for (uint32_t v = 0; v < schedule->nodes; v++) {
        struct node *n = &node[v];
        if (n->last == v || n->has < n->next || n->arrival[n->next] > now || n->free > now)
            continue;
        if (n->next == 1)
            n->to = v + ranges_receiver(ranges->split, ranges->split_count, n->last - v);
        struct node *to = &node[n->to];
        assert_true(n->to > v && n->to <= n->last && to->has == n->next - 1);
        to->last = n->last;
        to->has = n->next;
        to->arrival[n->next] = now + schedule->lambda.numerator;
        size_t t = first;
        while (t < schedule->transfer_count &&
               (schedule->transfer[t].source != v || schedule->transfer[t].destination != n->to ||
                schedule->transfer[t].packet != n->next))
            t++;
        assert_true(t < schedule->transfer_count);
        n->free = now + schedule->lambda.denominator;
        if (n->next == schedule->packets)
            n->last = n->to - 1;
        n->next = n->next % schedule->packets + 1;
        made++;
    }
    return made;
}

static void replay(const char *name, uint32_t n, uint32_t m, struct rational lambda)
{
    const struct collective asked = {.n = n, .m = m, .model = MODEL_POSTAL, .lambda = lambda};
    struct schedule schedule;
    struct ranges ranges;
    struct err err = {0};
    struct node node[MOST_NODES] = {{0}};
    size_t made = 0;
    support_schedule(support_algorithm(name), &asked, &schedule);
    support_true(ranges_find(&schedule, &ranges, &err), &err);
    assert_int_equal(ranges.nodes, n);
    for (uint32_t v = 0; v < n; v++)
        node[v] = (struct node){.last = v, .next = 1};
    node[0].last = n - 1;
    node[0].has = m;
    for (uint64_t now = 0; now < schedule.end; now++) {
        size_t step = 0;
        while (step < schedule.step_count && schedule.step[step].time != now)
            step++;
        const size_t expected = step == schedule.step_count ? 0
                                                            : schedule_step_end(&schedule, step) -
                                                                  schedule.step[step].first;
        const size_t seen =
            tick(&schedule, &ranges, now, expected ? schedule.step[step].first : 0, node);
        assert_int_equal(seen, expected);
        made += seen;
    }
    assert_int_equal(made, schedule.transfer_count);
    assert_int_equal(made, (size_t)(n - 1) * m);
    ranges_free(&ranges);
    schedule_free(&schedule);
}

static void nodes_that_know_ranges_make_the_schedule(void **state)
{
    (void)state;
    static const struct rational lambdas[] = {{1, 1}, {3, 2}, {2, 1}, {7, 3},
                                              {5, 2}, {3, 1}, {8, 1}};
    for (unsigned l = 0; l < sizeof lambdas / sizeof *lambdas; l++)
        for (uint32_t n = 2; n <= MOST_NODES; n++) {
            replay("postal-bcast", n, 1, lambdas[l]);
            for (uint32_t m = 1; m <= 9; m += 1 + n % 3)
                replay("postal-pipeline", n, m, lambdas[l]);
        }
}

static void receivers_are_in_the_range(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    for (unsigned k = 0; k < 2000; k++) {
        struct ranges_split split[4];
        for (unsigned s = 0; s < 4; s++)
            split[s] =
                (struct ranges_split){rng_below(&rng, 20), rng_below(&rng, 2), rng_below(&rng, 25)};
        for (uint32_t others = 1; others < 20; others++) {
            const uint32_t to = ranges_receiver(split, 4, others);
            assert_true(to >= 1 && to <= others);
        }
    }
    assert_int_equal(ranges_receiver(NULL, 0, 7), 7);
    const struct ranges_split word[] = {{3, false, 2}, {9, true, 4}};
    assert_int_equal(ranges_receiver(word, 2, 3), 2);
    assert_int_equal(ranges_receiver(word, 2, 4), 1);
    assert_int_equal(ranges_receiver(word, 2, 9), 6);
    assert_int_equal(ranges_receiver(word, 2, 10), 10);
}

#define HEAD(nodes, packets)                                        \
    "roundcast-schedule 1\nalgorithm any\ntopology complete " nodes \
    "\nmodel postal 2\ndemand " packets " 0 *\n"

static const struct {
    const char *text, *what;
} others[] = {
    {"roundcast-schedule 1\nalgorithm any\ntopology complete 2\nmodel postal 2\ndemand 1 1 *\n"
     "time 0\n1 0 1\nend 2\n",
     "start at node 1; expected node 0"},
    {"roundcast-schedule 1\nalgorithm any\ntopology complete 2\nmodel postal 2\ndemand 1 0 1\n"
     "time 0\n0 1 1\nend 2\n",
     "not a broadcast"},
    {"roundcast-schedule 1\nalgorithm any\ntopology complete 2\nmodel send-receive 2\n"
     "demand 1 0 *\nround 1\n0 1 1\nend 1\n",
     "with one port"},
    {"roundcast-schedule 1\nalgorithm any\ntopology complete 2\nmodel fabric-multicast\n"
     "demand 1 0 *\nround 1\n0 1 1\nend 1\n",
     "without copies"},
    {HEAD("3", "1") "time 0\n0 1 1\ntime 1\n0 2 1\nend 3\n", "node 0 sends something else"},
    /* the ranges follow from the first receipts of packet 1, not from those of packet 2 or of node
     * 0: node 2 is the first that sends something else */
    {HEAD("3", "1") "time 0\n0 2 1\ntime 2\n2 0 1\n0 1 1\nend 4\n", "node 2 sends something"},
    {HEAD("3", "1-2") "time 0\n0 2 1\ntime 1\n0 2 2\ntime 3\n2 1 2\n0 1 1\nend 5\n",
     "node 2 sends something"},
    {HEAD("3", "1") "time 0\n0 2 1\ntime 2\n0 1 1\nend 4\n", "node 0 waits"},
    {HEAD("3", "1") "time 1\n0 2 1\ntime 2\n0 1 1\nend 4\n", "time 1: node 0 waits"},
    {HEAD("3", "1-2") "time 0\n0 2 1\ntime 1\n0 1 1\ntime 2\n0 2 2\ntime 3\n0 1 2\nend 5\n",
     "another packet than the next one"},
    {HEAD("2", "1-2") "time 0\n0 1 2\ntime 1\n0 1 1\nend 3\n", "something else"},
    {"roundcast-schedule 1\nalgorithm any\ntopology hypercube 1\nmodel all-port\ndemand 1 0 *\n"
     "round 1\n0 1 1\nend 1\n",
     "on a complete graph"},
    /* a second copy of packet 1, before all nodes have one and after */
    {HEAD("3", "1") "time 0\n0 2 1\ntime 1\n0 2 1\ntime 2\n0 1 1\nend 4\n",
     "time 1: node 0 sends something else"},
    {HEAD("2", "1") "time 0\n0 1 1\ntime 1\n0 1 1\nend 3\n", "time 1: node 0 sends something else"},
    /* node 3 gets packet 1 from node 2 and packet 2 from node 0 */
    {HEAD("4", "1-2") "time 0\n0 2 1\ntime 2\n2 3 1\ntime 3\n0 3 2\ntime 4\n0 1 1\nend 6\n",
     "time 3: node 0 sends another packet than the next one"},
    /* packet 2 is not sent at all */
    {HEAD("2", "1-2") "time 0\n0 1 1\nend 2\n", "node 0 does not serve its whole range"},
    /* the ranges are served, and node 2 is in none */
    {HEAD("3", "1") "time 0\n0 1 1\nend 2\n", "node 2 does not serve its whole range"},
    /* ranges of 3 nodes are split after 1 node and after 2 */
    {HEAD("6", "1") "time 0\n0 3 1\ntime 1\n0 2 1\ntime 2\n0 1 1\n3 4 1\ntime 4\n4 5 1\nend 6\n",
     "3 nodes are split after"},
};

static void other_schedules_are_rejected(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        struct schedule schedule;
        struct ranges ranges;
        struct err err = {0};
        support_true(support_read(others[k].text, "text", &schedule, &err), &err);
        assert_false(ranges_find(&schedule, &ranges, &err));
        support_error(&err, ERR_IRREGULAR, others[k].what, "expected");
        assert_null(ranges.last);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_1),
        cmocka_unit_test(nodes_that_know_ranges_make_the_schedule),
        cmocka_unit_test(receivers_are_in_the_range),
        cmocka_unit_test(other_schedules_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
