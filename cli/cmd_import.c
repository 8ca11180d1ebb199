/* SPDX-License-Identifier: Apache-2.0 */
/* import: read a schedule in another tool's format. */
#include "cli/command.h"
#include "cli/io.h"
#include "cli/options.h"
#include "cli/options_collective.h"
#include "cli/options_keys.h"
#include "cli/report.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/exchange/exchange.h"
#include "sched/verify/verify.h"

#include <inttypes.h>
#include <string.h>

struct import_options {
    struct options_common common;
    const char *path, *format, *output;
    enum model model;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct import_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case KEY_IMPORT_FROM:
        options->format = argument;
        return 0;
    case KEY_MODEL:
        return options_refuse(options_model(argument, &options->model, options->common.err));
    case 'o':
        options->output = argument;
        return 0;
    case ARGP_KEY_ARG:
        return options_argument("file", argument, &options->path, options->common.err);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Read it; what it says must hold. Lines of a breach are those of the schedule. */
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
    if (!options_check_output(&options->common, options->output, "schedule", OUTPUT_SCHEDULE))
        return false;
    struct schedule schedule = {0};
    bool written = read_import(options, format, &schedule, err) &&
                   io_write_schedule(options->output, &schedule, err) &&
                   (to_stdout || report(options, format, &schedule, err));
    schedule_free(&schedule);
    return written;
}

static bool run(int argc, char **argv, struct err *err)
{
    char names[EXCHANGE_NAMES];
    const struct argp_child children[] = {{&options_common_argp, 0, NULL, 0}, {0}};
    const struct argp_option own[] = {
        {"from", KEY_IMPORT_FROM, exchange_names(false, names), 0, "the format", 1},
        {"model", KEY_MODEL, "MODEL", 0,
         "what a round allows: send-receive (unless given), telephone, telegraph", 1},
        {"output", 'o', "FILE", 0, "write the schedule here (standard output)", 1},
        {0}};
    const struct argp argp = {.options = own,
                              .parser = parse,
                              .children = children,
                              .args_doc = "FILE",
                              .doc = "Read a schedule in another tool's format."};
    struct import_options options = {.common.err = err, .output = "-", .model = MODEL_SEND_RECEIVE};
    enum options_outcome outcome = options_parse(&argp, argc, argv, &options, &options.common);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (options.path == NULL)
        return err_set(err, ERR_OPTION, "import: no file; expected one, or - for standard input");
    if (options.format == NULL)
        return err_set(err, ERR_OPTION, "import: no format; expected --from %s", names);
    return import(&options, err);
}

const struct command command_import = {
    .name = "import",
    .arguments = "FILE --from FORMAT [-o F]",
    .summary = "read a schedule of another tool",
    .run = run,
};
