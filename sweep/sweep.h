/* SPDX-License-Identifier: Apache-2.0 */
/* sweep: runs the points of a study that have no row yet, and stores their rows. */
#ifndef ROUNDCAST_SWEEP_SWEEP_H
#define ROUNDCAST_SWEEP_SWEEP_H

#include "sched/base/err.h"
#include "sweep/results.h"
#include "sweep/study.h"

#include <stddef.h>

struct sweep_options {
    unsigned workers;    /* processes at once, 1 … POOL_MAX_WORKERS */
    bool again;          /* also run points whose row has an error */
    const char *version; /* version of the program */
};

struct sweep_report {
    uint64_t product, points; /* all combinations, and those that are not excluded */
    uint64_t before;          /* points that already had a row */
    uint64_t done;            /* points run now */
    uint64_t failed;          /* points whose row has an error */
    double seconds;
};

/* Points of a study, by their numbers in ascending order. */
struct sweep_points {
    size_t count;
    uint64_t *number; /* [count]; owned */
};

/* Finds the points that have no row, or with `again` a row with an error. E104, E202. Free
 * points->number. */
bool sweep_missing(const struct study *study, struct results *results, bool again,
                   struct sweep_report *report, struct sweep_points *points, struct err *err);

/* Runs these points on this machine, and adds their rows. A signal that ends the program is held
 * until the rows have been stored. E104, E202, E501. */
bool sweep_run(const struct study *study, const struct sweep_points *points,
               struct results *results, const struct sweep_options *options,
               struct sweep_report *report, struct err *err);

/* -- Runs in processes of a pool --------------------------------------------------------------- */

/* The result of a run in a process of a pool. */

/* Executes run number `which` of the context and prints its report, or its error, in JSON. Returns
 * false with err. */
typedef bool outcome_run(const void *context, size_t which, FILE *to, struct err *err);

struct outcome {
    struct err err; /* ERR_NONE: none */
    int status;     /* the exit status that a shell would see */
    double seconds;
    const char *report; /* `size` bytes; NULL if the process died without a report */
    size_t size;
};

/* Executes a run with one thread and writes its outcome; called in its own process. */
void outcome_write(outcome_run *run, const void *context, size_t which, FILE *to);

/* Reads the result that a pool received; `work` is its name in messages. The report points into
 * `bytes`. */
void outcome_read(struct outcome *outcome, const char *work, const char *bytes, size_t size,
                  int status);

#endif
