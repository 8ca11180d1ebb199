/* SPDX-License-Identifier: Apache-2.0 */
/* view: a page that shows a schedule, alone or in the bundle of a machine; an index of pages. */
#include "cli/bundle.h"
#include "cli/command.h"
#include "cli/io.h"
#include "cli/options.h"
#include "cli/options_keys.h"
#include "cli/page.h"
#include "cli/report.h"

#include <string.h>
#include <sys/stat.h>

struct view_options {
    struct options_common common;
    bool index;
    const char *output;
    char **path; /* path[count]: of a schedule or folder, or, for an index, of pages */
    size_t count;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct view_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case KEY_INDEX:
        options->index = true;
        return 0;
    case 'o':
        options->output = argument;
        return 0;
    case ARGP_KEY_ARGS:
        options->path = state->argv + state->next;
        options->count = (size_t)(state->argc - state->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool check(const struct view_options *options, struct err *err)
{
    if (options->count == 0)
        return err_set(err, ERR_OPTION,
                       "view: no file; expected a schedule, - for standard input, a folder that "
                       "`roundcast route` wrote, or --index PAGE…");
    if (options->count > 1 && !options->index)
        return err_set(err, ERR_OPTION, "%.40s: one file too many; expected only %.40s",
                       options->path[1], options->path[0]);
    return options_check_output(&options->common, options->output, "page", OUTPUT_PAGE);
}

static bool view_folder(const char *directory, const char *output, struct err *err)
{
    struct bundle bundle;
    if (!bundle_read(directory, NULL, &bundle, err))
        return false;
    bool written = page_write(output, &bundle.schedule, &bundle.image, NULL, err);
    bundle_free(&bundle);
    return written;
}

static bool view_schedule(const char *path, const char *output, struct err *err)
{
    struct schedule schedule = {0};
    bool written =
        io_read_schedule(path, &schedule, err) && page_write(output, &schedule, NULL, NULL, err);
    schedule_free(&schedule);
    return written;
}

static bool write_page(const struct view_options *options, struct err *err)
{
    struct stat status;
    const char *path = options->path[0];
    if (options->index)
        return page_write_index(options->output, options->path, options->count, err);
    bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    return folder ? view_folder(path, options->output, err)
                  : view_schedule(path, options->output, err);
}

static bool report(const struct view_options *options, struct err *err)
{
    struct stat status;
    if (strcmp(options->output, "-") == 0)
        return true;
    long long bytes = stat(options->output, &status) == 0 ? (long long)status.st_size : 0;
    if (options->common.json)
        return report_json(stdout,
                           json_pack("{s:o, s:I, s:I}", "file", report_json_text(options->output),
                                     "shows", (json_int_t)options->count, "bytes",
                                     (json_int_t)bytes),
                           err);
    printf("%s: %lld kB, to be opened in a browser\n", options->output, (bytes + 999) / 1000);
    return true;
}

static bool run(int argc, char **argv, struct err *err)
{
    static const struct argp_child children[] = {{&options_common_argp, 0, NULL, 0}, {0}};
    static const struct argp_option own[] = {
        {"index", KEY_INDEX, NULL, 0, "write an index of pages, with links to them", 1},
        {"output", 'o', "FILE", 0, "write the page here (standard output)", 1},
        {0}};
    static const struct argp argp = {
        .options = own,
        .parser = parse,
        .children = children,
        .args_doc = "FILE\nDIR\n--index PAGE...",
        .doc = "Write a page of HTML that plays a schedule: the network and its settings round by "
               "round, who has which packet, what was checked."};
    struct view_options options = {.common.err = err, .output = "-"};
    enum options_outcome outcome = options_parse(&argp, argc, argv, &options, &options.common);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    return check(&options, err) && write_page(&options, err) && report(&options, err);
}

const struct command command_view = {
    .name = "view",
    .arguments = "FILE|DIR [-o F.html]",
    .summary = "write a page that plays a schedule",
    .run = run,
};
