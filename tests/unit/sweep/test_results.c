/* SPDX-License-Identifier: Apache-2.0 */
/* test_results: rows of results are stored as they were given, and databases that are damaged,
 * changed or full are reported.
 *
 * The columns of a row are read with SQLite itself. Damage: a table that another process removes or
 * that has other columns, a view, another version or owner, pages overwritten with zeros, a folder,
 * no file, and a disk that is full (a limit on the size of files), each for every function that
 * meets it. A change that fails leaves the rows that were kept. Expected texts contain the reason
 * that SQLite documents.
 */
#include "sweep/columns.h"
#include "sweep/results.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char folder[] = "/tmp/roundcast-results-XXXXXX";
static char ours[100], theirs[100];

static void execute(const char *path, const char *text)
{
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    if (sqlite3_exec(database, text, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", text, sqlite3_errmsg(database));
    sqlite3_close(database);
}

/* Checks the single value that a query returns, as text; NULL: no value. */
static void expect(const char *path, const char *query, const char *expected)
{
    sqlite3 *database;
    sqlite3_stmt *statement;
    running("%s", query);
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, query, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    const char *text = (const char *)sqlite3_column_text(statement, 0);
    if (expected == NULL)
        assert_null(text);
    else
        assert_string_equal(text != NULL ? text : "none", expected);
    sqlite3_finalize(statement);
    sqlite3_close(database);
}

static const struct results_asked asked[] = {{"algorithm", "path"}, {"degree", "7"}, {"seed", "5"}};

static struct results_row row_of(const char *command)
{
    return (struct results_row){.command = command,
                                .version = "v1",
                                .host = "here",
                                .number = 1,
                                .seconds = 1.5,
                                .asked = asked,
                                .asked_count = 3};
}

static struct results *open_results(const char *path, const char *version)
{
    struct err err = {0};
    struct results *results = results_open(path, version, &err);
    support_true(results != NULL, &err);
    return results;
}

static void add(struct results *results, const struct results_row *row)
{
    struct err err = {0};
    support_true(results_add(results, row, &err), &err);
}

/* Makes a database that has the row of the command `run a`. */
static void make(const char *path)
{
    struct err err = {0};
    const struct results_row row = row_of("run a");
    unlink(path);
    struct results *results = open_results(path, "v1");
    add(results, &row);
    support_true(results_keep(results, &err), &err);
    results_close(results);
}

/* From now on no file can be written, as on a full disk; `full` false: files can be written. */
static void fill_disk(bool full)
{
    static struct rlimit usual;
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    if (full)
        usual = limit;
    limit.rlim_cur = full ? 0 : usual.rlim_cur;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Overwrites a page, from 1, with zeros. */
static void damage_page(const char *path, long page)
{
    static const char zeros[4096];
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (page - 1) * 4096, SEEK_SET), 0);
    assert_int_equal(fwrite(zeros, 1, sizeof zeros, file), sizeof zeros);
    assert_int_equal(fclose(file), 0);
}

/* -- Rows ------------------------------------------------------------------------------------- */

static void columns_of_reports(void **unused)
{
    (void)unused;
    static const char report[] =
        "{\"holds\": false, \"rounds\": 3, \"time\": \"5/2\", \"run_seconds\": 0.5, \"bound\": "
        "null,"
        " \"seed\": 9, \"model\": [\"path\"], \"wrong\": true, \"other\": 1}";
    make(ours);
    struct err err = {0};
    struct results_row row = row_of("run b");
    struct results *results = open_results(ours, "v1");
    row.number = 8;
    row.status = 1;
    row.json = report;
    row.size = sizeof report - 1;
    err_set(&row.err, ERR_LOST, "a packet did not arrive");
    add(results, &row);
    row = row_of("run c"); /* a report that is cut off: the values of the study are stored */
    row.json = report;
    row.size = 20;
    add(results, &row);
    support_true(results_keep(results, &err), &err);
    results_close(results);
    results_close(NULL);
#define OF(columns) "SELECT " columns " FROM points WHERE command = 'run b'"
    expect(ours, OF("point || ' ' || status || ' ' || code || ' ' || error"),
           "8 1 601 a packet did not arrive");
    expect(ours, OF("version || ' ' || host || ' ' || seconds || ' ' || algorithm"),
           "v1 here 1.5 path");
    expect(ours, OF("holds || ' ' || rounds || ' ' || time || ' ' || run_seconds"), "0 3 5/2 0.5");
    expect(ours, OF("degree || ' ' || seed || ' ' || wrong"), "7 9 1");
    expect(ours, OF("bound"), NULL);
    expect(ours, OF("model"), NULL);
    expect(ours, OF("nodes"), NULL);
    expect(ours, OF("json"), report);
    expect(ours,
           "SELECT json || ' ' || seed || ' ' || (holds IS NULL) FROM points WHERE command ="
           " 'run c'",
           "{\"holds\": false, \"ro 5 1");
    expect(ours,
           "SELECT code IS NULL AND error IS NULL AND json IS NULL FROM points WHERE command ="
           " 'run a'",
           "1");
}

static void rows_are_found(void **unused)
{
    (void)unused;
    struct err err = {0};
    enum results_state state;
    make(ours);
    struct results *results = open_results(ours, "v1");
    struct results_row row = row_of("run b");
    row.status = 2;
    add(results, &row);
    support_true(results_find(results, "run a", 1, &state, &err), &err);
    assert_int_equal(state, RESULTS_HOLDS);
    support_true(results_find(results, "run b", 4, &state, &err), &err);
    assert_int_equal(state, RESULTS_FAILED);
    support_true(results_find(results, "run c", 5, &state, &err), &err);
    assert_int_equal(state, RESULTS_NONE);
    support_true(results_keep(results, &err), &err);
    results_close(results);
    expect(ours, "SELECT group_concat(command || '=' || point) FROM points", "run a=1,run b=4");
}

/* A field with a quote, a comma or the end of a line is quoted (RFC 4180). */
static void csv(void **unused)
{
    (void)unused;
    struct err err = {0};
    char *text = NULL;
    size_t size;
    make(ours);
    execute(ours, "UPDATE points SET error = 'a \"b\", c', status = 2, code = 204, host = 'x\ny'");
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    support_true(results_print(ours, to, "a.csv", &err), &err);
    fclose(to);
    assert_memory_equal(text, "command,point,status,code,error,version,host,seconds,algorithm,",
                        63);
    const char *row = strchr(text, '\n') + 1;
    static const char expected[] = "run a,1,2,204,\"a \"\"b\"\", c\",v1,\"x\ny\",1.5,path,7,";
    assert_memory_equal(row, expected, sizeof expected - 1);
    unsigned commas = 0;
    for (const char *at = row + sizeof expected - 1; *at != '\0'; at++)
        commas += *at == ',';
    assert_int_equal(commas, columns_count - COLUMNS_FIRST_OF_REPORT - 2); /* behind the degree */
    free(text);

    to = fopen("/dev/full", "w");
    assert_non_null(to);
    setvbuf(to, NULL, _IONBF, 0);
    assert_false(results_print(ours, to, "a.csv", &err));
    support_error(&err, ERR_WRITE, "a.csv: cannot write: No space left on device; expected a file");
    fclose(to);
}

/* -- Databases that cannot be used ------------------------------------------------------------ */

#define TABLE_OF(columns) "DROP TABLE points; CREATE TABLE points (" columns ")"

static void wrong_databases(void **unused)
{
    (void)unused;
    static const struct {
        const char *change, *version;
        enum err_code code, printed; /* errors of results_open and results_print; 0: none */
        const char *reason;
    } cases[] = {
        {"ALTER TABLE points RENAME TO others", "v1", ERR_WRITE, ERR_READ, "no such table: points"},
        {"ALTER TABLE points RENAME TO others", NULL, ERR_WRITE, ERR_READ, "no such table: points"},
        {TABLE_OF("command"), "v1", ERR_WRITE, ERR_READ, "no such column: "},
        {TABLE_OF("command"), NULL, ERR_WRITE, ERR_READ, "no such column: "},
        {"DROP TABLE points; CREATE VIEW points AS SELECT 0 AS status, 1 AS point, 'a' AS command",
         NULL, ERR_WRITE, 0, "cannot modify points because it is a view"},
        {TABLE_OF("command, point, status"), NULL, ERR_WRITE, 0,
         "table points has 3 columns but 44 values were supplied"},
        {"PRAGMA user_version = 2", "v1", ERR_VERSION, ERR_VERSION,
         "results of another version; expected version 1"},
        {"PRAGMA application_id = 7", "v1", ERR_VERSION, ERR_VERSION,
         "a database of something else; expected the results of a sweep"},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct err err = {0};
        running("%s", cases[which].change);
        make(ours);
        execute(ours, cases[which].change);
        if (results_open(ours, cases[which].version, &err) != NULL)
            fail_msg("accepted: %s", cases[which].change);
        support_error(&err, cases[which].code, ours, cases[which].reason);
        FILE *to = fopen("/dev/null", "w");
        assert_non_null(to);
        if (cases[which].printed != ERR_NONE) {
            assert_false(results_print(ours, to, "a.csv", &err));
            support_error(&err, cases[which].printed, ours, "; expected ");
        }
        fclose(to);
    }
}

static void no_databases(void **unused)
{
    (void)unused;
    struct err err = {0};
    assert_null(results_open(folder, NULL, &err));
    support_error(&err, ERR_WRITE, folder, ": unable to open database file; expected results of a");
    assert_null(database_open(folder, false, &err));
    support_error(&err, ERR_READ, folder, "; expected results of a sweep");
    unlink(ours);
    assert_null(database_open(ours, false, &err));
    support_error(&err, ERR_READ, ours, ": unable to open database file; expected results of a");
    fclose(fopen(ours, "w")); /* an empty file is read as a database without a table */
    assert_null(database_open(ours, false, &err));
    support_error(&err, ERR_VERSION, ours, ": a database of something else; expected the results");
    fill_disk(true);
    bool opened = results_open(ours, NULL, &err) != NULL;
    fill_disk(false);
    assert_false(opened);
    support_error(&err, ERR_WRITE, ours,
                  ": disk I/O error; expected results of a sweep that can be");
    results_close(open_results(ours, "v1"));
    expect(ours, "SELECT count(*) FROM points", "0");
}

/* Page 2 has the rows, page 3 the index of the commands. */
static void damaged_pages(void **unused)
{
    (void)unused;
    struct err err = {0};
    enum results_state state;
    make(ours);
    damage_page(ours, 2);
    assert_null(results_open(ours, "v1", &err));
    support_error(&err, ERR_VERSION, ours,
                  ": database disk image is malformed; expected the results of a sweep");
    FILE *to = fopen("/dev/null", "w");
    assert_non_null(to);
    err = (struct err){0};
    assert_false(results_print(ours, to, "a.csv", &err));
    support_error(&err, ERR_VERSION, ours, ": database disk image is malformed; expected");
    fclose(to);
    make(ours);
    damage_page(ours, 3);
    struct results *results = open_results(ours, "v1");
    assert_false(results_find(results, "run a", 1, &state, &err));
    support_error(&err, ERR_VERSION, ours, ": database disk image is malformed; expected");
    const struct results_row row = row_of("run b");
    assert_false(results_add(results, &row, &err));
    support_error(&err, ERR_VERSION, ours, ": database disk image is malformed; expected");
    results_close(results);
}

/* -- Changes that fail ------------------------------------------------------------------------ */

static void removed_table(void **unused)
{
    (void)unused;
    struct err err = {0};
    enum results_state state;
    const struct results_row row = row_of("run b");
    make(ours);
    struct results *results = open_results(ours, "v1");
    execute(ours, "DROP TABLE points");
    assert_false(results_find(results, "run a", 1, &state, &err));
    support_error(&err, ERR_WRITE, ours, ": no such table: points; expected results of a sweep");
    assert_false(results_add(results, &row, &err));
    support_error(&err, ERR_WRITE, ours, ": no such table: points; expected results of a sweep");
    results_close(results);
}

static void rejected_rows(void **unused)
{
    (void)unused;
    struct err err = {0};
    enum results_state state;
    struct results_row row = row_of("run b");
    make(ours);
    execute(ours, "CREATE TRIGGER fixed BEFORE UPDATE ON points BEGIN SELECT RAISE(ABORT, 'no'); "
                  "END");
    struct results *results = open_results(ours, "v1");
    row.asked_count = 0;
    assert_false(results_add(results, &row, &err));
    support_error(&err, ERR_WRITE, ours,
                  ": NOT NULL constraint failed: points.algorithm; expected");
    row.asked_count = 1;
    row.status = -1;
    assert_false(results_add(results, &row, &err));
    support_error(&err, ERR_WRITE, ours, ": CHECK constraint failed: status >= 0; expected");
    assert_false(results_find(results, "run a", 9, &state, &err)); /* its number would change */
    support_error(&err, ERR_WRITE, ours, ": no; expected results of a sweep that can be written");
    support_true(results_find(results, "run a", 1, &state, &err), &err);
    assert_int_equal(state, RESULTS_HOLDS);
    results_close(results);
}

/* The rows that were kept before stay. */
static void full_disk(void **unused)
{
    (void)unused;
    struct err errors[4] = {{0}};
    enum results_state state;
    const struct results_row row = row_of("run b");
    bool right[4];
    make(ours);
    make(theirs);
    execute(theirs, "UPDATE points SET command = 'run c'");
    struct results *results = open_results(ours, "v1");
    fill_disk(true);
    right[0] = results_find(results, "run a", 2, &state, &errors[0]);
    fill_disk(false);
    results_close(results);
    results = open_results(ours, "v1");
    add(results, &row);
    fill_disk(true);
    right[1] = results_keep(results, &errors[1]);
    fill_disk(false);
    results_close(results);
    results = open_results(ours, "v1");
    add(results, &row);
    fill_disk(true);
    right[2] = results_merge(results, theirs, &errors[2]); /* keeps the rows first */
    fill_disk(false);
    results_close(results);
    results = open_results(ours, "v1");
    fill_disk(true);
    right[3] = results_merge(results, theirs, &errors[3]);
    fill_disk(false);
    results_close(results);
    for (size_t which = 0; which < 4; which++) {
        running("case %zu", which);
        assert_false(right[which]);
        support_error(&errors[which], ERR_WRITE, which < 3 ? ours : theirs,
                      ": disk I/O error; expected results of a sweep that can be written");
    }
    expect(ours, "SELECT group_concat(command || '=' || point) FROM points", "run a=1");
}

static void merges(void **unused)
{
    (void)unused;
    struct err err = {0};
    make(ours);
    unlink(theirs);
    struct results *results = open_results(ours, NULL);
    assert_false(results_merge(results, theirs, &err));
    support_error(&err, ERR_READ, theirs, ": unable to open database file; expected results of a");
    make(theirs);
    execute(theirs, TABLE_OF("command, status, version"));
    err = (struct err){0};
    assert_false(results_merge(results, theirs, &err));
    support_error(&err, ERR_WRITE, theirs,
                  ": table points has 44 columns but 3 values were supplied; expected");
    unlink(theirs); /* the texts of both databases must have the same encoding */
    execute(theirs, "PRAGMA encoding = 'UTF-16'; PRAGMA application_id = 1380144976; "
                    "PRAGMA user_version = 1; CREATE TABLE points (command, status, version)");
    err = (struct err){0};
    assert_false(results_merge(results, theirs, &err));
    support_error(&err, ERR_WRITE, theirs,
                  ": attached databases must use the same text encoding as main database;");
    results_close(results);
}

static int make_folder(void **unused)
{
    (void)unused;
    signal(SIGXFSZ, SIG_IGN);
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(ours, sizeof ours, "%s/ours.sqlite", folder);
    snprintf(theirs, sizeof theirs, "%s/theirs.sqlite", folder);
    return 0;
}

static int remove_folder(void **unused)
{
    (void)unused;
    unlink(ours);
    unlink(theirs);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_reports),
        cmocka_unit_test(rows_are_found),
        cmocka_unit_test(csv),
        cmocka_unit_test(wrong_databases),
        cmocka_unit_test(no_databases),
        cmocka_unit_test(damaged_pages),
        cmocka_unit_test(removed_table),
        cmocka_unit_test(rejected_rows),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(merges),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
