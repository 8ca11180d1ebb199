/* SPDX-License-Identifier: Apache-2.0 */
/* progress: one line on standard error about work that takes long, if a person is watching.
 *
 * Nothing is printed within the first second, nor where standard error is not a terminal.
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
    uint32_t calls; /* since the clock was last looked at */
    double begun;   /* in seconds of the monotonic clock */
    double next;    /* when to print again */
};

/* Seconds of the monotonic clock. */
double progress_seconds(void);

/* Begin `total` units of what `what` says. */
struct progress progress_begin(const char *what, uint64_t total);

/* `done` of them are done. Cheap: the clock is read once in a while. */
void progress_update(struct progress *progress, uint64_t done);

/* The same of units that take long: the clock is read each time. */
void progress_show(struct progress *progress, uint64_t done);

/* Clear the line. */
void progress_end(struct progress *progress);

#endif
