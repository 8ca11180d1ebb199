/* SPDX-License-Identifier: Apache-2.0 */
/* test_pool: works of a pool whose processes end early, and a system that refuses what it needs.
 *
 * The result of a work is a text that follows from its number, so that each result is compared with
 * its own. Numbers of works and of processes: none, fewer works than processes, several batches of
 * 64, and the limit of 256 processes. Works end their process with an exit status or a signal, at
 * the first, a middle and the last place of a batch; close their pipe; or end a result with an
 * error. Calls of the system fail by a limit of the process, or by the linker's --wrap (fork, read,
 * write, sysconf, open_memstream). test_pool_signals has the signals.
 *
 * Counter-cases: each fault is followed by the same pool without it, which completes.
 */
#include "sweep/pool.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST 1000

/* -- Calls of the system ----------------------------------------------------------------------- */

static unsigned fork_to_fail;     /* the number of the call of fork that fails, from 1; 0: none */
static int write_error;           /* that of the first call of write in each process; 0: none */
static int read_error[4];         /* errors of the next calls of read; 0: none */
static long processors_to_report; /* 0: those of this machine */

/* The names are the linker's. */
#define WRAPPED(type, name, ...)     \
    type __real_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__)

WRAPPED(pid_t, fork, void)
{
    if (fork_to_fail == 0 || --fork_to_fail > 0)
        return __real_fork();
    errno = EAGAIN;
    return -1;
}

WRAPPED(ssize_t, write, int to, const void *bytes, size_t size)
{
    if (write_error == 0)
        return __real_write(to, bytes, size);
    errno = write_error;
    write_error = 0;
    return -1;
}

WRAPPED(ssize_t, read, int from, void *bytes, size_t size)
{
    int error = read_error[0];
    if (error == 0)
        return __real_read(from, bytes, size);
    memmove(read_error, read_error + 1, sizeof read_error - sizeof *read_error);
    errno = error;
    return -1;
}

WRAPPED(long, sysconf, int name)
{
    return processors_to_report != 0 && name == _SC_NPROCESSORS_ONLN ? processors_to_report
                                                                     : __real_sysconf(name);
}

/* Streams that are no memory, and fail. */
enum stream { RIGHT, FULL_WHEN_WRITTEN, FULL_WHEN_CLOSED, NO_STREAM };
static enum stream stream;
static unsigned stream_to_fail; /* its number in each process, from 1 */

WRAPPED(FILE *, open_memstream, char **text, size_t *size)
{
    if (stream == RIGHT || --stream_to_fail > 0)
        return __real_open_memstream(text, size);
    *text = NULL;
    *size = 0;
    FILE *full = stream == NO_STREAM ? NULL : fopen("/dev/full", "w");
    if (stream == FULL_WHEN_WRITTEN)
        setvbuf(full, NULL, _IONBF, 0);
    return full;
}

static void pause_for(long milliseconds)
{
    struct timespec left = {.tv_nsec = milliseconds * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

/* -- Works ------------------------------------------------------------------------------------- */

/* Works 0 … count-1. Those of `fault` misbehave; large ones have a megabyte after their number. */
enum fault {
    NO_FAULT,
    ENDS,             /* its process ends with status 3 */
    DIES,             /* … by a signal */
    CLOSES,           /* its process has no pipe any more */
    CLOSES_WHILE_BUSY /* … once a part of the result was written */
};

struct job {
    enum fault fault;
    size_t first, second; /* the works with the fault */
    size_t large, slow;   /* the number of a large work, and of one that pauses */
    bool refuses_deaths, refuses_rest;
    unsigned rests, rest_pause;
    unsigned done[MOST], deaths;
    size_t died;
    int status;
};

#define NONE ((size_t)-1)
#define LARGE (1 << 20)

static void ignore(int number)
{
    (void)number;
}

static void close_pipe(int number)
{
    (void)number;
    closefrom(STDERR_FILENO + 1);
}

/* Makes SIGALRM call a handler every few milliseconds, and interrupt the system calls. */
static void alarm_with(void (*handler)(int number), long milliseconds)
{
    const struct sigaction action = {.sa_handler = handler};
    const struct timeval time = {.tv_usec = milliseconds * 1000};
    const struct itimerval timer = {.it_interval = time, .it_value = time};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void misbehave(enum fault fault)
{
    switch (fault) {
    case ENDS:
        _exit(3);
    case DIES:
        kill(getpid(), SIGKILL);
        break;
    case CLOSES:
        closefrom(STDERR_FILENO + 1);
        pause_for(60);
        break;
    case CLOSES_WHILE_BUSY:
        alarm_with(close_pipe, 40);
        break;
    default:
        break;
    }
}

static void work(void *context, size_t which, FILE *to)
{
    const struct job *job = context;
    if (which == job->first || which == job->second)
        misbehave(job->fault);
    if (which == job->slow)
        pause_for(100);
    fprintf(to, "%zu", which * which);
    for (unsigned k = 0; which == job->large && k < LARGE; k++)
        putc('a', to);
}

static bool done(void *context, size_t which, const char *bytes, size_t size, int status,
                 struct err *err)
{
    struct job *job = context;
    char text[30];
    assert_true(which < MOST);
    job->done[which]++;
    if (bytes == NULL) {
        stream = RIGHT;
        job->deaths++;
        job->died = which;
        job->status = status;
        return !job->refuses_deaths || err_set(err, ERR_WRITE, "no place for a death");
    }
    size_t length = (size_t)snprintf(text, sizeof text, "%zu", which * which);
    assert_int_equal(status, 0);
    assert_int_equal(size, length + (which == job->large ? LARGE : 0));
    assert_memory_equal(bytes, text, length);
    for (; length < size; length++)
        assert_int_equal(bytes[length], 'a');
    return true;
}

static bool rest(void *context, struct err *err)
{
    struct job *job = context;
    job->rests++;
    pause_for(job->rest_pause);
    return !job->refuses_rest || err_set(err, ERR_WRITE, "no time for a rest");
}

/* A pool of these works. */
static struct pool pool_of(struct job *job, size_t count, unsigned workers)
{
    return (struct pool){.what = "a test",
                         .count = count,
                         .workers = workers,
                         .context = job,
                         .work = work,
                         .done = done,
                         .rest = job->rest_pause > 0 ? rest : NULL};
}

static struct job job_of(enum fault fault, size_t first, size_t second)
{
    return (struct job){
        .fault = fault, .first = first, .second = second, .large = NONE, .slow = NONE};
}

/* Checks that the pool completes and that each work is done once. */
static void complete(struct job *job, size_t count, unsigned workers)
{
    struct err err = {0};
    const struct pool pool = pool_of(job, count, workers);
    support_true(pool_run(&pool, &err), &err);
    for (size_t which = 0; which < MOST; which++)
        assert_int_equal(job->done[which], which < count);
}

/* Checks that the pool reports this error. */
static void fails(struct job *job, size_t count, unsigned workers, enum err_code code,
                  const char *text)
{
    struct err err = {0};
    const struct pool pool = pool_of(job, count, workers);
    assert_false(pool_run(&pool, &err));
    support_error(&err, code, text);
}

/* -- Tests ------------------------------------------------------------------------------------- */

static void each_work_is_done_once(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 2, 63, 64, 65, 130, MOST};
    static const unsigned workers[] = {1, 2, 7, POOL_MAX_WORKERS};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (size_t w = 0; w < sizeof workers / sizeof *workers; w++) {
            running("%zu works, %u workers", counts[k], workers[w]);
            struct job job = job_of(NO_FAULT, NONE, NONE);
            job.large = counts[k] / 2;
            complete(&job, counts[k], workers[w]);
            assert_int_equal(job.deaths, 0);
        }
}

static void a_pool_has_as_many_workers_as_processors(void **state)
{
    (void)state;
    static const struct {
        long reported;
        unsigned expected;
    } cases[] = {{-1, 1}, {1, 1}, {3, 3}, {256, 256}, {257, 256}, {4096, 256}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        processors_to_report = cases[k].reported;
        assert_int_equal(pool_processors(), cases[k].expected);
    }
    processors_to_report = 0;
    assert_in_range(pool_processors(), 1, POOL_MAX_WORKERS);
}

/* With one worker the batches are 0 … 63, 64 … 127 and 128 … 129. */
static void a_death_is_reported_and_the_others_continue(void **state)
{
    (void)state;
    static const size_t places[] = {0, 30, 63, 64, 129};
    static const struct {
        enum fault fault;
        int signal, exit, seen;
        const char *text;
    } cases[] = {
        {ENDS, 0, 3, 3, "w: its process ended with status 3; expected a report"},
        {DIES, SIGKILL, 0, 128 + SIGKILL,
         "w: its process was ended by signal 9, Killed; expected a report"},
        {CLOSES, 0, 1, 1, "w: its process ended with status 1; expected a report"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
            running("fault %zu, place %zu", k, places[p]);
            struct job job = job_of(cases[k].fault, places[p], NONE);
            struct err err = {0};
            complete(&job, 130, 1);
            assert_int_equal(job.deaths, 1);
            assert_int_equal(job.died, places[p]);
            assert_int_equal(WIFSIGNALED(job.status), cases[k].signal != 0);
            assert_int_equal(WTERMSIG(job.status), cases[k].signal);
            assert_int_equal(WEXITSTATUS(job.status), cases[k].exit);
            assert_int_equal(pool_report_death("w", job.status, &err), cases[k].seen);
            support_error(&err, ERR_BUG, cases[k].text);
        }
    struct job job = job_of(DIES, 3, 4);
    complete(&job, 64, 1);
    assert_int_equal(job.deaths, 2);
}

/* The last place is the end of the batch. */
static void a_result_has_no_memory(void **state)
{
    (void)state;
    static const unsigned places[] = {0, 30, 63};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (stream = FULL_WHEN_WRITTEN; stream <= NO_STREAM;) {
            running("stream %d, place %u", (int)stream, places[p]);
            const enum stream next = stream + 1;
            struct job job = job_of(NO_FAULT, NONE, NONE);
            stream_to_fail = places[p] + 1;
            complete(&job, 130, 1);
            assert_int_equal(job.deaths, 1);
            assert_int_equal(job.died, places[p]);
            assert_false(WIFSIGNALED(job.status));
            assert_int_equal(WEXITSTATUS(job.status), 1);
            stream = next;
        }
    stream = RIGHT;
}

/* The pause of the receiver fills the pipe, so that the process waits until its alarms come. */
static void a_result_is_cut_off(void **state)
{
    (void)state;
    struct job job = job_of(CLOSES_WHILE_BUSY, 2, NONE);
    job.large = 2;
    job.rest_pause = 150;
    complete(&job, 4, 1);
    assert_int_equal(job.deaths, 1);
    assert_int_equal(job.died, 2);
    assert_int_equal(WEXITSTATUS(job.status), 1);
    assert_true(job.rests > 0);
}

static void a_receiver_refuses(void **state)
{
    (void)state;
    struct job job = job_of(DIES, 5, NONE);
    job.refuses_deaths = true;
    fails(&job, 20, 1, ERR_WRITE, "no place for a death");
    assert_int_equal(job.deaths, 1);
    assert_int_equal(job.done[6], 0);
    job = job_of(NO_FAULT, NONE, NONE);
    job.rest_pause = 1;
    job.refuses_rest = true;
    fails(&job, 20, 1, ERR_WRITE, "no time for a rest");
    assert_int_equal(job.rests, 1);
}

static void no_process_can_be_started(void **state)
{
    (void)state;
    static const char text[] = "a process for a test: Resource temporarily unavailable; expected "
                               "to start one";
    struct job job = job_of(NO_FAULT, NONE, NONE);
    for (unsigned number = 1; number <= 2; number++) {
        fork_to_fail = number;
        fails(&job, 200, 2, ERR_TOOL, text);
        assert_int_equal(fork_to_fail, 0);
    }
    job = job_of(DIES, 5, NONE); /* the process for the rest of the batch */
    fork_to_fail = 2;
    fails(&job, 20, 1, ERR_TOOL, text);
    assert_int_equal(job.deaths, 1);
    assert_int_equal(job.done[4], 1);
    assert_int_equal(job.done[6], 0);
    job = job_of(DIES, 5, NONE);
    complete(&job, 20, 1);
}

/* Sets the limit of descriptors to this number above those in use. Returns the limit before. */
static struct rlimit limit_descriptors(unsigned more)
{
    struct rlimit before, limit;
    int next = dup(STDERR_FILENO);
    assert_true(next >= 0 && close(next) == 0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    limit = before;
    limit.rlim_cur = (rlim_t)next + more;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    return before;
}

/* A pipe requires two descriptors. poll refuses more entries than the limit, even unused ones. */
static void the_limit_of_descriptors_is_reached(void **state)
{
    (void)state;
    struct job job = job_of(NO_FAULT, NONE, NONE);
    struct rlimit before = limit_descriptors(1);
    fails(&job, 20, 2, ERR_TOOL, "a process for a test: Too many open files; expected");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    limit_descriptors(2);
    fails(&job, 1, POOL_MAX_WORKERS, ERR_TOOL, "a process for a test: Invalid argument; expected");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    job = job_of(NO_FAULT, NONE, NONE);
    complete(&job, 1, POOL_MAX_WORKERS);
}

static void reading_fails(void **state)
{
    (void)state;
    struct job job = job_of(NO_FAULT, NONE, NONE);
    read_error[0] = EINTR; /* these two are tried again */
    read_error[1] = EAGAIN;
    complete(&job, 20, 1);
    assert_int_equal(read_error[0], 0);
    job = job_of(NO_FAULT, NONE, NONE);
    read_error[0] = EIO;
    fails(&job, 20, 1, ERR_TOOL, "a process for a test: Input/output error; expected");
}

/* A result whose writing is interrupted is written again; one that cannot be written is a death. */
static void writing_fails(void **state)
{
    (void)state;
    struct job job = job_of(NO_FAULT, NONE, NONE);
    write_error = EINTR;
    complete(&job, 20, 1);
    assert_int_equal(job.deaths, 0);
    write_error = EIO;
    job = job_of(NO_FAULT, NONE, NONE);
    complete(&job, 1, 1);
    write_error = 0;
    assert_int_equal(job.deaths, 1);
    assert_int_equal(WEXITSTATUS(job.status), 1);
}

/* Waiting for output, and for the end of a process that has closed its pipe, is interrupted. */
static void signals_interrupt_waiting(void **state)
{
    (void)state;
    struct job job = job_of(CLOSES, 1, NONE);
    job.slow = 0;
    alarm_with(ignore, 5);
    complete(&job, 3, 1);
    alarm_with(ignore, 0);
    assert_int_equal(job.deaths, 1);
    assert_int_equal(job.died, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_work_is_done_once),
        cmocka_unit_test(a_pool_has_as_many_workers_as_processors),
        cmocka_unit_test(a_death_is_reported_and_the_others_continue),
        cmocka_unit_test(a_result_has_no_memory),
        cmocka_unit_test(a_result_is_cut_off),
        cmocka_unit_test(a_receiver_refuses),
        cmocka_unit_test(no_process_can_be_started),
        cmocka_unit_test(the_limit_of_descriptors_is_reached),
        cmocka_unit_test(reading_fails),
        cmocka_unit_test(writing_fails),
        cmocka_unit_test(signals_interrupt_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
