/* SPDX-License-Identifier: Apache-2.0 */
/* JSON parts of reports in the public library. */
#include "lib/roundcast/json.h"

#include "lib/inside.h"
#include "lib/report/run_json.h"

bool roundcast_json_print(FILE *to, json_t *root, struct roundcast_error *error)
{
    struct err err = {0};
    return report_json(to, root, &err) || inside_fail(&err, error);
}

void roundcast_json_append(json_t **array, json_t *item)
{
    report_json_append(array, item);
}

void roundcast_json_set(json_t **object, const char *key, json_t *value)
{
    report_json_set(object, key, value);
}

json_t *roundcast_json_text(const char *text)
{
    return report_json_text(text);
}

json_t *roundcast_json_bytes(const char *bytes, size_t count)
{
    return report_json_bytes(bytes, count);
}

json_t *roundcast_json_end(bool times, uint64_t end, uint32_t ticks)
{
    char text[RATIONAL_TEXT];
    return times ? json_string(rational_text(end, ticks, text)) : json_integer((json_int_t)end);
}

json_t *roundcast_json_error(const struct roundcast_error *error)
{
    const struct err err = inside_err(error);
    return report_json_error(&err);
}
