/* SPDX-License-Identifier: Apache-2.0 */
/* test_results_version: rows of several versions in one database of results.
 *
 * A database with rows of one version is opened, and merged into another database, by that version,
 * by another version, and by one that accepts any version. Rows of another version are rejected
 * with a message that names both versions, whichever row they are; a database without rows has no
 * version.
 */
#include "sweep/results.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <unistd.h>

static char ours[] = "/tmp/roundcast-ours-XXXXXX", theirs[] = "/tmp/roundcast-theirs-XXXXXX";

/* Adds a row of a version to a database, which may have rows of other versions. */
static void add(const char *path, const char *command, const char *version)
{
    struct err err = {0};
    struct results *results = results_open(path, NULL, &err);
    const struct results_asked asked = {"algorithm", "path"};
    const struct results_row row = {.command = command,
                                    .version = version,
                                    .host = "here",
                                    .number = 1,
                                    .asked = &asked,
                                    .asked_count = 1};
    support_true(results != NULL, &err);
    support_true(results_add(results, &row, &err), &err);
    support_true(results_keep(results, &err), &err);
    results_close(results);
}

static void continued(void **state)
{
    (void)state;
    struct err err = {0};
    struct results *results = results_open(ours, "0.2.0 (bbb)", &err);
    support_true(results != NULL, &err); /* the database has no row yet */
    results_close(results);
    add(ours, "run a", "0.2.0 (bbb)");
    results = results_open(ours, "0.2.0 (bbb)", &err);
    support_true(results != NULL, &err);
    results_close(results);
    static const char *const others[] = {"0.2.0 (bbc)", "0.2.0 (bbb-dirty)", "0.2.0 (unknown)",
                                         "0.2.0", "0.3.0 (bbb)"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        err = (struct err){0};
        assert_null(results_open(ours, others[k], &err));
        support_error(&err, ERR_VERSION, "has rows of Roundcast 0.2.0 (bbb), and this is ",
                      others[k], "expected another file, or mixed-versions");
    }
    add(ours, "run b", "0.1.0 (aaa)"); /* in the last of several rows */
    assert_null(results_open(ours, "0.2.0 (bbb)", &err));
    support_error(&err, ERR_VERSION, "has rows of Roundcast 0.1.0 (aaa), and this is 0.2.0 (bbb)");
    err = (struct err){0};
    results = results_open(ours, NULL, &err);
    support_true(results != NULL, &err);
    results_close(results);
}

static void merged(void **state)
{
    (void)state;
    struct err err = {0};
    unlink(ours);
    add(theirs, "run c", "0.1.0 (aaa)");
    struct results *results = results_open(ours, "0.2.0 (bbb)", &err);
    enum results_state found;
    support_true(results != NULL, &err);
    assert_false(results_merge(results, theirs, &err));
    support_error(&err, ERR_VERSION, theirs, "has rows of Roundcast 0.1.0 (aaa), and this is");
    err = (struct err){0};
    support_true(results_find(results, "run c", 1, &found, &err), &err);
    assert_int_equal(found, RESULTS_NONE); /* no row was merged */
    results_close(results);
    static const char *const accept[] = {"0.1.0 (aaa)", NULL};
    for (size_t k = 0; k < 2; k++) {
        unlink(ours);
        results = results_open(ours, accept[k], &err);
        support_true(results != NULL && results_merge(results, theirs, &err), &err);
        support_true(results_find(results, "run c", 1, &found, &err), &err);
        assert_int_equal(found, RESULTS_HOLDS);
        results_close(results);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(continued), cmocka_unit_test(merged)};
    int files[] = {mkstemp(ours), mkstemp(theirs)};
    if (files[0] < 0 || files[1] < 0)
        return 1;
    close(files[0]);
    close(files[1]);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(ours);
    unlink(theirs);
    return failed;
}
