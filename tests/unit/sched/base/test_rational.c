/* SPDX-License-Identifier: Apache-2.0 */
/* test_rational: λ and times as texts and in lowest terms.
 *
 * Exhaustive: all P/Q up to 64, reduced to lowest terms by trying all divisors, and converted to
 * text and back; all texts of up to four of the characters `0 1 9 / -`, compared with a grammar
 * that is parsed from right to left. Counter-cases: numbers one above the limit, numbers with too
 * many digits, signs, blanks, a division by 0.
 */
#include "sched/base/rational.h"
#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void in_lowest_terms(void **state)
{
    (void)state;
    for (uint32_t p = 0; p <= 64; p++)
        for (uint32_t q = 1; q <= 64; q++) {
            char given[RATIONAL_TEXT], expected[RATIONAL_TEXT], seen[RATIONAL_TEXT];
            uint32_t divisor = 1;
            for (uint32_t d = 1; d <= 64; d++)
                if (p % d == 0 && q % d == 0)
                    divisor = d;
            struct rational value;
            snprintf(given, sizeof given, "%u/%u", p, q);
            snprintf(expected, sizeof expected, p == 0 || q == divisor ? "%u" : "%u/%u",
                     p / divisor, q / divisor);
            assert_true(rational_parse(given, &value));
            if (p > 0)
                assert_true(value.numerator == p / divisor && value.denominator == q / divisor);
            assert_string_equal(rational_text(p, q, seen), expected);
            assert_true(rational_equal(value, rational_make(p, q)));
            assert_false(rational_equal(value, rational_make(p + 65 * q, q)));
            assert_false(rational_equal((struct rational){1, q}, (struct rational){1, q + 1}));
        }
}

/* Returns the length of the number at the end of text[0 … length-1]; 0 if there is none. */
static size_t digits_at_end(const char *text, size_t length)
{
    size_t count = 0;
    while (count < length && strchr("019", text[length - 1 - count]) != NULL)
        count++;
    return count;
}

static bool is_rational(const char *text)
{
    size_t length = strlen(text), last = digits_at_end(text, length);
    if (last == 0)
        return false;
    if (last == length)
        return true;
    if (text[length - last - 1] != '/' || atoi(text + length - last) == 0)
        return false;
    size_t first = length - last - 1;
    return first > 0 && digits_at_end(text, first) == first;
}

static void every_short_text(void **state)
{
    (void)state;
    static const char letters[] = "019/-";
    for (unsigned which = 0; which < 5 * 5 * 5 * 5; which++)
        for (unsigned length = 0; length <= 4; length++) {
            char text[5] = "";
            unsigned rest = which;
            for (unsigned k = 0; k < length; k++, rest /= 5)
                text[k] = letters[rest % 5];
            struct rational value;
            assert_int_equal(rational_parse(text, &value), is_rational(text));
        }
}

static void limits(void **state)
{
    (void)state;
    struct rational value;
    assert_true(rational_parse("65535/65534", &value));
    static const char *const refused[] = {"65536", "1/65536",       "655350", "4294967297", "1/0",
                                          "0/0",   "1/99999999999", "+1",     " 1",         "1 ",
                                          "1//2",  "0x1",           "1/2/3"};
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        assert_false(rational_parse(refused[k], &value));
    assert_int_equal(rational_divisor(0, 7), 7);
    assert_int_equal(rational_divisor(7, 0), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_lowest_terms),
                                       cmocka_unit_test(every_short_text),
                                       cmocka_unit_test(limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
