/* SPDX-License-Identifier: Apache-2.0 */
/* view: writes a page that shows a schedule, alone or on its machine, or an index of pages. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/report.h"

#include <string.h>
#include <sys/stat.h>

struct view_options {
    struct options common;
    bool index;
    const char *output;
    char **path; /* path[count]: a schedule or a folder, or, for an index, pages */
    size_t count;
};

static const struct roundcast_field own[] = {
    {"index", 0, NULL, "write an index of pages, with links to them", ROUNDCAST_FIELD_RUN,
     ROUNDCAST_FIELD_FLAG, offsetof(struct view_options, index)},
    {"output", 'o', "FILE", "write the page to this file (default: standard output)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_FILE, offsetof(struct view_options, output)},
};

static bool check(const struct view_options *options, struct roundcast_error *err)
{
    if (options->count == 0)
        return roundcast_error_set(
            err, ROUNDCAST_E_OPTION,
            "view: no file; expected a schedule, - for standard input, a folder that "
            "`roundcast route` wrote, or --index PAGE…");
    if (options->count > 1 && !options->index)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "%.40s: one file too many; expected only %.40s",
                                   options->path[1], options->path[0]);
    return options_check_output(&options->common, options->output, "page", OUTPUT_PAGE, err);
}

static bool view_folder(const char *directory, const char *output, struct roundcast_error *err)
{
    struct roundcast_image *image = roundcast_image_read(directory, err);
    if (image == NULL)
        return false;
    bool written = roundcast_page_write(output, &(struct roundcast_page){.image = image}, err);
    roundcast_image_free(image);
    return written;
}

static bool view_schedule(const struct view_options *options, struct roundcast_error *err)
{
    struct roundcast_schedule *schedule =
        reading_by_rules(&options->common.request, options->path[0], err);
    if (schedule == NULL)
        return false;
    bool written =
        roundcast_page_write(options->output, &(struct roundcast_page){.schedule = schedule}, err);
    roundcast_schedule_free(schedule);
    return written;
}

static bool write_page(const struct view_options *options, struct roundcast_error *err)
{
    struct stat status;
    const char *path = options->path[0];
    if (options->index)
        return roundcast_page_index(options->output, (const char *const *)options->path,
                                    options->count, err);
    bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    if (folder && options->common.request.given != 0)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "%.40s has the rules of its schedule; expected no topology and "
                                   "model",
                                   path);
    return folder ? view_folder(path, options->output, err) : view_schedule(options, err);
}

static bool report(const struct view_options *options, struct roundcast_error *err)
{
    struct stat status;
    if (strcmp(options->output, "-") == 0)
        return true;
    long long bytes = stat(options->output, &status) == 0 ? (long long)status.st_size : 0;
    if (options->common.json)
        return roundcast_json_print(
            stdout,
            json_pack("{s:o, s:I, s:I}", "file", roundcast_json_text(options->output), "shows",
                      (json_int_t)options->count, "bytes", (json_int_t)bytes),
            err);
    printf("%s: %lld kB, to be opened in a browser\n", options->output, (bytes + 999) / 1000);
    return true;
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct view_options options = {.output = "-"};
    enum options_outcome outcome =
        options_parse(&command_view, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    options.path = options.common.argument;
    options.count = (size_t)options.common.argument_count;
    return check(&options, err) && write_page(&options, err) && report(&options, err);
}

const struct command command_view = {
    .name = "view",
    .arguments = "FILE|DIR [-o F.html]",
    .summary = "write a page that plays a schedule",
    .usage = "FILE\nDIR\n--index PAGE...",
    .text = "Write a page of HTML that plays a schedule: the network and its settings round by "
            "round, the packets of each node, and the result of the checks. DIR is a folder that "
            "'roundcast route' wrote.",
    .examples = "roundcast view b.sched -o b.html\nroundcast view b -o b.html\n"
                "roundcast view --index a.html b.html -o index.html",
    COMMAND_OWN(own),
    .request = ROUNDCAST_FOR_READING,
    .run = run,
};
