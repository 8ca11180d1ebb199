/* SPDX-License-Identifier: Apache-2.0 */
/* run: a run by its command line, for batches. */
#ifndef ROUNDCAST_CLI_RUN_H
#define ROUNDCAST_CLI_RUN_H

#include "lib/roundcast.h"

/* Files that a command line writes; NULL: none. */
struct run_files {
    const char *waves, *page;
};

/* Checks the options of a line of a batch, their values and the algorithm one by one, and that none
 * is for the whole batch; *files gets the files that the line writes. E101, E102, E103, E401. */
bool run_check_line(int argc, char **argv, struct run_files *files, struct roundcast_error *err);

/* Reads a command line into the request of its run, and checks it as far as that is possible before
 * there is a schedule, including its payload and its matrix. Texts stay those of argv. Errors:
 * those of `run`. */
bool run_read_all(int argc, char **argv, struct roundcast_request *request,
                  struct roundcast_error *err);

#endif
