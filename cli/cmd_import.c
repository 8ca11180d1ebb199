/* SPDX-License-Identifier: Apache-2.0 */
/* import: read a schedule in another tool's format. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/exchange/exchange.h"
#include "sched/schedule/schedule_file.h"
#include "sched/verify/verify.h"

#include <inttypes.h>
#include <string.h>

struct import_options {
    struct options common;
    const char *path, *format, *output;
    enum model model;
};

static const char *format_choice(unsigned which)
{
    for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++)
        if ((*row)->read != NULL && which-- == 0)
            return (*row)->name;
    return NULL;
}

static bool set_model(void *base, const char *text, struct err *err)
{
    struct import_options *options = base;
    struct request request = request_default();
    if (!field_set(&request, "model", text, err))
        return false;
    options->model = request.problem.model;
    return true;
}

#define AT(member) offsetof(struct import_options, member)

static const struct field own[] = {
    {"model", 0, "MODEL",
     "read rounds of send-receive, telephone or telegraph (default: send-receive)", FIELD_TOPOLOGY,
     FIELD_CHOICE, AT(model), .set = set_model},
    {"from", 0, "FORMAT", "read this format: {choices}", FIELD_OUTPUT, FIELD_TEXT, AT(format),
     .choice = format_choice},
    {"output", 'o', "FILE", "write the schedule to this file (default: standard output)",
     FIELD_OUTPUT, FIELD_FILE, AT(output)},
};

/* Reads the file and verifies the schedule. A breach names lines of the schedule. */
static bool read_import(const struct import_options *options, const struct exchange_format *format,
                        struct schedule *schedule, struct err *err)
{
    struct verify_report report;
    const char *name = files_input_name(options->path);
    FILE *file = files_open_input(options->path, err);
    if (file == NULL)
        return false;
    bool read_import = exchange_read(format, file, name, options->model, schedule, err);
    files_close_input(file);
    return read_import && verify_schedule("the imported schedule", schedule, &report, err);
}

static bool report(const struct import_options *options, const struct exchange_format *format,
                   const struct schedule *schedule, struct err *err)
{
    if (options->common.json)
        return report_json(
            stdout,
            json_pack("{s:o, s:s, s:I, s:I, s:I, s:I}", "file", report_json_text(options->output),
                      "format", format->name, "nodes", (json_int_t)schedule->nodes, "packets",
                      (json_int_t)schedule->packets, "rounds", (json_int_t)schedule->end,
                      "transfers", (json_int_t)schedule->transfer_count),
            err);
    char end[REPORT_END_TEXT];
    printf("%s: from %s, %" PRIu32 " packet%s, %" PRIu32 " node%s: %s, %zu transfer%s\n",
           options->output, format->what, schedule->packets, text_s(schedule->packets),
           schedule->nodes, text_s(schedule->nodes), report_end_text(schedule, end),
           schedule->transfer_count, text_s(schedule->transfer_count));
    return true;
}

static bool import(const struct import_options *options, struct err *err)
{
    const struct exchange_format *format = exchange_find(options->format, false, err);
    if (format == NULL)
        return false;
    bool to_stdout = strcmp(options->output, "-") == 0;
    if (!options_check_output(&options->common, options->output, "schedule", OUTPUT_SCHEDULE, err))
        return false;
    struct schedule schedule = {0};
    bool written = read_import(options, format, &schedule, err) &&
                   schedule_file_write(options->output, &schedule, err) &&
                   (to_stdout || report(options, format, &schedule, err));
    schedule_free(&schedule);
    return written;
}

static bool run(int argc, char **argv, struct err *err)
{
    struct import_options options = {.output = "-", .model = MODEL_SEND_RECEIVE};
    enum options_outcome outcome =
        options_parse(&command_import, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!options_one_argument(&options.common, "file", &options.path, err))
        return false;
    if (options.path == NULL)
        return err_set(err, ERR_OPTION, "import: no file; expected one, or - for standard input");
    char names[EXCHANGE_NAMES];
    if (options.format == NULL)
        return err_missing(err, "from", exchange_names(false, names));
    return import(&options, err);
}

const struct command command_import = {
    .name = "import",
    .arguments = "FILE --from FORMAT [-o F]",
    .summary = "read a schedule of another tool",
    .usage = "FILE",
    .text = "Read a schedule in another tool's format, verify it and write it.",
    .examples = "roundcast import b.xml --from msccl -o b.sched",
    COMMAND_OWN(own),
    .run = run,
};
