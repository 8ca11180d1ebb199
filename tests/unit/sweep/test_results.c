/* SPDX-License-Identifier: Apache-2.0 */
/* test_results: rows of results are stored, found and printed as they were given.
 *
 * The columns of a row are read with SQLite itself, and a printed table is compared with RFC 4180.
 * Reports: one with a value of each type, one that is cut off, and none. Counter-case: an output
 * that cannot be written. test_results_damaged has databases that cannot be used.
 */
#include "sweep/columns.h"
#include "sweep/results.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/results_lab.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static void columns_of_reports(void **unused)
{
    (void)unused;
    static const char report[] =
        "{\"holds\": false, \"rounds\": 3, \"time\": \"5/2\", \"run_seconds\": 0.5, \"bound\": "
        "null,"
        " \"seed\": 9, \"model\": [\"path\"], \"wrong\": true, \"other\": 1}";
    results_lab_make(results_lab_ours);
    struct err err = {0};
    struct results_row row = results_lab_row("run b");
    struct results *results = results_lab_open(results_lab_ours, "v1");
    row.number = 8;
    row.status = 1;
    row.json = report;
    row.size = sizeof report - 1;
    err_set(&row.err, ERR_LOST, "a packet did not arrive");
    results_lab_add(results, &row);
    row =
        results_lab_row("run c"); /* a report that is cut off: the values of the study are stored */
    row.json = report;
    row.size = 20;
    results_lab_add(results, &row);
    support_true(results_keep(results, &err), &err);
    results_close(results);
    results_close(NULL);
#define OF(columns) "SELECT " columns " FROM points WHERE command = 'run b'"
    results_lab_expect(results_lab_ours,
                       OF("point || ' ' || status || ' ' || code || ' ' || error"),
                       "8 1 601 a packet did not arrive");
    results_lab_expect(results_lab_ours,
                       OF("version || ' ' || host || ' ' || seconds || ' ' || algorithm"),
                       "v1 here 1.5 path");
    results_lab_expect(results_lab_ours,
                       OF("holds || ' ' || rounds || ' ' || time || ' ' || run_seconds"),
                       "0 3 5/2 0.5");
    results_lab_expect(results_lab_ours, OF("degree || ' ' || seed || ' ' || wrong"), "7 9 1");
    results_lab_expect(results_lab_ours, OF("bound"), NULL);
    results_lab_expect(results_lab_ours, OF("model"), NULL);
    results_lab_expect(results_lab_ours, OF("nodes"), NULL);
    results_lab_expect(results_lab_ours, OF("json"), report);
    results_lab_expect(
        results_lab_ours,
        "SELECT json || ' ' || seed || ' ' || (holds IS NULL) FROM points WHERE command ="
        " 'run c'",
        "{\"holds\": false, \"ro 5 1");
    results_lab_expect(
        results_lab_ours,
        "SELECT code IS NULL AND error IS NULL AND json IS NULL FROM points WHERE command ="
        " 'run a'",
        "1");
}

static void rows_are_found(void **unused)
{
    (void)unused;
    struct err err = {0};
    enum results_state state;
    results_lab_make(results_lab_ours);
    struct results *results = results_lab_open(results_lab_ours, "v1");
    struct results_row row = results_lab_row("run b");
    row.status = 2;
    results_lab_add(results, &row);
    support_true(results_find(results, "run a", 1, &state, &err), &err);
    assert_int_equal(state, RESULTS_HOLDS);
    support_true(results_find(results, "run b", 4, &state, &err), &err);
    assert_int_equal(state, RESULTS_FAILED);
    support_true(results_find(results, "run c", 5, &state, &err), &err);
    assert_int_equal(state, RESULTS_NONE);
    support_true(results_keep(results, &err), &err);
    results_close(results);
    results_lab_expect(results_lab_ours, "SELECT group_concat(command || '=' || point) FROM points",
                       "run a=1,run b=4");
}

/* A field with a quote, a comma or the end of a line is quoted (RFC 4180). */
static void csv(void **unused)
{
    (void)unused;
    struct err err = {0};
    char *text = NULL;
    size_t size;
    results_lab_make(results_lab_ours);
    results_lab_execute(
        results_lab_ours,
        "UPDATE points SET error = 'a \"b\", c', status = 2, code = 204, host = 'x\ny'");
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    support_true(results_print(results_lab_ours, to, "a.csv", &err), &err);
    fclose(to);
    assert_memory_equal(text, "command,point,status,code,error,version,host,seconds,algorithm,",
                        63);
    const char *row = strchr(text, '\n') + 1;
    static const char expected[] = "run a,1,2,204,\"a \"\"b\"\", c\",v1,\"x\ny\",1.5,path,7,";
    assert_memory_equal(row, expected, sizeof expected - 1);
    unsigned commas = 0;
    for (const char *at = row + sizeof expected - 1; *at != '\0'; at++)
        commas += *at == ',';
    assert_int_equal(commas, columns_count - COLUMNS_FIRST_OF_REPORT - 2); /* after the degree */
    free(text);

    to = fopen("/dev/full", "w");
    assert_non_null(to);
    setvbuf(to, NULL, _IONBF, 0);
    assert_false(results_print(results_lab_ours, to, "a.csv", &err));
    support_error(&err, ERR_WRITE, "a.csv: cannot write: No space left on device; expected a file");
    fclose(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns_of_reports),
                                       cmocka_unit_test(rows_are_found), cmocka_unit_test(csv)};
    return cmocka_run_group_tests(tests, results_lab_begin, results_lab_end);
}
