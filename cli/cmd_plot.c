/* SPDX-License-Identifier: Apache-2.0 */
/* plot: plots results as curves: a picture drawn by gnuplot, its numbers and its script. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"

#include <limits.h>
#include <string.h>

#define NO_FORMAT UINT_MAX

struct plot_options {
    struct options common;
    struct roundcast_plot plot;
    unsigned format; /* NO_FORMAT: determined by the suffix of the output */
    const char *output, *data;
};

#define AT(member) offsetof(struct plot_options, member)

static const struct roundcast_field own[] = {
    {"nodes", 'n', "N", "plan, tune: use N processors, 2 or more", ROUNDCAST_FIELD_PROBLEM,
     ROUNDCAST_FIELD_NUMBER, AT(plot.nodes), 2, ROUNDCAST_PLOT_MAX_NODES},
    {"packets", 'm', "M", "plan: plot 1 … M packets, M 2 or more", ROUNDCAST_FIELD_PROBLEM,
     ROUNDCAST_FIELD_NUMBER, AT(plot.packets), 2, ROUNDCAST_PLOT_MAX_PACKETS},
    {"bytes", 0, "B", "tune: plot 1 … B bytes, B 2 or more", ROUNDCAST_FIELD_PROBLEM,
     ROUNDCAST_FIELD_NUMBER64, AT(plot.bytes), 2, ROUNDCAST_PLOT_MAX_BYTES},
    {"target", 0, "NAME", "area: plot designs for this target (default: ice40)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_TEXT, AT(plot.target)},
    {"x", 0, "COLUMN", "sweep, table: put this column on the x axis", ROUNDCAST_FIELD_OUTPUT,
     ROUNDCAST_FIELD_TEXT, AT(plot.x)},
    {"y", 0, "COLUMN,…",
     "sweep, table: put this column on the y axis; one curve for each column after it",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_TEXT, AT(plot.y)},
    {"by", 0, "COLUMN,…", "sweep, table: draw a curve for each value (default: one curve)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_TEXT, AT(plot.by)},
    {"output", 'o', "FILE", "write the picture to this file", ROUNDCAST_FIELD_OUTPUT,
     ROUNDCAST_FIELD_FILE, AT(output)},
    {"format", 0, "FORMAT", "write {choices} (default: as FILE ends)", ROUNDCAST_FIELD_OUTPUT,
     ROUNDCAST_FIELD_CHOICE, AT(format), .choice = roundcast_plot_format},
    {"data", 0, "PREFIX", "keep the numbers as PREFIX.dat and a gnuplot script as PREFIX.gp",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_FILE, AT(data)},
};

/* Reads the name of the plot and its file from the arguments. */
static bool take_arguments(struct plot_options *options, struct roundcast_error *err)
{
    const struct options *common = &options->common;
    char names[100];
    unsigned which;
    if (common->argument_count == 0)
        return roundcast_error_set(
            err, ROUNDCAST_E_OPTION, "plot: no name; expected %s",
            roundcast_field_choices(roundcast_plot_name, names, sizeof names));
    if (!roundcast_field_choose("plot", common->argument[0], roundcast_plot_name, &which, err))
        return false;
    options->plot.name = roundcast_plot_name(which);
    if (common->argument_count > 2)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "%.40s: one file too many; expected only %.40s",
                                   common->argument[2], common->argument[1]);
    if (common->argument_count == 2)
        options->plot.path = common->argument[1];
    return true;
}

/* Determines the format: --format, or else the suffix of the file; svg if no picture is written. */
static bool find_format(struct plot_options *options, struct roundcast_error *err)
{
    if (options->format != NO_FORMAT)
        return true;
    options->format = 0;
    if (options->output == NULL)
        return true;
    const char *dot = strrchr(options->output, '.'), *name;
    for (; (name = roundcast_plot_format(options->format)) != NULL; options->format++)
        if (dot != NULL && strcmp(dot + 1, name) == 0)
            return true;
    return roundcast_error_set(
        err, ROUNDCAST_E_OPTION,
        "{output}: %.60s ends as no picture; expected .svg, .png or .pdf, or "
        "{format} with it",
        options->output);
}

static bool check(struct plot_options *options, struct roundcast_error *err)
{
    if (options->output == NULL && options->data == NULL)
        return roundcast_error_set(
            err, ROUNDCAST_E_OPTION,
            "plot: nothing to write; expected {output} FILE for a picture, {data} PREFIX for "
            "its numbers and its script, or both");
    if (!find_format(options, err))
        return false;
    char name[16]; /* only the suffix matters */
    snprintf(name, sizeof name, "F.%s", roundcast_plot_format(options->format));
    return options_check_output(&options->common, options->output, "picture", output_kind_of(name),
                                err);
}

static bool print_json(const struct plot_options *options, const struct roundcast_chart *chart,
                       struct roundcast_error *err)
{
    const struct roundcast_chart_info info = roundcast_chart_describe(chart);
    json_t *curves = json_array(), *marks = json_array();
    for (size_t which = 0; which < info.curves; which++) {
        const struct roundcast_chart_curve curve = roundcast_chart_curve_at(chart, which);
        roundcast_json_append(&curves,
                              json_pack("{s:o, s:I}", "name", roundcast_json_text(curve.name),
                                        "points", (json_int_t)curve.points));
    }
    for (size_t which = 0; which < info.marks; which++) {
        const struct roundcast_chart_mark mark = roundcast_chart_mark_at(chart, which);
        roundcast_json_append(&marks, json_pack("{s:f, s:s}", "x", mark.x, "text", mark.text));
    }
    json_t *root =
        json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "plot", options->plot.name, "title", info.title,
                  "x", info.x, "y", info.y, "curves", curves, "marks", marks);
    if (options->output != NULL)
        roundcast_json_set(&root, "file", roundcast_json_text(options->output));
    if (options->data != NULL)
        roundcast_json_set(&root, "data", roundcast_json_text(options->data));
    return roundcast_json_print(stdout, root, err);
}

static bool report(const struct plot_options *options, const struct roundcast_chart *chart,
                   struct roundcast_error *err)
{
    const struct roundcast_chart_info info = roundcast_chart_describe(chart);
    if (options->common.json)
        return print_json(options, chart, err);
    if (options->output != NULL && strcmp(options->output, "-") == 0)
        return true;
    if (options->output != NULL)
        printf("%s: %zu curves: %s\n", options->output, info.curves, info.title);
    if (options->data != NULL)
        printf("%s.dat, %s.gp: numbers and script\n", options->data, options->data);
    for (size_t which = 0; which < info.marks; which++)
        printf("%s\n", roundcast_chart_mark_at(chart, which).text);
    return true;
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct plot_options options = {.plot.version = ROUNDCAST_PLOT_VERSION, .format = NO_FORMAT};
    enum options_outcome outcome =
        options_parse(&command_plot, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!take_arguments(&options, err) || !check(&options, err))
        return false;
    struct roundcast_chart *chart =
        roundcast_chart_new(&options.common.request, &options.plot, err);
    if (chart == NULL)
        return false;
    bool plotted =
        roundcast_chart_write(chart, options.output, roundcast_plot_format(options.format),
                              options.data, err) &&
        report(&options, chart, err);
    roundcast_chart_free(chart);
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
    .request = ROUNDCAST_FOR_PLOT,
    COMMAND_OWN(own),
    .run = run,
};
