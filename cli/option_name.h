/* SPDX-License-Identifier: Apache-2.0 */
/* option_name: the command-line option of a field of a request. */
#ifndef ROUNDCAST_OPTION_NAME_H
#define ROUNDCAST_OPTION_NAME_H

#include "sched/base/err.h"

struct command;

/* Sets the command whose own options come first where two commands have one name, such as
 * "order". */
void option_name_command(const struct command *command);

/* Returns the option of a field: "-n" for "nodes", "--tree" for "tree". For err_text. */
const char *option_name(const char *field, char name[ERR_FIELD_NAME]);

/* Returns the key of a field in a study, its option without hyphens: "n", "tree". For err_text. */
const char *option_name_key(const char *field, char name[ERR_FIELD_NAME]);

#endif
