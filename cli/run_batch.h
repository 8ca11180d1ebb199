/* SPDX-License-Identifier: Apache-2.0 */
/* run_batch: `roundcast run --batch`. */
#ifndef ROUNDCAST_CLI_RUN_BATCH_H
#define ROUNDCAST_CLI_RUN_BATCH_H

#include "cli/options_batch.h"

/* Do the lines of a file, of which argv has the options of all, and report. Nothing is run unless
 * all lines can be. False with the worst of what came, the first of its kind, and with how many
 * more. Errors: those of lines_read, run_check_line, pool_run and of runs. */
bool run_batch(const struct options_batch *options, int argc, char **argv, bool json,
               struct err *err);

#endif
