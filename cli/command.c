/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include "lib/roundcast.h"

#include <stdio.h>
#include <string.h>

const struct command *const command_table[] = {
#define COMMAND_ENTRY(name) &command_##name,
    COMMAND_TABLE(COMMAND_ENTRY)
#undef COMMAND_ENTRY
};

const size_t command_count = sizeof command_table / sizeof *command_table;

const struct command *command_find(const char *name)
{
    for (size_t which = 0; which < command_count; which++)
        if (strcmp(command_table[which]->name, name) == 0)
            return command_table[which];
    return NULL;
}

/* -- Options of the fields of a request -------------------------------------------------------- */

/* Returns the letter of a field: of this command, else of a request, else of another command; 0:
 * none. */
static char letter_of(const struct command *command, const char *name)
{
    const struct roundcast_field *field = NULL;
    struct roundcast_field row;
    if (command != NULL)
        field = roundcast_field_find(command->own, command->own_count, name);
    for (size_t which = 0; field == NULL && roundcast_field_at(which, &row); which++)
        field = strcmp(row.name, name) == 0 ? &row : NULL;
    for (size_t which = 0; field == NULL && which < command_count; which++)
        field =
            roundcast_field_find(command_table[which]->own, command_table[which]->own_count, name);
    return field != NULL ? field->letter : '\0';
}

const char *option_name(const struct command *command, const char *field,
                        char name[ROUNDCAST_ERROR_OPTION])
{
    char letter = letter_of(command, field);
    if (strcmp(field, "algorithm") == 0)
        snprintf(name, ROUNDCAST_ERROR_OPTION, "ALGORITHM");
    else if (letter != '\0')
        snprintf(name, ROUNDCAST_ERROR_OPTION, "-%c", letter);
    else
        snprintf(name, ROUNDCAST_ERROR_OPTION, "--%.40s", field);
    return name;
}

static const char *name_of(const void *with, const char *field, char name[ROUNDCAST_ERROR_OPTION])
{
    return option_name(with, field, name);
}

struct roundcast_naming option_naming(const struct command *command)
{
    return (struct roundcast_naming){name_of, command};
}
