/* SPDX-License-Identifier: Apache-2.0 */
/* test_err: codes and their exit status, marked fields, and how an error is printed.
 *
 * Exhaustive: all numbers of three digits. The exit status follows from the first digit as
 * docs/cli.md states. A message is set once and read in two forms, plain and with the field names
 * of a caller; every expected text is written here. Counter-cases: numbers that are not codes,
 * braces and control characters in arguments, names that cannot be a mark, more marks than an error
 * keeps, texts and formats that are too long, cut at each byte of a character and within bytes that
 * are no character, and a NULL error.
 */
#include "sched/base/err.h"
#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <string.h>

static const int known[] = {
#define NUMBER(number, name, text) number,
    ERR_TABLE(NUMBER)
#undef NUMBER
};

static bool is_known(int number)
{
    bool found = false;
    for (size_t which = 0; which < sizeof known / sizeof *known; which++)
        found = found || known[which] == number;
    return found;
}

static void every_number(void **state)
{
    (void)state;
    static const int of_family[] = {0, 2, 2, 1, 2, 2, 1, 3, 2, 3};
    for (int number = 0; number < 1000; number++) {
        enum err_code code = (enum err_code)number;
        assert_int_equal(err_exit_status(code), of_family[number / 100]);
        assert_int_equal(strcmp(err_name(code), "?") != 0, is_known(number));
    }
}

static void print(const struct err *err, const char *expected)
{
    char text[700] = "";
    FILE *to = fmemopen(text, sizeof text, "w");
    assert_non_null(to);
    err_print(to, err, NULL);
    fclose(to);
    assert_string_equal(text, expected);
}

static void as_they_are_printed(void **state)
{
    (void)state;
    struct err err = {.further = 3};
    assert_false(err_set(&err, ERR_ONE_PORT, "%s:%d: two", "b.sched", 14));
    print(&err, "roundcast: b.sched:14: two [E301 one-port]\n");
    err.further = 2;
    print(&err, "roundcast: b.sched:14: two [E301 one-port] (and 2 more)\n");
    assert_false(err_no_memory(&err, "%d nodes", 5));
    print(&err, "roundcast: no memory for 5 nodes; expected less of it, or a machine with more "
                "[E104 too-big]\n");
    assert_false(err_set(NULL, ERR_BUG, "nobody asks"));
    assert_false(err_no_memory(NULL, "nobody"));
}

/* Returns a caller's field name: <TREE> for "tree". */
static const char *shout(const void *with, const char *field, char name[ERR_FIELD_NAME])
{
    (void)with;
    size_t length = (size_t)snprintf(name, ERR_FIELD_NAME, "<%s>", field);
    for (size_t at = 0; at < length; at++)
        if (name[at] >= 'a' && name[at] <= 'z')
            name[at] = (char)(name[at] - 'a' + 'A');
    return name;
}

static const struct err_naming shouting = {shout, NULL};

/* Returns a name that fills its buffer. */
static const char *longest(const void *with, const char *field, char name[ERR_FIELD_NAME])
{
    (void)with;
    (void)field;
    memset(name, 'L', ERR_FIELD_NAME - 1);
    name[ERR_FIELD_NAME - 1] = '\0';
    return name;
}

static const struct err_naming lengthening = {longest, NULL};

static void expect(const struct err *err, const char *field, const char *plain, const char *shouted)
{
    char text[ERR_RENDERED];
    assert_string_equal(err->field, field);
    assert_string_equal(err->text, plain);
    assert_string_equal(err_text(err, NULL, text), plain);
    assert_string_equal(err_text(err, &shouting, text), shouted);
}

static void marked_fields(void **state)
{
    (void)state;
    struct err err;
    err_set(&err, ERR_OPTION, "{capacity} requires {tree}");
    expect(&err, "capacity", "capacity requires tree", "<CAPACITY> requires <TREE>");
    assert_int_equal(err.marks, 2);
    err_set(&err, ERR_RANGE, "{n}: %d of %s; expected {round-cycles} %d", 12345, "a", 6);
    expect(&err, "n", "n: 12345 of a; expected round-cycles 6",
           "<N>: 12345 of a; expected <ROUND-CYCLES> 6");
    /* Only a mark at the start of the message is its field. */
    err_set(&err, ERR_RANGE, "%s: no {tree}", "circulant");
    expect(&err, "", "circulant: no tree", "circulant: no <TREE>");
    err_set(&err, ERR_RANGE, "nothing");
    expect(&err, "", "nothing", "nothing");
    assert_int_equal(err.marks, 0);
    err_set(&err, ERR_RANGE, "{a}{b_2}");
    expect(&err, "a", "ab_2", "<A><B_2>");
    /* An error may be set from its own text. */
    err_set(&err, ERR_RANGE, "{x}: %s", err.text);
    expect(&err, "x", "x: ab_2", "<X>: ab_2");
}

static void marks_are_of_the_format_alone(void **state)
{
    (void)state;
    struct err err;
    err_set(&err, ERR_READ, "%s: {tree}", "{tree}\x01\x02{nodes}.c");
    expect(&err, "", "{tree}??{nodes}.c: tree", "{tree}??{nodes}.c: <TREE>");
    err_set(&err, ERR_READ, "{tree}: %s", "{tree}");
    expect(&err, "tree", "tree: {tree}", "<TREE>: {tree}");
    /* Braces around a text that is not a name are not a mark. */
    err_set(&err, ERR_READ, "{} {Tree} {a b} {tree %d} {tree", 1);
    expect(&err, "", "{} {Tree} {a b} {tree 1} {tree", "{} {Tree} {a b} {tree 1} {tree");
    err_set(&err, ERR_READ, "{abcdefghijklmnopqrstuvwxyz01234}");
    expect(&err, "abcdefghijklmnopqrstuvwxyz01234", "abcdefghijklmnopqrstuvwxyz01234",
           "<ABCDEFGHIJKLMNOPQRSTUVWXYZ01234>");
    err_set(&err, ERR_READ, "{abcdefghijklmnopqrstuvwxyz012345}");
    expect(&err, "", "{abcdefghijklmnopqrstuvwxyz012345}", "{abcdefghijklmnopqrstuvwxyz012345}");
    /* Marks after the last one that is kept stay plain text. */
    err_set(&err, ERR_READ, "{a}{b}{c}{d}{e}{f}{g}{h}{i}");
    expect(&err, "a", "abcdefghi", "<A><B><C><D><E><F><G><H>i");
}

static void controls_are_replaced(void **state)
{
    (void)state;
    struct err err;
    err_set(&err, ERR_READ, "%s: gone",
            "\x1b[31m\n\t\x7f\xc2\x9b"
            "2J");
    expect(&err, "", "?[31m?????2J: gone", "?[31m?????2J: gone");
    /* Letters that share bytes with control characters stay: é, U+00A0 and U+06C2. */
    err_set(&err, ERR_READ, "{x} %s", "\xc3\xa9\xc2\xa0\xdb\x82");
    expect(&err, "x", "x \xc3\xa9\xc2\xa0\xdb\x82", "<X> \xc3\xa9\xc2\xa0\xdb\x82");
}

static void places(void **state)
{
    (void)state;
    struct err inner, err = {.further = 9};
    err_out_of_range(&inner, "nodes", 9, 2, 8);
    inner.further = 4;
    assert_false(err_at(&err, &inner, "%s:%d", "{a}", 3));
    expect(&err, "nodes", "{a}:3: nodes: 9 is out of range; expected 2 … 8",
           "{a}:3: <NODES>: 9 is out of range; expected 2 … 8");
    assert_int_equal(err.code, ERR_RANGE);
    assert_int_equal(err.further, 0);
    assert_true(err.limited && err.value == 9 && err.minimum == 2 && err.maximum == 8);
    /* An error is prefixed in place, twice. */
    err_at(&inner, &inner, "b");
    err_at(&inner, &inner, "a");
    expect(&inner, "nodes", "a: b: nodes: 9 is out of range; expected 2 … 8",
           "a: b: <NODES>: 9 is out of range; expected 2 … 8");
    assert_false(err_at(NULL, &inner, "a"));
    inner.further = 5;
    assert_false(err_copy(&err, &inner));
    assert_int_equal(err.further, 0);
    assert_string_equal(err.text, inner.text);
    assert_false(err_copy(NULL, &inner));
    err_settle(&inner, &shouting);
    expect(&inner, "nodes", "a: b: <NODES>: 9 is out of range; expected 2 … 8",
           "a: b: <NODES>: 9 is out of range; expected 2 … 8");
    assert_int_equal(inner.marks, 0);
}

static void common_errors(void **state)
{
    (void)state;
    struct err err;
    assert_false(err_out_of_range(&err, "m", 0, 1, UINT64_MAX));
    expect(&err, "m", "m: 0 is out of range; expected 1 … 18446744073709551615",
           "<M>: 0 is out of range; expected 1 … 18446744073709551615");
    assert_int_equal(err.code, ERR_RANGE);
    assert_true(err.limited && err.value == 0 && err.minimum == 1 && err.maximum == UINT64_MAX);
    assert_false(err_unknown(&err, ERR_NETWORK, "network", "bens", "benes", "benes or {clos}"));
    expect(&err, "network",
           "network: 'bens' does not exist, but 'benes' does; expected benes or {clos}",
           "<NETWORK>: 'bens' does not exist, but 'benes' does; expected benes or {clos}");
    assert_int_equal(err.code, ERR_NETWORK);
    assert_false(err.limited);
    assert_false(err_unknown(&err, ERR_OPTION, "network", "x", NULL, "benes"));
    expect(&err, "network", "network: 'x' does not exist; expected benes",
           "<NETWORK>: 'x' does not exist; expected benes");
    assert_false(err_missing(&err, "nodes", "the number of nodes"));
    expect(&err, "nodes", "nodes is required; expected the number of nodes",
           "<NODES> is required; expected the number of nodes");
    assert_int_equal(err.code, ERR_OPTION);
    assert_false(err_conflict(&err, "exact", "tree"));
    expect(&err, "exact", "exact cannot be used together with tree",
           "<EXACT> cannot be used together with <TREE>");
    assert_int_equal(err.code, ERR_OPTION);
    assert_false(err_requires(&err, "capacity", "tree"));
    expect(&err, "capacity", "capacity requires tree", "<CAPACITY> requires <TREE>");
    assert_int_equal(err.code, ERR_OPTION);
}

static void alternatives(void **state)
{
    (void)state;
    struct err err;
    err_set(&err, ERR_PAYLOAD, "{payload}: 9 bytes; expected at most 8");
    err_alternative(&err, "flits", 4);
    err_alternative(&err, "packets", UINT64_MAX);
    expect(&err, "payload",
           "payload: 9 bytes; expected at most 8, or flits 4, or packets 18446744073709551615",
           "<PAYLOAD>: 9 bytes; expected at most 8, or <FLITS> 4, or <PACKETS> "
           "18446744073709551615");
    /* A mark for which there is no room is cut like any text. */
    char before[ERR_TEXT - 2];
    memset(before, 'x', sizeof before - 1);
    before[sizeof before - 1] = '\0';
    err_set(&err, ERR_PAYLOAD, "%s", before);
    err_alternative(&err, "flits", 4);
    assert_int_equal(strlen(err.text), ERR_TEXT - 1);
    assert_int_equal(err.marks, 0);
    /* An error that keeps all of its marks has no mark left for an alternative. */
    err_set(&err, ERR_PAYLOAD, "{a}{b}{c}{d}{e}{f}{g}{h}");
    err_alternative(&err, "flits", 4);
    assert_int_equal(err.marks, ERR_MARKS);
    expect(&err, "a", "abcdefgh, or flits 4", "<A><B><C><D><E><F><G><H>, or flits 4");
}

static void no_error_to_fill(void **state)
{
    (void)state;
    assert_false(err_out_of_range(NULL, "m", 0, 1, 2));
    assert_false(err_unknown(NULL, ERR_OPTION, "m", "a", "b", "c"));
    assert_false(err_missing(NULL, "m", "a"));
    assert_false(err_conflict(NULL, "m", "n"));
    assert_false(err_requires(NULL, "m", "n"));
}

static void cut_to_its_room(void **state)
{
    (void)state;
    char large[1000];
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    struct err err;
    assert_false(err_set(&err, ERR_BUG, "%s", large));
    assert_int_equal(strlen(err.text), ERR_TEXT - 1);
    assert_int_equal(err.code, ERR_BUG);
    err_at(&err, &err, "place");
    assert_int_equal(strlen(err.text), ERR_TEXT - 1);
    assert_memory_equal(err.text, "place: xxx", 10);
}

/* Characters of 1 … 4 bytes that end at, before and after the end of the buffer stay whole. */
static void cut_between_characters(void **state)
{
    (void)state;
    static const char *const characters[] = {"x", "\xc3\xa9", "\xe2\x80\xa6", "\xf0\x9f\x98\x80"};
    char before[ERR_TEXT];
    struct err err;
    for (int bytes = 1; bytes <= 4; bytes++)
        for (int used = ERR_TEXT - 8; used < ERR_TEXT; used++) {
            memset(before, 'x', (size_t)used);
            before[used] = '\0';
            const char *character = characters[bytes - 1];
            err_set(&err, ERR_BUG, "%s%s%s%s", before, character, character, "behind it");
            int whole = (ERR_TEXT - 1 - used) / bytes;
            int expected = whole < 2 ? used + whole * bytes : ERR_TEXT - 1;
            if (whole >= 2 && used + 2 * bytes + 9 < ERR_TEXT - 1)
                expected = used + 2 * bytes + 9;
            assert_int_equal(strlen(err.text), expected);
        }
}

/* A mark that is cut is not a mark, and the marks before it stay correct. */
static void cut_marks(void **state)
{
    (void)state;
    char before[ERR_TEXT], text[ERR_RENDERED], expected[ERR_RENDERED];
    struct err err;
    for (int used = ERR_TEXT - 12; used < ERR_TEXT - 1; used++) {
        memset(before, 'x', (size_t)used);
        before[used] = '\0';
        err_set(&err, ERR_BUG, "{nodes}%s{tree}", before + 5);
        bool whole = used + 4 < ERR_TEXT;
        assert_int_equal(err.marks, whole ? 2 : 1);
        snprintf(expected, sizeof expected, "<NODES>%s%.*s", before + 5,
                 whole ? 6 : ERR_TEXT - 1 - used, whole ? "<TREE>" : "tree");
        assert_string_equal(err_text(&err, &shouting, text), expected);
        /* The same if a prefix shifts the marks. */
        err_set(&err, ERR_BUG, "{nodes}%s{tree}", before + 12);
        err_at(&err, &err, "a.sched");
        assert_int_equal(err.marks, used + 2 + 4 < ERR_TEXT ? 2 : 1);
        assert_int_equal(err.mark[0].start, 9);
    }
    /* Names of the maximum length fit. */
    memset(before, 'x', sizeof before - 1);
    before[sizeof before - 1] = '\0';
    err_set(&err, ERR_BUG, "{a}{b}{c}{d}{e}{f}{g}{h}%s", before);
    assert_int_equal(strlen(err_text(&err, &lengthening, text)), ERR_TEXT - 1 - 8 + 8 * 47);
    err_settle(&err, &lengthening);
    assert_int_equal(strlen(err.text), ERR_TEXT - 1);
}

/* A byte that continues a character has at most three others before it: more of them are no
 * character, and are cut like other bytes. */
static void cut_between_no_characters(void **state)
{
    (void)state;
    char before[2 * ERR_TEXT];
    struct err err;
    for (int continuing = 4; continuing < ERR_TEXT; continuing++) {
        memset(before, 'x', sizeof before - 1);
        memset(before + ERR_TEXT - 1 - continuing, 0x80, (size_t)continuing);
        before[sizeof before - 1] = '\0';
        err_set(&err, ERR_BUG, "%s", before);
        before[ERR_TEXT - 1] = '\0';
        assert_string_equal(err.text, before);
    }
}

#define EIGHT(text) text text text text text text text text

/* A format has room for 1024 bytes, and a field's name may need the last 32. So 248 of these 256
 * conversions of four bytes are printed, and no text after them. */
static void cut_formats(void **state)
{
    (void)state;
    char expected[249];
    struct err err;
    memset(expected, 'x', 248);
    expected[248] = '\0';
    err_set(&err, ERR_BUG, EIGHT(EIGHT("%1$s%1$s%1$s%1$s")) "{nodes}", "x");
    assert_string_equal(err.text, expected);
    assert_int_equal(err.marks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut_between_no_characters),
                                       cmocka_unit_test(cut_formats),
                                       cmocka_unit_test(every_number),
                                       cmocka_unit_test(as_they_are_printed),
                                       cmocka_unit_test(marked_fields),
                                       cmocka_unit_test(marks_are_of_the_format_alone),
                                       cmocka_unit_test(controls_are_replaced),
                                       cmocka_unit_test(places),
                                       cmocka_unit_test(common_errors),
                                       cmocka_unit_test(alternatives),
                                       cmocka_unit_test(no_error_to_fill),
                                       cmocka_unit_test(cut_to_its_room),
                                       cmocka_unit_test(cut_between_characters),
                                       cmocka_unit_test(cut_marks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
