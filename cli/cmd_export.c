/* SPDX-License-Identifier: Apache-2.0 */
/* export: write a schedule in another tool's format. */
#include "cli/command.h"
#include "cli/io.h"
#include "cli/options.h"
#include "cli/options_keys.h"
#include "cli/report.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/exchange/exchange.h"
#include "sched/verify/verify.h"

#include <inttypes.h>
#include <string.h>

struct export_options {
    struct options_common common;
    const char *path, *format, *output;
    struct exchange_options how;
};

/* Names of executors for options_choice. */
static void list_executors(const char *names[EXCHANGE_EXECUTORS])
{
    for (unsigned which = 0; which < EXCHANGE_EXECUTORS; which++)
        names[which] = exchange_executor_name(which);
}

static bool choose_executor(struct export_options *options, const char *argument)
{
    const char *names[EXCHANGE_EXECUTORS];
    unsigned which;
    list_executors(names);
    if (!options_choice("--executor", argument, names, EXCHANGE_EXECUTORS, &which,
                        options->common.err))
        return false;
    options->how.executor = which + 1;
    return true;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct export_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case KEY_EXPORT_MPI_C:
        options->format = "mpi-c";
        return 0;
    case KEY_EXPORT_TO:
        options->format = argument;
        return 0;
    case KEY_EXPORT_BYTES:
        return options_refuse(options_bytes("--bytes", argument, 1, UINT32_MAX, &options->how.bytes,
                                            options->common.err));
    case KEY_EXPORT_EXECUTOR:
        return options_refuse(choose_executor(options, argument));
    case 'o':
        options->output = argument;
        return 0;
    case ARGP_KEY_ARG:
        return options_argument("file", argument, &options->path, options->common.err);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* An invalid schedule would be exported with a different meaning. */
static bool write_export(const struct export_options *options, const struct exchange_format *format,
                         const struct schedule *schedule, struct err *err)
{
    struct verify_report report;
    struct files_output output;
    if (!verify_schedule(files_input_name(options->path), schedule, &report, err) ||
        !files_open_output(options->output, &output, err))
        return false;
    if (!exchange_write(format, output.file, output.name, schedule, &options->how, err)) {
        files_discard(&output);
        return false;
    }
    return files_commit(&output, err);
}

static bool report(const struct export_options *options, const struct exchange_format *format,
                   const struct schedule *schedule, struct err *err)
{
    if (options->common.json)
        return report_json(stdout,
                           json_pack("{s:o, s:s, s:I, s:I, s:I}", "file",
                                     report_json_text(options->output), "format", format->name,
                                     "nodes", (json_int_t)schedule->nodes, "packets",
                                     (json_int_t)schedule->packets, "transfers",
                                     (json_int_t)schedule->transfer_count),
                           err);
    printf("%s: %s, %" PRIu32 " packet%s, %" PRIu32 " node%s, %zu transfer%s\n", options->output,
           format->what, schedule->packets, text_s(schedule->packets), schedule->nodes,
           text_s(schedule->nodes), schedule->transfer_count, text_s(schedule->transfer_count));
    return true;
}

static bool export(const struct export_options *options, struct err *err)
{
    const struct exchange_format *format = exchange_find(options->format, true, err);
    if (format == NULL || !exchange_check_options(format, &options->how, err))
        return false;
    bool to_stdout = strcmp(options->output, "-") == 0;
    if (!options_check_output(&options->common, options->output, "file",
                              output_kind_of_format(format->name)))
        return false;
    struct schedule schedule = {0};
    bool written = io_read_schedule(options->path, &schedule, err) &&
                   write_export(options, format, &schedule, err) &&
                   (to_stdout || report(options, format, &schedule, err));
    schedule_free(&schedule);
    return written;
}

static bool run(int argc, char **argv, struct err *err)
{
    char names[EXCHANGE_NAMES];
    const struct argp_child children[] = {{&options_common_argp, 0, NULL, 0}, {0}};
    const struct argp_option own[] = {
        {"to", KEY_EXPORT_TO, exchange_names(true, names), 0, "the format", 1},
        {"mpi-c", KEY_EXPORT_MPI_C, NULL, 0, "the same as --to mpi-c", 1},
        {"bytes", KEY_EXPORT_BYTES, "B", 0, "of a packet, where the format has them (1)", 1},
        {"executor", KEY_EXPORT_EXECUTOR, "NAME", 0,
         "with --to msccl: check the limits of msccl, msccl-executor-nccl or rccl (default: those "
         "of the format)",
         1},
        {"output", 'o', "FILE", 0, "write it here (standard output)", 1},
        {0}};
    const struct argp argp = {.options = own,
                              .parser = parse,
                              .children = children,
                              .args_doc = "FILE",
                              .doc = "Write a schedule in another tool's format."};
    struct export_options options = {.common.err = err, .output = "-", .how = {.bytes = 1}};
    enum options_outcome outcome = options_parse(&argp, argc, argv, &options, &options.common);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (options.path == NULL)
        return err_set(err, ERR_OPTION,
                       "export: no file; expected a schedule, or - for standard input");
    if (options.format == NULL)
        return err_set(err, ERR_OPTION, "export: no format; expected --to %s", names);
    return export(&options, err);
}

const struct command command_export = {
    .name = "export",
    .arguments = "FILE --to FORMAT [-o F]",
    .summary = "write a schedule for another tool",
    .run = run,
};
