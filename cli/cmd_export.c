/* SPDX-License-Identifier: Apache-2.0 */
/* export: writes a schedule in the format of another tool. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/report.h"
#include "cli/text.h"
#include "lib/roundcast/exchange.h"

#include <inttypes.h>
#include <string.h>

struct export_options {
    struct options common;
    const char *path, *output;
    struct roundcast_export how;
};

static const char *format_choice(unsigned which)
{
    struct roundcast_format format;
    for (unsigned index = 0; roundcast_format_at(index, &format); index++)
        if (format.written && which-- == 0)
            return format.name;
    return NULL;
}

static bool set_executor(void *base, const char *text, struct roundcast_error *err)
{
    struct export_options *options = base;
    unsigned which;
    if (!roundcast_field_choose("executor", text, roundcast_executor_name, &which, err))
        return false;
    options->how.executor = which + 1;
    return true;
}

static bool set_mpi_c(void *base, const char *text, struct roundcast_error *err)
{
    struct export_options *options = base;
    (void)text;
    (void)err;
    options->how.format = "mpi-c";
    return true;
}

#define AT(member) offsetof(struct export_options, member)

static const struct roundcast_field own[] = {
    {"to", 0, "FORMAT", "write this format: {choices}", ROUNDCAST_FIELD_OUTPUT,
     ROUNDCAST_FIELD_TEXT, AT(how.format), .choice = format_choice},
    {"mpi-c", 0, NULL, "write C with MPI calls, as --to mpi-c does", ROUNDCAST_FIELD_OUTPUT,
     ROUNDCAST_FIELD_FLAG, AT(how.format), .set = set_mpi_c},
    {"bytes", 0, "B", "set the bytes of a packet, if the format has them (default: 1)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_BYTES, AT(how.bytes), 1, UINT32_MAX},
    {"executor", 0, "NAME",
     "with --to msccl: check the limits of {choices} (default: those of the format)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_CHOICE, AT(how.executor),
     .choice = roundcast_executor_name, .set = set_executor},
    {"output", 'o', "FILE", "write to this file (default: standard output)", ROUNDCAST_FIELD_OUTPUT,
     ROUNDCAST_FIELD_FILE, AT(output)},
};

static bool report(const struct export_options *options, const struct roundcast_format *format,
                   const struct roundcast_schedule_info *info, struct roundcast_error *err)
{
    if (options->common.json)
        return roundcast_json_print(
            stdout,
            json_pack("{s:o, s:s, s:I, s:I, s:I}", "file", roundcast_json_text(options->output),
                      "format", format->name, "nodes", (json_int_t)info->nodes, "packets",
                      (json_int_t)info->packets, "transfers", (json_int_t)info->transfers),
            err);
    printf("%s: %s, %" PRIu32 " packet%s, %" PRIu32 " node%s, %zu transfer%s\n", options->output,
           format->what, info->packets, text_s(info->packets), info->nodes, text_s(info->nodes),
           info->transfers, text_s(info->transfers));
    return true;
}

static bool export(const struct export_options *options, struct roundcast_error *err)
{
    struct roundcast_format format;
    if (!roundcast_format_find(options->how.format, true, &format, err) ||
        !roundcast_export_check(&options->how, err) ||
        !options_check_output(&options->common, options->output, "file",
                              output_kind_of_format(format.name), err))
        return false;
    struct roundcast_schedule *schedule =
        reading_by_rules(&options->common.request, options->path, err);
    if (schedule == NULL)
        return false;
    const struct roundcast_schedule_info info = roundcast_schedule_describe(schedule);
    bool written = roundcast_export(schedule, &options->how, options->output, err) &&
                   (strcmp(options->output, "-") == 0 || report(options, &format, &info, err));
    roundcast_schedule_free(schedule);
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
    char names[ROUNDCAST_FORMATS_TEXT];
    if (options.how.format == NULL)
        return roundcast_error_missing(err, "to", roundcast_formats_text(true, names));
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
    .request = ROUNDCAST_FOR_READING,
    .run = run,
};
