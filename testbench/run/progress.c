/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/run/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define CALLS_A_LOOK 256
#define SECONDS_BEFORE 1.0
#define SECONDS_BETWEEN 0.2

double progress_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

struct progress progress_begin(const char *what, uint64_t total)
{
    double now = progress_seconds();
    return (struct progress){.what = what,
                             .total = total,
                             .watched = isatty(STDERR_FILENO) != 0,
                             .begun = now,
                             .next = now + SECONDS_BEFORE};
}

void progress_show(struct progress *progress, uint64_t done)
{
    double time = progress_seconds();
    if (!progress->watched || time < progress->next)
        return;
    progress->next = time + SECONDS_BETWEEN;
    progress->printed = true;
    fprintf(stderr, "\r%s: %" PRIu64 " of %" PRIu64, progress->what, done, progress->total);
    if (done > 0)
        fprintf(stderr, ", %.0f s left\033[K",
                (time - progress->begun) / (double)done * (double)(progress->total - done));
}

void progress_update(struct progress *progress, uint64_t done)
{
    if (!progress->watched || ++progress->calls < CALLS_A_LOOK)
        return;
    progress->calls = 0;
    progress_show(progress, done);
}

void progress_end(struct progress *progress)
{
    if (progress->printed)
        fprintf(stderr, "\r\033[K");
    *progress = (struct progress){0};
}
