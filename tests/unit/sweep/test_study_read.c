/* SPDX-License-Identifier: Apache-2.0 */
/* test_study_read: what a study accepts, and the error, place and text of everything else.
 *
 * Each rule of docs/sweep.md is tried at its limit and beyond it: forms of ranges, numbers of 18
 * digits, words of 255 bytes, 32 keys, 256 conditions, the first line, commands as schedules, lines
 * `points`, bytes that no word contains, and a file that cannot be read any further. Places are
 * counted by hand. A value that study_read did not check is rejected when its point is made.
 */
#include "sweep/study.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define FIRST "roundcast-study 1\n"
#define ROOM 20000

/* Reads a whole file. */
static bool read_file(const char *text, struct study *study, struct err *err)
{
    FILE *file = fmemopen((void *)text, strlen(text), "r");
    assert_non_null(file);
    *err = (struct err){0};
    bool read = study_read(file, "a.study", study, err);
    fclose(file);
    return read;
}

/* Reads a file that begins with the first line. */
static bool read_lines(const char *lines, struct study *study, struct err *err)
{
    static char text[ROOM];
    assert_in_range(snprintf(text, sizeof text, "%s%s", FIRST, lines), 0, sizeof text - 1);
    return read_file(text, study, err);
}

static void rejects(bool read, const struct err *err, enum err_code code, const char *text)
{
    assert_false(read);
    assert_string_equal(err->text, text);
    assert_int_equal(err->code, code);
}

#define WORDS "expected words, and the line's end"
#define ALONE "is another kind of file, or version; expected roundcast-study 1 alone"

static void first_lines(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        enum err_code code;
        const char *error;
    } cases[] = {
        {"# nothing\n", ERR_CUT, "a.study:2:1: the file is empty; expected roundcast-study 1"},
        {"\x01", ERR_SYNTAX, "a.study:1: unexpected byte 0x01; " WORDS},
        {"roundcast-study", ERR_CUT, "a.study:1: the file is cut off here; " WORDS},
        {"roundcast-study\n", ERR_VERSION, "a.study:1:16: 'roundcast-study' " ALONE},
        {"roundcast-study \x02\n", ERR_SYNTAX, "a.study:1: unexpected byte 0x02; " WORDS},
        {"roundcast-study 2\n", ERR_VERSION, "a.study:1:17: '2' " ALONE},
        {"roundcast-study 1 x\n", ERR_VERSION, "a.study:1:19: 'x' " ALONE},
        {"roundcast-study 1 \x7f\n", ERR_SYNTAX, "a.study:1: unexpected byte 0x7f; " WORDS},
        {"\xef\xbb\xbfroundcast-study 1\n", ERR_SYNTAX,
         "a.study:1: a byte order mark (BOM) before the text; " WORDS},
        {FIRST, ERR_CUT, "a.study:2:1: no algorithm; expected a line 'algorithm' or 'schedule'"},
    };
    struct study study;
    struct err err;
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        running("%s", cases[which].text);
        rejects(read_file(cases[which].text, &study, &err), &err, cases[which].code,
                cases[which].error);
    }
}

#define NO_RANGE(word)                                                                        \
    "'" word "' is no range; expected A..B, A..B+STEP or A..B*FACTOR, numbers of at most 18 " \
    "digits"
#define NO_ORDER(word, what) \
    "'" word "' " what "; expected numbers that ascend, in steps from 1 or by factors from 2"
#define NO_POINTS(word) "'" word "' is no number of points; expected A or A..B, from 1"
#define NAME_31 "abcdefghijklmnopqrstuvwxyzabcde"

static void wrong_lines(void **unused)
{
    (void)unused;
    static const struct {
        const char *lines;
        enum err_code code;
        const char *error;
    } cases[] = {
        /* ranges of values */
        {"seed 1234567890123456789..5\n", ERR_SYNTAX,
         "a.study:2:6: " NO_RANGE("1234567890123456789..5")},
        {"seed 5x..9\n", ERR_SYNTAX, "a.study:2:6: " NO_RANGE("5x..9")},
        {"seed 5..\n", ERR_SYNTAX, "a.study:2:6: " NO_RANGE("5..")},
        {"seed 1..1234567890123456789\n", ERR_SYNTAX,
         "a.study:2:6: " NO_RANGE("1..1234567890123456789")},
        {"seed 7 1..5-2\n", ERR_SYNTAX, "a.study:2:8: " NO_RANGE("1..5-2")},
        {"seed 1..5+\n", ERR_SYNTAX, "a.study:2:6: " NO_RANGE("1..5+")},
        {"seed 1..5+2x\n", ERR_SYNTAX, "a.study:2:6: " NO_RANGE("1..5+2x")},
        {"seed 1..5*x\n", ERR_SYNTAX, "a.study:2:6: " NO_RANGE("1..5*x")},
        {"seed 0..4*2\n", ERR_SYNTAX, "a.study:2:6: " NO_ORDER("0..4*2", "never ends")},
        {"seed 1..4*1\n", ERR_SYNTAX, "a.study:2:6: " NO_ORDER("1..4*1", "never ends")},
        {"seed 0..4+0\n", ERR_SYNTAX, "a.study:2:6: " NO_ORDER("0..4+0", "never ends")},
        {"seed 4..3*2\n", ERR_SYNTAX, "a.study:2:6: " NO_ORDER("4..3*2", "is empty")},
        {"seed 4..3\n", ERR_SYNTAX, "a.study:2:6: " NO_ORDER("4..3", "is empty")},
        /* keys */
        {NAME_31 "f 1\n", ERR_SYNTAX,
         "a.study:2:1: '" NAME_31 "f' is too long or too much; expected at most 32 options of "
         "'run'"},
        {NAME_31 " 1\n", ERR_OPTION,
         "a.study:2:1: " NAME_31 ": the field does not exist; expected one of 'roundcast run "
         "--help'"},
        {"n 4\nm 2\nn 5\n", ERR_ORDER,
         "a.study:4:1: 'n' stands on a line above; expected all its values there"},
        {"m 2\nn 4\nnodes 5\n", ERR_ORDER,
         "a.study:4:1: 'nodes' is the option 'n' of a line above; expected all its values there"},
        {"packets 2\nm 2\n", ERR_ORDER,
         "a.study:3:1: 'm' is the option 'packets' of a line above; expected all its values there"},
        {"algorithm -\n", ERR_SYNTAX, "a.study:2:11: '-' is not an algorithm; expected its name"},
        {"schedule - ./a\n", ERR_SYNTAX,
         "a.study:2:10: '-' is not an algorithm; expected its name"},
        {"n 4\nschedule ./a\nalgorithm path\n", ERR_ORDER,
         "a.study:4:1: 'algorithm' next to 'schedule'; expected all algorithms and schedules on "
         "one line"},
        {"n\t# 3\n", ERR_SYNTAX, "a.study:2:1: 'n' has no value; expected some"},
        {"lambda 2 1/2\n", ERR_RANGE,
         "a.study:2:10: lambda: '1/2'; expected P/Q, P or a decimal number, at least 1, P and Q "
         "at most 65535"},
        {"split yes -\nm 1..3 2\n", ERR_SYNTAX,
         "a.study:3:1: the value 2 of 'm' is there twice; expected it once"},
        /* conditions */
        {"n 4\nskip\n", ERR_SYNTAX,
         "a.study:3:5: 'skip' has no condition; expected some, such as n>8"},
        {"n 4\nskip n>3 \x7f\n", ERR_SYNTAX, "a.study:3: unexpected byte 0x7f; " WORDS},
        /* points */
        {"points\n", ERR_SYNTAX,
         "a.study:2:7: 'points' has no number; expected some, such as 1..8"},
        {"points 1 \x01\n", ERR_SYNTAX, "a.study:2: unexpected byte 0x01; " WORDS},
        {"points x\n", ERR_SYNTAX, "a.study:2:8: " NO_POINTS("x")},
        {"points ..4\n", ERR_SYNTAX, "a.study:2:8: " NO_POINTS("..4")},
        {"points 5..x\n", ERR_SYNTAX, "a.study:2:8: " NO_POINTS("5..x")},
        {"points 5x\n", ERR_SYNTAX, "a.study:2:8: " NO_POINTS("5x")},
        {"points 5..6x\n", ERR_SYNTAX, "a.study:2:8: " NO_POINTS("5..6x")},
        {"points 5..4\n", ERR_SYNTAX, "a.study:2:8: " NO_POINTS("5..4")},
        {"points 0..4\n", ERR_SYNTAX, "a.study:2:8: " NO_POINTS("0..4")},
        {"points 1000000000000000000\n", ERR_SYNTAX,
         "a.study:2:8: " NO_POINTS("1000000000000000000")},
        {"points 1 3..5 5\n", ERR_ORDER,
         "a.study:2:15: points 5 after 5; expected numbers that ascend"},
        /* bytes */
        {"\x01n 4\n", ERR_SYNTAX, "a.study:2: unexpected byte 0x01; " WORDS},
        {"n 4\r\n", ERR_SYNTAX,
         "a.study:2: a carriage return (CRLF, as Windows ends lines); expected lines that end with "
         "LF alone"},
        {"schedule |a \x01\n", ERR_SYNTAX, "a.study:2: unexpected byte 0x01; " WORDS},
        {"schedule |a b", ERR_CUT, "a.study:2: the file is cut off here; " WORDS},
        {"# no end", ERR_CUT,
         "a.study:2:9: no algorithm; expected a line 'algorithm' or 'schedule'"},
    };
    struct study study;
    struct err err;
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        running("%s", cases[which].lines);
        rejects(read_lines(cases[which].lines, &study, &err), &err, cases[which].code,
                cases[which].error);
    }
}

static void accepted_lines(void **unused)
{
    (void)unused;
    static const struct {
        const char *lines;
        const char *values[6]; /* those of the last key */
    } cases[] = {
        {"seed 1..8\n", {"1", "2", "3", "4", "5", "6"}},
        {"seed 1..8+3\n", {"1", "4", "7"}},
        {"seed 1..8*2 0..0\n", {"1", "2", "4", "8", "0"}},
        {"seed 5..5+9 7..7*2\n", {"5", "7"}},
        {"seed 1..1*1 2\n", {NULL}}, /* a factor of 1 never ends */
        /* the next number would have 19 digits or more */
        {"seed 1..999999999999999999*1000000000\n", {"1", "1000000000"}},
        {"seed 999999999999999989..999999999999999999+9\n",
         {"999999999999999989", "999999999999999998"}},
        {"seed 18446744073709551615\n", {"18446744073709551615"}},
        {"payload ..\n", {".."}}, /* no digit: no range */
        {"payload 1.2\n", {"1.2"}},
        {"split\t-\tyes # no\n", {"-", "yes"}},
    };
    struct study study;
    struct err err;
    char lines[200];
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        running("%s", cases[which].lines);
        snprintf(lines, sizeof lines, "algorithm path\n%s", cases[which].lines);
        bool read = read_lines(lines, &study, &err);
        assert_int_equal(read, cases[which].values[0] != NULL);
        if (!read)
            continue;
        assert_int_equal(study.keys, 2);
        for (size_t value = 0; value < 6 && cases[which].values[value] != NULL; value++) {
            assert_true(value < study.key[1].count);
            assert_string_equal(study.key[1].value[value], cases[which].values[value]);
        }
        assert_int_equal(study.product, study.key[1].count);
        study_free(&study);
    }
}

/* A schedule of a command is the rest of its line, without blanks at the end. */
static void commands(void **unused)
{
    (void)unused;
    char lines[600], word[300];
    struct study study;
    struct err err;
    assert_true(read_lines("schedule a.sched |gen\t-n  5 \t# five\n", &study, &err));
    assert_int_equal(study.key[0].count, 2);
    assert_string_equal(study.key[0].value[0], "a.sched");
    assert_string_equal(study.key[0].value[1], "|gen\t-n  5");
    study_free(&study);
    /* 255 bytes fit, with `|a b` before */
    memset(word, 'c', sizeof word);
    snprintf(lines, sizeof lines, "schedule |a b%.251s\n", word);
    assert_true(read_lines(lines, &study, &err));
    assert_int_equal(strlen(study.key[0].value[0]), 255);
    study_free(&study);
    for (int more = 252; more < 254; more++) {
        snprintf(lines, sizeof lines, "schedule |a b%.*s\n", more, word);
        rejects(read_lines(lines, &study, &err), &err, ERR_FIELD_RANGE,
                "a.study:2:10: a word is too long; expected at most 255 bytes");
    }
    /* so do other words */
    snprintf(lines, sizeof lines, "algorithm path\npayload %.255s\n", word);
    assert_true(read_lines(lines, &study, &err));
    study_free(&study);
    snprintf(lines, sizeof lines, "%.256s\n", word);
    rejects(read_lines(lines, &study, &err), &err, ERR_FIELD_RANGE,
            "a.study:2:1: a word is too long; expected at most 255 bytes");
}

/* 32 keys and 256 conditions are accepted, and no more. */
static void limits(void **unused)
{
    (void)unused;
    static const char keys[] =
        "algorithm path\nn 2\npackets -\nsource -\ndegree -\nmethod -\nby -\norder -\nmatrix -\n"
        "entries -\npattern -\npacket-bytes -\ntotal -\ndemands -\nexact -\nstream -\nsources -\n"
        "random -\nprefix -\noverlap -\nrandomised -\nseed -\nmodel -\nlambda -\ntree -\n"
        "parents -\ncapacity -\nhalf-duplex -\ndim -\nports -\nreconfigure -\nclock -\n";
    static char lines[ROOM];
    struct study study;
    struct err err;
    assert_true(read_lines(keys, &study, &err));
    assert_int_equal(study.keys, STUDY_MAX_KEYS);
    study_free(&study);
    snprintf(lines, sizeof lines, "%snetwork -\n", keys);
    rejects(read_lines(lines, &study, &err), &err, ERR_SYNTAX,
            "a.study:34:1: 'network' is too long or too much; expected at most 32 options of "
            "'run'");
    strcpy(lines, "algorithm path\nn 2\nskip");
    for (int condition = 0; condition < STUDY_MAX_SKIPS; condition++)
        strcat(lines, " n>8");
    size_t end = strlen(lines);
    strcpy(lines + end, "\n");
    assert_true(read_lines(lines, &study, &err));
    assert_int_equal(study.skips, STUDY_MAX_SKIPS);
    study_free(&study);
    strcpy(lines + end, " n>8\n"); /* at column 4 + 256 · 4 + 2 */
    rejects(read_lines(lines, &study, &err), &err, ERR_TOO_BIG,
            "a.study:4:1030: too many conditions; expected at most 256");
}

/* A file whose bytes end with an error of the system. */
static void unreadable_files(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "a.study:1: cannot read: Input/output error; expected a line"},
        {FIRST "algorithm path\n# end",
         "a.study:3: cannot read: Input/output error; expected a line"},
        {FIRST "algorithm pa", "a.study:2: cannot read: Input/output error; " WORDS},
        {FIRST "schedule |a b", "a.study:2: cannot read: Input/output error; " WORDS},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        const char *text = cases[which].text;
        struct study study;
        struct err err = {0};
        FILE *file = support_unreadable(&text);
        rejects(study_read(file, "a.study", &study, &err), &err, ERR_READ, cases[which].error);
        fclose(file);
    }
}

/* Lines `points` select together: a point must be in each of them. */
static void chosen_points(void **unused)
{
    (void)unused;
    static const uint64_t expected[] = {2, 3, 5, 7, 8};
    struct study study;
    struct err err;
    assert_true(read_lines("algorithm path\nseed 1..20\npoints 1..3 5 7..9 999999999999999999\n"
                           "points 2..8 12\n",
                           &study, &err));
    uint64_t number = 0;
    for (size_t which = 0; which < sizeof expected / sizeof *expected; which++) {
        number = study_next(&study, number + 1);
        assert_int_equal(number, expected[which]);
    }
    assert_int_equal(study_next(&study, number + 1), 0);
    study_free(&study);
}

/* A study of a program may have values that study_read would have rejected. */
static void wrong_points(void **unused)
{
    (void)unused;
    struct study study;
    struct err err;
    struct request request;
    assert_true(read_lines("algorithm path\nn 4 8\nm 2\n", &study, &err));
    free(study.key[1].value[1]);
    study.key[1].value[1] = strdup("0");
    assert_true(study_request(&study, 1, &request, &err));
    assert_int_equal(request.problem.nodes, 4);
    assert_int_equal(request.problem.packets, 2);
    assert_false(study_request(&study, 2, &request, &err));
    support_error(&err, ERR_RANGE, "nodes: 0 is out of range; expected 1 … ");
    study_free(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_lines),    cmocka_unit_test(wrong_lines),
        cmocka_unit_test(accepted_lines), cmocka_unit_test(commands),
        cmocka_unit_test(limits),         cmocka_unit_test(unreadable_files),
        cmocka_unit_test(chosen_points),  cmocka_unit_test(wrong_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
