/* SPDX-License-Identifier: Apache-2.0 */
/* test_fibonacci: the sizes of generalised Fibonacci trees, compared with the theorems of the paper
 * (Bruck, Cypher and Ho).
 *
 * Sizes are compared with the recursion, d = 1 … 8. The bounds of Theorems 3.7 and 3.9 are checked
 * over ranges of t and n, the bound of Theorem 4.9 over sampled n up to 2^24; next to each, a
 * sharper bound fails. Theorem A.2 as corrected in docs/algorithms/complete.md is compared with the
 * definition of its numbers, d = 2 … 8 and t < 50; as printed it gives other numbers.
 */
#include "sched/numbers/fibonacci.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <math.h>

#define LAST 60

static void test_sizes(void **state)
{
    (void)state;
    for (uint32_t d = 1; d <= 8; d++) {
        uint64_t size[LAST], n = 1;
        for (uint32_t t = 0; t < LAST; t++) {
            size[t] = 1;
            for (uint32_t back = 1; back <= d && t >= d; back++)
                size[t] += size[t - back];
            assert_int_equal(fibonacci_size(d, t), size[t]);
            for (; n <= size[t] && n <= 3000; n++)
                assert_int_equal(fibonacci_index(d, n), t);
            if (t == 0 || size[t] > size[t - 1]) {
                assert_int_equal(fibonacci_index(d, size[t]), t);
                assert_true(fibonacci_index(d, size[t] + 1) > t);
            }
        }
    }
    assert_int_equal(fibonacci_size(2, 6), 25);
    assert_int_equal(fibonacci_size(3, 6), 25);
    assert_int_equal(fibonacci_size(2, 1000), UINT64_MAX);
}

/* Returns whether Theorem 3.7 holds: F_d(t) ≥ (2 - 2^(1-d))^(t-d-4) for t ≥ d + 2. */
static bool size_holds(uint32_t d, uint32_t t, double root)
{
    return (double)fibonacci_size(d, t) >= pow(root, (double)t - d - 4);
}

/* Returns whether Theorem 3.9 holds: f_d(n) ≤ log n + (3 log n)/(2^d - 3) + d + 5. */
static bool index_holds(uint32_t d, uint64_t n, double three, double five)
{
    return (double)fibonacci_index(d, n) <=
           log2((double)n) * (1 + three / (exp2(d) - 3)) + d + five;
}

static bool near(double value, double expected)
{
    return fabs(value - expected) <= 1e-9 * expected;
}

static void test_theorems(void **state)
{
    (void)state;
    for (uint32_t d = 2; d <= 8; d++) {
        for (uint32_t t = d + 2; t < LAST; t++) {
            double root = 2 - exp2(1 - (double)d);
            assert_true(size_holds(d, t, root));
            assert_true(near(fibonacci_size_least(d, t), exp(((double)t - d - 4) * log(root))));
        }
        assert_true(fibonacci_size_least(d, d + 1) == 1);
        for (uint64_t n = 1; n < 3000; n++) {
            double most = log((double)n) / log(2) * (1 + 3 / (exp2(d) - 3)) + d + 5;
            assert_true(index_holds(d, n, 3, 5));
            assert_true(near(fibonacci_index_most(d, n), most));
        }
        for (uint64_t n = 10000; n <= 100000000000000; n *= 10)
            assert_true(index_holds(d, n, 3, 5));
    }
    assert_true(fibonacci_size_least(1, 100) == 1);
    assert_false(size_holds(2, LAST - 1, 2));
    assert_false(index_holds(2, 100000000000000, 0, 5));
    assert_false(index_holds(8, 10, 3, -4));
}

#define CLOSED 50 /* from here on, the rounding error of the closed form reaches 1/2 */

/* Computes the numbers of Definition A.1. */
static void steps(uint32_t d, uint64_t number[CLOSED])
{
    for (uint32_t t = 0; t < CLOSED; t++) {
        number[t] = t < 2 ? t : t < d ? UINT64_C(1) << (t - 2) : 0;
        for (uint32_t back = 1; back <= d && t >= d && t >= 2; back++)
            number[t] += number[t - back];
    }
}

/* Returns the root of x^(d+1) = 2x^d - 1 between 2 - 2^(1-d) and 2 - 2^-d, by bisection. */
static long double root_of(uint32_t d)
{
    long double low = 2 - exp2l(1 - (long double)d), high = 2 - exp2l(-(long double)d);
    for (unsigned half = 0; half < 80; half++) {
        long double x = (low + high) / 2;
        if (powl(x, d) * (x - 2) + 1 < 0)
            low = x;
        else
            high = x;
    }
    return low;
}

/* Returns (x - 1) / ((d + 1) x^exponent - 2d) · x^(t - 1) + 1/2. */
static long double closed_form(uint32_t d, uint32_t t, long double x, uint32_t exponent)
{
    return (x - 1) / ((d + 1) * powl(x, exponent) - 2 * d) * powl(x, (long double)t - 1) + 0.5L;
}

/* Theorem A.2, corrected: the exponent is 1, not d, and the brackets round down, not up. Lemma A.3:
 * F_d(t) ≥ G_d(t - d + 3) for t ≥ d - 2. */
static void test_closed_form(void **state)
{
    (void)state;
    for (uint32_t d = 2; d <= 8; d++) {
        uint64_t number[CLOSED];
        long double x = root_of(d);
        steps(d, number);
        for (uint32_t t = 0; t < CLOSED; t++) {
            long double corrected = closed_form(d, t, x, 1), printed = closed_form(d, t, x, d);
            assert_int_equal((uint64_t)floorl(corrected), number[t]);
            assert_int_equal((uint64_t)ceill(corrected), number[t] + 1);
            assert_true(t < 5 || (uint64_t)ceill(printed) < number[t]);
            assert_true(t == 0 || fibonacci_size(d, t + d - 3) >= number[t]);
        }
    }
    /* the example of docs/algorithms/complete.md */
    uint64_t number[CLOSED];
    steps(2, number);
    assert_int_equal(number[6], 8);
    assert_int_equal((uint64_t)ceill(closed_form(2, 6, (1 + sqrtl(5)) / 2, 2)), 3);
}

/* Returns whether Theorem 4.9 holds: the smallest odd d that is at least log(3 + log n) gives m +
 * log n + 3 log log n + 15 rounds; for these n it takes 17 fewer. */
static bool latency_holds(uint32_t n, double constant)
{
    const struct algorithm *algorithm = support_algorithm("fibonacci");
    struct collective collective = {.n = n, .m = 5, .degree = 3};
    while (collective.degree < log2(3 + log2(n)))
        collective.degree += 2;
    struct err err = {0};
    support_true(algorithm_check(algorithm, &collective, &err), &err);
    uint64_t rounds = algorithm_end(algorithm, &collective);
    return (double)rounds <= collective.m + log2(n) + 3 * log2(log2(n)) + constant;
}

static void test_latency(void **state)
{
    (void)state;
    for (uint32_t n = 13; n <= SCHEDULE_MAX_NODES; n += 1 + n / 50)
        assert_true(latency_holds(n, 15 - 17));
    assert_true(latency_holds(SCHEDULE_MAX_NODES, 15 - 17));
    assert_false(latency_holds(SCHEDULE_MAX_NODES, 0 - 17));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_theorems),
        cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_latency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
