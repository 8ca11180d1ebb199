/* SPDX-License-Identifier: Apache-2.0 */
/* test_digits: numbers to text and back, compared with printf and strtoul.
 *
 * Exhaustive: every byte value at every position that is examined; all numbers below 10^5. Sampled:
 * numbers of every length, including those around each power of ten.
 */
#include "sched/base/digits.h"

#include "sched/base/rng.h"
#include "tests/support/cmocka_all.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SEED UINT64_C(7)

/* Both implementations of the search find the same, whatever the adjacent bytes are. */
static void test_others(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    char text[DIGITS_LOOK];
    for (unsigned place = 0; place < DIGITS_LOOK; place++)
        for (unsigned byte = 0; byte < 256; byte++) {
            uint32_t others = 0;
            for (unsigned at = 0; at < DIGITS_LOOK; at++) {
                unsigned value = at == place ? byte : (unsigned)rng_below(&rng, 256);
                text[at] = (char)value;
                others |= (uint32_t)(value < '0' || value > '9') << at;
            }
            assert_int_equal(digits_others(text), others);
            assert_int_equal(digits_others_by_words(text), others);
        }
}

static void check_number(const struct digits_table *table, uint32_t number)
{
    char text[DIGITS_PUT_ROOM + 1] = "", expected[DIGITS_PUT_ROOM + 1];
    int length = snprintf(expected, sizeof expected, "%" PRIu32, number);
    char *end = digits_put(table, text, number);
    assert_int_equal(end - text, length);
    *end = '\0';
    assert_string_equal(text, expected);
    if (length <= DIGITS_AT_ONCE)
        assert_int_equal(digits_value(text, (unsigned)length), strtoul(expected, NULL, 10));
}

static void test_numbers(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    struct digits_table *table = malloc(sizeof *table);
    assert_non_null(table);
    digits_fill(table);
    for (uint32_t number = 0; number < 100000; number++)
        check_number(table, number);
    for (uint64_t power = 10; power < UINT32_MAX; power *= 10)
        for (uint64_t number = power - 5; number < power + 5; number++)
            check_number(table, (uint32_t)number);
    for (unsigned k = 0; k < 100000; k++)
        check_number(table, (uint32_t)(rng_next(&rng) >> (32 + k % 32)));
    check_number(table, UINT32_MAX);
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_others),
                                       cmocka_unit_test(test_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
