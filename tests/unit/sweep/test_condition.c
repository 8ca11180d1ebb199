/* SPDX-License-Identifier: Apache-2.0 */
/* test_condition: the points that the conditions of a study omit, and conditions that are rejected.
 *
 * Each relation is tried with numbers and fractions below, at and above the other side, with words,
 * with patterns and with other keys, whose values may be words. The points that stay are computed
 * by hand. Counter-cases: what is no number is neither less nor greater than any value; conditions
 * that have no key, no value, another relation, a key that is not defined above, or a word where a
 * number is required.
 */
#include "sweep/study.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"

#include <inttypes.h>
#include <string.h>

#define FIRST "roundcast-study 1\nalgorithm path\n"

static bool read_text(const char *text, struct study *study, struct err *err)
{
    FILE *file = fmemopen((void *)text, strlen(text), "r");
    assert_non_null(file);
    *err = (struct err){0};
    bool read = study_read(file, "a.study", study, err);
    fclose(file);
    return read;
}

/* Checks the numbers of the points that stay. */
static void expect(const char *keys, const char *conditions, const char *stay)
{
    char text[500], seen[200] = "";
    struct study study;
    struct err err;
    running("%s%s", keys, conditions);
    snprintf(text, sizeof text, "%s%s%s", FIRST, keys, conditions);
    if (!read_text(text, &study, &err))
        fail_msg("%s", err.text);
    for (uint64_t at = study_next(&study, 1); at != 0; at = study_next(&study, at + 1))
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s%" PRIu64,
                 seen[0] != '\0' ? " " : "", at);
    assert_string_equal(seen, stay);
    study_free(&study);
}

static void numbers_and_words(void **unused)
{
    (void)unused;
    static const char keys[] = "lambda - 1 3/2 2 5/2\n"; /* points 1 … 5 */
    static const struct {
        const char *condition, *stay;
    } cases[] = {
        {"skip lambda<2\n", "1 4 5"},
        {"skip lambda<=2\n", "1 5"},
        {"skip lambda>3/2\n", "1 2 3"},
        {"skip lambda>=3/2\n", "1 2"},
        {"skip lambda>=0\n", "1"},
        {"skip lambda=4/2\n", "1 2 3 5"},
        {"skip lambda!=4/2\n", "4"},
        {"skip lambda=-\n", "2 3 4 5"},
        {"skip lambda=[12]\n", "1 3 5"},
        {"skip lambda=?*/2\n", "1 2 4"},
        {"skip lambda!=?*/2\n", "3 5"},
        {"skip lambda=2/\n", "1 2 3 4 5"},   /* no number, and no value as a word */
        {"skip lambda=2/x\n", "1 2 3 4 5"},  /* the same */
        {"skip lambda=2/-1\n", "1 2 3 4 5"}, /* the same */
        {"skip lambda=2x\n", "1 2 3 4 5"},
        {"skip lambda=2/0\n", "1 2 3 4 5"},
        {"skip lambda=/2\n", "1 2 3 4 5"},
        {"skip lambda=2/1x\n", "1 2 3 4 5"},
        {"skip lambda>1 lambda<2\n", "1 2 4 5"},
        {"skip lambda>1 lambda<2 lambda=-\n", "1 2 3 4 5"},
        {"skip lambda=1\nskip lambda=-\nskip lambda=2\n", "3 5"},
        {"skip lambda=1 lambda=2\nskip lambda>=5/2\n", "1 2 3 4"},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++)
        expect(keys, cases[which].condition, cases[which].stay);
}

/* Decimal numbers are fractions, and whole numbers have up to 64 bits. */
static void large_and_decimal_numbers(void **unused)
{
    (void)unused;
    expect("lambda 2 2.5 5/2 2.75\n", "skip lambda>2\n", "1");
    expect("lambda 2 2.5 5/2 2.75\n", "skip lambda>=2.75\n", "1 2 3");
    expect("lambda 2 2.5 5/2 2.75\n", "skip lambda=2.50\n", "1 4");
    expect("lambda 2 2.5 5/2 2.75\n", "skip lambda=10/4\n", "1 4");
    expect("lambda 2 2.5 5/2 2.75\n", "skip lambda=2.?\n", "1 3 4"); /* a pattern */
    static const char keys[] = "seed 0 18446744073709551614 18446744073709551615\n";
    expect(keys, "skip seed=18446744073709551615\n", "1 2");
    expect(keys, "skip seed<18446744073709551615\n", "3");
    expect(keys, "skip seed<18446744073709551615/18446744073709551615\n", "2 3");
    expect(keys, "skip seed>1844674407370955161.4\n", "1");
    /* larger: no number, but a word that no seed is */
    expect(keys, "skip seed=18446744073709551616\n", "1 2 3");
    expect(keys, "skip seed<0.0000000000000000001\n", "2 3"); /* 19 decimals */
}

/* Points 1 … 9 have n = 2, 2, 2, 3, 3, 3, 4, 4, 4 and m = 2, 3, 4, 2, 3, 4, 2, 3, 4. */
static void other_keys(void **unused)
{
    (void)unused;
    static const char keys[] = "n 2..4\nm 2..4\n";
    expect(keys, "skip m>n\n", "1 4 5 7 8 9");
    expect(keys, "skip m>=n\n", "4 7 8");
    expect(keys, "skip m<n\n", "1 2 3 5 6 9");
    expect(keys, "skip m<=n\n", "2 3 6");
    expect(keys, "skip m=n\n", "2 3 4 6 7 8");
    expect(keys, "skip m!=n\n", "1 5 9");
    expect(keys, "skip m!=n n>m\n", "1 2 3 5 6 9");
    /* points (-, 1), (-, 3), (2, 1), (2, 3) */
    expect("lambda - 2\nn 1 3\n", "skip n>lambda\n", "1 2 3");
    expect("lambda - 2\nn 1 3\n", "skip lambda>n\n", "1 2 4");
    expect("lambda - 2\nn 1 3\n", "skip algorithm>n\n", "1 2 3 4");
    /* a value that is also the name of a key means the key: (path, 4), (-, 4) */
    expect("method path -\nn 4\n", "skip method=algorithm\n", "2");
}

#define FORM "is no condition; expected KEY<VALUE without blanks, with one of < <= > >= = !="
#define NUMBER "is no number; expected P, P/Q or a decimal number, or a key"

static void wrong_conditions(void **unused)
{
    (void)unused;
    static const struct {
        const char *lines, *error;
    } cases[] = {
        {"n 4\nskip n>3 >3\n", "a.study:4:10: '>3' " FORM},
        {"n 4\nskip n>\n", "a.study:4:6: 'n>' " FORM},
        {"n 4\nskip n!3\n", "a.study:4:6: 'n!3' " FORM},
        {"n 4\nskip n!\n", "a.study:4:6: 'n!' " FORM},
        {"n 4\nskip n\n", "a.study:4:6: 'n' " FORM},
        {"n 4\nskip n>x\n", "a.study:4:6: 'x' " NUMBER},
        {"n 4\nskip n>5/\n", "a.study:4:6: '5/' " NUMBER},
        {"n 4\nskip n>5/x\n", "a.study:4:6: '5/x' " NUMBER},
        {"n 4\nskip n<5/-2\n", "a.study:4:6: '5/-2' " NUMBER},
        {"n 4\nskip n>=5x\n", "a.study:4:6: '5x' " NUMBER},
        {"n 4\nskip n<=5/0\n", "a.study:4:6: '5/0' " NUMBER},
        {"n 4\nskip n>-1\n", "a.study:4:6: '-1' " NUMBER},
        {"n 4\nskip n>5.\n", "a.study:4:6: '5.' " NUMBER},
        {"n 4\nskip n>5.x\n", "a.study:4:6: '5.x' " NUMBER},
        {"n 4\nskip n>5.2/3\n", "a.study:4:6: '5.2/3' " NUMBER},
        {"n 4\nskip n>.5\n", "a.study:4:6: '.5' " NUMBER},
        /* beyond 64 bits: the number, the numerator of a decimal, and its denominator */
        {"n 4\nskip n<18446744073709551616\n", "a.study:4:6: '18446744073709551616' " NUMBER},
        {"n 4\nskip n<5/18446744073709551616\n", "a.study:4:6: '5/18446744073709551616' " NUMBER},
        {"n 4\nskip n<1844674407370955161.6\n", "a.study:4:6: '1844674407370955161.6' " NUMBER},
        {"n 4\nskip n<0.00000000000000000001\n", "a.study:4:6: '0.00000000000000000001' " NUMBER},
        {"n 4\nskip m>3\n",
         "a.study:4:6: 'm' is no key of the lines above; expected algorithm or n"},
        {"model postal\nn 4\nskip mode=x\n",
         "a.study:5:6: 'mode' is no key of the lines above, but 'model' does; expected algorithm, "
         "model or n"},
    };
    struct study study;
    struct err err;
    char text[500];
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        running("%s", cases[which].lines);
        snprintf(text, sizeof text, "%s%s", FIRST, cases[which].lines);
        assert_false(read_text(text, &study, &err));
        assert_string_equal(err.text, cases[which].error);
        assert_int_equal(err.code, ERR_SYNTAX);
    }
    assert_false(read_text("roundcast-study 1\nskip n>3\nn 4\nalgorithm path\n", &study, &err));
    assert_string_equal(
        err.text, "a.study:2:6: 'n' is no key of the lines above; expected keys before conditions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_words), cmocka_unit_test(large_and_decimal_numbers),
        cmocka_unit_test(other_keys), cmocka_unit_test(wrong_conditions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
