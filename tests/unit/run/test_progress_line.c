/* SPDX-License-Identifier: Apache-2.0 */
/* test_progress_line: when the progress line is printed.
 *
 * State space: 1000 updates of a task whose line is due, on a terminal or not. Standard error is a
 * pipe, so that a terminal is claimed in the structure. The clock is read at each 256th update,
 * which prints the line once, because the next one is not due before the end. Counter-case: without
 * a terminal nothing is printed or cleared.
 *
 * A simulation reports its progress to the caller in cycle 0 and then once in each hundredth of the
 * run: expected are the cycles 0, s, 2s, …, where s is 1 + ⌊cycles / 100⌋. On a terminal, here a
 * pseudo terminal, a run that ends within a second prints no line.
 */
#include "testbench/run/progress.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
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

struct seen {
    uint64_t calls, next, all;
};

static void see_progress(void *with, uint64_t done, uint64_t all)
{
    struct seen *seen = with;
    assert_int_equal(done, seen->next);
    seen->next = done + 1 + all / 100;
    seen->all = all;
    seen->calls++;
}

static uint64_t run(uint32_t m, const struct simulate_options *options)
{
    const struct collective asked = {.n = 8, .m = m, .model = MODEL_SEND_RECEIVE};
    struct machine machine = support_machine(3, 1, 0);
    struct simulate_report report;
    struct support_job job;
    struct err err = {0};
    machine.log2_packets = machine.log2_rows = 7;
    support_job(support_algorithm("matching"), &asked, &machine, 4, 7, &job);
    support_true(simulate(&job.image, &job.schedule, &job.payload, options, &report, &err), &err);
    support_job_free(&job);
    return report.run_cycles;
}

/* The first run has fewer than 100 cycles, and reports each of them. */
static void progress_is_reported_in_hundredths(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= 100; m += 99) {
        struct seen seen = {0};
        const struct simulate_options options = {
            .engine_count = 1, .engine = {ENGINE_CSIM}, .watch = {&seen, NULL, see_progress}};
        const uint64_t cycles = run(m, &options), step = 1 + cycles / 100;
        assert_true((m == 1) == (cycles < 100));
        assert_int_equal(seen.all, cycles);
        assert_int_equal(seen.calls, (cycles + step - 1) / step);
    }
}

static void short_runs_print_nothing(void **state)
{
    (void)state;
    const struct simulate_options options = {
        .engine_count = 1, .engine = {ENGINE_CSIM}, .shows_progress = true};
    char text[200];
    int terminal = posix_openpt(O_RDWR | O_NOCTTY), before = dup(STDERR_FILENO);
    assert_true(terminal >= 0 && before >= 0);
    assert_int_equal(grantpt(terminal) | unlockpt(terminal), 0);
    int end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    assert_true(end >= 0 && dup2(end, STDERR_FILENO) >= 0);
    assert_true(isatty(STDERR_FILENO));
    run(1, &options);
    fputs("end", stderr);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    ssize_t length = read(terminal, text, sizeof text - 1);
    close(before);
    close(end);
    close(terminal);
    assert_int_equal(length, 3);
    assert_memory_equal(text, "end", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_printed_rarely),
                                       cmocka_unit_test(progress_is_reported_in_hundredths),
                                       cmocka_unit_test(short_runs_print_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
