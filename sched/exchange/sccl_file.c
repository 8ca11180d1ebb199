/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/sccl.h"

#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

bool sccl_wrong(const struct sccl_file *file, struct err *err, enum err_code code,
                const char *format, ...)
{
    struct err inner;
    va_list args;
    va_start(args, format);
    err_vset(&inner, code, format, args);
    va_end(args);
    return err_at(err, &inner, "%s", file->name);
}

bool sccl_array(const struct sccl_file *file, const json_t *object, const char *where,
                const char *key, const json_t **array, struct err *err)
{
    *array = json_object_get(object, key);
    return json_is_array(*array) ||
           sccl_wrong(file, err, ERR_SYNTAX, "%s: no array '%s'; expected one", where, key);
}

bool sccl_node(const struct sccl_file *file, const json_t *value, const char *where, uint32_t *node,
               struct err *err)
{
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value))
        return sccl_wrong(file, err, ERR_SYNTAX, "%s: no number; expected a node", where);
    if (number < 0 || number >= (json_int_t)file->nodes)
        return sccl_wrong(file, err, ERR_FIELD_RANGE,
                          "%s: node %" JSON_INTEGER_FORMAT "; expected 0 … %" PRIu32, where, number,
                          file->nodes - 1);
    *node = (uint32_t)number;
    return true;
}

bool sccl_check_send(const struct sccl_file *file, const json_t *send, const char *where,
                     struct err *err)
{
    static const char *const values[] = {
        [3] = "", [5] = ", time, link", [6] = ", time, link, operation"};
    return (json_array_size(send) == file->send_values &&
            json_is_integer(json_array_get(send, 0))) ||
           sccl_wrong(file, err, ERR_SYNTAX, "%s: no send; expected [addr, source, destination%s]",
                      where, values[file->send_values]);
}

static int by_number(const void *left, const void *right)
{
    const json_int_t *a = left, *b = right;
    return COMPARE(*a, *b);
}

bool sccl_combines(const json_t *chunks, bool *combines, struct err *err)
{
    size_t count = json_array_size(chunks);
    json_int_t *address = calloc(count + 1, sizeof *address);
    *combines = false;
    if (address == NULL)
        return err_no_memory(err, "%zu chunks", count);
    for (size_t k = 0; k < count; k++)
        address[k] = json_integer_value(json_object_get(json_array_get(chunks, k), "addr"));
    qsort(address, count, sizeof *address, by_number);
    for (size_t k = 1; k < count; k++)
        *combines = *combines || address[k] == address[k - 1];
    free(address);
    return true;
}
