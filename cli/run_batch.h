/* SPDX-License-Identifier: Apache-2.0 */
/* run_batch: `roundcast run --batch`. */
#ifndef ROUNDCAST_CLI_RUN_BATCH_H
#define ROUNDCAST_CLI_RUN_BATCH_H

#include "sched/base/err.h"

#include <stddef.h>

struct run_batch_options {
    const char *file;        /* of the lines */
    uint32_t jobs;           /* lines at a time; 0: one a processor */
    bool json;               /* how to report */
    const char *const *word; /* word[words], of argv: those that are for the batch, not its lines */
    size_t words;
};

/* Do the lines of a file, of which argv has the options of all, and report. Nothing is run unless
 * all lines can be. False with the worst of what came, the first of its kind, and with how many
 * more. Errors: those of lines_read, run_check_line, pool_run and of runs. */
bool run_batch(const struct run_batch_options *options, int argc, char **argv, struct err *err);

#endif
