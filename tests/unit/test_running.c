/* SPDX-License-Identifier: Apache-2.0 */
/* test_running: a test program that is stopped reports which test and which case was running.
 *
 * A child of this program runs a group of its own, whose second test sets its case and waits; the
 * parent stops it with the runner's signal and reads what it prints. Counter-case: a group whose
 * tests end prints no report. A wrapped test keeps its own set-up and state. TEST_CASE selects
 * tests by a part of their names.
 */
#include "sched/base/compare.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int ready; /* the end of a pipe on which the second test reports that it waits */

static int set_state(void **state)
{
    static int seven = 7;
    *state = &seven;
    return 0;
}

static void has_its_state(void **state)
{
    assert_int_equal(*(int *)*state, 7);
}

static void waits(void **state)
{
    (void)state;
    running("path -n %u, seed %u", 7u, 5u);
    assert_int_equal(write(ready, "w", 1), 1);
    pause();
}

static int run_group(bool waiting)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(has_its_state, set_state),
                                       cmocka_unit_test(waits)};
    const struct CMUnitTest first[] = {tests[0]};
    return waiting ? cmocka_run_group_tests(tests, NULL, NULL)
                   : cmocka_run_group_tests(first, NULL, NULL);
}

/* Runs a child; returns its standard error in text and its wait status in *status. */
static void run_child(bool waiting, char text[256], int *status)
{
    int reported[2], printed[2];
    char byte;
    assert_int_equal(pipe(reported), 0);
    assert_int_equal(pipe(printed), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        ready = reported[1];
        dup2(printed[1], STDERR_FILENO);
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        close(reported[0]);
        unsetenv("TEST_CASE");
        _exit(run_group(waiting));
    }
    close(reported[1]);
    close(printed[1]);
    if (waiting) {
        assert_int_equal(read(reported[0], &byte, 1), 1);
        kill(child, SIGTERM);
    }
    assert_int_equal(waitpid(child, status, 0), child);
    ssize_t length = read(printed[0], text, 255);
    text[MAX(length, 0)] = '\0';
    close(reported[0]);
    close(printed[0]);
}

static void the_case_is_reported(void **state)
{
    (void)state;
    char text[256];
    int status;
    run_child(true, text, &status);
    assert_string_equal(text, "under way: waits: path -n 7, seed 5\n");
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

static void nothing_is_reported_otherwise(void **state)
{
    (void)state;
    char text[256];
    int status;
    run_child(false, text, &status);
    assert_null(strstr(text, "under way"));
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int ran; /* a bit for each of the two tests below */

static void first_one(void **state)
{
    (void)state;
    ran |= 1;
}

static void second_one(void **state)
{
    (void)state;
    ran |= 2;
}

/* Returns which of them run, in a child, with this TEST_CASE. */
static int ran_with(const char *part)
{
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct CMUnitTest tests[] = {cmocka_unit_test(first_one),
                                           cmocka_unit_test(second_one)};
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        if (part != NULL)
            setenv("TEST_CASE", part, 1);
        else
            unsetenv("TEST_CASE");
        _exit(cmocka_run_group_tests(tests, NULL, NULL) != 0 ? 4 : ran);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_part_of_the_name_selects(void **state)
{
    (void)state;
    assert_int_equal(ran_with(NULL), 3);
    assert_int_equal(ran_with("one"), 3);
    assert_int_equal(ran_with("first"), 1);
    assert_int_equal(ran_with("s*d_o"), 2);
    assert_int_equal(ran_with("third"), 0);
    assert_int_equal(ran_with("!first"), 2);
    assert_int_equal(ran_with("!_one"), 0);
    assert_int_equal(ran_with("!third"), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_case_is_reported),
                                       cmocka_unit_test(nothing_is_reported_otherwise),
                                       cmocka_unit_test(a_part_of_the_name_selects)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
