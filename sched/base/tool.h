/* SPDX-License-Identifier: Apache-2.0 */
/* tool: runs another program for a part of a command's work. */
#ifndef ROUNDCAST_TOOL_H
#define ROUNDCAST_TOOL_H

#include "sched/base/err.h"

/* Returns true if the program is on PATH. */
bool tool_found(const char *name);

/* Runs argument[0], found on PATH, with input and output descriptors, and waits until it ends;
 * *status is its status as of waitpid. A signal that ends this program also ends the tool. Messages
 * name the package of the tool, `expected`. E501 if it does not run. */
bool tool_run(char *const argument[], int from, int to, const char *expected, int *status,
              struct err *err);

/* -- Filters ----------------------------------------------------------------------------------- */

/* Runs another program that reads one file and writes another, such as `dot` or `gnuplot`. */

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
