/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report.h"

#include "sched/base/files.h"
#include "sched/base/json_text.h"
#include "sched/base/text.h"
#include "sched/base/utf8.h"
#include "sched/machine/machine_network.h"

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

/* What is not whole is not there. */
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

const char *report_end_name(enum model model)
{
    return model_has_times(model) ? "time" : "rounds";
}

const char *report_end_text(const struct schedule *schedule, char text[REPORT_END_TEXT])
{
    char number[RATIONAL_TEXT];
    rational_text(schedule->end, schedule->lambda.denominator, number);
    if (model_has_times(schedule->model))
        snprintf(text, REPORT_END_TEXT, "time %s", number);
    else
        snprintf(text, REPORT_END_TEXT, "%" PRIu64 " round%s", schedule->end,
                 text_s(schedule->end));
    return text;
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

static void append_numbers(char text[REPORT_MACHINE_TEXT], const char *title, unsigned height,
                           const uint32_t number[])
{
    text_append(text, REPORT_MACHINE_TEXT, "%s", title);
    for (unsigned level = 1; level <= height; level++)
        text_append(text, REPORT_MACHINE_TEXT, level > 1 ? ",%" PRIu32 : " %" PRIu32,
                    number[level]);
}

const char *report_machine_text(const struct machine *machine, char text[REPORT_MACHINE_TEXT])
{
    const struct topology *topology = &machine->topology;
    unsigned units = machine_hops(machine) ? machine_routers(machine) : machine_stages(machine);
    if (topology->dimensions > 0) {
        snprintf(text, REPORT_MACHINE_TEXT, "%s of %u dimension%s", machine_row(machine)->name,
                 topology->dimensions, text_s(topology->dimensions));
    } else if (machine_hops(machine)) {
        snprintf(text, REPORT_MACHINE_TEXT, "%s", machine_row(machine)->name);
        append_numbers(text, "", topology->height, topology->children);
        append_numbers(text, " capacity", topology->height, topology->capacity);
    } else {
        machine_network_name(machine, text);
    }
    text_append(text, REPORT_MACHINE_TEXT, ", %u %s%s, latency %u cycle%s", units,
                machine_hops(machine) ? "router" : "stage", text_s(units), machine_latency(machine),
                text_s(machine_latency(machine)));
    return text;
}
