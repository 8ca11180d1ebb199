/* SPDX-License-Identifier: Apache-2.0 */
/* batch: the command lines of a file, combined with the options for all lines. */
#ifndef ROUNDCAST_CLI_BATCH_H
#define ROUNDCAST_CLI_BATCH_H

#include "lib/roundcast.h"

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

#endif
