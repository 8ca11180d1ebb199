/* SPDX-License-Identifier: Apache-2.0 */
/* test_progress_line: when the progress line is printed.
 *
 * State space: 1000 updates of a task whose line is due, on a terminal or not. Standard error is a
 * pipe, so that a terminal is claimed in the structure. The clock is read at each 256th update,
 * which prints the line once, because the next one is not due before the end. Counter-case: without
 * a terminal nothing is printed or cleared.
 */
#include "testbench/run/progress.h"
#include "tests/support/cmocka_all.h"

#include <string.h>
#include <unistd.h>

/* Updates a task, with standard error in `text`. */
static void update(bool watched, char text[200])
{
    int ends[2], before = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_true(before >= 0 && dup2(ends[1], STDERR_FILENO) >= 0);
    const double now = progress_seconds();
    struct progress progress = {
        .what = "work", .total = 2000, .watched = watched, .begun = now, .next = now};
    for (uint64_t done = 1; done <= 1000; done++) {
        progress_update(&progress, done);
        progress.next = progress.printed ? now + 1e6 : now;
    }
    progress_end(&progress);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    close(before);
    close(ends[1]);
    ssize_t length = read(ends[0], text, 199);
    close(ends[0]);
    assert_true(length >= 0);
    text[length] = '\0';
}

static void lines_are_printed_rarely(void **state)
{
    (void)state;
    static const char first[] = "\rwork: 256 of 2000, ", last[] = " s left\033[K\r\033[K";
    char text[200];
    update(true, text);
    assert_memory_equal(text, first, strlen(first));
    assert_string_equal(text + strlen(text) - strlen(last), last);
    assert_null(strstr(text + strlen(first), "work"));
    update(false, text);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_printed_rarely)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
