/* SPDX-License-Identifier: Apache-2.0 */
/* test_partial_values: sets of contributors of partial results, step by step, compared with sets
 * written by hand.
 *
 * A value is a set, node v being bit v, and adding is exclusive or, so a contribution that counts
 * twice is missing. Covered: packets that cross in a round, transfers that replace and that leave
 * out the sender's own contribution, packets that are in flight for two units in the postal model,
 * results of an exclusive scan, a packet that only its source has, and values by port.
 */
#include "sched/schedule/partial_values.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

static uint64_t bit(uint32_t node)
{
    return UINT64_C(1) << node;
}

static void add(uint64_t *to, uint64_t part)
{
    *to ^= part;
}

/* Follows all steps of a text, and returns the values. */
static struct partial_values follow(const char *text, bool by_port, struct schedule *schedule)
{
    struct err err = {0};
    struct partial_values values;
    assert_true(support_read(text, "text", schedule, &err));
    assert_true(partial_values_new(&values, schedule, by_port, bit, add));
    for (size_t step = 0; step < schedule->step_count; step++) {
        partial_values_send(&values, step);
        for (size_t t = schedule->step[step].first; t < schedule_step_end(schedule, step); t++)
            partial_values_receive(&values, t);
    }
    return values;
}

/* Checks the result of a packet at nodes 0 … count - 1. */
static void check_how(const char *text, bool by_port, uint32_t packet, uint32_t count,
                      const uint64_t expected[])
{
    struct schedule schedule = {0};
    struct partial_values values = follow(text, by_port, &schedule);
    const struct demand *demand = schedule_demand_of(&schedule, packet);
    for (uint32_t node = 0; node < count; node++)
        assert_int_equal(partial_values_result(&values, demand, node, packet), expected[node]);
    for (unsigned twice = 0; twice < 2; twice++) {
        partial_values_free(&values);
        assert_null(values.schedule);
    }
    schedule_free(&schedule);
}

static void check_results(const char *text, uint32_t packet, uint32_t count,
                          const uint64_t expected[])
{
    check_how(text, false, packet, count, expected);
}

#define COMPLETE "roundcast-schedule 1\nalgorithm none\ntopology complete 3\n"

static void packets_of_a_round_cross(void **state)
{
    (void)state;
    static const char text[] = COMPLETE "model send-receive\nreduce 1 * *\nround 1\n0 1 1\n1 2 1\n"
                                        "2 0 1\nround 2\n0 1 1 received\nend 2\n";
    /* round 1: 0 has {0, 2}, 1 has {0, 1}, 2 has {1, 2}; round 2: 0 sends what it received: {2} */
    check_results(text, 1, 3, (const uint64_t[]){1 | 4, 1 | 2 | 4, 2 | 4});
}

static void a_replaced_value_is_lost(void **state)
{
    (void)state;
    static const char text[] = COMPLETE "model send-receive\nreduce 1 * *\nround 1\n0 1 1\n"
                                        "round 2\n1 2 1 replace\nround 3\n2 0 1 received\nend 3\n";
    /* in round 3 node 0 gets the 0 and 1 that node 2 has received, and drops the 0 that it has */
    check_results(text, 1, 3, (const uint64_t[]){2, 1 | 2, 1 | 2});
}

static void packets_in_flight_are_not_sent_on(void **state)
{
    (void)state;
    /* what 0 sends at 0 arrives at 2: 1 sends without it at 1, and with it at 2 */
    static const char text[] = COMPLETE "model postal 2\nreduce 1 * *\ntime 0\n0 1 1\n"
                                        "time 1\n1 2 1 replace\ntime 2\n1 0 1 replace\nend 4\n";
    check_results(text, 1, 3, (const uint64_t[]){1 | 2, 1 | 2, 2});
}

static void an_exclusive_result_lacks_its_own(void **state)
{
    (void)state;
    static const char text[] = COMPLETE "model send-receive\nreduce 1 exclusive *\ndemand 2 1 *\n"
                                        "round 1\n0 1 1\nround 2\n1 2 1\nend 2\n";
    check_results(text, 1, 3, (const uint64_t[]){0, 1, 1 | 2});
    check_results(text, 2, 3, (const uint64_t[]){0, 2, 0});
}

/* Nodes of a hypercube have a value of each arc; one that replaces leaves none of the others. */
static void nodes_of_a_hypercube_have_values_of_arcs(void **state)
{
    (void)state;
    static const char text[] =
        "roundcast-schedule 1\nalgorithm none\ntopology hypercube 2\nmodel all-port\n"
        "reduce 1-2 0 *\nround 1\n3 1 1\n1 3 2\nround 2\n1 0 1\n2 0 1\n3 2 2\nround 3\n"
        "2 0 2\nround 4\n0 1 1 replace\nend 4\n";
    check_how(text, true, 1, 4, (const uint64_t[]){1 | 2 | 4 | 8, 1 | 2 | 4 | 8, 4, 8});
    check_how(text, true, 2, 4, (const uint64_t[]){1 | 2 | 4 | 8, 2, 2 | 4 | 8, 2 | 8});
}

/* Nodes of a complete graph have one value each: in round 2 node 1 drops the 1 and 2 that it has.
 * In round 3 node 0 gets its own 0 again. */
static void nodes_of_a_complete_graph_have_one_value(void **state)
{
    (void)state;
    static const char text[] =
        COMPLETE "model send-receive\nreduce 1 0 *\nround 1\n2 1 1\nround 2\n"
                 "0 1 1 replace\nround 3\n1 0 1\nround 4\n2 0 1\nend 4\n";
    check_how(text, true, 1, 3, (const uint64_t[]){4, 1, 4});
}

/* Routers have as many values as ports: five below, two at the root. Two packets go up from all
 * leaves, one a step after the other, and their results down to leaf 0. */
static void routers_have_values_of_ports(void **state)
{
    (void)state;
    static const char text[] =
        "roundcast-schedule 1\nalgorithm none\ntopology tree 4 2 capacity 1 1\nmodel multiport\n"
        "reduce 1-2 0 *\n"
        "round 1\n1 1:0 1\n2 1:0 1\n3 1:0 1\n4 1:1 1\n5 1:1 1\n6 1:1 1\n7 1:1 1\n"
        "round 2\n1 1:0 2\n2 1:0 2\n3 1:0 2\n4 1:1 2\n5 1:1 2\n6 1:1 2\n7 1:1 2\n1:1 2:0 1\n"
        "round 3\n1:1 2:0 2\n2:0 1:0 1\nround 4\n2:0 1:0 2\n1:0 0 1\nround 5\n1:0 0 2\nend 5\n";
    check_how(text, true, 1, 11, (const uint64_t[]){255, 2, 4, 8, 16, 32, 64, 128, 254, 240, 240});
    check_how(text, true, 2, 11, (const uint64_t[]){255, 2, 4, 8, 16, 32, 64, 128, 254, 240, 240});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_of_a_round_cross),
        cmocka_unit_test(a_replaced_value_is_lost),
        cmocka_unit_test(packets_in_flight_are_not_sent_on),
        cmocka_unit_test(an_exclusive_result_lacks_its_own),
        cmocka_unit_test(nodes_of_a_hypercube_have_values_of_arcs),
        cmocka_unit_test(nodes_of_a_complete_graph_have_one_value),
        cmocka_unit_test(routers_have_values_of_ports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
