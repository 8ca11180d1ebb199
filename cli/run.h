/* SPDX-License-Identifier: Apache-2.0 */
/* run: reads a run from a command line, for batches. */
#ifndef ROUNDCAST_CLI_RUN_H
#define ROUNDCAST_CLI_RUN_H

#include "lib/roundcast.h"

#include <stdio.h>

/* Files that a command line writes; NULL: the line does not write this file. */
struct run_files {
    const char *waves, *page;
};

/* Checks the options of a line of a batch, their values and the algorithm one by one, and that no
 * option applies to the whole batch. Stores the files that the line writes in *files. E101, E102,
 * E103, E401. */
bool run_check_line(int argc, char **argv, struct run_files *files, struct roundcast_error *err);

/* Reads a command line into the request of its run, and checks it as far as possible without a
 * schedule, including its payload and its matrix. Texts are borrowed from argv. Errors: those of
 * `run`. */
bool run_read_all(int argc, char **argv, struct roundcast_request *request,
                  struct roundcast_error *err);

/* Runs the image as the request specifies, writes the page that it requests, and prints the report
 * to a file. Returns false with the error that prevented a report, with an error of writing, or
 * with the failed check of a run: E1xx, E2xx, E4xx, E501, E6xx. */
bool run_report_print(const struct roundcast_image *image, const struct roundcast_request *request,
                      bool json, FILE *to, struct roundcast_error *err);

/* Prints the report of a schedule of roundcast_unrun. */
bool run_report_unrun(const struct roundcast_schedule *schedule,
                      const struct roundcast_request *request, bool json, FILE *to,
                      struct roundcast_error *err);

#endif
