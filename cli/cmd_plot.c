/* SPDX-License-Identifier: Apache-2.0 */
/* plot: figures as curves: a picture that gnuplot makes, its numbers and its script. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/options_keys.h"
#include "cli/options_plot.h"
#include "cli/report.h"
#include "plot/picture.h"

#include <string.h>
#include <sys/stat.h>

struct plot_options {
    struct options_common common;
    struct options_plot plot;
    const char *format; /* NULL: as the name of the output ends */
    const char *output, *data;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct plot_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->plot;
        state->child_inputs[1] = &options->common;
        return 0;
    case KEY_FORMAT:
        options->format = argument;
        return 0;
    case KEY_DATA:
        options->data = argument;
        return 0;
    case 'o':
        options->output = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --format, else as the file's name ends; svg if no picture is written. */
static bool find_format(const struct plot_options *options, enum script_format *format,
                        struct err *err)
{
    unsigned which = SCRIPT_SVG;
    const char *dot = options->output != NULL ? strrchr(options->output, '.') : NULL;
    if (options->format != NULL) {
        if (!options_choice("--format", options->format, script_format_name, SCRIPT_FORMATS, &which,
                            err))
            return false;
    } else if (options->output != NULL) {
        while (which < SCRIPT_FORMATS &&
               (dot == NULL || strcmp(dot + 1, script_format_name[which]) != 0))
            which++;
        if (which == SCRIPT_FORMATS)
            return err_set(err, ERR_OPTION,
                           "-o %.60s: ends as no picture; expected .svg, .png or .pdf, or --format "
                           "with it",
                           options->output);
    }
    *format = (enum script_format)which;
    return true;
}

static bool check(const struct plot_options *options, struct picture *picture, struct err *err)
{
    if (options->output == NULL && options->data == NULL)
        return err_set(err, ERR_OPTION,
                       "plot: nothing to write; expected -o FILE for a picture, --data PREFIX for "
                       "its numbers and its script, or both");
    static const enum output_kind kind[SCRIPT_FORMATS] = {
        [SCRIPT_SVG] = OUTPUT_SVG, [SCRIPT_PNG] = OUTPUT_PNG, [SCRIPT_PDF] = OUTPUT_PDF};
    picture->path = options->output;
    picture->prefix = options->data;
    return find_format(options, &picture->format, err) &&
           options_check_output(&options->common, options->output, "picture",
                                kind[picture->format]);
}

static bool print_json(const struct plot_options *options, const struct chart *chart,
                       struct err *err)
{
    json_t *curves = json_array(), *marks = json_array();
    for (size_t which = 0; which < chart->count; which++)
        report_json_append(&curves, json_pack("{s:o, s:I}", "name",
                                              report_json_text(chart->series[which].name), "points",
                                              (json_int_t)chart->series[which].count));
    for (size_t which = 0; which < chart->mark_count; which++)
        report_json_append(&marks, json_pack("{s:f, s:s}", "x", chart->mark[which].x, "text",
                                             chart->mark[which].text));
    json_t *root = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "plot",
                             options_plot_name(&options->plot), "title", chart->title, "x",
                             chart->x, "y", chart->y, "curves", curves, "marks", marks);
    if (options->output != NULL)
        report_json_set(&root, "file", report_json_text(options->output));
    if (options->data != NULL)
        report_json_set(&root, "data", report_json_text(options->data));
    return report_json(stdout, root, err);
}

static bool report(const struct plot_options *options, const struct chart *chart, struct err *err)
{
    if (options->common.json)
        return print_json(options, chart, err);
    if (options->output != NULL && strcmp(options->output, "-") == 0)
        return true;
    if (options->output != NULL)
        printf("%s: %zu curves: %s\n", options->output, chart->count, chart->title);
    if (options->data != NULL)
        printf("%s.dat, %s.gp: numbers and script\n", options->data, options->data);
    for (size_t which = 0; which < chart->mark_count; which++)
        printf("%s\n", chart->mark[which].text);
    return true;
}

static bool run(int argc, char **argv, struct err *err)
{
    static const struct argp_child children[] = {
        {&options_plot_argp, 0, NULL, 0}, {&options_common_argp, 0, NULL, 0}, {0}};
    static const struct argp_option own[] = {
        {"output", 'o', "FILE", 0, "write the picture here", 2},
        {"format", KEY_FORMAT, "FORMAT", 0, "svg, png or pdf (as FILE ends)", 2},
        {"data", KEY_DATA, "PREFIX", 0,
         "keep the numbers as PREFIX.dat, and a script for gnuplot, PREFIX.gp", 2},
        {0}};
    static const struct argp argp = {
        .options = own,
        .parser = parse,
        .children = children,
        .args_doc = "plan\ntune\ndepth\nspread FILE\narea FILE\nsweep FILE\ntable FILE",
        .doc = "Draw curves with gnuplot. plan: rounds against packets; tune: cycles against the "
               "bytes of a message; depth: buffers of routers against the size of a tree; spread: "
               "how many nodes have the packets of a schedule by round; area: LUTs against ports, "
               "from the report of 'make synth'; sweep: a column of the results of "
               "'roundcast sweep' against another; table: the same of any comma-separated values."};
    struct plot_options options = {
        .common.err = err, .plot.err = err, .plot.tune.machine.width = 16};
    enum options_outcome outcome = options_parse(&argp, argc, argv, &options, &options.common);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    struct chart chart = {0};
    struct picture picture;
    bool plotted = check(&options, &picture, err) && options_plot_chart(&options.plot, &chart) &&
                   picture_write(&picture, &chart, err) && report(&options, &chart, err);
    chart_free(&chart);
    return plotted;
}

const struct command command_plot = {
    .name = "plot",
    .arguments = "NAME [options] -o FILE",
    .summary = "draw curves: plan, tune, depth, spread, area, sweep, table",
    .run = run,
};
