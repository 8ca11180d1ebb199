/* SPDX-License-Identifier: Apache-2.0 */
/* run_batch: runs `roundcast run --batch`. */
#ifndef ROUNDCAST_CLI_RUN_BATCH_H
#define ROUNDCAST_CLI_RUN_BATCH_H

#include "cli/batch.h"
#include "lib/roundcast/error.h"

#include <stddef.h>

struct run_batch_options {
    const char *file;        /* the file of the lines */
    uint32_t jobs;           /* lines run in parallel; 0: one per processor */
    bool json;               /* report in JSON */
    const char *const *word; /* word[words], of argv: words that apply to the batch, not to its
                              * lines */
    size_t words;
};

/* Runs the lines of a file, with the options of argv as defaults, and reports. Nothing is run
 * unless all lines are valid. Returns false with the first of the worst errors and the number of
 * the others. Errors: those of lines_read, run_check_line, pool_run and of runs. */
bool run_batch(const struct run_batch_options *options, int argc, char **argv,
               struct roundcast_error *err);

/* Prints a row for each line, and the totals. E104. */
bool batch_report_text(const struct batch *batch, const struct batch_result result[],
                       double seconds, struct roundcast_error *err);

/* Prints the report of each line and the totals as JSON; `breach` is the error of the batch, or
 * ROUNDCAST_E_NONE. E104, E202. */
bool batch_report_json(const struct batch *batch, const struct batch_result result[],
                       const struct roundcast_error *breach, double seconds,
                       struct roundcast_error *err);

#endif
