/* SPDX-License-Identifier: Apache-2.0 */
/* filter: runs another program that reads one file and writes another, such as `dot` or
 * `gnuplot`. */
#ifndef ROUNDCAST_FILTER_H
#define ROUNDCAST_FILTER_H

#include "sched/base/err.h"

struct filter {
    const char *what; /* its name in error messages, "dot -Tsvg" */
    /* the package that provides the program: "Graphviz (the package graphviz)" */
    const char *expected;
    char *const *arguments; /* argv: the program first, ending with NULL */
};

/* Opens an unnamed temporary file for the input of a filter; closing removes it. NULL with E202. */
FILE *filter_input(struct err *err);

/* Rewinds the file after it has been written. E202 if writing failed, for example on a full
 * disk. */
bool filter_rewind(FILE *file, struct err *err);

/* Runs the program with input from the start of `from`, which is flushed first, and output to `to`,
 * and waits until it has ended. A signal that ends this program also ends the filter. E202 if a
 * file or the disk was full, E501. */
bool filter_run(const struct filter *filter, FILE *from, FILE *to, struct err *err);

#endif
