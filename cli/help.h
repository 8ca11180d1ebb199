/* SPDX-License-Identifier: Apache-2.0 */
/* help: what `roundcast COMMAND --help` prints, from the tables of fields. */
#ifndef ROUNDCAST_HELP_H
#define ROUNDCAST_HELP_H

#include "cli/command.h"

/* Returns the heading of a group of options. */
const char *help_group(enum roundcast_field_group group);

/* Prints a command's usage, its options by groups, and its examples. Lines have at most 100
 * columns, fewer on a narrow terminal. */
void help_command(const struct command *command);

#endif
