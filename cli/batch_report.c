/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_batch.h"

#include "cli/command.h"
#include "cli/report.h"
#include "cli/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define OTHER_COLUMNS 44 /* width of the columns next to the command if nothing fails */
#define LEAST_COMMAND 16

struct totals {
    uint64_t failed;
    json_int_t packets, cycles;
};

/* Returns the report of a line, or the error if its process died. NULL if there is no memory. */
static json_t *report_of(const struct batch_result *result)
{
    return result->report != NULL ? json_loadb(result->report, result->size, 0, NULL)
                                  : json_pack("{s:o}", "error", roundcast_json_error(result->err));
}

static void add_totals(struct totals *totals, const struct batch_result *result,
                       const json_t *report)
{
    totals->failed += result->err != NULL;
    totals->packets += json_integer_value(json_object_get(report, "packets_checked"));
    totals->cycles += json_integer_value(json_object_get(report, "run_cycles"));
}

/* Prints a text, cut to a number of columns. */
static void short_cell(struct report_table *table, const char *text, int columns)
{
    size_t bytes = 0, cut = 0;
    int width = 0;
    for (; text[bytes] != '\0' && width <= columns; bytes++) {
        bool begins = ((unsigned char)text[bytes] & 0xc0) != 0x80;
        width += begins;
        cut = begins && width == columns ? bytes : cut;
    }
    if (width <= columns)
        report_cell(table, "%s", text);
    else
        report_cell(table, "%.*s…", (int)cut, text);
}

static void number_cell(struct report_table *table, const json_t *report, const char *key)
{
    const json_t *value = json_object_get(report, key);
    if (json_is_integer(value))
        report_cell(table, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else
        report_cell(table, "%s", json_is_string(value) ? json_string_value(value) : "-");
}

static void add_row(struct report_table *table, const struct roundcast_line *line,
                    const char *command, int columns, const json_t *report,
                    const struct roundcast_error *err)
{
    char text[ROUNDCAST_ERROR_RENDERED];
    const struct roundcast_naming naming = option_naming(&command_run);
    bool timed = json_is_string(json_object_get(report, "time"));
    report_cell(table, "%" PRIu64, line->number);
    short_cell(table, command, columns);
    number_cell(table, report, "packets_checked");
    number_cell(table, report, timed ? "time" : "rounds");
    number_cell(table, report, "run_cycles");
    if (err == NULL)
        report_cell(table, "ok");
    else
        report_cell(table, "%s [E%d %s]", roundcast_error_text(err, &naming, text), (int)err->code,
                    roundcast_error_name(err->code));
}

static bool add_rows(struct report_table *table, const struct batch *batch,
                     const struct batch_result result[], int columns, struct totals *totals,
                     struct roundcast_error *err)
{
    static const char prefix[] = "roundcast run ";
    for (size_t which = 0; which < batch->count; which++) {
        const struct roundcast_line line = roundcast_lines_at(batch->lines, which);
        json_t *report = report_of(&result[which]);
        char *command = report != NULL ? batch_text(batch, which, true) : NULL;
        bool whole = command != NULL;
        if (whole) {
            add_row(table, &line, command + sizeof prefix - 1, columns, report, result[which].err);
            add_totals(totals, &result[which], report);
        }
        json_decref(report);
        free(command);
        if (!whole)
            return roundcast_error_no_memory(err, "the report");
    }
    return true;
}

static bool some_failed(const struct batch *batch, const struct batch_result result[])
{
    bool some = false;
    for (size_t which = 0; which < batch->count; which++)
        some = some || result[which].err != NULL;
    return some;
}

bool batch_report_text(const struct batch *batch, const struct batch_result result[],
                       double seconds, struct roundcast_error *err)
{
    static const char *const title[] = {"line", "command", "packets", "rounds", "cycles", " "};
    struct report_table table = {.columns = sizeof title / sizeof *title};
    struct totals totals = {0};
    for (size_t column = 0; column < table.columns; column++)
        report_cell(&table, "%s", title[column]);
    int width = report_width(stdout);
    int room = some_failed(batch, result) ? width / 3 : width - OTHER_COLUMNS;
    bool added = add_rows(&table, batch, result, MAX(room, LEAST_COMMAND), &totals, err);
    /* the cells must be freed in this case too */
    if (!added)
        table.failed = true;
    if (!report_table_print(stdout, &table, err))
        return false;
    uint64_t count = batch->count;
    printf("\n%" PRIu64 " run%s, ", count, text_s(count));
    printf("%" PRIu64 " failed; ", totals.failed);
    printf("%" JSON_INTEGER_FORMAT " packet%s checked in %" JSON_INTEGER_FORMAT
           " cycle%s; %.2f s, %.0f runs a second\n",
           totals.packets, text_s((uint64_t)totals.packets), totals.cycles,
           text_s((uint64_t)totals.cycles), seconds, (double)count / seconds);
    return true;
}

bool batch_report_json(const struct batch *batch, const struct batch_result result[],
                       const struct roundcast_error *breach, double seconds,
                       struct roundcast_error *err)
{
    struct totals totals = {0};
    json_t *lines = json_array();
    for (size_t which = 0; lines != NULL && which < batch->count; which++) {
        char *command = batch_text(batch, which, false);
        json_t *report = report_of(&result[which]);
        add_totals(&totals, &result[which], report);
        roundcast_json_append(
            &lines,
            json_pack("{s:I, s:o, s:o}", "line",
                      (json_int_t)roundcast_lines_at(batch->lines, which).number, "command",
                      command != NULL ? roundcast_json_text(command) : NULL, "report", report));
        free(command);
    }
    return roundcast_json_print(
        stdout,
        json_pack("{s:o, s:I, s:I, s:I, s:I, s:f, s:o, s:o}", "file",
                  roundcast_json_text(batch->name), "runs", (json_int_t)batch->count, "failed",
                  (json_int_t)totals.failed, "packets_checked", totals.packets, "run_cycles",
                  totals.cycles, "seconds", seconds, "error",
                  breach->code == ROUNDCAST_E_NONE ? json_null() : roundcast_json_error(breach),
                  "lines", lines),
        err);
}
