/* SPDX-License-Identifier: Apache-2.0 */
/* test_known: demands that form a collective, for which an algorithm does not know its end.
 *
 * Such an algorithm is built, and its schedule is kept only if it ends earlier. By hand: a
 * broadcast of many packets in the telegraph model, where the later algorithm is much better than
 * the binomial trees, with the rounds of Farley's formula; and a broadcast between two nodes in the
 * postal model, where no algorithm beats m packets sent one after the other. Both schedules are
 * legal. Counter-case: demands that no algorithm but `general` serves have no known schedule.
 */
#include "sched/algorithms/general/best.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

/* Finds the known schedule of a broadcast from node 0 to all nodes, or to the nodes given. */
static void find(struct collective asked, const uint32_t wanted[], uint32_t count,
                 struct schedule *schedule)
{
    struct schedule demands = {0};
    struct collective collective;
    struct err err = {0};
    const struct topology complete = topology_complete(asked.n);
    support_true(schedule_init_empty(&demands, "demands", &complete, asked.model, &err), &err);
    demands.lambda = asked.lambda;
    support_true(schedule_add_demand(&demands, asked.m, 0, wanted, count, &err), &err);
    assert_true(schedule_collective(&demands, &collective));
    *schedule = (struct schedule){0};
    support_true(known_schedule(&demands, &collective, schedule, &err), &err);
    schedule_free(&demands);
}

static void check(struct collective asked, uint64_t end)
{
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    find(asked, NULL, 0, &schedule);
    support_true(verify_schedule("known", &schedule, &report, &err), &err);
    assert_int_equal(report.arrivals, (uint64_t)(asked.n - 1) * asked.m);
    assert_int_equal(schedule.end, end);
    schedule_free(&schedule);
}

/* 2m + ⌊log n⌋ - ⌊(m - 1 + 2^⌊log n⌋)/(n/2)⌋ = 2600 + 4 - ⌊1315/13⌋ rounds. */
static void a_later_algorithm_is_better(void **state)
{
    (void)state;
    check((struct collective){.n = 26, .m = 1300, .model = MODEL_TELEGRAPH, .lambda = {1, 1}},
          2503);
}

/* (m - 1) + λ = 16384 + 5/2 units of two ticks. */
static void a_later_algorithm_is_no_better(void **state)
{
    (void)state;
    check((struct collective){.n = 2, .m = 16385, .model = MODEL_POSTAL, .lambda = {5, 2}}, 32773);
}

static void other_demands_are_not_known(void **state)
{
    (void)state;
    struct schedule schedule;
    find((struct collective){.n = 4, .m = 2, .model = MODEL_SEND_RECEIVE, .lambda = {1, 1}},
         (const uint32_t[]){1, 3}, 2, &schedule);
    assert_int_equal(schedule.transfer_count, 0);
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_later_algorithm_is_better),
        cmocka_unit_test(a_later_algorithm_is_no_better),
        cmocka_unit_test(other_demands_are_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
