/* SPDX-License-Identifier: Apache-2.0 */
/* outcome: what a command line came to that a process of a pool did. */
#ifndef ROUNDCAST_SWEEP_OUTCOME_H
#define ROUNDCAST_SWEEP_OUTCOME_H

#include "sched/base/err.h"

#include <stddef.h>

/* Do a command line, and print its report as JSON. False with err. */
typedef bool outcome_run(int argc, char **argv, FILE *to, struct err *err);

struct outcome {
    struct err err; /* ERR_NONE: none */
    int status;     /* that a shell would see */
    double seconds;
    const char *report; /* of size bytes; NULL if the process died without */
    size_t size;
};

/* In a process of its own: do it with one thread, and write what came of it. `argv` may be NULL,
 * for want of memory. */
void outcome_write(outcome_run *run, int argc, char **argv, FILE *to);

/* What a pool hands on of a work, which messages call `work`; the report stays where it is. */
void outcome_read(struct outcome *outcome, const char *work, const char *bytes, size_t size,
                  int status);

#endif
