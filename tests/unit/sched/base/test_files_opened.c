/* SPDX-License-Identifier: Apache-2.0 */
/* test_files_opened: files that are opened, read and committed to their final names.
 *
 * The content of the folder before and after is compared. Counter-cases: a missing folder, a file
 * without write permission, a target that becomes a folder in the meantime, a full device, a file
 * that is abandoned.
 */
#include "sched/base/files.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/roundcast-files-XXXXXX";

static int enter(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL || chmod(folder, 0777) != 0 || chdir(folder) != 0;
}

static int leave(void **state)
{
    (void)state;
    return chdir("/") != 0 || rmdir(folder) != 0;
}

static unsigned count_files(void)
{
    unsigned count = 0;
    DIR *names = opendir(".");
    assert_non_null(names);
    for (struct dirent *entry; (entry = readdir(names)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(names);
    return count;
}

static void put(const char *path, const char *text)
{
    struct files_output output;
    struct err err;
    support_true(files_open_output(path, &output, &err), &err);
    assert_string_equal(output.name, path);
    assert_true(fputs(text, output.file) >= 0);
    support_true(files_commit(&output, &err), &err);
}

static void assert_holds(const char *path, const char *text)
{
    char seen[100];
    struct err err;
    FILE *file = files_open_input(path, &err);
    assert_non_null(file);
    size_t length = fread(seen, 1, sizeof seen - 1, file);
    seen[length] = '\0';
    files_close_input(file);
    assert_string_equal(seen, text);
}

static void whole_or_not_at_all(void **state)
{
    (void)state;
    struct files_output output;
    struct err err;
    put("a", "first");
    put("a", "second");
    assert_holds("a", "second");
    support_true(files_open_output("a", &output, &err), &err);
    assert_true(fputs("third", output.file) >= 0);
    files_discard(&output);
    assert_holds("a", "second");
    assert_int_equal(symlink("a", "link"), 0);
    put("link", "through");
    assert_holds("a", "through");
    assert_int_equal(count_files(), 2);
    unlink("a");
    unlink("link");
}

static void what_cannot_be_opened(void **state)
{
    (void)state;
    struct files_output output;
    struct err err;
    assert_false(files_open_output("none/a", &output, &err));
    support_error(&err, ERR_WRITE, "none/a: cannot write: No such file");
    assert_false(files_open_output(".", &output, &err));
    support_error(&err, ERR_WRITE, ".: cannot write: ");
    assert_null(files_open_input("none", &err));
    support_error(&err, ERR_READ, "none: cannot open: No such file");
    assert_null(gzip_open("none", &err));
    support_error(&err, ERR_READ, "none: cannot open: No such file");
}

static void what_cannot_be_put_there(void **state)
{
    (void)state;
    struct files_output output;
    struct err err;
    support_true(files_open_output("a", &output, &err), &err);
    assert_int_equal(mkdir("a", 0777), 0);
    assert_false(files_commit(&output, &err));
    support_error(&err, ERR_WRITE, "a: cannot write: Is a directory");
    assert_int_equal(count_files(), 1);
    assert_int_equal(rmdir("a"), 0);

    support_true(files_open_output("/dev/full", &output, &err), &err);
    assert_int_equal(fputc('a', output.file), 'a');
    assert_false(files_commit(&output, &err));
    support_error(&err, ERR_WRITE, "/dev/full: cannot write: No space left");
    support_true(files_open_output("/dev/null", &output, &err), &err);
    assert_int_equal(fputc('a', output.file), 'a');
    support_true(files_commit(&output, &err), &err);
}

/* Root may write every file, so the test temporarily runs as another user. */
static void what_may_not_be_written(void **state)
{
    (void)state;
    struct files_output output;
    struct err err;
    put("a", "kept");
    assert_int_equal(chmod("a", 0444), 0);
    bool root = getuid() == 0;
    assert_true(!root || setresuid(65534, (uid_t)-1, (uid_t)-1) == 0);
    bool opened = files_open_output("a", &output, &err);
    assert_true(!root || setresuid(0, (uid_t)-1, (uid_t)-1) == 0);
    assert_false(opened);
    support_error(&err, ERR_WRITE, "a: cannot write: Permission denied");
    assert_holds("a", "kept");
    assert_int_equal(count_files(), 1);
    unlink("a");
}

static void standard_ones(void **state)
{
    (void)state;
    struct files_output output;
    struct err err;
    assert_string_equal(files_input_name("-"), "standard input");
    assert_string_equal(files_output_name("-"), "standard output");
    assert_ptr_equal(files_open_input("-", &err), stdin);
    files_close_input(stdin);
    for (unsigned which = 0; which < 2; which++) {
        support_true(files_open_output("-", &output, &err), &err);
        assert_ptr_equal(output.file, stdout);
        if (which == 0)
            support_true(files_commit(&output, &err), &err);
        else
            files_discard(&output);
    }
    assert_false(feof(stdin));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_or_not_at_all),
        cmocka_unit_test(what_cannot_be_opened),
        cmocka_unit_test(what_cannot_be_put_there),
        cmocka_unit_test(what_may_not_be_written),
        cmocka_unit_test(standard_ones),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
