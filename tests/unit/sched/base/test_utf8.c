/* SPDX-License-Identifier: Apache-2.0 */
/* test_utf8: bytes from outside become well-formed UTF-8, and well-formed text stays.
 *
 * State space: strings of bytes. Exhaustive: all strings of one and two bytes, all of three that
 * begin with a lead byte; of four bytes, those whose first byte leads a sequence of three or four
 * and whose other bytes are at both sides of a limit of the standard's table. Sampled: random
 * strings with many lead and continuation bytes, the seed printed. The examples of the Unicode
 * Standard, section 3.9 (tables 3-8 to 3-11), are compared exactly.
 *
 * Judges: a decoder without tables, which extracts the bits of a sequence, checks that the number
 * is in range and encodes to the same bytes, and finds truncated sequences by trying all
 * continuations; and the JSON library, which rejects text that is not UTF-8.
 */
#include "lib/report/run_json.h"
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/base/utf8.h"
#include "tests/support/cmocka_all.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261122)
#define MARK "\xef\xbf\xbd"
#define LONGEST 40

/* Writes a number in UTF-8; returns its number of bytes. */
static size_t encode(uint32_t number, unsigned char to[4])
{
    if (number < 0x80) {
        to[0] = (unsigned char)number;
        return 1;
    }
    size_t length = number < 0x800 ? 2 : number < 0x10000 ? 3 : 4;
    for (size_t at = length; at-- > 1; number >>= 6)
        to[at] = (unsigned char)(0x80 | (number & 0x3f));
    to[0] = (unsigned char)(0xf00 >> length | number);
    return length;
}

static bool begins[3][1u << 24]; /* [bytes - 1][value]: begins a scalar value */

/* Records all beginnings of all encodings. */
static int prepare(void **state)
{
    (void)state;
    for (uint32_t number = 0; number <= 0x10ffff; number++) {
        if (number >= 0xd800 && number <= 0xdfff)
            continue;
        unsigned char bytes[4];
        size_t length = encode(number, bytes);
        for (size_t count = 1, key = 0; count <= length && count <= 3; count++) {
            key = key << 8 | bytes[count - 1];
            begins[count - 1][key] = true;
        }
    }
    return 0;
}

/* Returns whether at[0 … count-1] begin an encoding. */
static bool is_beginning(const unsigned char *at, size_t count)
{
    size_t key = 0;
    for (size_t byte = 0; byte < count && byte < 3; byte++)
        key = key << 8 | at[byte];
    return begins[MIN(count, 3) - 1][key] && (count < 4 || (at[3] & 0xc0) == 0x80);
}

static size_t whole_length(unsigned char first)
{
    return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Returns the expected text of the bytes. */
static size_t expect(const unsigned char *bytes, size_t count, char *to)
{
    size_t length = 0;
    for (size_t at = 0; at < count;) {
        size_t part = 0;
        while (part < 4 && at + part < count && is_beginning(bytes + at, part + 1) &&
               part < whole_length(bytes[at]))
            part++;
        bool whole = part > 0 && part == whole_length(bytes[at]);
        memcpy(to + length, whole ? (const char *)bytes + at : MARK, whole ? part : 3);
        length += whole ? part : 3;
        at += part > 0 ? part : 1;
    }
    return length;
}

static void check(const unsigned char *bytes, size_t count)
{
    char expected[3 * LONGEST];
    size_t length, right = expect(bytes, count, expected);
    char *text = utf8_repair((const char *)bytes, count, &length);
    assert_non_null(text);
    if (length != right || memcmp(text, expected, right) != 0) {
        for (size_t at = 0; at < count; at++)
            print_error("%02x ", bytes[at]);
        fail_msg("became %.*s, expected %.*s", (int)length, text, (int)right, expected);
    }
    assert_int_equal(text[length], 0);
    free(text);
}

static void test_short(void **state)
{
    (void)state;
    unsigned char bytes[3];
    for (uint32_t number = 0xbf0000; number < 1u << 24; number++) {
        bytes[0] = (unsigned char)(number >> 16);
        bytes[1] = (unsigned char)(number >> 8);
        bytes[2] = (unsigned char)number;
        check(bytes, 3);
    }
    for (uint32_t number = 0; number < 1u << 16; number++)
        check((const unsigned char[]){(unsigned char)(number >> 8), (unsigned char)number}, 2);
    for (unsigned number = 0; number < 256; number++)
        check((const unsigned char[]){(unsigned char)number}, 1);
    check((const unsigned char *)"", 0);
}

static void test_four(void **state)
{
    (void)state;
    static const unsigned char other[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0,
                                          0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xff};
    for (unsigned first = 0xe0; first < 0x100; first++)
        for (unsigned rest = 0; rest < 16 * 16 * 16; rest++)
            check((const unsigned char[]){(unsigned char)first, other[rest >> 8],
                                          other[rest >> 4 & 15], other[rest & 15]},
                  4);
}

static void test_random(void **state)
{
    (void)state;
    print_message("seed %" PRIu64 "\n", SEED);
    struct rng rng = {SEED};
    unsigned char bytes[LONGEST];
    for (unsigned trial = 0; trial < 200000; trial++) {
        size_t count = rng_below(&rng, LONGEST + 1);
        for (size_t at = 0; at < count; at++)
            bytes[at] = (unsigned char)(rng_below(&rng, 2) ? 0x80 + rng_below(&rng, 0x80)
                                                           : rng_below(&rng, 256));
        check(bytes, count);
    }
}

static void test_standard(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *text;
    } rows[] = {
        {"\x61\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64",
         "a" MARK MARK MARK "b" MARK "c" MARK MARK "d"},
        {"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", MARK MARK MARK MARK MARK MARK MARK MARK "A"},
        {"\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", MARK MARK MARK MARK MARK MARK MARK MARK "A"},
        {"\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", MARK MARK MARK MARK MARK "A" MARK MARK "B"},
        {"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", MARK MARK MARK MARK "A"},
        {"plain, \xc3\xa9, \xe2\x82\xac, \xf0\x9f\x98\x80",
         "plain, \xc3\xa9, \xe2\x82\xac, \xf0\x9f\x98\x80"},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        size_t length;
        char *text = utf8_repair(rows[row].bytes, strlen(rows[row].bytes), &length);
        assert_string_equal(text, rows[row].text);
        free(text);
    }
}

/* A text that JSON rejects appears in a report repaired; a text that JSON accepts appears
 * unchanged. */
static void test_json(void **state)
{
    (void)state;
    print_message("seed %" PRIu64 "\n", SEED + 1);
    struct rng rng = {SEED + 1};
    unsigned refused = 0;
    for (unsigned trial = 0; trial < 20000; trial++) {
        char bytes[6] = {0};
        for (unsigned at = 0; at < 5; at++)
            bytes[at] = (char)(1 + rng_below(&rng, 255));
        if (trial % 2 == 0)
            bytes[1] = 'x', bytes[2] = 'y', bytes[3] &= 0x7f, bytes[0] &= 0x7f, bytes[4] &= 0x7f;
        json_t *plain = json_string(bytes), *string = report_json_text(bytes);
        assert_non_null(string);
        if (plain != NULL)
            assert_string_equal(json_string_value(string), bytes);
        refused += plain == NULL;
        json_decref(plain);
        json_decref(string);
    }
    assert_true(refused > 1000 && refused < 19000);
}

/* Combining marks, U+0300 … U+036F, take no column, and each other character takes one. */
static void test_columns(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t columns;
    } rows[] = {
        {"", 0},
        {"ab", 2},
        {"\xc3\xa9", 1},
        {"\xe2\x82\xac", 1},
        {"e\xcc\x80", 1},
        {"e\xcd\xaf", 1},
        {"e\xcd\x80"
         "f",
         2},
        {"e\xcd\xb0", 2},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        assert_int_equal(utf8_columns(rows[row].text, strlen(rows[row].text)), rows[row].columns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short),  cmocka_unit_test(test_four),
        cmocka_unit_test(test_random), cmocka_unit_test(test_standard),
        cmocka_unit_test(test_json),   cmocka_unit_test(test_columns),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
