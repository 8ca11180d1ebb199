/* SPDX-License-Identifier: Apache-2.0 */
/* outcome: the result of a run in a process of a pool. */
#ifndef ROUNDCAST_SWEEP_OUTCOME_H
#define ROUNDCAST_SWEEP_OUTCOME_H

#include "sched/base/err.h"

#include <stddef.h>

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
