/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/report/run_json.h"

#include "sched/base/files.h"
#include "sched/base/json_text.h"
#include "sched/base/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool report_json(FILE *to, json_t *root, struct err *err)
{
    size_t size;
    char *text = json_text(root, JSON_INDENT(2), &size);
    json_decref(root);
    if (text == NULL)
        return err_no_memory(err, "the report");
    fwrite(text, 1, size, to);
    fputc('\n', to);
    free(text);
    return !ferror(to) || files_refuse_output("report", errno, err);
}

/* Releases a part that is incomplete. */
static void drop_unless(bool whole, json_t **part)
{
    if (whole)
        return;
    json_decref(*part);
    *part = NULL;
}

void report_json_append(json_t **array, json_t *item)
{
    drop_unless(json_array_append_new(*array, item) == 0, array);
}

void report_json_set(json_t **object, const char *key, json_t *value)
{
    drop_unless(json_object_set_new(*object, key, value) == 0, object);
}

json_t *report_json_bytes(const char *bytes, size_t count)
{
    size_t length;
    char *text = utf8_repair(bytes, count, &length);
    json_t *string = text != NULL ? json_stringn(text, length) : NULL;
    free(text);
    return string;
}

json_t *report_json_text(const char *text)
{
    return report_json_bytes(text, strlen(text));
}

json_t *report_json_end(enum model model, struct rational lambda, uint64_t end)
{
    char text[RATIONAL_TEXT];
    if (!model_has_times(model))
        return json_integer((json_int_t)end);
    return json_string(rational_text(end, lambda.denominator, text));
}

json_t *report_json_error(const struct err *err)
{
    json_t *field = err->field[0] != '\0' ? json_string(err->field) : json_null();
    return json_pack("{s:i, s:s, s:o, s:o, s:I}", "code", (int)err->code, "name",
                     err_name(err->code), "field", field, "message", report_json_text(err->text),
                     "further", (json_int_t)err->further);
}

void report_failure(FILE *to, const struct err *err)
{
    if (!err->reported)
        report_json(to, json_pack("{s:o}", "error", report_json_error(err)), NULL);
}

json_t *report_json_trees(uint64_t expected, uint64_t seen)
{
    char text[2][17];
    snprintf(text[0], sizeof text[0], "%016" PRIx64, expected);
    snprintf(text[1], sizeof text[1], "%016" PRIx64, seen);
    return json_pack("{s:s, s:s}", "expected", text[0], "seen", text[1]);
}
