/* SPDX-License-Identifier: Apache-2.0 */
/* option_name: the command-line option of a field of a request. */
#ifndef ROUNDCAST_OPTION_NAME_H
#define ROUNDCAST_OPTION_NAME_H

#include "lib/roundcast/error.h"

struct command;

/* Writes the option of a field: "-n" for "nodes", "--tree" for "tree". Two commands may have
 * different options of the same name, such as "order": those of `command` (NULL: none) take
 * precedence, then those of a request. Returns name. */
const char *option_name(const struct command *command, const char *field,
                        char name[ROUNDCAST_ERROR_OPTION]);

/* Returns the names of option_name for roundcast_error_text. */
struct roundcast_naming option_naming(const struct command *command);

#endif
