/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/request/request.h"

#include "sched/base/text.h"

#include <string.h>

struct request request_default(void)
{
    return (struct request){
        .problem = {.seed = 1}, .machine.machine.width = 16, .run = {.engine = RUN_BOTH}};
}

/* Returns the bit of the first row with this offset. */
static uint64_t bit_of(size_t offset)
{
    size_t which = 0;
    while (request_fields[which].offset != offset)
        which++;
    return UINT64_C(1) << which;
}

bool request_has_at(const struct request *request, size_t offset)
{
    return (request->given & bit_of(offset)) != 0;
}

void request_mark_at(struct request *request, size_t offset)
{
    request->given |= bit_of(offset);
}

bool request_set(struct request *request, const struct field *field, const char *text,
                 struct err *err)
{
    if (!field_parse(field, request, text, err))
        return false;
    request_mark_at(request, field->offset);
    return true;
}

bool field_set(struct request *request, const char *name, const char *text, struct err *err)
{
    const struct field *field = field_find(request_fields, request_field_count, name);
    if (field != NULL && field->type == FIELD_FLAG && text[0] != '\0' && strcmp(text, "yes") != 0)
        return field_reject(err, ERR_OPTION, name,
                            ": '%.40s' is not a value of a flag; expected yes", text);
    if (field != NULL)
        return request_set(request, field, text, err);
    char hint[TEXT_HINT];
    struct text_nearest nearest = {0};
    for (size_t which = 0; which < request_field_count; which++)
        text_look(&nearest, name, request_fields[which].name);
    return err_set(err, ERR_OPTION, "'%.40s' is not a field of a request%s", name,
                   text_hint(&nearest, hint));
}
