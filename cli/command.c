/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

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
