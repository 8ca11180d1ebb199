/* SPDX-License-Identifier: Apache-2.0 */
/* test_decimal: decimal numbers as they are read, with exponents and suffixes.
 *
 * Texts are compared with integer parts and fractions computed by hand, at both sides of the limits
 * of 10^19 and of 19 digits. Counter-cases: texts that are not numbers, and numbers whose integer
 * part is not below 10^19. All combinations of mantissas, exponents and suffixes are compared with
 * a second reader that shifts the point in the text itself.
 */
#include "sched/base/decimal.h"
#include "tests/support/cmocka_all.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void integer_parts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t whole;
        bool fraction;
    } cases[] = {{"0", 0, false},
                 {"12", 12, false},
                 {"007", 7, false},
                 {"5.", 5, false},
                 {".5", 0, true},
                 {"5e0", 5, false},
                 {"1.000000000000000000e+00", 1, false},
                 {"1.234567890123456789e+18", 1234567890123456789, false},
                 {"1.2345678901234567891e+18", 1234567890123456789, true},
                 {"1.5e3", 1500, false},
                 {"15E-1", 1, true},
                 {"1e-400", 0, true},
                 {"0e999999999999", 0, false},
                 {"0.000000000000000000000005e24", 5, false},
                 {"4K", 4000, false},
                 {"4Ki", 4096, false},
                 {"1.5Mi", 1572864, false},
                 {"0.1Ki", 102, true}, /* 102.4 */
                 {"20G", 20000000000, false},
                 {"1.25T", 1250000000000, false},
                 {"2Ti", 2199023255552, false},
                 {"1e3K", 1000000, false},
                 {"0.30000000000000000000000000000000000000001", 0, true},
                 {"0.99999999999999999999999999999999999999999", 0, true},
                 {"1.0000000000000000000000000000000000000000", 1, false},
                 {"1.0000000000000000000000000000000000000001", 1, true},
                 {"9007199254740993", 9007199254740993, false}, /* no double has it */
                 {"1.23456789012345678901K", 1234, true},
                 {"9999999999999999999", UINT64_C(9999999999999999999), false},
                 {"9999999999999999999.9", UINT64_C(9999999999999999999), true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct decimal decimal;
        uint64_t whole = 1;
        bool fraction = !cases[k].fraction;
        assert_true(decimal_parse(cases[k].text, &decimal));
        assert_true(decimal_whole(&decimal, &whole, &fraction));
        if (whole != cases[k].whole || fraction != cases[k].fraction)
            fail_msg("%s: %" PRIu64 "%s", cases[k].text, whole, fraction ? " and a part" : "");
    }
}

static void too_large(void **state)
{
    (void)state;
    static const char *const texts[] = {"10000000000000000000", "12345678901234567895", "1e19",
                                        "1e400", "1e999999999999999999999", "10000000000G",
                                        "99999999999999999999999999999999",
                                        /* more than 19 digits and a binary suffix: the value is not
                                         * known */
                                        "1.11111111111111111111Ki"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct decimal decimal;
        uint64_t whole;
        bool fraction;
        assert_true(decimal_parse(texts[k], &decimal));
        assert_false(decimal_whole(&decimal, &whole, &fraction));
    }
}

static void no_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {"",     ".",   "e5",   "K",    "1e",    "1e+",   "1eK",
                                        "1.2.", "1_0", "0x10", "1e5e", "1e5.5", "4KK",   "4iK",
                                        "4Kii", "4k",  "+1",   "-1",   " 1",    "1 ",    "nan",
                                        "inf",  "1,0", "4P",   "1.K5", "1e+-5", "0x1p3", "1e 5"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct decimal decimal;
        if (decimal_parse(texts[k], &decimal))
            fail_msg("'%s' was taken for a number", texts[k]);
    }
}

/* A second reader: moves the point between the digits by the exponent. Returns the integer part;
 * stores in *fraction whether a nonzero digit remains. Precondition: no overflow. */
static uint64_t by_moving_the_point(const char *digits, int point, int tens, bool *fraction)
{
    uint64_t whole = 0;
    int length = (int)strlen(digits), end = point + tens;
    *fraction = false;
    for (int k = 0; k < (end > length ? end : length); k++) {
        unsigned digit = k < length ? (unsigned)(digits[k] - '0') : 0;
        if (k < end)
            whole = whole * 10 + digit;
        else
            *fraction = *fraction || digit != 0;
    }
    return whole;
}

static void points_and_exponents(void **state)
{
    (void)state;
    static const char *const digits[] = {"5", "50", "1234567", "1000001", "000120", "9999999"};
    static const struct {
        const char *text;
        int tens;
    } suffixes[] = {{"", 0}, {"K", 3}, {"M", 6}, {"G", 9}};
    unsigned compared = 0;
    for (size_t d = 0; d < sizeof digits / sizeof *digits; d++)
        for (int point = 0; point <= (int)strlen(digits[d]); point++)
            for (int exponent = -12; exponent <= 2; exponent++)
                for (size_t s = 0; s < sizeof suffixes / sizeof *suffixes; s++) {
                    char text[40];
                    struct decimal decimal;
                    uint64_t whole;
                    bool fraction, expected;
                    snprintf(text, sizeof text, "%.*s.%se%+03d%s", point, digits[d],
                             digits[d] + point, exponent, suffixes[s].text);
                    assert_true(decimal_parse(text, &decimal));
                    assert_true(decimal_whole(&decimal, &whole, &fraction));
                    uint64_t by_hand = by_moving_the_point(digits[d], point,
                                                           exponent + suffixes[s].tens, &expected);
                    if (whole != by_hand || fraction != expected)
                        fail_msg("%s: %" PRIu64 ", not %" PRIu64, text, whole, by_hand);
                    compared++;
                }
    assert_int_equal(compared, (2 + 3 + 8 + 8 + 7 + 8) * 15 * 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(integer_parts), cmocka_unit_test(too_large),
                                       cmocka_unit_test(no_numbers),
                                       cmocka_unit_test(points_and_exponents)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
