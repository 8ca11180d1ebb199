/* SPDX-License-Identifier: Apache-2.0 */
/* test_tool: programs that do a part of a command's work, and filters.
 *
 * Programs of every Linux system (cat, false, sh) run with files of this test. Limits of this
 * process on open files and on the size of a file make system calls fail: no temporary file can be
 * opened, and the disk seems to be full.
 *
 * Counter-cases: descriptors that are not open, a program that does not exist, a filter that fails
 * with room on the disk and without, a status that is lost, an input that cannot be written at once
 * or later, a PATH that is not set, empty, or has a folder with a name that is too long.
 */
#include "sched/base/tool.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char *const copy[] = {"cat", NULL};

/* Sets the soft limit of a resource and returns the limits before it. */
static struct rlimit limit(int resource, rlim_t soft)
{
    struct rlimit before, after;
    assert_int_equal(getrlimit(resource, &before), 0);
    after = (struct rlimit){soft, before.rlim_max};
    assert_int_equal(setrlimit(resource, &after), 0);
    return before;
}

static void a_filter_reads_from_the_start(void **state)
{
    (void)state;
    const struct filter filter = {"cat", "coreutils", copy};
    struct err err = {0};
    char text[20] = "";
    FILE *from = filter_input(&err), *to = filter_input(&err);
    assert_true(from != NULL && to != NULL);
    fputs("digraph {}\n", from);
    support_true(filter_run(&filter, from, to, &err), &err);
    rewind(to);
    assert_non_null(fgets(text, sizeof text, to));
    assert_string_equal(text, "digraph {}\n");
    fclose(from);
    fclose(to);
}

/* Without room in the file the disk is full; with room the program is to blame. */
static void a_filter_that_fails(void **state)
{
    (void)state;
    static char *const fail[] = {"false", NULL}, *const stop[] = {"sh", "-c", "kill $$", NULL};
    const struct filter filter[] = {{"false -v", "coreutils", fail}, {"sh -v", "dash", stop}};
    struct err err = {0};
    FILE *from = filter_input(&err), *to = filter_input(&err);
    assert_true(from != NULL && to != NULL);
    for (unsigned which = 0; which < 2; which++) {
        char expected[60];
        assert_false(filter_run(&filter[which], from, to, &err));
        snprintf(expected, sizeof expected, "%s: failed; expected a picture", filter[which].what);
        support_error(&err, ERR_TOOL, expected);
        assert_int_equal(ftruncate(fileno(to), 0), 0); /* the file got its room */
        const struct rlimit before = limit(RLIMIT_FSIZE, 1 << 19);
        const bool ran = filter_run(&filter[which], from, to, &err);
        setrlimit(RLIMIT_FSIZE, &before);
        assert_false(ran);
        support_error(&err, ERR_WRITE, "the picture: cannot write: File too large; expected");
    }
    fclose(from);
    fclose(to);
}

/* A device that is full: the buffer is written when it is flushed, or each byte at once. */
static void an_input_that_cannot_be_written(void **state)
{
    (void)state;
    static const int buffers[] = {_IOFBF, _IONBF};
    const struct filter filter = {"cat", "coreutils", copy};
    for (unsigned which = 0; which < 2; which++) {
        struct err err = {0};
        FILE *from = fopen("/dev/full", "w+"), *to = filter_input(&err);
        assert_true(from != NULL && to != NULL);
        setvbuf(from, NULL, buffers[which], BUFSIZ);
        fputs("digraph {}\n", from);
        assert_false(filter_run(&filter, from, to, &err));
        support_error(&err, ERR_WRITE,
                      "a temporary file: cannot write: No space left on device; expected");
        assert_int_equal(lseek(fileno(to), 0, SEEK_END), 0); /* cat was not started */
        fclose(from);
        fclose(to);
    }
}

static void no_temporary_file(void **state)
{
    (void)state;
    struct err err = {0};
    const struct rlimit before = limit(RLIMIT_NOFILE, 0);
    const FILE *file = filter_input(&err);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_null(file);
    support_error(&err, ERR_WRITE, "a temporary file: cannot write: Too many open files; expected");
}

static void programs_that_do_not_run(void **state)
{
    (void)state;
    static char *const missing[] = {"roundcast-of-no-system", NULL};
    static const struct {
        char *const *argument;
        int from, to;
        const char *text;
    } cases[] = {
        {copy, -1, STDOUT_FILENO, "cat: cannot run: Bad file descriptor; expected coreutils"},
        {copy, STDIN_FILENO, -1, "cat: cannot run: Bad file descriptor; expected coreutils"},
        {missing, STDIN_FILENO, STDOUT_FILENO,
         "roundcast-of-no-system: cannot run: No such file or directory; expected coreutils"}};
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        int status;
        struct err err = {0};
        assert_false(tool_run(cases[which].argument, cases[which].from, cases[which].to,
                              "coreutils", &status, &err));
        support_error(&err, ERR_TOOL, cases[which].text);
    }
}

/* The system does not keep the status of a program if SIGCHLD is ignored, as a library's caller may
 * do; the program itself prevents it (interrupt_begin). */
static void a_status_that_is_lost(void **state)
{
    (void)state;
    static char *const pass[] = {"true", NULL};
    int status;
    struct err err = {0};
    signal(SIGCHLD, SIG_IGN);
    const bool ran = tool_run(pass, STDIN_FILENO, STDOUT_FILENO, "coreutils", &status, &err);
    signal(SIGCHLD, SIG_DFL);
    assert_false(ran);
    support_error(&err, ERR_TOOL, "true: cannot run: No child processes; expected coreutils");
}

static void the_status_of_a_program(void **state)
{
    (void)state;
    static char *const leave[] = {"sh", "-c", "exit 7", NULL};
    int status;
    struct err err = {0};
    support_true(tool_run(leave, STDIN_FILENO, STDOUT_FILENO, "dash", &status, &err), &err);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
}

static void programs_on_the_path(void **state)
{
    (void)state;
    char *before = strdup(getenv("PATH")), long_name[5000];
    memset(long_name, 'x', sizeof long_name);
    memcpy(long_name + 4600, ":/bin:/usr/bin", sizeof ":/bin:/usr/bin");
    assert_true(tool_found("cat"));
    assert_false(tool_found("roundcast-of-no-system"));
    setenv("PATH", long_name, 1);
    assert_true(tool_found("cat"));
    long_name[4600] = '\0';
    setenv("PATH", long_name, 1);
    assert_false(tool_found("cat"));
    setenv("PATH", "", 1);
    assert_false(tool_found("cat"));
    unsetenv("PATH");
    assert_false(tool_found("cat"));
    setenv("PATH", before, 1);
    free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_filter_reads_from_the_start),   cmocka_unit_test(a_filter_that_fails),
        cmocka_unit_test(an_input_that_cannot_be_written), cmocka_unit_test(no_temporary_file),
        cmocka_unit_test(programs_that_do_not_run),        cmocka_unit_test(a_status_that_is_lost),
        cmocka_unit_test(the_status_of_a_program),         cmocka_unit_test(programs_on_the_path),
    };
    signal(SIGXFSZ, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
