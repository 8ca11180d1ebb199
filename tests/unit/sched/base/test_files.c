/* SPDX-License-Identifier: Apache-2.0 */
/* test_files: files appear complete or not at all, however the program ends and whatever other
 * processes write.
 *
 * Each way of ending runs in a child process, which the test watches: the child must end by that
 * signal, leave the old file unchanged and create no other file. Signals arrive at each distinct
 * moment: while files are open, while they are reserved, while a child works, while signals wait.
 * Counter-cases: a process that ends without a signal, a process that ignores the signal, and a
 * process that has not installed its signal handlers, which leaves a partial file.
 */
#include "sched/base/files.h"
#include "tests/support/cmocka_all.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/test_files.XXXXXX";

static int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    (void)state;
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Returns the contents of a file; "" if there is none. */
static const char *read_all(const char *name)
{
    static char text[100];
    FILE *file = fopen(name, "r");
    size_t count = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    text[count] = '\0';
    if (file != NULL)
        fclose(file);
    return text;
}

static unsigned entries(void)
{
    unsigned count = 0;
    DIR *all = opendir(".");
    assert_non_null(all);
    for (const struct dirent *entry; (entry = readdir(all)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(all);
    return count;
}

/* Runs act(number) in a child process. Returns its wait status. */
static int ended(void (*act)(int number), int number)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        act(number);
        _exit(7);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void write_half(struct files_output *output)
{
    if (!files_open_output("a.sched", output, NULL) || fputs("half", output->file) < 0 ||
        fflush(output->file) != 0)
        _exit(1);
}

static void end_while_open(int number)
{
    struct files_output output, other, reserved;
    struct interrupt_path made = {.name = "made"};
    interrupt_begin();
    if (mkdir("made", 0777) != 0)
        _exit(1);
    interrupt_note(&made);
    write_half(&output);
    if (!files_open_output("made/b", &other, NULL) ||
        !files_reserve_output("c.fst", &reserved, NULL))
        _exit(1);
    raise(number);
}

static void end_while_held(int number)
{
    struct files_output output;
    interrupt_begin();
    write_half(&output);
    interrupt_hold();
    raise(number);
    if (!interrupt_came())
        _exit(2);
    files_commit(&output, NULL);
    interrupt_release();
}

static void end_while_ignored(int number)
{
    struct files_output output;
    signal(number, SIG_IGN);
    interrupt_begin();
    write_half(&output);
    raise(number);
    if (!files_commit(&output, NULL))
        _exit(2);
}

static void end_unwatched(int number)
{
    struct files_output output;
    write_half(&output);
    raise(number);
}

static const int signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXCPU};
#define SIGNALS (sizeof signals / sizeof *signals)

static void signals_leave_nothing(void **state)
{
    (void)state;
    for (size_t which = 0; which < SIGNALS; which++) {
        put("a.sched", "old");
        int status = ended(end_while_open, signals[which]);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[which]);
        assert_string_equal(read_all("a.sched"), "old");
        assert_int_equal(entries(), 1);
        status = ended(end_while_held, signals[which]);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[which]);
        assert_string_equal(read_all("a.sched"), "half");
        put("a.sched", "old");
        status = ended(end_while_ignored, signals[which]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 7);
        assert_string_equal(read_all("a.sched"), "half");
        assert_int_equal(entries(), 1);
        unlink("a.sched");
    }
    ended(end_unwatched, SIGINT);
    assert_int_equal(entries(), 1);
    assert_int_equal(system("rm .roundcast-*.sched"), 0);
}

/* Starts a child that keeps running, and a child of that child; then ends by a signal, which must
 * also end the child. */
static void end_with_children(int number)
{
    struct files_output output;
    int status;
    interrupt_begin();
    interrupt_hold();
    write_half(&output);
    pid_t child = interrupt_fork();
    if (child == 0) {
        fork();
        for (;;)
            pause();
    }
    kill(getpid(), number);
    if (interrupt_wait(&status) != child || !WIFSIGNALED(status))
        _exit(3);
    files_discard(&output);
    interrupt_release();
}

static void children_end_too(void **state)
{
    (void)state;
    for (size_t which = 0; which < SIGNALS; which++) {
        int ends[2];
        char byte;
        assert_int_equal(pipe(ends), 0);
        int status = ended(end_with_children, signals[which]);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[which]);
        close(ends[1]);
        assert_int_equal(read(ends[0], &byte, 1), 0); /* no process writes there any more */
        close(ends[0]);
        assert_int_equal(entries(), 0);
    }
}

static void limit_fails(int number)
{
    (void)number;
    struct files_output output;
    struct err err = {0};
    struct rlimit limit = {4096, 4096};
    char block[1000] = {0};
    setrlimit(RLIMIT_FSIZE, &limit);
    interrupt_begin();
    if (!files_open_output("a.sched", &output, &err))
        _exit(1);
    for (unsigned which = 0; which < 5; which++)
        fwrite(block, 1, sizeof block, output.file);
    _exit(!files_commit(&output, &err) && err.code == ERR_WRITE ? 7 : 2);
}

static void limits_are_errors(void **state)
{
    (void)state;
    put("a.sched", "old");
    int status = ended(limit_fails, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
    assert_string_equal(read_all("a.sched"), "old");
    assert_int_equal(entries(), 1);
    unlink("a.sched");
}

static void all_or_none(void **state)
{
    (void)state;
    struct files_output a, b, *const both[] = {&a, &b};
    struct err err = {0};
    put("a", "old");
    assert_true(files_open_output("a", &a, &err) && files_open_output("b", &b, &err));
    fputs("new", a.file);
    fputs("new", b.file);
    assert_int_equal(mkdir("b", 0777), 0); /* a folder is at the target */
    assert_false(files_commit_all(both, 2, &err));
    assert_int_equal(err.code, ERR_WRITE);
    assert_int_equal(rmdir("b"), 0);
    assert_int_equal(entries(), 1);
    put("a", "old");
    assert_true(files_open_output("a", &a, &err) && files_open_output("b", &b, &err));
    fputs("new", a.file);
    fclose(b.file);
    b.file = fopen("/dev/full", "w"); /* the last cannot be written */
    fputs("new", b.file);
    assert_false(files_commit_all(both, 2, &err));
    assert_string_equal(read_all("a"), "old");
    assert_int_equal(entries(), 1);
    assert_true(files_open_output("a", &a, &err) && files_reserve_output("b", &b, &err));
    assert_null(b.file);
    fputs("new", a.file);
    put(b.temporary, "by name");
    assert_true(files_commit_all(both, 2, &err));
    assert_string_equal(read_all("a"), "new");
    assert_string_equal(read_all("b"), "by name");
    assert_int_equal(entries(), 2);
    unlink("a");
    unlink("b");
}

static void each_name_is_its_own(void **state)
{
    (void)state;
    enum { WRITERS = 20 };
    struct files_output output[WRITERS];
    char longest[256], stale[64];
    memset(longest, 'x', 255); /* the maximum length of a name */
    longest[255] = '\0';
    snprintf(stale, sizeof stale, ".roundcast-%ld-3.sched", (long)getpid());
    put(stale, "of a process of the same number");
    for (unsigned which = 0; which < WRITERS; which++)
        assert_true(files_open_output("a.sched", &output[which], NULL));
    assert_int_equal(entries(), WRITERS + 1);
    for (unsigned which = 0; which < WRITERS; which++) {
        fprintf(output[which].file, "%u", which);
        if (which % 2)
            files_discard(&output[which]);
        else
            assert_true(files_commit(&output[which], NULL));
    }
    assert_string_equal(read_all("a.sched"), "18");
    assert_string_equal(read_all(stale), "of a process of the same number");
    assert_true(files_open_output(longest, &output[0], NULL));
    assert_true(files_commit(&output[0], NULL));
    assert_int_equal(entries(), 3);
    unlink("a.sched");
    unlink(longest);
    unlink(stale);
}

static void check_place(const char *path, const char *expected)
{
    char *place = files_place(path);
    assert_non_null(place);
    bool here = strncmp(place, folder, strlen(folder)) == 0;
    assert_string_equal(here ? place + strlen(folder) : place, expected);
    free(place);
}

/* All forms of paths to a file, existing or not. */
static void places(void **state)
{
    (void)state;
    assert_int_equal(mkdir("below", 0777), 0);
    assert_int_equal(symlink("below", "link"), 0);
    for (unsigned there = 0; there < 2; there++) {
        check_place("a.html", "/a.html");
        check_place("./below/.././a.html", "/a.html");
        check_place("below/a.html", "/below/a.html");
        check_place("link/a.html", "/below/a.html");
        check_place("/a.html", "/a.html");
        put("a.html", "a page");
        put("link/a.html", "another");
    }
    assert_null(files_place("none/a.html"));
    assert_null(files_place("a.html/a.html"));
    unlink("below/a.html");
    unlink("a.html");
    unlink("link");
    assert_int_equal(rmdir("below"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_leave_nothing), cmocka_unit_test(children_end_too),
        cmocka_unit_test(limits_are_errors),     cmocka_unit_test(all_or_none),
        cmocka_unit_test(each_name_is_its_own),  cmocka_unit_test(places)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
