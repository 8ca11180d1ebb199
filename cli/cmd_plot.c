/* SPDX-License-Identifier: Apache-2.0 */
/* plot: figures as curves: a picture that gnuplot makes, its numbers and its script. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/plot_request.h"
#include "cli/report.h"
#include "plot/picture.h"

#include <string.h>
#include <sys/stat.h>

struct plot_options {
    struct options common;
    struct plot_request plot;
    unsigned format; /* SCRIPT_FORMATS: as the name of the output ends */
    const char *output, *data;
};

static const char *format_choice(unsigned which)
{
    return which < SCRIPT_FORMATS ? script_format_name[which] : NULL;
}

#define AT(member) offsetof(struct plot_options, member)

static const struct field own[] = {
    {"nodes", 'n', "N", "plan, tune: use N processors, 2 or more", FIELD_PROBLEM, FIELD_NUMBER,
     AT(plot.nodes), 2, SCHEDULE_MAX_NODES},
    {"packets", 'm', "M", "plan: plot 1 … M packets, M 2 or more", FIELD_PROBLEM, FIELD_NUMBER,
     AT(plot.packets), 2, SCHEDULE_MAX_PACKETS},
    {"bytes", 0, "B", "tune: plot 1 … B bytes, B 2 or more", FIELD_PROBLEM, FIELD_NUMBER64,
     AT(plot.bytes), 2, TUNE_MAX_BYTES},
    {"target", 0, "NAME", "area: plot designs for this target (default: ice40)", FIELD_OUTPUT,
     FIELD_TEXT, AT(plot.target)},
    {"x", 0, "COLUMN", "sweep, table: put this column on the x axis", FIELD_OUTPUT, FIELD_TEXT,
     AT(plot.columns.x)},
    {"y", 0, "COLUMN", "sweep, table: put this column on the y axis", FIELD_OUTPUT, FIELD_TEXT,
     AT(plot.columns.y)},
    {"by", 0, "COLUMN,…", "sweep, table: draw a curve for each value (default: one curve)",
     FIELD_OUTPUT, FIELD_TEXT, AT(plot.columns.by)},
    {"output", 'o', "FILE", "write the picture to this file", FIELD_OUTPUT, FIELD_FILE, AT(output)},
    {"format", 0, "FORMAT", "write {choices} (default: as FILE ends)", FIELD_OUTPUT, FIELD_CHOICE,
     AT(format), .choice = format_choice},
    {"data", 0, "PREFIX", "keep the numbers as PREFIX.dat and a gnuplot script as PREFIX.gp",
     FIELD_OUTPUT, FIELD_FILE, AT(data)},
};

/* --format, else as the file's name ends; svg if no picture is written. */
static bool find_format(const struct plot_options *options, enum script_format *format,
                        struct err *err)
{
    unsigned which = SCRIPT_SVG;
    const char *dot = options->output != NULL ? strrchr(options->output, '.') : NULL;
    if (options->format != SCRIPT_FORMATS) {
        which = options->format;
    } else if (options->output != NULL) {
        while (which < SCRIPT_FORMATS &&
               (dot == NULL || strcmp(dot + 1, script_format_name[which]) != 0))
            which++;
        if (which == SCRIPT_FORMATS)
            return err_set(err, ERR_OPTION,
                           "{output}: %.60s ends as no picture; expected .svg, .png or .pdf, or "
                           "{format} with it",
                           options->output);
    }
    *format = (enum script_format)which;
    return true;
}

static bool check(const struct plot_options *options, struct picture *picture, struct err *err)
{
    if (options->output == NULL && options->data == NULL)
        return err_set(
            err, ERR_OPTION,
            "plot: nothing to write; expected {output} FILE for a picture, {data} PREFIX for "
            "its numbers and its script, or both");
    static const enum output_kind kind[SCRIPT_FORMATS] = {
        [SCRIPT_SVG] = OUTPUT_SVG, [SCRIPT_PNG] = OUTPUT_PNG, [SCRIPT_PDF] = OUTPUT_PDF};
    picture->path = options->output;
    picture->prefix = options->data;
    return find_format(options, &picture->format, err) &&
           options_check_output(&options->common, options->output, "picture", kind[picture->format],
                                err);
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
                             plot_request_name(&options->plot), "title", chart->title, "x",
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
    struct plot_options options = {.format = SCRIPT_FORMATS};
    enum options_outcome outcome =
        options_parse(&command_plot, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    struct chart chart = {0};
    struct picture picture;
    bool plotted = plot_request_arguments(&options.common, &options.plot, err) &&
                   check(&options, &picture, err) &&
                   plot_request_chart(&options.common.request, &options.plot, &chart, err) &&
                   picture_write(&picture, &chart, err) && report(&options, &chart, err);
    chart_free(&chart);
    return plotted;
}

const struct command command_plot = {
    .name = "plot",
    .arguments = "NAME [options] -o FILE",
    .summary = "draw curves: plan, tune, depth, spread, area, sweep, table",
    .usage = "plan|tune|depth\nspread|area|sweep|table FILE",
    .text = "Draw curves with gnuplot. plan: rounds against packets; tune: cycles against the "
            "bytes of a message; depth: buffers of routers against the size of a tree; spread: "
            "nodes that have the packets of a schedule, by round; area: LUTs against ports, from "
            "the report of 'make synth'; sweep: a column of the results of 'roundcast sweep' "
            "against another; table: the same for any comma-separated values.",
    .examples =
        "roundcast plot plan -n 22 -m 64 -o plan.svg\n"
        "roundcast plot sweep a.sqlite --x nodes --y rounds --by algorithm,packets -o a.png",
    .request = FIELD_FOR_PLOT,
    COMMAND_OWN(own),
    .run = run,
};
