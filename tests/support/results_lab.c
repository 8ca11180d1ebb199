/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/results_lab.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

char results_lab_folder[] = "/tmp/roundcast-results-XXXXXX";
char results_lab_ours[100], results_lab_theirs[100];

int results_lab_begin(void **unused)
{
    (void)unused;
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit fails instead */
    if (mkdtemp(results_lab_folder) == NULL)
        return -1;
    snprintf(results_lab_ours, sizeof results_lab_ours, "%s/ours.sqlite", results_lab_folder);
    snprintf(results_lab_theirs, sizeof results_lab_theirs, "%s/theirs.sqlite", results_lab_folder);
    return 0;
}

int results_lab_end(void **unused)
{
    (void)unused;
    unlink(results_lab_ours);
    unlink(results_lab_theirs);
    return rmdir(results_lab_folder);
}

void results_lab_execute(const char *path, const char *text)
{
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    if (sqlite3_exec(database, text, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", text, sqlite3_errmsg(database));
    sqlite3_close(database);
}

void results_lab_expect(const char *path, const char *query, const char *expected)
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

struct results_row results_lab_row(const char *command)
{
    return (struct results_row){.command = command,
                                .version = "v1",
                                .host = "here",
                                .number = 1,
                                .seconds = 1.5,
                                .asked = asked,
                                .asked_count = 3};
}

struct results *results_lab_open(const char *path, const char *version)
{
    struct err err = {0};
    struct results *results = results_open(path, version, &err);
    support_true(results != NULL, &err);
    return results;
}

void results_lab_add(struct results *results, const struct results_row *row)
{
    struct err err = {0};
    support_true(results_add(results, row, &err), &err);
}

void results_lab_make(const char *path)
{
    struct err err = {0};
    const struct results_row row = results_lab_row("run a");
    unlink(path);
    struct results *results = results_lab_open(path, "v1");
    results_lab_add(results, &row);
    support_true(results_keep(results, &err), &err);
    results_close(results);
}

void results_lab_fill_disk(bool full)
{
    static struct rlimit usual;
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    if (full)
        usual = limit;
    limit.rlim_cur = full ? 0 : usual.rlim_cur;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}
