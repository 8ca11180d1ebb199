/* SPDX-License-Identifier: Apache-2.0 */
/* run_batch: runs `roundcast run --batch`. */
#ifndef ROUNDCAST_CLI_RUN_BATCH_H
#define ROUNDCAST_CLI_RUN_BATCH_H

#include "lib/roundcast.h"
#include "lib/roundcast/error.h"

#include <stddef.h>

/* -- Lines and their results ------------------------------------------------------------------- */

/* The command lines of a file, combined with the options for all lines. */

struct batch {
    const char *name; /* name of the file, for messages */
    const struct roundcast_lines *lines;
    size_t count;          /* number of lines */
    char *const *defaults; /* defaults[default_count]: words inserted before those of each line */
    size_t default_count;
    struct roundcast_request *request; /* request[count]: the request of each line with the
                                        * defaults */
};

/* The result of a line. */
struct batch_result {
    struct roundcast_error *err; /* NULL: every check passed */
    char *report;                /* JSON of `size` bytes; NULL if the process died without a
                                  * report */
    size_t size;
};

/* Returns "run", the defaults (`alone`: without them) and the words of the line as argv[argc], with
 * a NULL after them. Free the array; the words belong to the batch. NULL with E104. */
char **batch_command(const struct batch *batch, size_t which, bool alone, int *argc,
                     struct roundcast_error *err);

/* Returns the command of batch_command as text, quoted for a shell: "roundcast run …". Free it.
 * NULL if there is no memory. */
char *batch_text(const struct batch *batch, size_t which, bool alone);

/* Sets err to the error of a line, with "NAME:LINE: " before its text. Returns false. */
bool batch_refuse(const struct batch *batch, size_t which, const struct roundcast_error *refusal,
                  struct roundcast_error *err);

/* Runs the requests of all lines, `jobs` at a time (0: one per core), and fills result[count]. A
 * line that fails is not an error of this function. E104, E501. Free the results with
 * batch_free_results, also after an error. */
bool batch_run(const struct batch *batch, uint32_t jobs, struct batch_result result[],
               struct roundcast_error *err);

/* Frees result[count] and what it contains. */
void batch_free_results(struct batch_result result[], size_t count);

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
