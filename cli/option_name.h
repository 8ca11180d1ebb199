/* SPDX-License-Identifier: Apache-2.0 */
/* option_name: what the command line calls a field of a request. */
#ifndef ROUNDCAST_OPTION_NAME_H
#define ROUNDCAST_OPTION_NAME_H

#include "lib/roundcast/error.h"

struct command;

/* Sets the command whose own options come first where two commands have one name, such as
 * "order". */
void option_name_command(const struct command *command);

/* Returns the option of a field: "-n" for "nodes", "--tree" for "tree". For err_text. */
const char *option_name(const char *field, char name[ROUNDCAST_ERROR_OPTION]);

/* Returns the key of a field in a study, its option without hyphens: "n", "tree". For err_text. */
const char *option_name_key(const char *field, char name[ROUNDCAST_ERROR_OPTION]);

#endif
