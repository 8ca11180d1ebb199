/* SPDX-License-Identifier: Apache-2.0 */
/* shell: quotes words for a shell, and runs external programs. */
#ifndef ROUNDCAST_SWEEP_SHELL_H
#define ROUNDCAST_SWEEP_SHELL_H

#include "sched/base/err.h"

#include <stddef.h>

/* Writes a word, quoted for a shell if necessary. */
void shell_quote(FILE *to, const char *word);

/* Checks that the program is on PATH. E501 names its package. */
bool shell_has(const char *program, const char *package, struct err *err);

/* Runs a command line in a shell and stores its output, including standard error, cut to size - 1
 * bytes. Returns its exit status; -1 if it cannot be run. */
int shell_run(const char *line, char *printed, size_t size);

#endif
