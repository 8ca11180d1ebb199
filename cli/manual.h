/* SPDX-License-Identifier: Apache-2.0 */
/* manual: the commands and their options for other readers than a person at a terminal, from the
 * same texts as --help. */
#ifndef ROUNDCAST_MANUAL_H
#define ROUNDCAST_MANUAL_H

#include "cli/command.h"

/* Prints the page of a command, section 1, in roff. */
void manual_command(const struct command *command);

/* Prints the page of roundcast itself. */
void manual_program(void);

/* Prints the words that completion offers, a line each, with tabs between them:
 *
 *     command  NAME  ARGUMENTS  TEXT
 *     value    ALGORITHM  NAME  TEXT
 *     option   COMMAND  --LONG  -SHORT  VALUE  TEXT  OFFER
 *
 * OFFER is what the value of an option may be: "files", "folders", "values A B …", or nothing. A
 * value that ends in a colon goes on. */
void manual_table(void);

#endif
