/* SPDX-License-Identifier: Apache-2.0 */
/* import: reads a schedule in the format of another tool. */
#include "cli/command.h"
#include "cli/reading.h"
#include "cli/report.h"
#include "cli/text.h"

#include <inttypes.h>
#include <string.h>

struct import_options {
    struct reading_options reading;
    const char *path, *output;
};

static const struct roundcast_field own[] = {
    READING_FIELDS,
    {"output", 'o', "FILE", "write the schedule to this file (default: standard output)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_FILE, offsetof(struct import_options, output)},
};

static bool report(const struct import_options *options, const struct roundcast_format *format,
                   const struct roundcast_schedule *schedule, struct roundcast_error *err)
{
    const struct roundcast_schedule_info info = roundcast_schedule_describe(schedule);
    char end[REPORT_END_TEXT], collective[ROUNDCAST_COLLECTIVE_TEXT];
    roundcast_collective_text(schedule, collective);
    if (options->reading.common.json)
        return roundcast_json_print(
            stdout,
            json_pack("{s:o, s:s, s:s, s:I, s:I, s:I, s:I}", "file",
                      roundcast_json_text(options->output), "format", format->name, "collective",
                      collective, "nodes", (json_int_t)info.nodes, "packets",
                      (json_int_t)info.packets, "rounds", (json_int_t)info.end, "transfers",
                      (json_int_t)info.transfers),
            err);
    printf("%s: from %s, %" PRIu32 " packet%s, %" PRIu32 " node%s: %s, %zu transfer%s\n",
           options->output, format->what, info.packets, text_s(info.packets), info.nodes,
           text_s(info.nodes), report_end_text(&info, end), info.transfers, text_s(info.transfers));
    printf("  %s\n", collective);
    return true;
}

static bool import(const struct import_options *options, struct roundcast_error *err)
{
    struct roundcast_format format;
    struct roundcast_verdict verdict;
    if (!options_check_output(&options->reading.common, options->output, "schedule",
                              OUTPUT_SCHEDULE, err))
        return false;
    struct roundcast_schedule *schedule =
        reading_load(&options->reading, options->path, &format, err);
    bool written = schedule != NULL && roundcast_verify(schedule, &verdict, err) &&
                   roundcast_write(schedule, options->output, err) &&
                   (strcmp(options->output, "-") == 0 || report(options, &format, schedule, err));
    roundcast_schedule_free(schedule);
    return written;
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct import_options options = {.output = "-"};
    enum options_outcome outcome =
        options_parse(&command_import, argc, argv, &options.reading.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!options_one_argument(&options.reading.common, "file", &options.path, err))
        return false;
    if (options.path == NULL)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "import: no file; expected one, or - for standard input");
    return import(&options, err);
}

const struct command command_import = {
    .name = "import",
    .arguments = "FILE [--from FORMAT] [-o F]",
    .summary = "read a schedule of another tool",
    .request = ROUNDCAST_FOR_READING,
    .usage = "FILE",
    .text = "Read a schedule in another tool's format, or a list of transfers, verify it and write "
            "it.",
    .examples = "roundcast import b.xml -o b.sched\nroundcast import mine.csv --expect all-gather "
                "-o mine.sched",
    COMMAND_OWN(own),
    .run = run,
};
