/* SPDX-License-Identifier: Apache-2.0 */
/* export: write a schedule in another tool's format. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/text.h"
#include "lib/roundcast/files.h"
#include "sched/base/files.h"
#include "sched/exchange/exchange.h"
#include "sched/schedule/schedule_file.h"
#include "sched/verify/verify.h"

#include <inttypes.h>
#include <string.h>

struct export_options {
    struct options common;
    const char *path, *format, *output;
    struct exchange_options how;
};

static const char *format_choice(unsigned which)
{
    for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++)
        if ((*row)->write != NULL && which-- == 0)
            return (*row)->name;
    return NULL;
}

static const char *executor_choice(unsigned which)
{
    return which < EXCHANGE_EXECUTORS ? exchange_executor_name(which) : NULL;
}

static bool set_executor(void *base, const char *text, struct roundcast_error *err)
{
    struct export_options *options = base;
    unsigned which;
    if (!roundcast_field_choose("executor", text, executor_choice, &which, err))
        return false;
    options->how.executor = which + 1;
    return true;
}

static bool set_mpi_c(void *base, const char *text, struct roundcast_error *err)
{
    struct export_options *options = base;
    (void)text;
    (void)err;
    options->format = "mpi-c";
    return true;
}

#define AT(member) offsetof(struct export_options, member)

static const struct roundcast_field own[] = {
    {"to", 0, "FORMAT", "write this format: {choices}", ROUNDCAST_FIELD_OUTPUT,
     ROUNDCAST_FIELD_TEXT, AT(format), .choice = format_choice},
    {"mpi-c", 0, NULL, "write C with MPI calls, as --to mpi-c does", ROUNDCAST_FIELD_OUTPUT,
     ROUNDCAST_FIELD_FLAG, AT(format), .set = set_mpi_c},
    {"bytes", 0, "B", "set the bytes of a packet, if the format has them (default: 1)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_BYTES, AT(how.bytes), 1, UINT32_MAX},
    {"executor", 0, "NAME",
     "with --to msccl: check the limits of {choices} (default: those of the format)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_CHOICE, AT(how.executor), .choice = executor_choice,
     .set = set_executor},
    {"output", 'o', "FILE", "write to this file (default: standard output)", ROUNDCAST_FIELD_OUTPUT,
     ROUNDCAST_FIELD_FILE, AT(output)},
};

/* An invalid schedule would be exported with a different meaning. */
static bool write_export(const struct export_options *options, const struct exchange_format *format,
                         const struct schedule *schedule, struct roundcast_error *err)
{
    struct verify_report report;
    struct files_output output;
    if (!verify_schedule(roundcast_input_name(options->path), schedule, &report, err) ||
        !files_open_output(options->output, &output, err))
        return false;
    if (!exchange_write(format, output.file, output.name, schedule, &options->how, err)) {
        files_discard(&output);
        return false;
    }
    return files_commit(&output, err);
}

static bool report(const struct export_options *options, const struct exchange_format *format,
                   const struct schedule *schedule, struct roundcast_error *err)
{
    if (options->common.json)
        return roundcast_json_print(stdout,
                                    json_pack("{s:o, s:s, s:I, s:I, s:I}", "file",
                                              roundcast_json_text(options->output), "format",
                                              format->name, "nodes", (json_int_t)schedule->nodes,
                                              "packets", (json_int_t)schedule->packets, "transfers",
                                              (json_int_t)schedule->transfer_count),
                                    err);
    printf("%s: %s, %" PRIu32 " packet%s, %" PRIu32 " node%s, %zu transfer%s\n", options->output,
           format->what, schedule->packets, text_s(schedule->packets), schedule->nodes,
           text_s(schedule->nodes), schedule->transfer_count, text_s(schedule->transfer_count));
    return true;
}

static bool export(const struct export_options *options, struct roundcast_error *err)
{
    const struct exchange_format *format = exchange_find(options->format, true, err);
    if (format == NULL || !exchange_check_options(format, &options->how, err))
        return false;
    bool to_stdout = strcmp(options->output, "-") == 0;
    if (!options_check_output(&options->common, options->output, "file",
                              output_kind_of_format(format->name), err))
        return false;
    struct schedule schedule = {0};
    bool written = schedule_file_read(options->path, &schedule, err) &&
                   write_export(options, format, &schedule, err) &&
                   (to_stdout || report(options, format, &schedule, err));
    schedule_free(&schedule);
    return written;
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct export_options options = {.output = "-", .how = {.bytes = 1}};
    enum options_outcome outcome =
        options_parse(&command_export, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!options_one_argument(&options.common, "file", &options.path, err))
        return false;
    if (options.path == NULL)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "export: no file; expected a schedule, or - for standard input");
    char names[EXCHANGE_NAMES];
    if (options.format == NULL)
        return roundcast_error_missing(err, "to", exchange_names(true, names));
    return export(&options, err);
}

const struct command command_export = {
    .name = "export",
    .arguments = "FILE --to FORMAT [-o F]",
    .summary = "write a schedule for another tool",
    .usage = "FILE",
    .text = "Write a schedule in another tool's format.",
    .examples = "roundcast export b.sched --to goal -o b.goal\n"
                "roundcast export b.sched --to msccl --bytes 64Ki -o b.xml",
    COMMAND_OWN(own),
    .run = run,
};
