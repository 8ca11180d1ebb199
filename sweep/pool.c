/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/pool.h"

#include "sched/base/compare.h"
#include "sched/base/interrupt.h"
#include "sched/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BATCH 64        /* maximum number of works of a process */
#define SHARES 8        /* a process takes 1/(SHARES · workers) of the remaining works */
#define PATIENCE 250    /* milliseconds between two calls of `rest` */
#define BLOCK (1 << 16) /* bytes read at once */

/* A process and its output so far. */
struct worker {
    pid_t process; /* 0: none */
    int from;      /* the pipe */
    size_t next, end;
    char *bytes;
    size_t size, room;
    bool ended; /* the process has ended, with this status */
    int status;
};

struct work {
    const struct pool *pool;
    struct worker worker[POOL_MAX_WORKERS];
    size_t next; /* the first work not assigned to a process */
};

unsigned pool_processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > POOL_MAX_WORKERS ? POOL_MAX_WORKERS : (unsigned)count;
}

int pool_report_death(const char *work, int status, struct err *err)
{
    if (!WIFSIGNALED(status)) {
        err_set(err, ERR_BUG, "%s: its process ended with status %d; expected a report", work,
                WEXITSTATUS(status));
        return WEXITSTATUS(status);
    }
    int signal = WTERMSIG(status);
    err_set(err, ERR_BUG, "%s: its process was ended by signal %d, %s; expected a report", work,
            signal, strsignal(signal));
    return 128 + signal;
}

static bool write_all(int to, const void *bytes, size_t size)
{
    for (const char *at = bytes; size > 0;) {
        ssize_t wrote = write(to, at, size);
        if (wrote < 0 && errno != EINTR)
            return false;
        at += MAX(wrote, 0);
        size -= (size_t)MAX(wrote, 0);
    }
    return true;
}

/* Discards standard output and error of the works: no program reads them, and messages would
 * disturb the progress line. */
static void silence(void)
{
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    if (isatty(STDERR_FILENO))
        dup2(nothing, STDERR_FILENO);
    close(nothing);
}

/* Executes a batch in the new process. The result of each work is preceded by its size. */
static void work_batch(const struct pool *pool, size_t next, size_t end, int to)
{
    silence();
    for (; next < end; next++) {
        char *bytes = NULL;
        size_t size = 0;
        FILE *into = open_memstream(&bytes, &size);
        if (into == NULL)
            break;
        pool->work(pool->context, next, into);
        bool whole = !ferror(into);
        whole = fclose(into) == 0 && whole && write_all(to, &size, sizeof size) &&
                write_all(to, bytes, size);
        free(bytes);
        if (!whole)
            break;
    }
    _exit(next < end);
}

static bool refuse_process(const struct pool *pool, struct err *err)
{
    return err_set(err, ERR_TOOL, "a process for %s: %s; expected to start one", pool->what,
                   strerror(errno));
}

/* Starts a process for the works next … end-1. */
static bool start(struct work *work, struct worker *worker, size_t next, size_t end,
                  struct err *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return refuse_process(work->pool, err);
    pid_t process = interrupt_fork();
    if (process == 0) {
        close(ends[0]);
        work_batch(work->pool, next, end, ends[1]);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return refuse_process(work->pool, err);
    }
    worker->process = process;
    worker->from = ends[0];
    worker->next = next;
    worker->end = end;
    worker->size = 0;
    worker->ended = false;
    return true;
}

/* Returns the number of works that a process takes when `left` remain: few at the end, so that no
 * process has many left when the others are done. */
static size_t batch_of(const struct pool *pool, size_t left)
{
    size_t share = pool->workers > 1 ? left / (pool->workers * SHARES) : left;
    return share < 1 ? 1 : MIN(share, BATCH);
}

/* Assigns a batch to each idle worker. */
static bool start_all(struct work *work, struct err *err)
{
    const struct pool *pool = work->pool;
    for (unsigned which = 0; which < pool->workers; which++) {
        size_t left = pool->count - work->next;
        if (work->worker[which].process != 0 || left == 0)
            continue;
        size_t batch = batch_of(pool, left);
        if (!start(work, &work->worker[which], work->next, work->next + batch, err))
            return false;
        work->next += batch;
    }
    return true;
}

/* Passes the complete results to `done`. */
static bool take(struct work *work, struct worker *worker, struct err *err)
{
    const struct pool *pool = work->pool;
    size_t at = 0, size;
    while (worker->size - at >= sizeof size) {
        memcpy(&size, worker->bytes + at, sizeof size);
        if (worker->size - at - sizeof size < size)
            break;
        at += sizeof size;
        if (!pool->done(pool->context, worker->next, worker->bytes + at, size, 0, err))
            return false;
        worker->next++;
        at += size;
    }
    memmove(worker->bytes, worker->bytes + at, worker->size - at);
    worker->size -= at;
    return true;
}

/* Waits until this worker's process has ended; other processes may end before. */
static void await(struct work *work, struct worker *worker)
{
    while (!worker->ended) {
        int status;
        pid_t process = interrupt_wait(&status);
        if (process < 0 && errno != EINTR)
            return;
        for (unsigned which = 0; which < work->pool->workers; which++)
            if (work->worker[which].process == process) {
                work->worker[which].ended = true;
                work->worker[which].status = status;
            }
    }
}

/* Handles the end of a process, which has closed its pipe: it has completed its batch or died. */
static bool finish(struct work *work, struct worker *worker, struct err *err)
{
    const struct pool *pool = work->pool;
    await(work, worker);
    close(worker->from);
    worker->process = 0;
    if (worker->next == worker->end || interrupt_came())
        return true;
    if (!pool->done(pool->context, worker->next++, NULL, 0, worker->status, err))
        return false;
    return worker->next == worker->end || start(work, worker, worker->next, worker->end, err);
}

static bool receive(struct work *work, struct worker *worker, struct err *err)
{
    char *more = memory_grow(worker->bytes, worker->size + BLOCK, &worker->room, sizeof *more);
    if (more == NULL)
        return err_no_memory(err, "the results of %s", work->pool->what);
    worker->bytes = more;
    ssize_t got = read(worker->from, worker->bytes + worker->size, BLOCK);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN || refuse_process(work->pool, err);
    if (got == 0)
        return finish(work, worker, err);
    worker->size += (size_t)got;
    return take(work, worker, err);
}

/* Waits a limited time for any worker. Returns false if no worker remains, or with err. */
static bool serve(struct work *work, struct err *err)
{
    const struct pool *pool = work->pool;
    struct pollfd watched[POOL_MAX_WORKERS];
    bool some = false;
    for (unsigned which = 0; which < pool->workers; which++) {
        const struct worker *worker = &work->worker[which];
        some = some || worker->process != 0;
        watched[which] =
            (struct pollfd){.fd = worker->process != 0 ? worker->from : -1, .events = POLLIN};
    }
    if (!some)
        return false;
    if (poll(watched, pool->workers, PATIENCE) < 0 && errno != EINTR)
        return refuse_process(pool, err);
    for (unsigned which = 0; which < pool->workers; which++)
        if (watched[which].fd >= 0 && (watched[which].revents & (POLLIN | POLLHUP)) != 0 &&
            !receive(work, &work->worker[which], err))
            return false;
    return pool->rest == NULL || pool->rest(pool->context, err);
}

/* Ends the processes that are still running. */
static void end(struct work *work)
{
    for (unsigned which = 0; which < work->pool->workers; which++) {
        struct worker *worker = &work->worker[which];
        if (worker->process != 0 && !worker->ended)
            kill(-worker->process, SIGTERM);
        if (worker->process != 0) {
            await(work, worker);
            close(worker->from);
        }
        free(worker->bytes);
    }
}

bool pool_run(const struct pool *pool, struct err *err)
{
    struct work *work = calloc(1, sizeof *work);
    if (work == NULL)
        return err_no_memory(err, "the processes of %s", pool->what);
    work->pool = pool;
    bool running = true;
    while (running && !interrupt_came())
        running = start_all(work, err) && serve(work, err);
    bool whole = err->code == ERR_NONE;
    end(work);
    free(work);
    return whole;
}
