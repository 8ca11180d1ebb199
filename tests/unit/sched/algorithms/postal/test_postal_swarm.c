/* SPDX-License-Identifier: Apache-2.0 */
/* test_postal_swarm: postal-swarm is legal, at the optimum for few nodes, and near the bound.
 *
 * State space: λ × n × m × source. Exhaustive: λ in {3/2, 2, 5/2, 3, 4}, n in 2 … 8, m in 1 … 6
 * against the optima, which a SAT solver found (docs/algorithms/postal.md); seven λ, n ≤ 24, m in
 * {1, 2, 3, 7, 16}. Sampled: up to 65536 receipts, all sources.
 *
 * Each schedule is judged by verify and by a judge that shares nothing with it
 * (postal_reference.h). Where no optimum is known, the end is compared with the bound of
 * postal_reference.h. Counter-case: too many receipts.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/postal_reference.h"

#include <string.h>

static const struct algorithm *swarm(void)
{
    return algorithm_find("postal-swarm", NULL);
}

/* Judges a schedule twice. Returns its end in ticks. */
static uint64_t check(const struct collective *collective)
{
    struct schedule schedule = {0};
    struct verify_report report;
    struct err err = {0};
    if (!algorithm_build(swarm(), collective, &schedule, &err))
        fail_msg("n=%u m=%u: %s", collective->n, collective->m, err.text);
    postal_reference_judge(&schedule, collective->source, false);
    if (!verify_schedule("swarm", &schedule, &report, &err))
        fail_msg("n=%u m=%u: %s", collective->n, collective->m, err.text);
    assert_int_equal(report.redundant, 0);
    bool few = (collective->n - UINT64_C(1)) * collective->m <= 16384;
    assert_int_equal(algorithm_end(swarm(), collective), few ? schedule.end : ALGORITHM_UNKNOWN);
    uint64_t end = schedule.end;
    schedule_free(&schedule);
    return end;
}

static struct collective broadcast(uint32_t n, uint32_t m, struct rational lambda)
{
    return (struct collective){.n = n, .m = m, .model = MODEL_POSTAL, .lambda = lambda};
}

/* The optima in ticks, n = 2 … 8 and m = 1 … 6. */
static const struct {
    struct rational lambda;
    uint32_t end[7][6];
} optima[] = {
    {{3, 2},
     {{3, 5, 7, 9, 11, 13},
      {5, 7, 9, 11, 13, 15},
      {6, 8, 10, 13, 15, 17},
      {7, 9, 11, 13, 15, 17},
      {8, 10, 12, 14, 16, 18},
      {8, 11, 13, 15, 17, 19},
      {9, 11, 13, 15, 17, 19}}},
    {{2, 1},
     {{2, 3, 4, 5, 6, 7},
      {3, 4, 5, 6, 7, 8},
      {4, 5, 6, 7, 8, 9},
      {4, 6, 7, 8, 9, 10},
      {5, 6, 7, 8, 9, 10},
      {5, 6, 7, 8, 9, 10},
      {5, 7, 8, 9, 10, 11}}},
    {{5, 2},
     {{5, 7, 9, 11, 13, 15},
      {7, 10, 12, 14, 17, 19},
      {9, 12, 14, 16, 18, 20},
      {10, 13, 15, 17, 19, 21},
      {11, 14, 16, 18, 20, 22},
      {12, 15, 17, 19, 21, 23},
      {12, 16, 18, 20, 22, 24}}},
    {{3, 1},
     {{3, 4, 5, 6, 7, 8},
      {4, 6, 7, 8, 9, 10},
      {5, 7, 8, 9, 10, 11},
      {6, 7, 8, 9, 10, 11},
      {6, 8, 9, 10, 11, 12},
      {7, 8, 9, 10, 11, 12},
      {7, 9, 10, 11, 12, 13}}},
    {{4, 1},
     {{4, 5, 6, 7, 8, 9},
      {5, 7, 8, 9, 10, 11},
      {6, 8, 9, 10, 11, 12},
      {7, 9, 10, 11, 12, 13},
      {8, 10, 11, 12, 13, 14},
      {8, 10, 11, 12, 13, 14},
      {9, 11, 12, 13, 14, 15}}},
};

static void test_optima(void **state)
{
    (void)state;
    unsigned later = 0;
    for (size_t which = 0; which < sizeof optima / sizeof *optima; which++)
        for (uint32_t n = 2; n <= 8; n++)
            for (uint32_t m = 1; m <= 6; m++) {
                const struct collective asked = broadcast(n, m, optima[which].lambda);
                uint64_t end = check(&asked), optimum = optima[which].end[n - 2][m - 1];
                assert_true(end >= optimum);
                if (end > optimum)
                    print_message("# λ=%u/%u n=%u m=%u: %u, optimum %u\n", asked.lambda.numerator,
                                  asked.lambda.denominator, n, m, (unsigned)end, (unsigned)optimum);
                later += end > optimum;
            }
    assert_int_equal(later, 0);
}

/* Checks that the end is at most `most` units after the bound. */
static void check_near(uint32_t n, uint32_t m, struct rational lambda, uint64_t most)
{
    const struct collective asked = broadcast(n, m, lambda);
    uint64_t a = lambda.numerator, b = lambda.denominator;
    uint64_t end = check(&asked), bound = postal_reference_bound(a, b, n, m);
    if (end < bound || end > bound + most * b)
        fail_msg("n=%u m=%u λ=%u/%u: %u ticks, bound %u", n, m, (unsigned)a, (unsigned)b,
                 (unsigned)end, (unsigned)bound);
}

static void test_small(void **state)
{
    (void)state;
    static const struct rational lambdas[] = {{1, 1}, {3, 2}, {2, 1}, {5, 2},
                                              {3, 1}, {7, 3}, {8, 1}};
    static const uint32_t packets[] = {1, 2, 3, 7, 16};
    for (size_t which = 0; which < sizeof lambdas / sizeof *lambdas; which++)
        for (uint32_t n = 2; n <= 24; n++)
            for (size_t count = 0; count < 5; count++)
                check_near(n, packets[count], lambdas[which], 2);
}

static void test_larger(void **state)
{
    (void)state;
    static const struct rational lambdas[] = {{2, 1}, {8, 1}, {9, 8}, {15, 2}};
    for (size_t which = 0; which < sizeof lambdas / sizeof *lambdas; which++) {
        check_near(64, 64, lambdas[which], 4);
        check_near(500, 16, lambdas[which], 4);
        check_near(1024, 3, lambdas[which], 4);
    }
    check_near(1000, 64, (struct rational){2, 1}, 2);
}

static void test_sources(void **state)
{
    (void)state;
    for (uint32_t source = 0; source < 12; source++) {
        struct collective asked = broadcast(12, 5, (struct rational){5, 2});
        asked.source = source;
        check(&asked);
    }
}

static void test_refused(void **state)
{
    (void)state;
    struct schedule schedule = {0};
    struct err err = {0};
    const struct collective many = broadcast(1025, 65, (struct rational){2, 1});
    assert_false(algorithm_build(swarm(), &many, &schedule, &err));
    assert_int_equal(err.code, ERR_ALGORITHM);
    assert_non_null(strstr(err.text, "expected at most 65536"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_optima),  cmocka_unit_test(test_small),
        cmocka_unit_test(test_larger),  cmocka_unit_test(test_sources),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
