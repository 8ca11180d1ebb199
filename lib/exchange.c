/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/roundcast/exchange.h"
#include "lib/inside.h"
#include "sched/base/files.h"
#include "sched/exchange/exchange.h"
#include "sched/exchange/recognise.h"
#include "sched/schedule/schedule.h"
#include "sched/verify/verify.h"

_Static_assert(ROUNDCAST_FORMATS_TEXT == EXCHANGE_NAMES, "both texts have one size");

static struct roundcast_format format_of(const struct exchange_format *row)
{
    return (struct roundcast_format){row->name,  row->what,          row->suffix,
                                     row->proof, row->write != NULL, exchange_is_read(row)};
}

bool roundcast_format_at(unsigned index, struct roundcast_format *format)
{
    const struct exchange_format *const *row = exchange_table;
    for (; *row != NULL && index > 0; index--)
        row++;
    if (*row != NULL)
        *format = format_of(*row);
    return *row != NULL;
}

bool roundcast_format_find(const char *name, bool written, struct roundcast_format *format,
                           struct roundcast_error *error)
{
    struct err err = {0};
    const struct exchange_format *row = exchange_find(name, written, &err);
    if (row == NULL)
        return inside_fail(&err, error);
    *format = format_of(row);
    return true;
}

const char *roundcast_formats_text(bool written, char text[ROUNDCAST_FORMATS_TEXT])
{
    return exchange_names(written, text);
}

const char *roundcast_executor_name(unsigned index)
{
    return index < EXCHANGE_EXECUTORS ? exchange_executor_name(index) : NULL;
}

/* Finds the format, and checks the options for it. */
static const struct exchange_format *find(const struct roundcast_export *how,
                                          struct exchange_options *options, struct err *err)
{
    const struct exchange_format *format = exchange_find(how->format, true, err);
    *options = (struct exchange_options){how->bytes, how->executor};
    return format != NULL && exchange_check_options(format, options, err) ? format : NULL;
}

bool roundcast_export_check(const struct roundcast_export *how, struct roundcast_error *error)
{
    struct err err = {0};
    struct exchange_options options;
    return find(how, &options, &err) != NULL || inside_fail(&err, error);
}

static bool export(const struct roundcast_schedule *schedule, const struct roundcast_export *how,
                   const char *path, struct err *err)
{
    struct verify_report report;
    struct files_output output;
    struct exchange_options options;
    const struct exchange_format *format = find(how, &options, err);
    if (format == NULL || !verify_schedule(schedule->name, &schedule->schedule, &report, err) ||
        !files_open_output(path, &output, err))
        return false;
    if (!exchange_write(format, output.file, output.name, &schedule->schedule, &options, err)) {
        files_discard(&output);
        return false;
    }
    return files_commit(&output, err);
}

bool roundcast_export(const struct roundcast_schedule *schedule, const struct roundcast_export *how,
                      const char *path, struct roundcast_error *error)
{
    struct err err = {0};
    return export(schedule, how, path, &err) || inside_fail(&err, error);
}

/* Converts what a caller asks for. E101, E103. */
static bool reading_of(const struct roundcast_reading *from, struct topology *topology,
                       struct exchange_reading *how, const struct exchange_format **format,
                       struct err *err)
{
    struct request asked = request_default();
    *format = NULL;
    if (from->rules != NULL && !inside_request(from->rules, INSIDE_PROBLEM, &asked, err))
        return false;
    if (from->format != NULL && (*format = exchange_find(from->format, false, err)) == NULL)
        return false;
    if (from->model != NULL && !field_set(&asked, "model", from->model, err))
        return false;
    if (from->collective != NULL && !field_set(&asked, "collective", from->collective, err))
        return false;
    if (!problem_rules(&asked, topology, how, err))
        return false;
    how->nodes = from->nodes;
    how->compact = from->compact;
    how->expects = from->collective != NULL;
    how->expected = asked.problem.collective;
    return true;
}

/* Returns what messages about lines call the schedule: the file, if the lines are the file's. */
static const char *name_of(const char *path, const struct exchange_format *format,
                           const struct schedule *schedule, bool compact)
{
    if (compact)
        return "the compacted schedule";
    bool lines = format == NULL || schedule->origin_count > 0;
    return lines ? files_input_name(path) : "the imported schedule";
}

/* Reads the demands that are given, and the schedule. */
static bool load(const char *path, const struct roundcast_reading *reading,
                 const struct exchange_format **row, struct schedule *schedule, struct err *err)
{
    struct exchange_reading how;
    struct topology topology;
    struct schedule demands = {0};
    if (!reading_of(reading, &topology, &how, row, err) ||
        (reading->demands != NULL && !schedule_file_read_any(reading->demands, &demands, err)))
        return false;
    how.demands = reading->demands != NULL ? &demands : NULL;
    bool loaded = exchange_load(path, &how, row, schedule, err);
    schedule_free(&demands);
    return loaded;
}

struct roundcast_schedule *roundcast_load(const char *path, const struct roundcast_reading *reading,
                                          struct roundcast_format *format,
                                          struct roundcast_error *error)
{
    static const struct roundcast_format own = {"schedule", "a schedule", "sched",
                                                NULL,       true,         true};
    struct err err = {0};
    struct schedule schedule = {0};
    const struct exchange_format *row;
    struct roundcast_schedule *loaded = NULL;
    if (load(path, reading, &row, &schedule, &err))
        loaded = inside_wrap(&schedule, name_of(path, row, &schedule, reading->compact), &err);
    if (loaded == NULL)
        inside_fail(&err, error);
    else if (format != NULL)
        *format = row != NULL ? format_of(row) : own;
    return loaded;
}

const char *roundcast_collective_text(const struct roundcast_schedule *schedule,
                                      char text[ROUNDCAST_COLLECTIVE_TEXT])
{
    _Static_assert(ROUNDCAST_COLLECTIVE_TEXT == RECOGNISE_TEXT, "both texts have one size");
    return recognise_text(&schedule->schedule, text);
}

struct roundcast_schedule *roundcast_import(const char *path, const char *format, const char *model,
                                            struct roundcast_error *error)
{
    struct roundcast_verdict verdict;
    const struct roundcast_reading reading = {.format = format, .model = model};
    struct roundcast_schedule *imported = roundcast_load(path, &reading, NULL, error);
    if (imported != NULL && !roundcast_verify(imported, &verdict, error)) {
        roundcast_schedule_free(imported);
        return NULL;
    }
    return imported;
}
