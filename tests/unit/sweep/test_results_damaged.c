/* SPDX-License-Identifier: Apache-2.0 */
/* test_results_damaged: databases of results that are damaged, changed or full are reported.
 *
 * Damage: a table of another name or with other columns, a view, another version or owner, pages
 * overwritten with zeros, a folder, no file, a table that another process removes, rows that the
 * table rejects, and a disk that is full (a limit on the size of files), each for every function
 * that meets it. A change that fails leaves the rows that were kept. Expected texts contain the
 * reason that SQLite documents.
 */
#include "sweep/results.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/results_lab.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <unistd.h>

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
        results_lab_make(results_lab_ours);
        results_lab_execute(results_lab_ours, cases[which].change);
        if (results_open(results_lab_ours, cases[which].version, &err) != NULL)
            fail_msg("accepted: %s", cases[which].change);
        support_error(&err, cases[which].code, results_lab_ours, cases[which].reason);
        FILE *to = fopen("/dev/null", "w");
        assert_non_null(to);
        if (cases[which].printed != ERR_NONE) {
            assert_false(results_print(results_lab_ours, to, "a.csv", &err));
            support_error(&err, cases[which].printed, results_lab_ours, "; expected ");
        }
        fclose(to);
    }
}

static void no_databases(void **unused)
{
    (void)unused;
    struct err err = {0};
    assert_null(results_open(results_lab_folder, NULL, &err));
    support_error(&err, ERR_WRITE, results_lab_folder,
                  ": unable to open database file; expected results of a");
    assert_null(database_open(results_lab_folder, false, &err));
    support_error(&err, ERR_READ, results_lab_folder, "; expected results of a sweep");
    unlink(results_lab_ours);
    assert_null(database_open(results_lab_ours, false, &err));
    support_error(&err, ERR_READ, results_lab_ours,
                  ": unable to open database file; expected results of a");
    fclose(fopen(results_lab_ours, "w")); /* an empty file is read as a database without a table */
    assert_null(database_open(results_lab_ours, false, &err));
    support_error(&err, ERR_VERSION, results_lab_ours,
                  ": a database of something else; expected the results");
    results_lab_fill_disk(true);
    bool opened = results_open(results_lab_ours, NULL, &err) != NULL;
    results_lab_fill_disk(false);
    assert_false(opened);
    support_error(&err, ERR_WRITE, results_lab_ours,
                  ": disk I/O error; expected results of a sweep that can be");
    results_close(results_lab_open(results_lab_ours, "v1"));
    results_lab_expect(results_lab_ours, "SELECT count(*) FROM points", "0");
}

/* Page 2 has the rows, page 3 the index of the commands. */
static void damaged_pages(void **unused)
{
    (void)unused;
    struct err err = {0};
    enum results_state state;
    results_lab_make(results_lab_ours);
    damage_page(results_lab_ours, 2);
    assert_null(results_open(results_lab_ours, "v1", &err));
    support_error(&err, ERR_VERSION, results_lab_ours,
                  ": database disk image is malformed; expected the results of a sweep");
    FILE *to = fopen("/dev/null", "w");
    assert_non_null(to);
    err = (struct err){0};
    assert_false(results_print(results_lab_ours, to, "a.csv", &err));
    support_error(&err, ERR_VERSION, results_lab_ours,
                  ": database disk image is malformed; expected");
    fclose(to);
    results_lab_make(results_lab_ours);
    damage_page(results_lab_ours, 3);
    struct results *results = results_lab_open(results_lab_ours, "v1");
    assert_false(results_find(results, "run a", 1, &state, &err));
    support_error(&err, ERR_VERSION, results_lab_ours,
                  ": database disk image is malformed; expected");
    const struct results_row row = results_lab_row("run b");
    assert_false(results_add(results, &row, &err));
    support_error(&err, ERR_VERSION, results_lab_ours,
                  ": database disk image is malformed; expected");
    results_close(results);
}

/* -- Changes that fail ------------------------------------------------------------------------ */

static void removed_table(void **unused)
{
    (void)unused;
    struct err err = {0};
    enum results_state state;
    const struct results_row row = results_lab_row("run b");
    results_lab_make(results_lab_ours);
    struct results *results = results_lab_open(results_lab_ours, "v1");
    results_lab_execute(results_lab_ours, "DROP TABLE points");
    assert_false(results_find(results, "run a", 1, &state, &err));
    support_error(&err, ERR_WRITE, results_lab_ours,
                  ": no such table: points; expected results of a sweep");
    assert_false(results_add(results, &row, &err));
    support_error(&err, ERR_WRITE, results_lab_ours,
                  ": no such table: points; expected results of a sweep");
    results_close(results);
}

static void rejected_rows(void **unused)
{
    (void)unused;
    struct err err = {0};
    enum results_state state;
    struct results_row row = results_lab_row("run b");
    results_lab_make(results_lab_ours);
    results_lab_execute(
        results_lab_ours,
        "CREATE TRIGGER fixed BEFORE UPDATE ON points BEGIN SELECT RAISE(ABORT, 'no'); "
        "END");
    struct results *results = results_lab_open(results_lab_ours, "v1");
    row.asked_count = 0;
    assert_false(results_add(results, &row, &err));
    support_error(&err, ERR_WRITE, results_lab_ours,
                  ": NOT NULL constraint failed: points.algorithm; expected");
    row.asked_count = 1;
    row.status = -1;
    assert_false(results_add(results, &row, &err));
    support_error(&err, ERR_WRITE, results_lab_ours, ": CHECK constraint failed: ");
    assert_false(results_find(results, "run a", 9, &state, &err)); /* its number would change */
    support_error(&err, ERR_WRITE, results_lab_ours,
                  ": no; expected results of a sweep that can be written");
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
    const struct results_row row = results_lab_row("run b");
    bool right[4];
    results_lab_make(results_lab_ours);
    results_lab_make(results_lab_theirs);
    results_lab_execute(results_lab_theirs, "UPDATE points SET command = 'run c'");
    struct results *results = results_lab_open(results_lab_ours, "v1");
    results_lab_fill_disk(true);
    right[0] = results_find(results, "run a", 2, &state, &errors[0]);
    results_lab_fill_disk(false);
    results_close(results);
    results = results_lab_open(results_lab_ours, "v1");
    results_lab_add(results, &row);
    results_lab_fill_disk(true);
    right[1] = results_keep(results, &errors[1]);
    results_lab_fill_disk(false);
    results_close(results);
    results = results_lab_open(results_lab_ours, "v1");
    results_lab_add(results, &row);
    results_lab_fill_disk(true);
    right[2] = results_merge(results, results_lab_theirs, &errors[2]); /* keeps the rows first */
    results_lab_fill_disk(false);
    results_close(results);
    results = results_lab_open(results_lab_ours, "v1");
    results_lab_fill_disk(true);
    right[3] = results_merge(results, results_lab_theirs, &errors[3]);
    results_lab_fill_disk(false);
    results_close(results);
    for (size_t which = 0; which < 4; which++) {
        running("case %zu", which);
        assert_false(right[which]);
        support_error(&errors[which], ERR_WRITE, which < 3 ? results_lab_ours : results_lab_theirs,
                      ": disk I/O error; expected results of a sweep that can be written");
    }
    results_lab_expect(results_lab_ours, "SELECT group_concat(command || '=' || point) FROM points",
                       "run a=1");
}

static void merges(void **unused)
{
    (void)unused;
    struct err err = {0};
    results_lab_make(results_lab_ours);
    unlink(results_lab_theirs);
    struct results *results = results_lab_open(results_lab_ours, NULL);
    assert_false(results_merge(results, results_lab_theirs, &err));
    support_error(&err, ERR_READ, results_lab_theirs,
                  ": unable to open database file; expected results of a");
    results_lab_make(results_lab_theirs);
    results_lab_execute(results_lab_theirs, TABLE_OF("command, status, version"));
    err = (struct err){0};
    assert_false(results_merge(results, results_lab_theirs, &err));
    support_error(&err, ERR_WRITE, results_lab_theirs,
                  ": table points has 44 columns but 3 values were supplied; expected");
    unlink(results_lab_theirs); /* the texts of both databases must have the same encoding */
    results_lab_execute(results_lab_theirs,
                        "PRAGMA encoding = 'UTF-16'; PRAGMA application_id = 1380144976; "
                        "PRAGMA user_version = 1; CREATE TABLE points (command, status, version)");
    err = (struct err){0};
    assert_false(results_merge(results, results_lab_theirs, &err));
    support_error(&err, ERR_WRITE, results_lab_theirs,
                  ": attached databases must use the same text encoding as main database;");
    results_close(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_databases), cmocka_unit_test(no_databases),
        cmocka_unit_test(damaged_pages),   cmocka_unit_test(removed_table),
        cmocka_unit_test(rejected_rows),   cmocka_unit_test(full_disk),
        cmocka_unit_test(merges),
    };
    return cmocka_run_group_tests(tests, results_lab_begin, results_lab_end);
}
