/* SPDX-License-Identifier: Apache-2.0 */
/* import: reads a schedule in the format of another tool. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/text.h"
#include "lib/roundcast/exchange.h"

#include <inttypes.h>
#include <string.h>

struct import_options {
    struct options common;
    const char *path, *format, *output, *model;
};

static const char *format_choice(unsigned which)
{
    struct roundcast_format format;
    for (unsigned index = 0; roundcast_format_at(index, &format); index++)
        if (format.read && which-- == 0)
            return format.name;
    return NULL;
}

static bool set_model(void *base, const char *text, struct roundcast_error *err)
{
    struct import_options *options = base;
    struct roundcast_request request;
    options->model = text;
    return roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, err) &&
           roundcast_set(&request, "model", text, err);
}

#define AT(member) offsetof(struct import_options, member)

static const struct roundcast_field own[] = {
    {"model", 0, "MODEL",
     "read rounds of send-receive, telephone or telegraph (default: send-receive)",
     ROUNDCAST_FIELD_TOPOLOGY, ROUNDCAST_FIELD_CHOICE, AT(model), .set = set_model},
    {"from", 0, "FORMAT", "read this format: {choices}", ROUNDCAST_FIELD_OUTPUT,
     ROUNDCAST_FIELD_TEXT, AT(format), .choice = format_choice},
    {"output", 'o', "FILE", "write the schedule to this file (default: standard output)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_FILE, AT(output)},
};

static bool report(const struct import_options *options, const struct roundcast_format *format,
                   const struct roundcast_schedule_info *info, struct roundcast_error *err)
{
    if (options->common.json)
        return roundcast_json_print(
            stdout,
            json_pack("{s:o, s:s, s:I, s:I, s:I, s:I}", "file",
                      roundcast_json_text(options->output), "format", format->name, "nodes",
                      (json_int_t)info->nodes, "packets", (json_int_t)info->packets, "rounds",
                      (json_int_t)info->end, "transfers", (json_int_t)info->transfers),
            err);
    char end[REPORT_END_TEXT];
    printf("%s: from %s, %" PRIu32 " packet%s, %" PRIu32 " node%s: %s, %zu transfer%s\n",
           options->output, format->what, info->packets, text_s(info->packets), info->nodes,
           text_s(info->nodes), report_end_text(info, end), info->transfers,
           text_s(info->transfers));
    return true;
}

static bool import(const struct import_options *options, struct roundcast_error *err)
{
    struct roundcast_format format;
    if (!roundcast_format_find(options->format, false, &format, err) ||
        !options_check_output(&options->common, options->output, "schedule", OUTPUT_SCHEDULE, err))
        return false;
    struct roundcast_schedule *schedule =
        roundcast_import(options->path, options->format, options->model, err);
    if (schedule == NULL)
        return false;
    const struct roundcast_schedule_info info = roundcast_schedule_describe(schedule);
    bool written = roundcast_write(schedule, options->output, err) &&
                   (strcmp(options->output, "-") == 0 || report(options, &format, &info, err));
    roundcast_schedule_free(schedule);
    return written;
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct import_options options = {.output = "-"};
    enum options_outcome outcome =
        options_parse(&command_import, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!options_one_argument(&options.common, "file", &options.path, err))
        return false;
    if (options.path == NULL)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "import: no file; expected one, or - for standard input");
    char names[ROUNDCAST_FORMATS_TEXT];
    if (options.format == NULL)
        return roundcast_error_missing(err, "from", roundcast_formats_text(false, names));
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
