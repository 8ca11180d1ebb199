/* SPDX-License-Identifier: Apache-2.0 */
/* test_text: distances of words, suggestions for misspelt words, and texts that are joined.
 *
 * Distances are computed by hand and, for all words of up to four letters from an alphabet of two,
 * compared with the defining recursion. Counter-cases: words that are close to no known word, and
 * words that are too long.
 */
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "tests/support/cmocka_all.h"

#include <string.h>

static unsigned least(unsigned a, unsigned b)
{
    return MIN(a, b);
}

/* Returns the distance by its recursive definition. */
static unsigned distance(const char *word, const char *other)
{
    if (*word == '\0' || *other == '\0')
        return (unsigned)(strlen(word) + strlen(other));
    unsigned exchanged = distance(word + 1, other + 1) + (*word != *other);
    return least(exchanged, 1 + least(distance(word + 1, other), distance(word, other + 1)));
}

/* Writes word number `which` over the letters a and b: the bits after its highest bit. */
static void word_of(unsigned which, char word[8])
{
    unsigned length = 0;
    for (unsigned rest = which; rest > 1; rest /= 2)
        word[length++] = rest % 2 ? 'b' : 'a';
    word[length] = '\0';
}

static void all_short_words(void **state)
{
    (void)state;
    for (unsigned which = 1; which < 32; which++)
        for (unsigned other = 1; other < 32; other++) {
            char a[8], b[8];
            word_of(which, a);
            word_of(other, b);
            assert_int_equal(text_distance(a, b), distance(a, b));
        }
    assert_int_equal(text_distance("kitten", "sitting"), 3);
    char large[TEXT_WORD + 2];
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    assert_int_equal(text_distance(large, large), TEXT_WORD);
    assert_int_equal(text_distance(large + 1, large + 1), 0);
    assert_int_equal(text_distance("x", large), TEXT_WORD);
    assert_int_equal(text_distance(large, "x"), TEXT_WORD);
}

static void what_was_meant(void **state)
{
    (void)state;
    static const char *const names[] = {"path", "matching", "fat-tree", "cube"};
    static const char *const hints[][2] = {{"pth", ", but 'path' does"},
                                           {"macthing", ", but 'matching' does"},
                                           {"cub", ", but 'cube' does"},
                                           {"pony", ""},
                                           {"", ""}};
    for (size_t k = 0; k < sizeof hints / sizeof *hints; k++) {
        struct text_nearest nearest = {0};
        char text[TEXT_HINT];
        for (size_t which = 0; which < sizeof names / sizeof *names; which++)
            text_look(&nearest, hints[k][0], names[which]);
        assert_string_equal(text_hint(&nearest, text), hints[k][1]);
    }
}

/* The nearest word is suggested; of two equally near words, the first; two wrong letters are too
 * many for a short name. */
static void the_nearest(void **state)
{
    (void)state;
    struct text_nearest nearest = {0};
    text_look(&nearest, "gather", "father");
    text_look(&nearest, "gather", "rather");
    assert_string_equal(nearest.name, "father");
    text_look(&nearest, "gather", "gather");
    assert_string_equal(nearest.name, "gather");
    assert_int_equal(nearest.distance, 0);
    nearest = (struct text_nearest){0};
    text_look(&nearest, "abcd", "abc");
    assert_string_equal(nearest.name, "abc");
    nearest = (struct text_nearest){0};
    text_look(&nearest, "axy", "abc");
    assert_null(nearest.name);
}

static void lists(void **state)
{
    (void)state;
    static const char *const items[] = {"benes:N[,pad=D]", "omega:N", "gf11"};
    char text[64], small[12];
    assert_string_equal(text_list(items, 0, " or ", text, sizeof text), "");
    assert_string_equal(text_list(items, 1, " or ", text, sizeof text), "benes:N");
    assert_string_equal(text_list(items, 3, " or ", text, sizeof text), "benes:N, omega:N or gf11");
    assert_string_equal(text_list(items, 3, " or ", small, sizeof small), "benes:N, om");
}

/* A text that does not fit is cut, and a full text and the byte after it stay unchanged. */
static void appends(void **state)
{
    (void)state;
    char text[12] = "";
    text[11] = '!';
    text_append(text, 11, "%s:%u", "clos", 8u);
    assert_string_equal(text, "clos:8");
    text_append(text, 11, "%s", "");
    assert_string_equal(text, "clos:8");
    text_append(text, 11, ",%u,%u", 16u, 32u);
    assert_string_equal(text, "clos:8,16,");
    text_append(text, 11, "%u", 32u);
    assert_string_equal(text, "clos:8,16,");
    assert_int_equal(text[11], '!');
}

static void endings(void **state)
{
    (void)state;
    assert_string_equal(text_s(0), "s");
    assert_string_equal(text_s(1), "");
    assert_string_equal(text_s(2), "s");
    assert_string_equal(text_s((UINT64_C(1) << 32) + 1), "s");
}

/* A number ends at the first byte that is no digit, or at the end, and is less than 2^64. */
static void numbers(void **state)
{
    static const char text[] = "18446744073709551615,x", large[] = "18446744073709551616";
    const char *at = text;
    uint64_t number;
    (void)state;
    assert_true(text_number(&at, text + strlen(text), &number));
    assert_true(number == UINT64_MAX && *at == ',');
    assert_false(text_number(&at, text + strlen(text), &number));
    at = text;
    assert_true(text_number(&at, text + 3, &number));
    assert_true(number == 184 && at == text + 3);
    at = large;
    assert_false(text_number(&at, large + strlen(large), &number));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_short_words), cmocka_unit_test(what_was_meant),
        cmocka_unit_test(the_nearest),     cmocka_unit_test(lists),
        cmocka_unit_test(appends),         cmocka_unit_test(endings),
        cmocka_unit_test(numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
