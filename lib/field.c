/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of the public library: converts the rows of sched/request to public rows, and reads rows
 * that programs define. */
#include "lib/inside.h"

#include <string.h>

_Static_assert((int)ROUNDCAST_FIELD_CHOICE == FIELD_CHOICE, "types have the same numbers");
_Static_assert((int)ROUNDCAST_FIELD_GROUPS == FIELD_GROUPS, "groups have the same numbers");
_Static_assert((int)ROUNDCAST_FOR_READING == FIELD_FOR_READING, "uses have the same bits");

bool roundcast_field_at(size_t index, struct roundcast_field *field)
{
    if (index >= request_field_count)
        return false;
    const struct field *row = &request_fields[index];
    *field = (struct roundcast_field){.name = row->name,
                                      .letter = row->letter,
                                      .argument = row->argument,
                                      .help = row->help,
                                      .group = (enum roundcast_field_group)row->group,
                                      .type = (enum roundcast_field_type)row->type,
                                      .minimum = row->minimum,
                                      .maximum = row->maximum,
                                      .choice = row->choice,
                                      .commands = row->commands,
                                      .rejected = row->rejected};
    return true;
}

const struct roundcast_field *roundcast_field_find(const struct roundcast_field field[],
                                                   size_t count, const char *name)
{
    for (size_t which = 0; which < count; which++)
        if (strcmp(field[which].name, name) == 0)
            return &field[which];
    return NULL;
}

bool roundcast_field_parse(const struct roundcast_field *field, void *base, const char *text,
                           struct roundcast_error *error)
{
    struct err err = {0};
    const struct field row = {.name = field->name,
                              .type = (enum field_type)field->type,
                              .offset = field->offset,
                              .minimum = field->minimum,
                              .maximum = field->maximum,
                              .choice = field->choice};
    if (field->set != NULL)
        return field->set(base, text, error);
    return field_parse(&row, base, text, &err) || inside_fail(&err, error);
}

bool roundcast_field_number(const char *name, const char *text, uint64_t minimum, uint64_t maximum,
                            uint64_t *value, struct roundcast_error *error)
{
    struct err err = {0};
    return field_number(name, text, minimum, maximum, value, &err) || inside_fail(&err, error);
}

bool roundcast_field_choose(const char *name, const char *text,
                            const char *(*choice)(unsigned which), unsigned *which,
                            struct roundcast_error *error)
{
    struct err err = {0};
    return field_choose(name, text, choice, which, &err) || inside_fail(&err, error);
}

const char *roundcast_field_choices(const char *(*choice)(unsigned which), char text[], size_t size)
{
    return field_choices(choice, text, size);
}
