/* SPDX-License-Identifier: Apache-2.0 */
/* manual: the commands and their options for other readers than a person at a terminal, from the
 * same texts as --help. */
#ifndef ROUNDCAST_MANUAL_H
#define ROUNDCAST_MANUAL_H

#include "cli/command.h"

#include <argp.h>

/* How a command's hidden option --manual=FORM prints its options. */
#define MANUAL_PAGE "page"   /* a page of man, section 1, in roff */
#define MANUAL_TABLE "table" /* a line for each: option COMMAND LONG SHORT VALUE TEXT, by tabs */

/* Print a command's options in a form. E101 for a form that is neither. */
bool manual_command(const struct argp *argp, const char *name, const char *form, struct err *err);

/* `roundcast help --manual`: the page of roundcast itself, for commands[count]. */
void manual_program(const struct command *const commands[], size_t count);

/* `roundcast help --table`: the names that completion offers, a line each: command NAME ARGUMENTS
 * TEXT, and value KIND NAME TEXT (KIND: ALGORITHM, MODEL, ENGINE), by tabs. The commands' own
 * tables follow. */
void manual_names(const struct command *const commands[], size_t count);

#endif
