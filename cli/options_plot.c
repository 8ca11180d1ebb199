/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_plot.h"

#include "cli/io.h"
#include "cli/options_collective.h"
#include "cli/options_keys.h"
#include "plot/plot.h"
#include "sched/base/files.h"
#include "sched/base/filter.h"
#include "sched/base/text.h"
#include "sched/machine/machine_network.h"
#include "sched/verify/verify.h"
#include "sweep/results.h"

#include <inttypes.h>
#include <string.h>

#define TITLE 240 /* room for one */

/* Bits of `given`. */
enum given {
    N = 1,
    M = 2,
    MODEL = 4,
    LAMBDA = 8,
    COLLECTIVE = 16,
    BYTES = 32,
    NETWORK = 64,
    WIDTH = 128,
    TREE = 256,
    CAPACITY = 512,
    TARGET = 1024,
    PATH = 2048,
    X = 4096,
    Y = 8192,
    BY = 16384
};

static const struct {
    int key;
    unsigned bit;
    const char *name, *expected;
} option_rows[] = {
    {'n', N, "-n", "the number of nodes"},
    {'m', M, "-m", "the most packets"},
    {KEY_MODEL, MODEL, "--model", NULL},
    {KEY_LAMBDA, LAMBDA, "--lambda", "the λ of the postal model"},
    {KEY_COLLECTIVE, COLLECTIVE, "--collective", NULL},
    {KEY_BYTES, BYTES, "--bytes", "the bytes of the largest message"},
    {KEY_NETWORK, NETWORK, "--network", NULL},
    {KEY_WIDTH, WIDTH, "--width", NULL},
    {KEY_TREE, TREE, "--tree", "the largest tree"},
    {KEY_CAPACITY, CAPACITY, "--capacity", NULL},
    {KEY_TARGET, TARGET, "--target", NULL},
    {KEY_X, X, "--x", "the column of the x axis"},
    {KEY_Y, Y, "--y", "the column of the y axis"},
    {KEY_BY, BY, "--by", NULL},
    {0, PATH, "a file", "a file, - for standard input"},
};
#define OPTIONS (sizeof option_rows / sizeof *option_rows)

static bool chart_plan(struct options_plot *options, struct chart *chart);
static bool chart_tune(struct options_plot *options, struct chart *chart);
static bool chart_depth(struct options_plot *options, struct chart *chart);
static bool chart_spread(struct options_plot *options, struct chart *chart);
static bool chart_area(struct options_plot *options, struct chart *chart);
static bool chart_table(struct options_plot *options, struct chart *chart);
static bool chart_sweep(struct options_plot *options, struct chart *chart);

static const struct plot_kind {
    const char *name;
    unsigned needs, takes; /* takes: more than it needs */
    bool (*chart)(struct options_plot *options, struct chart *chart);
} kinds[] = {
    {"plan", N | M, MODEL | LAMBDA | COLLECTIVE, chart_plan},
    {"tune", N | BYTES, MODEL | COLLECTIVE | NETWORK | WIDTH, chart_tune},
    {"depth", TREE, MODEL | CAPACITY, chart_depth},
    {"spread", PATH, 0, chart_spread},
    {"area", PATH, TARGET, chart_area},
    {"sweep", PATH | X | Y, BY, chart_sweep},
    {"table", PATH | X | Y, BY, chart_table},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static bool parse_kind(const char *name, struct options_plot *options)
{
    const char *known[KINDS];
    unsigned which;
    for (which = 0; which < KINDS; which++)
        known[which] = kinds[which].name;
    if (!options_choice("plot", name, known, KINDS, &which, options->err))
        return false;
    options->kind = &kinds[which];
    return true;
}

static error_t parse_argument(char *argument, struct options_plot *options)
{
    if (options->kind == NULL)
        return options_refuse(parse_kind(argument, options));
    options->given |= PATH;
    return options_argument("file", argument, &options->path, options->err);
}

static void note(int key, struct options_plot *options)
{
    for (size_t which = 0; key != 0 && which < OPTIONS; which++)
        if (option_rows[which].key == key)
            options->given |= option_rows[which].bit;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_plot *options = state->input;
    struct collective *asked = &options->collective;
    struct err *err = options->err;
    note(key, options);
    switch (key) {
    case 'n':
        return options_refuse(
            options_number32("-n", argument, 2, SCHEDULE_MAX_NODES, &asked->n, err));
    case 'm':
        return options_refuse(
            options_number32("-m", argument, 2, SCHEDULE_MAX_PACKETS, &asked->m, err));
    case KEY_MODEL:
        return options_refuse(options_model(argument, &asked->model, err));
    case KEY_LAMBDA:
        return options_refuse(options_lambda(argument, &asked->lambda, err));
    case KEY_COLLECTIVE:
        return options_refuse(options_kind(argument, &asked->kind, err));
    case KEY_BYTES:
        return options_refuse(
            options_number("--bytes", argument, 2, TUNE_MAX_BYTES, &options->tune.bytes, err));
    case KEY_NETWORK:
        return options_refuse(machine_parse_network(argument, &options->tune.machine, err));
    case KEY_WIDTH:
        return options_refuse(options_number32("--width", argument, 1, MACHINE_MAX_WIDTH,
                                               &options->tune.machine.width, err));
    case KEY_TREE:
        options->tree = argument;
        return 0;
    case KEY_CAPACITY:
        options->capacity = argument;
        return 0;
    case KEY_TARGET:
        options->target = argument;
        return 0;
    case KEY_X:
        options->columns.x = argument;
        return 0;
    case KEY_Y:
        options->columns.y = argument;
        return 0;
    case KEY_BY:
        options->columns.by = argument;
        return 0;
    case ARGP_KEY_ARG:
        return parse_argument(argument, options);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option argp_options[] = {
    {"nodes", 'n', "N", 0, "plan, tune: processors, 2 or more", 1},
    {"packets", 'm', "M", 0, "plan: from 1 to so many packets, 2 or more", 1},
    {"model", KEY_MODEL, "MODEL", 0,
     "plan, tune, depth: one of" MODEL_NAMES " (plan: send-receive, or postal with a λ; tune: each "
     "algorithm's; depth: single-port)",
     1},
    {"lambda", KEY_LAMBDA, "P/Q", 0, "plan: λ of the postal model, at least 1", 1},
    {"collective", KEY_COLLECTIVE, "NAME", 0, "plan, tune: " OPTIONS_KIND_HELP, 1},
    {"bytes", KEY_BYTES, "B", 0, "tune: from 1 to so many bytes, 2 or more", 1},
    {"network", KEY_NETWORK, "benes:N[,pipe=P][,pad=D]", 0,
     "tune: as of 'roundcast tune' (the smallest network that fits)", 1},
    {"width", KEY_WIDTH, "W", 0, "tune: bits of a flit, 1 … 31 (16)", 1},
    {"tree", KEY_TREE, "K1,…,KH", 0, "depth: the largest tree; the others are its lower levels", 1},
    {"capacity", KEY_CAPACITY, "C1,…,CH", 0, "depth: of the tree, or const or exp (const)", 1},
    {"target", KEY_TARGET, "NAME", 0, "area: what the designs are synthesised for (ice40)", 1},
    {"x", KEY_X, "COLUMN", 0, "sweep, table: of the x axis", 1},
    {"y", KEY_Y, "COLUMN", 0, "sweep, table: of the y axis", 1},
    {"by", KEY_BY, "COLUMN,…", 0, "sweep, table: a curve for each of its values (one curve)", 1},
    {0}};

const struct argp options_plot_argp = {.options = argp_options, .parser = parse};

const char *options_plot_name(const struct options_plot *options)
{
    return options->kind->name;
}

static bool check(const struct options_plot *options)
{
    const struct plot_kind *kind = options->kind;
    if (kind == NULL)
        return err_set(options->err, ERR_OPTION,
                       "plot: no name; expected plan, tune, depth, spread, area, sweep or table");
    for (size_t which = 0; which < OPTIONS; which++) {
        const char *name = option_rows[which].name;
        unsigned bit = option_rows[which].bit;
        if ((options->given & bit) != 0 && ((kind->needs | kind->takes) & bit) == 0)
            return err_set(options->err, ERR_OPTION, "%s: not of 'plot %s'; expected no such", name,
                           kind->name);
        if ((kind->needs & ~options->given & bit) != 0)
            return err_set(options->err, ERR_OPTION, "%s: not given; expected %s", name,
                           option_rows[which].expected);
    }
    return true;
}

bool options_plot_chart(struct options_plot *options, struct chart *chart)
{
    *chart = (struct chart){0};
    if (!check(options) || !options->kind->chart(options, chart))
        return false;
    return chart_spans(chart) ||
           err_set(options->err, ERR_RANGE,
                   "plot %s: all points at one place; expected several sizes or times",
                   options->kind->name);
}

/* --- the plots ----------------------------------------------------------------------------- */

static bool chart_plan(struct options_plot *options, struct chart *chart)
{
    struct collective *asked = &options->collective;
    char lambda[RATIONAL_TEXT] = "", title[TITLE];
    bool has_lambda = (options->given & LAMBDA) != 0;
    if ((options->given & MODEL) == 0)
        asked->model = has_lambda ? MODEL_POSTAL : MODEL_SEND_RECEIVE;
    if (topology_rows[model_topology(asked->model)]->joins != NULL)
        return err_set(options->err, ERR_ALGORITHM,
                       "--model: %s is of a tree or hypercube, where m does not vary; expected one "
                       "of a complete graph",
                       model_name(asked->model));
    if (has_lambda != model_has_times(asked->model))
        return err_set(options->err, ERR_OPTION,
                       has_lambda ? "--lambda: the model %s has none; expected --model postal"
                                  : "--lambda: not given; expected the λ of the model %s",
                       model_name(asked->model));
    if (has_lambda)
        rational_text(asked->lambda.numerator, asked->lambda.denominator, lambda);
    snprintf(title, TITLE, "%s, %" PRIu32 " node%s, %s%s%s", collective_name(asked->kind), asked->n,
             text_s(asked->n), model_name(asked->model), has_lambda ? ", λ = " : "", lambda);
    return plot_plan(asked, title, chart, options->err);
}

static bool chart_tune(struct options_plot *options, struct chart *chart)
{
    struct tune_request *request = &options->tune;
    char network[MACHINE_NETWORK_TEXT], title[TITLE];
    request->nodes = options->collective.n;
    request->kind = options->collective.kind;
    if ((options->given & MODEL) != 0)
        request->model = &options->collective.model;
    if ((options->given & NETWORK) == 0)
        tune_usual_network(request);
    snprintf(title, TITLE, "%s, %" PRIu32 " node%s, %s, flits of %u bit%s",
             collective_name(request->kind), request->nodes, text_s(request->nodes),
             machine_network_text(&request->machine, network), request->machine.width,
             text_s(request->machine.width));
    return plot_tune(request, title, chart, options->err);
}

static bool chart_depth(struct options_plot *options, struct chart *chart)
{
    struct topology tree;
    char title[TITLE];
    const char *capacity = options->capacity != NULL ? options->capacity : "const";
    enum model model = MODEL_SINGLE_PORT;
    if ((options->given & MODEL) != 0)
        model = options->collective.model;
    if (!topology_parse_tree(options->tree, capacity, &tree, options->err))
        return false;
    if (model_topology(model) != tree.kind)
        return err_set(options->err, ERR_ALGORITHM,
                       "--model: %s is not of a tree; expected single-port or multiport",
                       model_name(model));
    snprintf(title, TITLE, "routers of trees with %.60s children, capacity %.60s, %s",
             options->tree, capacity, model_name(model));
    return plot_depth(&tree, model, title, chart, options->err);
}

static bool chart_schedule(const struct schedule *schedule, const char *path, struct chart *chart,
                           struct err *err)
{
    struct verify_report verified;
    char title[TITLE];
    if (!verify_schedule(files_input_name(path), schedule, &verified, err))
        return false;
    snprintf(title, TITLE, "%.100s, %" PRIu32 " packet%s, %" PRIu32 " node%s, %s",
             schedule->algorithm, schedule->packets, text_s(schedule->packets), schedule->nodes,
             text_s(schedule->nodes), model_name(schedule->model));
    return plot_spread(schedule, title, chart, err);
}

static bool chart_spread(struct options_plot *options, struct chart *chart)
{
    struct schedule schedule = {0};
    bool plotted = io_read_schedule(options->path, &schedule, options->err) &&
                   chart_schedule(&schedule, options->path, chart, options->err);
    schedule_free(&schedule);
    return plotted;
}

static bool chart_area(struct options_plot *options, struct chart *chart)
{
    const char *target = options->target != NULL ? options->target : "ice40";
    char title[TITLE];
    FILE *file = files_open_input(options->path, options->err);
    if (file == NULL)
        return false;
    snprintf(title, TITLE, "designs on %.60s", target);
    bool plotted =
        plot_area(file, files_input_name(options->path), target, title, chart, options->err);
    files_close_input(file);
    return plotted;
}

static bool chart_columns(struct options_plot *options, FILE *file, struct chart *chart)
{
    const struct plot_columns *columns = &options->columns;
    char title[TITLE];
    snprintf(title, TITLE, "%.60s over %.60s", columns->y, columns->x);
    return plot_table(file, files_input_name(options->path), columns, title, chart, options->err);
}

static bool chart_table(struct options_plot *options, struct chart *chart)
{
    FILE *file = files_open_input(options->path, options->err);
    if (file == NULL)
        return false;
    bool plotted = chart_columns(options, file, chart);
    files_close_input(file);
    return plotted;
}

static bool chart_sweep(struct options_plot *options, struct chart *chart)
{
    FILE *file = filter_input(options->err);
    if (file == NULL)
        return false;
    bool printed = results_print(options->path, file, "a temporary file", options->err);
    rewind(file);
    bool plotted = printed && chart_columns(options, file, chart);
    fclose(file);
    return plotted;
}
