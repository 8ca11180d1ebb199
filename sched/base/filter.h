/* SPDX-License-Identifier: Apache-2.0 */
/* filter: another program that reads one file and writes another, as `dot` and `gnuplot` do. */
#ifndef ROUNDCAST_FILTER_H
#define ROUNDCAST_FILTER_H

#include "sched/base/err.h"

struct filter {
    const char *what;       /* its name in error messages, "dot -Tsvg" */
    const char *expected;   /* where the program is from: "Graphviz (the package graphviz)" */
    char *const *arguments; /* argv: the program first, NULL after the last */
};

/* Opens a nameless temporary file for the input of a filter; closing removes it. NULL with E202. */
FILE *filter_input(struct err *err);

/* Rewinds the file after it has been written. E202 if writing failed, for example on a full
 * disk. */
bool filter_rewind(FILE *file, struct err *err);

/* Runs it from the start of `from`, which is flushed first, to `to`, and wait until it has ended. A
 * signal that ends the program ends it, too. E202 if a file was or is full, E501. */
bool filter_run(const struct filter *filter, FILE *from, FILE *to, struct err *err);

#endif
