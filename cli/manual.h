/* SPDX-License-Identifier: Apache-2.0 */
/* manual: prints the commands and their options for man pages and shell completion, from the same
 * texts as --help. */
#ifndef ROUNDCAST_MANUAL_H
#define ROUNDCAST_MANUAL_H

#include "cli/command.h"

/* Prints the man page of a command, section 1, in roff. */
void manual_command(const struct command *command);

/* Prints the man page of roundcast itself. */
void manual_program(void);

/* Prints the words for completion, one per line, with fields separated by tabs:
 *
 *     command  NAME  ARGUMENTS  TEXT
 *     value    ALGORITHM  NAME  TEXT
 *     option   COMMAND  --LONG  -SHORT  VALUE  TEXT  OFFER
 *
 * OFFER lists the valid values of an option: "files", "folders", "values A B …", or nothing. A
 * value that ends in a colon is continued by the user. */
void manual_table(void);

#endif
