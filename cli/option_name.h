/* SPDX-License-Identifier: Apache-2.0 */
/* option_name: what the command line calls a field of a request. */
#ifndef ROUNDCAST_OPTION_NAME_H
#define ROUNDCAST_OPTION_NAME_H

#include "lib/roundcast/error.h"

struct command;

/* Writes the option of a field: "-n" for "nodes", "--tree" for "tree". Two commands may have
 * different options of one name, such as "order": those of `command` (NULL: none) come first, then
 * those of a request. Returns name. */
const char *option_name(const struct command *command, const char *field,
                        char name[ROUNDCAST_ERROR_OPTION]);

/* Returns these words for roundcast_error_text. */
struct roundcast_naming option_naming(const struct command *command);

#endif
