/* SPDX-License-Identifier: Apache-2.0 */
/* test_plan: the table of all algorithms for one n and m.
 *
 * Exhaustive: for n ≤ 24 and m ≤ 6 the rounds of each row equal those of the built schedule, the
 * rows are exactly the schedules that can be built, and within a model the best comes first; in the
 * postal model for seven λ. Range errors.
 *
 * Ends that no formula predicts: simultaneous broadcasts of random sources in hypercubes of 1 … 4
 * dimensions, and random demands on complete graphs, a tree and a hypercube, in every model. Each
 * algorithm and method is built here and verified; the plan must list all of them with these
 * rounds, the smallest number first. Counter-cases: without `build`, and where the schedule is too
 * large, the end is not known.
 */
#include "sched/base/rng.h"
#include "sched/bound/bound.h"
#include "sched/plan/plan.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <string.h>

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

/* Returns the number of schedules that can be built: all algorithms in one model. */
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
            assert_true(plan_make(&asked, NULL, true, &plan, &err));
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
            assert_true(plan_make(&asked, &model, true, &plan, &err));
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
                assert_true(plan_make(&asked, &model, true, &plan, &err));
                assert_int_equal(plan.count, n == 1 || m == 1 ? 7 : 6);
                for (size_t which = 0; which < plan.count; which++) {
                    check_row(&plan.row[which], asked);
                    assert_true(which == 0 || plan.row[which - 1].end <= plan.row[which].end);
                }
                assert_true(plan_make(&asked, NULL, true, &all, &err));
                size_t last = all.count - 1 - buildable(asked, MODEL_FABRIC_MULTICAST) -
                              buildable(asked, MODEL_FABRIC_POSTAL); /* these rows come last */
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
        assert_false(plan_make(&asked, NULL, true, &plan, &err));
        assert_int_equal(err.code, ERR_RANGE);
    }
    struct plan plan;
    struct err err = {0};
    const enum model postal = MODEL_POSTAL;
    assert_false(plan_make(&(struct collective){.n = 4, .m = 1}, &postal, true, &plan, &err));
    assert_int_equal(err.code, ERR_RANGE);
    /* The largest sizes are planned at once, because schedules of that size are not built. */
    const struct collective largest = {.n = SCHEDULE_MAX_NODES, .m = SCHEDULE_MAX_PACKETS};
    assert_true(plan_make(&largest, NULL, true, &plan, &err));
    assert_int_equal(plan.row[0].end, plan.row[0].bound);
    plan_free(&plan);
}

/* -- What has to be built ---------------------------------------------------------------------- */

#define SEED UINT64_C(20261126)

/* Builds and verifies a schedule. Returns its end, or ALGORITHM_UNKNOWN if it cannot be built. */
static uint64_t end_by_building(const struct algorithm *algorithm, const struct collective *asked)
{
    struct schedule schedule = {0};
    struct verify_report report;
    struct err err = {0};
    uint64_t end = ALGORITHM_UNKNOWN;
    if (algorithm_build(algorithm, asked, &schedule, NULL)) {
        support_true(verify_schedule(algorithm->name, &schedule, &report, &err), &err);
        end = schedule.end;
    }
    schedule_free(&schedule);
    return end;
}

/* Checks that the plan has every algorithm and method of one model, in any order. Returns their
 * number. */
static size_t check_model(const struct collective *asked, enum model model)
{
    struct plan plan;
    struct err err = {0};
    struct collective each = *asked;
    size_t built = 0;
    uint64_t least = ALGORITHM_UNKNOWN;
    each.model = model;
    support_true(plan_make(&each, &model, true, &plan, &err), &err);
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        for (each.method = 0; each.method < algorithm_methods(*entry); each.method++) {
            bool one_kind = asked->topology == NULL || asked->demands != NULL;
            if ((one_kind && (*entry)->kind != asked->kind) ||
                (!algorithm_check(*entry, &each, NULL)))
                continue;
            uint64_t end = end_by_building(*entry, &each);
            size_t row = 0;
            while (row < plan.count &&
                   (plan.row[row].algorithm != *entry || plan.row[row].method != each.method))
                row++;
            assert_in_range(row, 0, plan.count - 1);
            assert_int_equal(plan.row[row].end, end);
            least = end < least ? end : least;
            built++;
        }
    assert_int_equal(plan.count, built);
    if (built > 0)
        assert_int_equal(plan.row[0].end, least);
    plan_free(&plan);
    return built;
}

static void test_hypercubes(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    size_t rows = 0;
    for (unsigned d = 1; d <= 4; d++)
        for (unsigned which = 0; which < 12; which++) {
            struct topology cube;
            struct err err = {0};
            uint32_t source[24], m = 1 + rng_below(&rng, 24);
            support_true(topology_hypercube(d, &cube, &err), &err);
            for (uint32_t p = 0; p < m; p++)
                source[p] = p * cube.nodes / m; /* ascending, some repeated */
            rows += check_model(&(struct collective){.n = cube.nodes,
                                                     .m = m,
                                                     .topology = &cube,
                                                     .kind = COLLECTIVE_SIMULTANEOUS,
                                                     .sources = source,
                                                     .seed = which},
                                MODEL_ALL_PORT);
        }
    assert_in_range(rows, 4 * 12 * 8, 4 * 12 * 13);
}

/* The plan of `--dim 4 --random 13`, which showed cube-broadcast with 19 rounds first, before
 * cube-unbalanced was built and cube-reserved added. */
static void test_unbalanced_first(void **state)
{
    (void)state;
    const uint32_t source[] = {0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 12, 14, 15};
    const enum model model = MODEL_ALL_PORT;
    struct topology cube;
    struct plan plan;
    struct err err = {0};
    support_true(topology_hypercube(4, &cube, &err), &err);
    const struct collective asked = {.n = 16,
                                     .m = 13,
                                     .topology = &cube,
                                     .kind = COLLECTIVE_SIMULTANEOUS,
                                     .model = MODEL_ALL_PORT,
                                     .sources = source};
    support_true(plan_make(&asked, &model, true, &plan, &err), &err);
    assert_string_equal(plan.row[0].algorithm->name, "cube-reserved");
    assert_int_equal(plan.row[0].end, plan.row[0].bound);
    assert_string_equal(plan.row[1].algorithm->name, "cube-unbalanced");
    assert_in_range(plan.row[1].end, plan.row[1].bound, 18);
    plan_free(&plan);
    /* If nothing may be built the order is as before: rows with a formula come first. */
    support_true(plan_make(&asked, &model, false, &plan, &err), &err);
    assert_string_equal(plan.row[0].algorithm->name, "cube-reserved");
    assert_string_equal(plan.row[1].algorithm->name, "cube-broadcast");
    assert_int_equal(plan.row[plan.count - 1].end, ALGORITHM_UNKNOWN);
    plan_free(&plan);
}

/* Draws packets of random sources for one to three random nodes each. */
static void draw_demands(const struct topology *topology, struct rng *rng, struct schedule *demands)
{
    struct err err = {0};
    support_true(schedule_init_empty(demands, "drawn", topology, MODEL_SEND_RECEIVE, &err), &err);
    for (uint32_t demand = 1 + rng_below(rng, 6); demand > 0; demand--) {
        uint32_t wanted[3], count = 0, source = rng_below(rng, topology->nodes);
        for (uint32_t node = rng_below(rng, topology->nodes); node < topology->nodes && count < 3;
             node += 1 + rng_below(rng, 3))
            wanted[count++] = node;
        support_true(
            schedule_add_demand(demands, 1 + rng_below(rng, 3), source, wanted, count, &err), &err);
    }
}

static void test_demands(void **state)
{
    (void)state;
    struct rng rng = {SEED + 1};
    size_t rows = 0;
    struct topology topology[3] = {topology_complete(7)};
    struct err err = {0};
    support_true(
        topology_tree(2, (const uint32_t[]){3, 3}, (const uint32_t[]){1, 1}, &topology[1], &err),
        &err);
    support_true(topology_hypercube(3, &topology[2], &err), &err);
    for (unsigned which = 0; which < 30; which++) {
        struct schedule demands = {0};
        const struct topology *on = &topology[which % 3];
        draw_demands(on, &rng, &demands);
        const struct collective asked = {.n = on->nodes,
                                         .m = 1,
                                         .topology = which % 3 == 0 ? NULL : on,
                                         .kind = COLLECTIVE_DEMANDS,
                                         .lambda = {5, 2},
                                         .load = {.packets = demands.packets},
                                         .demands = &demands,
                                         .seed = 1};
        for (unsigned model = 0; model < MODEL_COUNT; model++)
            if (model_topology((enum model)model) == on->kind)
                rows += check_model(&asked, (enum model)model);
        schedule_free(&demands);
    }
    /* general in four models of a complete graph, two of a tree and one of a hypercube */
    assert_int_equal(rows, 10 * (4 + 2 + 1));
}

/* Schedules that take long are not built, so that their end is unknown; general stops at its limit
 * of work. */
static void test_too_much(void **state)
{
    (void)state;
    struct topology cube;
    struct err err = {0};
    struct plan plan;
    const enum model model = MODEL_ALL_PORT;
    support_true(topology_hypercube(12, &cube, &err), &err);
    uint32_t source[600];
    for (uint32_t p = 0; p < 600; p++)
        source[p] = p;
    const struct collective many = {.n = cube.nodes,
                                    .m = 600, /* 600 · 4095 receipts are more than 2^21 */
                                    .topology = &cube,
                                    .kind = COLLECTIVE_SIMULTANEOUS,
                                    .sources = source};
    support_true(plan_make(&many, &model, true, &plan, &err), &err);
    for (size_t row = 0; row < plan.count; row++)
        if (strcmp(plan.row[row].algorithm->name, "cube-unbalanced") == 0)
            assert_int_equal(plan.row[row].end, ALGORITHM_UNKNOWN);
    plan_free(&plan);

    struct rng rng = {SEED + 2};
    struct schedule demands = {0}, schedule = {0};
    const struct topology complete = topology_complete(9);
    draw_demands(&complete, &rng, &demands);
    struct collective asked = {.n = 9,
                               .m = 1,
                               .kind = COLLECTIVE_DEMANDS,
                               .load = {.packets = demands.packets},
                               .demands = &demands,
                               .model = MODEL_TELEGRAPH,
                               .most_nanoseconds = 1};
    assert_false(algorithm_build(support_algorithm("general"), &asked, &schedule, &err));
    support_error(&err, ERR_TOO_BIG, "general: a search of more than 1 ns");
    asked.most_nanoseconds = 0;
    support_true(algorithm_build(support_algorithm("general"), &asked, &schedule, &err), &err);
    schedule_free(&schedule);
    schedule_free(&demands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_postal),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_hypercubes),
        cmocka_unit_test(test_unbalanced_first),
        cmocka_unit_test(test_demands),
        cmocka_unit_test(test_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
