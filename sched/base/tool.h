/* SPDX-License-Identifier: Apache-2.0 */
/* tool: another program that does a part of a command's work. */
#ifndef ROUNDCAST_TOOL_H
#define ROUNDCAST_TOOL_H

#include "sched/base/err.h"

/* Is there such a program on PATH? */
bool tool_found(const char *name);

/* Run argument[0], found on PATH, from one descriptor to another, and wait for its end, of which
 * *status says how (waitpid). A signal that ends this program ends it, too. `expected` says what it
 * is of, for messages. E501 if it does not run. */
bool tool_run(char *const argument[], int from, int to, const char *expected, int *status,
              struct err *err);

#endif
