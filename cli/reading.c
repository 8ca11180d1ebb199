/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/reading.h"

#include <string.h>

const char *reading_format_choice(unsigned which)
{
    struct roundcast_format format;
    for (unsigned index = 0; roundcast_format_at(index, &format); index++)
        if (format.read && which-- == 0)
            return format.name;
    return NULL;
}

const char *reading_collective_choice(unsigned which)
{
    struct roundcast_field field;
    for (size_t index = 0; roundcast_field_at(index, &field); index++)
        if (strcmp(field.name, "collective") == 0)
            return field.choice(which);
    return NULL;
}

/* Checks a text as the value of a field of a request. */
static bool check(const char *field, const char *text, struct roundcast_error *err)
{
    struct roundcast_request request;
    return roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, err) &&
           roundcast_set(&request, field, text, err);
}

bool reading_set_collective(void *base, const char *text, struct roundcast_error *err)
{
    struct reading_options *options = base;
    options->how.collective = text;
    return check("collective", text, err);
}

struct roundcast_schedule *reading_load(const struct reading_options *options, const char *path,
                                        struct roundcast_format *format,
                                        struct roundcast_error *err)
{
    struct roundcast_reading how = options->how;
    how.rules = &options->common.request;
    return roundcast_load(path, &how, format, err);
}

struct roundcast_schedule *reading_by_rules(const struct roundcast_request *request,
                                            const char *path, struct roundcast_error *err)
{
    const struct roundcast_reading how = {
        .model = request->model, .nodes = request->nodes, .rules = request};
    return roundcast_load(path, &how, NULL, err);
}
