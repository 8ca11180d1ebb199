/* SPDX-License-Identifier: Apache-2.0 */
/* run: a run by its command line, for batches. */
#ifndef ROUNDCAST_CLI_RUN_H
#define ROUNDCAST_CLI_RUN_H

#include "sched/base/err.h"

/* Executes the run of a command line, and prints its report, or its error, to a file as JSON.
 * Returns false with err. Precondition: argv[0] is "run", and --json is among the options. */
bool run_report(int argc, char **argv, FILE *to, struct err *err);

/* Files that a command line writes; NULL: none. */
struct run_files {
    const char *waves, *page;
};

/* Checks the options of a line of a batch, their values and the algorithm one by one, and that none
 * is for the whole batch; *files gets the files that the line writes. E101, E102, E103, E401. */
bool run_check_line(int argc, char **argv, struct run_files *files, struct err *err);

/* Checks a run as far as it can be checked before there is a schedule, including its payload and
 * its matrix. Errors: those of `run`. */
bool run_check_all(int argc, char **argv, struct err *err);

#endif
