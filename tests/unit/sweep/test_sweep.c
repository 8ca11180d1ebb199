/* SPDX-License-Identifier: Apache-2.0 */
/* test_sweep: points whose rows cannot be stored, and outcomes without memory.
 *
 * A study of three points runs on csim. A hook of SQLite rejects every commit, or those after a
 * number; so the sweep fails when it looks for rows, while it runs, or at its end. Each allocation
 * of the process that adds rows fails in turn, alone. Counter-cases: the same sweeps without a
 * fault store three rows.
 *
 * tags: no-memory
 */
#include "sweep/sweep.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define POINTS 3
static char text[] = "roundcast-study 1\nalgorithm circulant\nn 4\nm 1..3\nengine csim\n";

static char database[] = "/tmp/roundcast-sweep-XXXXXX";
static struct study study;

/* -- Commits that fail ------------------------------------------------------------------------- */

static int commits; /* that succeed before the others fail; negative: all succeed */

static int on_commit(void *unused)
{
    (void)unused;
    return commits == 0 || (commits > 0 && commits-- == 0);
}

static int hook(sqlite3 *opened, char **message, const struct sqlite3_api_routines *routines)
{
    (void)message, (void)routines;
    sqlite3_commit_hook(opened, on_commit, NULL);
    return SQLITE_OK;
}

/* Finds the points without a row and runs them. */
static bool sweep(struct results *results, struct sweep_report *report, struct err *err)
{
    const struct sweep_options options = {.workers = 2, .version = "1"};
    struct sweep_points points = {0};
    bool ran = sweep_missing(&study, results, false, report, &points, err) &&
               sweep_run(&study, &points, results, &options, report, err);
    free(points.number);
    return ran;
}

static struct results *open_results(void)
{
    struct err err = {0};
    commits = -1;
    struct results *results = results_open(database, NULL, &err);
    support_true(results != NULL, &err);
    return results;
}

/* Gives every row another number, which the next sweep corrects. */
static void renumber(void)
{
    sqlite3 *opened;
    assert_int_equal(sqlite3_open(database, &opened), SQLITE_OK);
    assert_int_equal(sqlite3_exec(opened, "UPDATE points SET point = 9", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(opened);
}

/* Sweeps the database, after which this number of commits has succeeded. */
static bool sweep_with(int allowed, struct sweep_report *report, struct err *err)
{
    struct results *results = open_results();
    *err = (struct err){0};
    commits = allowed;
    bool ran = sweep(results, report, err);
    commits = -1;
    results_close(results);
    return ran;
}

/* The rows of one commit may be all of them; otherwise the next commit fails. */
static void rows_cannot_be_stored(void **state)
{
    (void)state;
    struct sweep_report report;
    struct err err;
    static const char part[] = "expected results of a sweep that can be written";
    unlink(database);
    assert_false(sweep_with(0, &report, &err));
    support_error(&err, ERR_WRITE, database, part);
    bool ran = sweep_with(1, &report, &err);
    assert_int_equal(report.before, 0);
    if (!ran)
        support_error(&err, ERR_WRITE, database, part);
    support_true(sweep_with(-1, &report, &err), &err);
    assert_int_equal(report.before + report.done, POINTS);
    if (ran)
        assert_int_equal(report.done, 0);
    else
        assert_in_range(report.done, 1, POINTS - 1);
    renumber();
    assert_false(sweep_with(0, &report, &err));
    support_error(&err, ERR_WRITE, database, part);
    support_true(sweep_with(-1, &report, &err), &err);
    assert_int_equal(report.before, POINTS);
    assert_int_equal(report.done, 0);
}

/* -- Outcomes ---------------------------------------------------------------------------------- */

static bool run_once(const void *context, size_t which, FILE *to, struct err *err)
{
    (void)which;
    fputs(context, to);
    return err_set(err, ERR_RANGE, "too many");
}

static void outcomes(void **state)
{
    (void)state;
    struct outcome outcome;
    for (unsigned number = 0; number < 2; number++) {
        char bytes[4000];
        int64_t left;
        FILE *to = fmemopen(bytes, sizeof bytes, "w");
        assert_non_null(to);
        no_memory_begin(number, false); /* call 1 opens the report */
        outcome_write(run_once, "a report", 0, to);
        no_memory_end(&left);
        assert_int_equal(left, 0);
        size_t size = (size_t)ftell(to);
        fclose(to);
        outcome_read(&outcome, "w", bytes, size, 0);
        assert_int_equal(outcome.status, 2);
        assert_int_equal(outcome.size, number == 0 ? strlen("a report") : 0);
        if (number == 0)
            assert_memory_equal(outcome.report, "a report", outcome.size);
        support_error(&outcome.err, number == 0 ? ERR_RANGE : ERR_TOO_BIG,
                      number == 0 ? "too many" : "no memory for a report");
    }
    outcome_read(&outcome, "w", NULL, 0, 3 << 8);
    assert_int_equal(outcome.status, 3);
    assert_null(outcome.report);
    support_error(&outcome.err, ERR_BUG, "w: its process ended with status 3");
}

/* Rows are added in this process; the processes of points inherit the failing call, too, and may
 * report it in their rows. */
static void no_memory_is_left(void **state)
{
    (void)state;
    unsigned refused = 0;
    for (uint64_t number = 1;; number++) {
        struct sweep_report report;
        struct err err = {0};
        int64_t left;
        running("call %u", (unsigned)number);
        unlink(database);
        struct results *results = open_results();
        no_memory_begin(number, false);
        bool ran = sweep(results, &report, &err);
        const uint64_t calls = no_memory_end(&left);
        results_close(results);
        assert_int_equal(left, 0);
        if (!ran)
            assert_true(err.no_memory);
        refused += !ran;
        if (calls < number) {
            assert_true(ran);
            break;
        }
    }
    assert_true(refused > 2 * POINTS); /* a command is printed to find a row, and to add it */
}

static int prepare(void **state)
{
    (void)state;
    struct err err = {0};
    int file = mkstemp(database);
    FILE *from = fmemopen(text, sizeof text - 1, "r");
    if (file < 0 || from == NULL || !study_read(from, "a study", &study, &err))
        return 1;
    fclose(from);
    close(file);
    no_memory_prepare();
    return sqlite3_auto_extension((void (*)(void))(uintptr_t)hook);
}

static int remove_all(void **state)
{
    (void)state;
    study_free(&study);
    return unlink(database);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_cannot_be_stored),
        cmocka_unit_test(outcomes),
        cmocka_unit_test(no_memory_is_left),
    };
    return cmocka_run_group_tests(tests, prepare, remove_all);
}
