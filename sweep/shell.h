/* SPDX-License-Identifier: Apache-2.0 */
/* shell: words for a shell, and programs that others have. */
#ifndef ROUNDCAST_SWEEP_SHELL_H
#define ROUNDCAST_SWEEP_SHELL_H

#include "sched/base/err.h"

#include <stddef.h>

/* Write a word as a shell takes it. */
void shell_quote(FILE *to, const char *word);

/* Is the program on PATH? E501 names its package. */
bool shell_has(const char *program, const char *package, struct err *err);

/* Run a command line of a shell, and keep what it prints, standard error too, cut to size - 1
 * bytes. Returns its exit status; -1 if it cannot be run. */
int shell_run(const char *line, char *printed, size_t size);

#endif
