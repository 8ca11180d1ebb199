/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/option_name.h"

#include "cli/command.h"
#include "sched/request/request.h"

#include <stdio.h>
#include <string.h>

static const struct command *const commands[] = {
#define COMMAND_ENTRY(name) &command_##name,
    COMMAND_TABLE(COMMAND_ENTRY)
#undef COMMAND_ENTRY
};

static const struct command *running;

void option_name_command(const struct command *command)
{
    running = command;
}

/* The letter of a field, of the running command, of a request or of another command; 0: none. */
static char letter_of(const char *name)
{
    const struct field *field = NULL;
    if (running != NULL)
        field = field_find(running->own, running->own_count, name);
    if (field == NULL)
        field = field_find(request_fields, request_field_count, name);
    for (size_t which = 0; field == NULL && which < sizeof commands / sizeof *commands; which++)
        field = field_find(commands[which]->own, commands[which]->own_count, name);
    return field != NULL ? field->letter : '\0';
}

const char *option_name_key(const char *field, char name[ERR_FIELD_NAME])
{
    char letter = letter_of(field);
    if (letter != '\0')
        snprintf(name, ERR_FIELD_NAME, "%c", letter);
    else
        snprintf(name, ERR_FIELD_NAME, "%s", field);
    return name;
}

const char *option_name(const char *field, char name[ERR_FIELD_NAME])
{
    char letter = letter_of(field);
    if (strcmp(field, "algorithm") == 0)
        snprintf(name, ERR_FIELD_NAME, "ALGORITHM");
    else if (letter != '\0')
        snprintf(name, ERR_FIELD_NAME, "-%c", letter);
    else
        snprintf(name, ERR_FIELD_NAME, "--%.40s", field);
    return name;
}
