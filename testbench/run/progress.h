/* SPDX-License-Identifier: Apache-2.0 */
/* progress: a progress line on standard error for long work, if standard error is a terminal.
 *
 * Nothing is printed within the first second, or if standard error is not a terminal.
 */
#ifndef ROUNDCAST_PROGRESS_H
#define ROUNDCAST_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    const char *what;
    uint64_t total;
    bool watched;   /* standard error is a terminal */
    bool printed;   /* there is a line to clear */
    uint32_t calls; /* since the clock was last read */
    double begun;   /* in seconds of the monotonic clock */
    double next;    /* when to print again */
};

/* Returns the seconds of the monotonic clock. */
double progress_seconds(void);

/* Begins a task of `total` units; `what` names the task. */
struct progress progress_begin(const char *what, uint64_t total);

/* Reports that `done` units are done. Cheap: the clock is read only occasionally. */
void progress_update(struct progress *progress, uint64_t done);

/* Reports progress for long units: the clock is read each time. */
void progress_show(struct progress *progress, uint64_t done);

/* Clears the line. */
void progress_end(struct progress *progress);

#endif
