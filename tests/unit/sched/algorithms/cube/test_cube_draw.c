/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_draw: the largest of the random trees of cube-broadcast, and the tail bound (1) of the
 * paper.
 *
 * The bound is compared with values computed by hand, with the exact binomial tail (summed here for
 * d ≤ 8 and K ≤ 64), which is never larger, and with the frequency at which seeds reach N.
 * Counter-case: with 1 in place of e the bound falls below the tail. The size of the largest tree
 * is counted again.
 */
#include "sched/algorithms/cube/cube_draw.h"
#include "sched/base/compare.h"
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdbool.h>

static bool near(double value, double expected)
{
    return fabs(value - expected) <= 1e-6 * expected;
}

/* 2d(e/C)^(CK/d): for d = 4, K = 32, N = 32, C = 4 it is 8(e/4)^32; for d = 2, K = 2, N = 2 it
 * exceeds 1. */
static void test_values(void **state)
{
    (void)state;
    assert_true(near(cube_draw_tail(4, 32, 32), 8 * pow(2.718281828459045 / 4, 32)));
    assert_true(near(cube_draw_tail(5, 20, 40), 10 * pow(2.718281828459045 / 10, 40)));
    assert_true(cube_draw_tail(2, 2, 2) == 1);
    assert_true(cube_draw_tail(6, 40, 11) == 1);
}

/* Returns P(Bin(K, 1/d) ≥ N). */
static double binomial_tail(unsigned d, uint32_t count, uint32_t most)
{
    double sum = 0, p = 1.0 / d;
    for (uint32_t k = most; k <= count; k++)
        sum += exp(lgamma(count + 1.0) - lgamma(k + 1.0) - lgamma(count - k + 1.0) + k * log(p) +
                   (count - k) * log1p(-p));
    return sum;
}

static void test_tail(void **state)
{
    (void)state;
    unsigned below = 0, with_one = 0;
    for (unsigned d = 2; d <= 8; d++)
        for (uint32_t count = 1; count <= 64; count++)
            for (uint32_t most = 1; most <= count; most++) {
                double exact = binomial_tail(d, count, most) * (1 - 1e-9);
                double c = (double)most * d / count;
                below += cube_draw_tail(d, count, most) < exact;
                with_one += 2 * d * pow(1 / c, most) < exact;
            }
    assert_int_equal(below, 0);
    assert_true(with_one > 0);
}

static uint32_t count_most(unsigned d, uint32_t count, uint64_t seed)
{
    uint32_t of_tree[9] = {0}, most = 0;
    struct rng rng = {seed + 1000};
    for (uint32_t packet = 0; packet < count; packet++)
        of_tree[rng_next(&rng) % d]++;
    for (unsigned tree = 0; tree < d; tree++)
        most = MAX(most, of_tree[tree]);
    return most;
}

#define SEEDS 2000

/* 24 packets, 3 trees: the tail bound is below 1 from N = 23 on. 8 packets, 8 trees: from N = 5
 * on. */
static void test_seeds(void **state)
{
    (void)state;
    static const struct {
        unsigned d;
        uint32_t count;
    } cases[] = {{3, 24}, {8, 8}, {6, 40}};
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        unsigned reached[65] = {0};
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            uint32_t most = cube_draw_most(cases[which].d, cases[which].count, seed);
            assert_int_equal(most, count_most(cases[which].d, cases[which].count, seed));
            for (uint32_t n = 1; n <= most; n++)
                reached[n]++;
        }
        assert_true(reached[(cases[which].count + cases[which].d - 1) / cases[which].d] == SEEDS);
        for (uint32_t n = 1; n <= cases[which].count; n++)
            assert_true(reached[n] <=
                        SEEDS * cube_draw_tail(cases[which].d, cases[which].count, n));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_tail),
        cmocka_unit_test(test_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
