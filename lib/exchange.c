/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/exchange.h"

#include "lib/inside.h"
#include "lib/roundcast/exchange.h"
#include "sched/base/files.h"
#include "sched/verify/verify.h"

_Static_assert(ROUNDCAST_FORMATS_TEXT == EXCHANGE_NAMES, "both texts have one size");

static struct roundcast_format format_of(const struct exchange_format *row)
{
    return (struct roundcast_format){row->name, row->what, row->suffix, row->write != NULL,
                                     row->read != NULL};
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

/* Reads the file and verifies the schedule. A violation names lines of the schedule, not of the
 * file. */
static bool import(const char *path, const struct exchange_format *format, enum model model,
                   struct schedule *schedule, struct err *err)
{
    struct verify_report report;
    FILE *file = files_open_input(path, err);
    if (file == NULL)
        return false;
    bool read = exchange_read(format, file, files_input_name(path), model, schedule, err);
    files_close_input(file);
    return read && verify_schedule("the imported schedule", schedule, &report, err);
}

struct roundcast_schedule *roundcast_import(const char *path, const char *format, const char *model,
                                            struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked = request_default();
    struct schedule schedule = {0};
    const struct exchange_format *row = exchange_find(format, false, &err);
    bool read = row != NULL && (model == NULL || field_set(&asked, "model", model, &err)) &&
                import(path, row, asked.problem.model, &schedule, &err);
    struct roundcast_schedule *imported =
        read ? inside_wrap(&schedule, files_input_name(path), &err) : NULL;
    if (!read)
        schedule_free(&schedule);
    if (imported == NULL)
        inside_fail(&err, error);
    return imported;
}
