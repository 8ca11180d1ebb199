/* SPDX-License-Identifier: Apache-2.0 */
/* test_pool_signals: pools that a signal ends, and processes that are not kept.
 *
 * A pool runs in a process of its own, which a signal ends at a moment that the pool itself
 * chooses: while it rests, or with the result of a work while another work has just died. The
 * wait status is compared, and what arrived before. Counter-case: without the signal a death is
 * reported.
 */
#include "sched/base/interrupt.h"
#include "sweep/pool.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void pause_for(long milliseconds)
{
    struct timespec left = {.tv_nsec = milliseconds * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

/* What a pool did in another process. */
static struct seen {
    unsigned results, deaths, rests;
    bool returned;
} * seen;

static bool ends_at_result; /* the signal comes with the result of work 0, not with a rest */

/* Work 2 is done at once. Works 0 and 1 end at the same time while the receiver rests: one has a
 * result, the other dies. */
static void work_slowly(void *context, size_t which, FILE *to)
{
    (void)context;
    if (which < 2)
        pause_for(100);
    if (which == 1)
        _exit(7);
    if (which == 0 && !ends_at_result)
        sleep(99);
    fputs("a", to);
}

static bool done_slowly(void *context, size_t which, const char *bytes, size_t size, int status,
                        struct err *err)
{
    (void)context, (void)size, (void)status, (void)err;
    seen->results += bytes != NULL;
    seen->deaths += bytes == NULL;
    if (which == 0 && bytes != NULL)
        kill(getpid(), SIGTERM);
    return true;
}

static bool rest_slowly(void *context, struct err *err)
{
    (void)context, (void)err;
    seen->rests++;
    pause_for(300);
    if (!ends_at_result && seen->deaths > 0)
        kill(getpid(), SIGTERM);
    return true;
}

static void run_until_signal(void)
{
    struct err err = {0};
    const struct pool pool = {.what = "a test",
                              .count = 3,
                              .workers = 3,
                              .work = work_slowly,
                              .done = done_slowly,
                              .rest = rest_slowly};
    interrupt_begin();
    interrupt_hold();
    seen->returned = pool_run(&pool, &err) && err.code == ERR_NONE;
    interrupt_release();
    _exit(0); /* no signal came */
}

static void a_signal_ends_a_pool(void **state)
{
    (void)state;
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(seen, MAP_FAILED);
    for (unsigned at_result = 0; at_result < 2; at_result++) {
        int status;
        memset(seen, 0, sizeof *seen);
        ends_at_result = at_result != 0;
        pid_t process = fork();
        if (process == 0)
            run_until_signal();
        assert_int_equal(waitpid(process, &status, 0), process);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGTERM);
        assert_true(seen->returned); /* what arrived can be stored before the signal acts */
        assert_int_equal(seen->results, 1 + at_result);
        assert_int_equal(seen->deaths, 1 - at_result); /* a work that the signal ends did not die */
        assert_true(seen->rests > 0);
    }
    munmap(seen, sizeof *seen);
}

/* -- Processes that are not kept --------------------------------------------------------------- */

static void count(void *context, size_t which, FILE *to)
{
    (void)context;
    fprintf(to, "%zu", which);
}

static bool done_once(void *context, size_t which, const char *bytes, size_t size, int status,
                      struct err *err)
{
    (void)size, (void)err;
    size_t *next = context;
    assert_non_null(bytes);
    assert_int_equal(status, 0);
    assert_int_equal(which, (*next)++);
    return true;
}

/* A process that ignores SIGCHLD cannot wait for one that has ended. */
static void ended_processes_are_not_kept(void **state)
{
    (void)state;
    size_t next = 0;
    struct err err = {0};
    const struct pool pool = {.what = "a test",
                              .count = 130,
                              .workers = 1,
                              .context = &next,
                              .work = count,
                              .done = done_once};
    signal(SIGCHLD, SIG_IGN);
    support_true(pool_run(&pool, &err), &err);
    signal(SIGCHLD, SIG_DFL);
    assert_int_equal(next, 130);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_ends_a_pool),
        cmocka_unit_test(ended_processes_are_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
