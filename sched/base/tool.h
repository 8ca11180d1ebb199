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

#endif
