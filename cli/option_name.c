/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/option_name.h"

#include <stdio.h>
#include <string.h>

/* Fields whose option has a letter, by which messages name it. */
static const struct {
    const char *field;
    char letter;
} letters[] = {{"nodes", 'n'}, {"packets", 'm'}, {"degree", 'd'}, {"source", 's'}, {"output", 'o'},
               {"time", 't'},  {"index", 'i'},   {"packet", 'p'}, {"round", 'r'}};

const char *option_name_key(const char *field, char name[ERR_FIELD_NAME])
{
    for (size_t which = 0; which < sizeof letters / sizeof *letters; which++)
        if (strcmp(letters[which].field, field) == 0) {
            snprintf(name, ERR_FIELD_NAME, "%c", letters[which].letter);
            return name;
        }
    snprintf(name, ERR_FIELD_NAME, "%s", field);
    return name;
}

const char *option_name(const char *field, char name[ERR_FIELD_NAME])
{
    char key[ERR_FIELD_NAME];
    option_name_key(field, key);
    snprintf(name, ERR_FIELD_NAME, "%s%.40s", key[1] == '\0' ? "-" : "--", key);
    return name;
}
