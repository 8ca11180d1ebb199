/* SPDX-License-Identifier: Apache-2.0 */
/* test_postal_degree: a claim of Bar-Noy and Kipnis on trees of degree 2, and the least n for which
 * it fails.
 *
 * Section 4.3 states that DTREE with d = 2 is within a factor of max{2, log(⌈λ⌉ + 1)} of the
 * optimum, which is 2 for λ = 3. The least n that breaks it is 3·2^17 - 1: its last node is below
 * one left branch and 17 right ones, 3 + 17·4 = 71, where F_3(34) < n ≤ F_3(35).
 *
 * Exhaustive: one packet, λ = 3, every n up to that one. Arrivals and F_3 are computed here from
 * their definitions; the end of DTREE is compared with them at each n where the end changes, and
 * the schedule for the last n is verified.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdlib.h>

static void test_degree_2(void **state)
{
    (void)state;
    const uint32_t beyond = 3 * (1 << 17) - 1;
    uint32_t *arrives = calloc(beyond, sizeof *arrives);
    assert_non_null(arrives);
    uint64_t reached[40], ends = 0, optimum = 0;
    for (unsigned t = 0; t < 40; t++)
        reached[t] = t < 3 ? 1 : reached[t - 1] + reached[t - 3];
    const struct algorithm *dtree = support_algorithm("postal-dtree");
    struct collective collective = {.m = 1, .model = MODEL_POSTAL, .lambda = {3, 1}, .degree = 2};
    for (uint32_t n = 2; n <= beyond; n++) {
        uint32_t node = n - 1;
        arrives[node] = arrives[(node - 1) / 2] + 3 + (node - 1) % 2;
        uint64_t before = ends;
        ends = MAX(ends, arrives[node]);
        while (reached[optimum] < n)
            optimum++;
        assert_int_equal(ends > 2 * optimum, n == beyond);
        collective.n = n;
        if (n > 2 && ends > before) /* every n at which the end changes */
            assert_int_equal(algorithm_end(dtree, &collective), ends);
    }
    free(arrives);
    assert_int_equal(ends, 71);
    assert_int_equal(optimum, 35);
    assert_int_equal(bound_end(&collective), 35);
    struct schedule schedule;
    struct verify_report report;
    struct err err = {0};
    support_schedule(dtree, &collective, &schedule);
    if (!verify_schedule("postal-dtree", &schedule, &report, &err))
        fail_msg("%s", err.text);
    assert_int_equal(schedule.end, 71);
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_degree_2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
