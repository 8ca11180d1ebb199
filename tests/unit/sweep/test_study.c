/* SPDX-License-Identifier: Apache-2.0 */
/* test_study: keys are fields of a run, and a point is the request that its command line would
 * make.
 *
 * Each point of a small study is compared with a request that is set member by member, and its
 * command with the words that a user would type. Counter-cases: keys that are not fields of a run,
 * keys whose points would all write the same file, values that their fields reject. The types of
 * the database's columns follow from the fields: numbers are integers, everything else is text.
 */
#include "sweep/columns.h"
#include "sweep/study.h"
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

static bool read_text(const char *lines, struct study *study, struct err *err)
{
    char text[1000];
    int length = snprintf(text, sizeof text, "roundcast-study 1\n%s", lines);
    FILE *file = fmemopen(text, (size_t)length, "r");
    *err = (struct err){0};
    bool read = study_read(file, "a.study", study, err);
    fclose(file);
    return read;
}

static void points_are_requests(void **unused)
{
    (void)unused;
    struct study study;
    struct err err;
    struct request request;
    if (!read_text("n 4 8\nalgorithm path matching\nsplit yes no\nnetwork omega:8\n"
                   "packet-bytes 4K\nlambda - 5/2\nseed 7\n",
                   &study, &err))
        fail_msg("%s", err.text);
    assert_int_equal(study.product, 16);

    /* the last key varies fastest: point 6 is 4, matching, yes, omega:8, 4K, 5/2, 7 */
    assert_true(study_request(&study, 6, &request, &err));
    assert_string_equal(request.problem.algorithm, "matching");
    assert_int_equal(request.problem.nodes, 4);
    assert_true(request.machine.split);
    assert_int_equal(request.machine.machine.network.ports, 8);
    assert_int_equal(request.problem.packet_bytes, 4000);
    assert_int_equal(request.problem.lambda.numerator, 5);
    assert_int_equal(request.problem.lambda.denominator, 2);
    assert_int_equal(request.problem.seed, 7);
    assert_true(request_has(&request, problem.lambda) && request_has(&request, machine.split));
    assert_false(request_has(&request, problem.packets));

    /* point 11: 8, path, no, …, without λ */
    assert_true(study_request(&study, 11, &request, &err));
    assert_string_equal(request.problem.algorithm, "path");
    assert_int_equal(request.problem.nodes, 8);
    assert_false(request.machine.split || request_has(&request, machine.split));
    assert_int_equal(request.problem.lambda.denominator, 0);

    char *text = study_text(&study, 6), *other = study_text(&study, 11);
    assert_string_equal(text, "roundcast run matching -n 4 --split --network omega:8 "
                              "--packet-bytes 4K --lambda 5/2 --seed 7 --json");
    assert_string_equal(
        other, "roundcast run path -n 8 --network omega:8 --packet-bytes 4K --seed 7 --json");
    free(text), free(other);
    study_free(&study);
}

static void rejects(const char *lines, enum err_code code, const char *part)
{
    struct study study;
    struct err err;
    assert_false(read_text(lines, &study, &err));
    assert_int_equal(err.code, code);
    if (strstr(err.text, part) == NULL)
        fail_msg("'%s' in: %s", part, err.text);
}

static void wrong_keys_and_values_are_rejected(void **unused)
{
    (void)unused;
    rejects("algorithm path\nnods 4\n", ERR_OPTION, "a.study:3:1: nods: ");
    rejects("algorithm path\nx 4\n", ERR_OPTION, "a.study:3:1: x: ");
    rejects("algorithm path\ncollective scatter\n", ERR_OPTION, "collective");
    rejects("algorithm path\nplanes 2\n", ERR_OPTION, "planes");
    rejects("algorithm path\njson yes\n", ERR_OPTION, "json");
    rejects("algorithm path\nview a.html\n", ERR_OPTION, "view: not an option of points");
    rejects("algorithm path\nwaves a.fst\n", ERR_OPTION, "waves: not an option of points");
    rejects("algorithm path\nwaves-from 2\n", ERR_OPTION, "waves-from: not an option of points");
    rejects("algorithm path\nsplit 3\n", ERR_OPTION, "a.study:3:7: split: '3'");
    rejects("algorithm path\nn 0\n", ERR_RANGE, "a.study:3:3: n: 0");
    rejects("algorithm path\nn yes\n", ERR_OPTION, "a.study:3:3: n: 'yes'");
    rejects("algorithm path\nmodel telegram\n", ERR_ALGORITHM, "telegraph");
    rejects("algorithm path pat\n", ERR_ALGORITHM, "a.study:2:16: ");
    rejects("algorithm path\nnetwork omega:7\n", ERR_NETWORK, "a.study:3:9: ");
}

static void columns_have_the_types_of_fields(void **unused)
{
    (void)unused;
    static const char *const expected[] = {"\"degree\" INTEGER,", "\"model\" TEXT,",
                                           "\"nodes\" INTEGER,",  "\"packets\" INTEGER,",
                                           "\"lambda\" TEXT,",    "\"network\" TEXT,",
                                           "\"settings\" TEXT,",  "\"programs\" TEXT,",
                                           "\"engine\" TEXT,",    "\"width\" INTEGER,",
                                           "\"flits\" INTEGER,",  "\"seed\" INTEGER,",
                                           "\"holds\" INTEGER,",  "\"algorithm\" TEXT NOT NULL,"};
    char table[COLUMNS_TABLE_ROOM];
    columns_table(table);
    for (size_t which = 0; which < sizeof expected / sizeof *expected; which++)
        if (strstr(table, expected[which]) == NULL)
            fail_msg("no %s in: %s", expected[which], table);
    assert_int_equal(columns_count, 44);
    assert_string_equal(columns_name(COLUMN_algorithm), "algorithm");
    assert_string_equal(columns_name(COLUMNS_FIRST_OF_REPORT), "degree");
    assert_string_equal(columns_name(columns_count - 1), "megabytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_requests),
        cmocka_unit_test(wrong_keys_and_values_are_rejected),
        cmocka_unit_test(columns_have_the_types_of_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
