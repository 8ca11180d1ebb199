/* SPDX-License-Identifier: Apache-2.0 */
/* batch: command lines of a file that run in parallel. */
#ifndef ROUNDCAST_SWEEP_BATCH_H
#define ROUNDCAST_SWEEP_BATCH_H

#include "sweep/lines.h"
#include "sweep/outcome.h"

struct batch {
    const char *name; /* of the file, for messages */
    struct lines lines;
    char *const *defaults; /* defaults[default_count]: words before those of each line */
    size_t default_count;
};

/* The result of a line. */
struct batch_result {
    struct err *err; /* NULL: it holds */
    int status;
    char *report; /* JSON of size bytes; NULL if its process died without */
    size_t size;
};

/* Returns "run", `own` (NULL: nothing), the defaults and the words of the line as argv[argc], with
 * a NULL after them. Free the array; the words belong to the batch. NULL with E104. */
char **batch_command(const struct batch *batch, size_t which, const char *own, int *argc,
                     struct err *err);

/* Returns the same without `own`, quoted for a shell: "roundcast run …". Free it. NULL if there is
 * no memory. */
char *batch_text(const struct batch *batch, size_t which);

/* Sets an error to `refusal` with "FILE:LINE: " before its text, and returns false. */
bool batch_refuse(const struct batch *batch, size_t which, const struct err *refusal,
                  struct err *err);

/* Runs all lines in `workers` processes, with run(batch, line). result[lines.count], which must be
 * zero, has the order of the lines. A signal that ends the program ends them first. E104, E501.
 * Free the results, also after an error. */
bool batch_run(const struct batch *batch, unsigned workers, outcome_run *run,
               struct batch_result result[], struct err *err);
void batch_free_results(struct batch_result result[], size_t count);

#endif
