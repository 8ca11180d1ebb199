/* SPDX-License-Identifier: Apache-2.0 */
/* test_compare: the order of numbers for qsort and bsearch.
 *
 * State space: pairs of numbers. Covered: all pairs from an ascending list of numbers around the
 * limits of each type, compared with their positions in the list; all pairs of keys; and all arrays
 * of four such numbers, sorted by one key and by two, checked neighbour by neighbour.
 * Counter-cases, which the same check must reject: the difference of two numbers, a comparison of
 * halves, and the reverse order.
 */
#include "sched/base/compare.h"
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const uint32_t words[] = {0, 1, 2, INT32_MAX, UINT32_C(1) << 31, UINT32_MAX - 1, UINT32_MAX};
static const uint64_t longs[] = {
    0, 1, INT32_MAX, UINT32_MAX, UINT64_C(1) << 32, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX};
static const double reals[] = {-INFINITY, -1e300, -1, -1e-300, 0, 1e-300, 0.25, 0.5, 1, INFINITY};
static const int64_t signs[] = {INT64_MIN, -2, -1, 0, 1, INT64_MAX};

typedef int compare_fn(const void *left, const void *right);

/* Checks that each pair of ascending numbers compares as their positions do. */
static bool holds(compare_fn *compare, const void *ladder, size_t count, size_t size)
{
    bool right = true;
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++) {
            const int reported =
                compare((const char *)ladder + a * size, (const char *)ladder + b * size);
            right = right && reported == (a < b ? -1 : a > b);
        }
    return right;
}

static int by_difference(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    const uint32_t difference = *a - *b;
    return difference == 0 ? 0 : difference >> 31 ? -1 : 1;
}

static int by_low_half(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return COMPARE((uint32_t)*a, (uint32_t)*b);
}

static int by_whole_part(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return COMPARE(trunc(*a), trunc(*b));
}

static int upside_down(const void *left, const void *right)
{
    return compare_u32(right, left);
}

static int by_sign(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;
    return COMPARE(*a, *b);
}

static int without_sign(const void *left, const void *right)
{
    return compare_u64(left, right);
}

static void pairs(void **state)
{
    (void)state;
    assert_true(holds(compare_u32, words, COUNT(words), sizeof *words));
    assert_true(holds(compare_u64, longs, COUNT(longs), sizeof *longs));
    assert_true(holds(compare_double, reals, COUNT(reals), sizeof *reals));
    assert_true(holds(by_sign, signs, COUNT(signs), sizeof *signs));
    assert_false(holds(by_difference, words, COUNT(words), sizeof *words));
    assert_false(holds(upside_down, words, COUNT(words), sizeof *words));
    assert_false(holds(by_low_half, longs, COUNT(longs), sizeof *longs));
    assert_false(holds(by_whole_part, reals, COUNT(reals), sizeof *reals));
    assert_false(holds(without_sign, signs, COUNT(signs), sizeof *signs));
}

/* Operands may be expressions, which are evaluated as a whole. */
static void expressions(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < 8; a++)
        for (uint32_t b = 0; b < 8; b++) {
            const int bits = (a & 3) < (b & 3) ? -1 : (a & 3) > (b & 3);
            assert_int_equal(COMPARE(a & 3, b & 3), bits);
            assert_int_equal(2 * COMPARE(a & 3, b & 3), 2 * bits);
            assert_int_equal(-COMPARE(a & 3, b & 3), COMPARE(b & 3, a & 3));
        }
}

/* The first key alone decides unless its values are equal; a key may also be the result of strcmp,
 * of any magnitude. */
static void keys(void **state)
{
    (void)state;
    for (int first = -3; first <= 3; first++)
        for (int then = -3; then <= 3; then++)
            assert_int_equal(compare_then(first, then), first == 0 ? then : first);
}

/* Compares pairs of digits, by the first digit ascending, then by the second descending. */
static int by_digits(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return compare_then(COMPARE(a[0], b[0]), COMPARE(b[1], a[1]));
}

static void sorts(void **state)
{
    (void)state;
    const size_t most = COUNT(words);
    for (size_t k = 0; k < most * most * most * most; k++) {
        const uint32_t drawn[] = {words[k % most], words[k / most % most],
                                  words[k / most / most % most], words[k / most / most / most]};
        uint32_t sorted[4], digits[4][2];
        memcpy(sorted, drawn, sizeof sorted);
        qsort(sorted, 4, sizeof *sorted, compare_u32);
        for (size_t at = 1; at < 4; at++)
            assert_true(sorted[at - 1] <= sorted[at]);
        for (size_t at = 0; at < 4; at++) {
            assert_non_null(bsearch(&drawn[at], sorted, 4, sizeof *sorted, compare_u32));
            digits[at][0] = drawn[at] & 1;
            digits[at][1] = drawn[at];
        }
        qsort(digits, 4, sizeof *digits, by_digits);
        for (size_t at = 1; at < 4; at++)
            assert_true(digits[at - 1][0] < digits[at][0] ||
                        (digits[at - 1][0] == digits[at][0] && digits[at - 1][1] >= digits[at][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs), cmocka_unit_test(expressions),
                                       cmocka_unit_test(keys), cmocka_unit_test(sorts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
