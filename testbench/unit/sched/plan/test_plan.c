/* SPDX-License-Identifier: Apache-2.0 */
/* test_plan: the table of all algorithms for one n and m.
 *
 * Exhaustive: for n ≤ 24 and m ≤ 6 each row's rounds are those of the schedule that is built, the
 * rows are just those that can be built, and within a model the best comes first; in the postal
 * model for seven λ. The range errors.
 */
#include "sched/bound/bound.h"
#include "sched/plan/plan.h"
#include "testbench/unit/support/cmocka_all.h"

static void check_row(const struct plan_row *row, struct collective collective)
{
    collective.model = row->model;
    struct schedule schedule = {0};
    struct err err = {0};
    assert_true(algorithm_build(row->algorithm, &collective, &schedule, &err));
    if (row->end != ALGORITHM_UNKNOWN)
        assert_int_equal(row->end, schedule.end);
    assert_int_equal(row->bound, bound_end(&collective));
    if (collective.n == 1)
        assert_null(row->by);
    else
        assert_int_equal(row->by->value(&collective), row->bound);
    schedule_free(&schedule);
}

/* How many schedules can be built: all algorithms in one model. */
static size_t buildable(struct collective collective, enum model model)
{
    size_t count = 0;
    collective.model = model;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        struct schedule schedule = {0};
        count += (*entry)->kind == COLLECTIVE_BROADCAST &&
                 algorithm_build(*entry, &collective, &schedule, NULL);
        schedule_free(&schedule);
    }
    return count;
}

static void test_rows(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 24; n++)
        for (uint32_t m = 1; m <= 6; m++) {
            const struct collective asked = {.n = n, .m = m};
            struct plan plan;
            struct err err = {0};
            assert_true(plan_make(&asked, NULL, &plan, &err));
            assert_int_equal(plan.count, buildable(asked, MODEL_SEND_RECEIVE) +
                                             buildable(asked, MODEL_TELEPHONE) +
                                             buildable(asked, MODEL_TELEGRAPH) +
                                             buildable(asked, MODEL_FABRIC_MULTICAST));
            for (size_t which = 0; which < plan.count; which++) {
                check_row(&plan.row[which], asked);
                if (which == 0)
                    continue;
                const struct plan_row *before = &plan.row[which - 1], *row = &plan.row[which];
                assert_true(before->model < row->model ||
                            (before->model == row->model && before->end <= row->end));
            }
            plan_free(&plan);

            enum model model = MODEL_TELEGRAPH;
            assert_true(plan_make(&asked, &model, &plan, &err));
            assert_int_equal(plan.count, buildable(asked, model));
            plan_free(&plan);
        }
}

/* The postal model is planned when λ is given; postal-bcast for one packet only. */
static void test_postal(void **state)
{
    (void)state;
    static const struct rational lambdas[] = {{1, 1}, {3, 2}, {2, 1}, {5, 2},
                                              {3, 1}, {4, 1}, {7, 3}};
    for (uint32_t n = 1; n <= 24; n++)
        for (uint32_t m = 1; m <= 6; m++)
            for (unsigned latency = 0; latency < 7; latency++) {
                const struct collective asked = {.n = n, .m = m, .lambda = lambdas[latency]};
                enum model model = MODEL_POSTAL;
                struct plan plan, all;
                struct err err = {0};
                assert_true(plan_make(&asked, &model, &plan, &err));
                assert_int_equal(plan.count, n == 1 || m == 1 ? 5 : 4);
                for (size_t which = 0; which < plan.count; which++) {
                    check_row(&plan.row[which], asked);
                    assert_true(which == 0 || plan.row[which - 1].end <= plan.row[which].end);
                }
                assert_true(plan_make(&asked, NULL, &all, &err));
                size_t last = all.count - 1 - buildable(asked, MODEL_FABRIC_MULTICAST) -
                              buildable(asked, MODEL_FABRIC_POSTAL); /* which come last */
                assert_int_equal(all.row[last].model, MODEL_POSTAL);
                assert_int_equal(all.row[last].end, plan.row[plan.count - 1].end);
                plan_free(&plan);
                plan_free(&all);
            }
}

static void test_ranges(void **state)
{
    (void)state;
    static const uint32_t refused[][2] = {
        {0, 1}, {1, 0}, {SCHEDULE_MAX_NODES + 1, 1}, {1, SCHEDULE_MAX_PACKETS + 1}};
    for (unsigned which = 0; which < 4; which++) {
        struct plan plan;
        struct err err = {0};
        const struct collective asked = {.n = refused[which][0], .m = refused[which][1]};
        assert_false(plan_make(&asked, NULL, &plan, &err));
        assert_int_equal(err.code, ERR_RANGE);
    }
    struct plan plan;
    struct err err = {0};
    const enum model postal = MODEL_POSTAL;
    assert_false(plan_make(&(struct collective){.n = 4, .m = 1}, &postal, &plan, &err));
    assert_int_equal(err.code, ERR_RANGE);
    /* The largest are planned at once: nothing is built. */
    const struct collective largest = {.n = SCHEDULE_MAX_NODES, .m = SCHEDULE_MAX_PACKETS};
    assert_true(plan_make(&largest, NULL, &plan, &err));
    assert_int_equal(plan.row[0].end, plan.row[0].bound);
    plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_postal),
        cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
