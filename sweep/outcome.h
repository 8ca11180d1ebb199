/* SPDX-License-Identifier: Apache-2.0 */
/* outcome: the result of a run that a process of a pool did. */
#ifndef ROUNDCAST_SWEEP_OUTCOME_H
#define ROUNDCAST_SWEEP_OUTCOME_H

#include "sched/base/err.h"

#include <stddef.h>

/* Executes run number `which` of the context, and prints its report, or its error, as JSON. Returns
 * false with err. */
typedef bool outcome_run(const void *context, size_t which, FILE *to, struct err *err);

struct outcome {
    struct err err; /* ERR_NONE: none */
    int status;     /* that a shell would see */
    double seconds;
    const char *report; /* of size bytes; NULL if the process died without */
    size_t size;
};

/* In a process of its own: does a run with one thread, and writes its outcome. */
void outcome_write(outcome_run *run, const void *context, size_t which, FILE *to);

/* Reads the result of a work from its pool; messages call it `work`. The report points into
 * `bytes`. */
void outcome_read(struct outcome *outcome, const char *work, const char *bytes, size_t size,
                  int status);

#endif
