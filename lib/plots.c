/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of the public library: selects the plot and reads its input. */
#include "lib/inside.h"
#include "lib/roundcast/plot.h"
#include "plot/plot.h"
#include "plot/script.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/base/tool.h"
#include "sched/machine/machine_network.h"
#include "sched/verify/verify.h"
#include "sweep/results.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(ROUNDCAST_PLOT_MAX_NODES == SCHEDULE_MAX_NODES, "the limit is public");
_Static_assert(ROUNDCAST_PLOT_MAX_PACKETS == SCHEDULE_MAX_PACKETS, "the limit is public");
_Static_assert(ROUNDCAST_PLOT_MAX_BYTES == TUNE_MAX_BYTES, "the limit is public");

#define TITLE 240 /* room for a title */

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
    unsigned bit;
    const char *field, *expected;
} fields[] = {
    {N, "nodes", "the number of nodes"},
    {M, "packets", "the most packets"},
    {MODEL, "model", NULL},
    {LAMBDA, "lambda", NULL},
    {COLLECTIVE, "collective", NULL},
    {BYTES, "bytes", "the bytes of the largest message"},
    {NETWORK, "network", NULL},
    {WIDTH, "width", NULL},
    {TREE, "tree", "the largest tree"},
    {CAPACITY, "capacity", NULL},
    {TARGET, "target", NULL},
    {X, "x", "the column of the x axis"},
    {Y, "y", "the column of the y axis"},
    {BY, "by", NULL},
};
#define FIELDS (sizeof fields / sizeof *fields)

struct asked {
    const struct request *request;
    const struct roundcast_plot *plot;
    const struct plot_kind *kind;
    unsigned given;
    struct err *err;
};

static bool chart_plan(const struct asked *asked, struct chart *chart);
static bool chart_tune(const struct asked *asked, struct chart *chart);
static bool chart_depth(const struct asked *asked, struct chart *chart);
static bool chart_spread(const struct asked *asked, struct chart *chart);
static bool chart_area(const struct asked *asked, struct chart *chart);
static bool chart_table(const struct asked *asked, struct chart *chart);
static bool chart_sweep(const struct asked *asked, struct chart *chart);

static const struct plot_kind {
    const char *name;
    unsigned needs, takes; /* takes: optional members besides the required ones */
    bool (*chart)(const struct asked *asked, struct chart *chart);
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

const char *roundcast_plot_name(unsigned index)
{
    return index < KINDS ? kinds[index].name : NULL;
}

const char *roundcast_plot_format(unsigned index)
{
    return index < SCRIPT_FORMATS ? script_format_name[index] : NULL;
}

static unsigned given_of(const struct request *request, const struct roundcast_plot *plot)
{
    const struct {
        unsigned bit;
        bool given;
    } rows[] = {{N, plot->nodes != 0},
                {M, plot->packets != 0},
                {MODEL, request_has(request, problem.model)},
                {LAMBDA, request_has(request, problem.lambda)},
                {COLLECTIVE, request_has(request, problem.collective)},
                {BYTES, plot->bytes != 0},
                {NETWORK, request_has(request, machine.machine.network)},
                {WIDTH, request_has(request, machine.machine.width)},
                {TREE, request->problem.tree != NULL},
                {CAPACITY, request->problem.capacity != NULL},
                {TARGET, plot->target != NULL},
                {PATH, plot->path != NULL},
                {X, plot->x != NULL},
                {Y, plot->y != NULL},
                {BY, plot->by != NULL}};
    unsigned given = 0;
    for (size_t which = 0; which < sizeof rows / sizeof *rows; which++)
        given |= rows[which].given ? rows[which].bit : 0;
    return given;
}

static bool check(const struct asked *asked)
{
    const struct plot_kind *kind = asked->kind;
    const unsigned honoured = kind->needs | kind->takes;
    for (size_t which = 0; which < FIELDS; which++) {
        unsigned bit = fields[which].bit;
        if ((asked->given & bit) != 0 && (honoured & bit) == 0)
            return field_reject(asked->err, ERR_OPTION, fields[which].field,
                                ": 'plot %s' has no use for it; expected none", kind->name);
        if ((kind->needs & ~asked->given & bit) != 0)
            return err_missing(asked->err, fields[which].field, fields[which].expected);
    }
    if ((asked->given & PATH) != 0 && (honoured & PATH) == 0)
        return err_set(asked->err, ERR_OPTION, "%.40s: 'plot %s' reads no file; expected none",
                       asked->plot->path, kind->name);
    return (kind->needs & ~asked->given & PATH) == 0 ||
           err_set(asked->err, ERR_OPTION, "plot %s: no file; expected one, - for standard input",
                   kind->name);
}

static bool make_chart(const struct request *request, const struct roundcast_plot *plot,
                       struct chart *chart, struct err *err)
{
    unsigned which;
    if (plot->version != ROUNDCAST_PLOT_VERSION)
        return err_set(err, ERR_RANGE, "version: %u; expected %d", plot->version,
                       ROUNDCAST_PLOT_VERSION);
    if (!field_choose("plot", plot->name, roundcast_plot_name, &which, err))
        return false;
    const struct asked asked = {request, plot, &kinds[which], given_of(request, plot), err};
    return check(&asked) && asked.kind->chart(&asked, chart) &&
           (chart_spans(chart) ||
            err_set(err, ERR_RANGE,
                    "plot %s: all points at one place; expected several sizes or times",
                    asked.kind->name));
}

/* --- the plots ----------------------------------------------------------------------------- */

static bool chart_plan(const struct asked *asked, struct chart *chart)
{
    const struct problem *problem = &asked->request->problem;
    struct err *err = asked->err;
    char lambda[RATIONAL_TEXT] = "", title[TITLE];
    bool has_lambda = (asked->given & LAMBDA) != 0;
    struct collective of = {.n = asked->plot->nodes,
                            .m = asked->plot->packets,
                            .model = has_lambda ? MODEL_POSTAL : MODEL_SEND_RECEIVE,
                            .kind = problem->collective,
                            .lambda = problem->lambda};
    if ((asked->given & MODEL) != 0)
        of.model = problem->model;
    if (topology_rows[model_topology(of.model)]->joins != NULL)
        return err_set(err, ERR_ALGORITHM,
                       "{model}: %s is of a tree or hypercube, where m does not vary; expected one "
                       "of a complete graph",
                       model_name(of.model));
    if (has_lambda && !model_has_times(of.model))
        return err_set(err, ERR_OPTION, "{lambda}: the model %s has no λ; expected {model} postal",
                       model_name(of.model));
    if (!has_lambda && model_has_times(of.model))
        return err_missing(err, "lambda", "the λ of the postal model");
    if (has_lambda)
        rational_text(of.lambda.numerator, of.lambda.denominator, lambda);
    snprintf(title, TITLE, "%s, %" PRIu32 " node%s, %s%s%s", collective_name(of.kind), of.n,
             text_s(of.n), model_name(of.model), has_lambda ? ", λ = " : "", lambda);
    return plot_plan(&of, title, chart, err);
}

static bool chart_tune(const struct asked *asked, struct chart *chart)
{
    const struct request *request = asked->request;
    char network[MACHINE_NETWORK_TEXT], title[TITLE];
    struct tune_request of = {.bytes = asked->plot->bytes,
                              .nodes = asked->plot->nodes,
                              .kind = request->problem.collective,
                              .machine = request->machine.machine};
    if ((asked->given & MODEL) != 0)
        of.model = &request->problem.model;
    if ((asked->given & NETWORK) == 0)
        tune_usual_network(&of);
    of.machine.combines = collective_rows[of.kind].combined;
    snprintf(title, TITLE, "%s, %" PRIu32 " node%s, %s, flits of %u bit%s",
             collective_name(of.kind), of.nodes, text_s(of.nodes),
             machine_network_text(&of.machine, network), of.machine.width,
             text_s(of.machine.width));
    return plot_tune(&of, title, chart, asked->err);
}

static bool chart_depth(const struct asked *asked, struct chart *chart)
{
    const struct problem *problem = &asked->request->problem;
    struct topology tree;
    char title[TITLE];
    const char *capacity = problem->capacity != NULL ? problem->capacity : "const";
    enum model model = (asked->given & MODEL) != 0 ? problem->model : MODEL_SINGLE_PORT;
    if (!topology_parse_tree(problem->tree, capacity, &tree, asked->err))
        return false;
    if (model_topology(model) != tree.kind)
        return err_set(asked->err, ERR_ALGORITHM,
                       "{model}: %s is not of a tree; expected single-port or multiport",
                       model_name(model));
    snprintf(title, TITLE, "routers of trees with %.60s children, capacity %.60s, %s",
             problem->tree, capacity, model_name(model));
    return plot_depth(&tree, model, title, chart, asked->err);
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

static bool chart_spread(const struct asked *asked, struct chart *chart)
{
    struct roundcast_error error = {0};
    struct roundcast_schedule *schedule = roundcast_read_any(asked->plot->path, &error);
    if (schedule == NULL) {
        *asked->err = inside_err(&error);
        return false;
    }
    bool plotted = chart_schedule(&schedule->schedule, schedule->name, chart, asked->err);
    roundcast_schedule_free(schedule);
    return plotted;
}

static bool chart_area(const struct asked *asked, struct chart *chart)
{
    const char *target = asked->plot->target != NULL ? asked->plot->target : "ice40";
    char title[TITLE];
    FILE *file = files_open_input(asked->plot->path, asked->err);
    if (file == NULL)
        return false;
    snprintf(title, TITLE, "designs on %.60s", target);
    bool plotted =
        plot_area(file, files_input_name(asked->plot->path), target, title, chart, asked->err);
    files_close_input(file);
    return plotted;
}

static bool chart_columns(const struct asked *asked, FILE *file, struct chart *chart)
{
    const struct plot_columns columns = {asked->plot->x, asked->plot->y, asked->plot->by};
    char title[TITLE];
    snprintf(title, TITLE, "%.60s over %.60s", columns.y, columns.x);
    return plot_table(file, files_input_name(asked->plot->path), &columns, title, chart,
                      asked->err);
}

static bool chart_table(const struct asked *asked, struct chart *chart)
{
    FILE *file = files_open_input(asked->plot->path, asked->err);
    if (file == NULL)
        return false;
    bool plotted = chart_columns(asked, file, chart);
    files_close_input(file);
    return plotted;
}

static bool chart_sweep(const struct asked *asked, struct chart *chart)
{
    FILE *file = filter_input(asked->err);
    if (file == NULL)
        return false;
    bool printed = results_print(asked->plot->path, file, "a temporary file", asked->err);
    rewind(file);
    bool plotted = printed && chart_columns(asked, file, chart);
    fclose(file);
    return plotted;
}

/* --- charts --------------------------------------------------------------------------------- */

struct roundcast_chart {
    struct chart chart;
};

struct roundcast_chart *roundcast_chart_new(const struct roundcast_request *request,
                                            const struct roundcast_plot *plot,
                                            struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    struct roundcast_chart *chart = calloc(1, sizeof *chart);
    bool made = chart != NULL
                    ? inside_request(request, INSIDE_PROBLEM | INSIDE_MACHINE, &asked, &err) &&
                          make_chart(&asked, plot, &chart->chart, &err)
                    : err_no_memory(&err, "a chart");
    if (made)
        return chart;
    roundcast_chart_free(chart);
    inside_fail(&err, error);
    return NULL;
}

bool roundcast_chart_write(const struct roundcast_chart *chart, const char *picture,
                           const char *format, const char *prefix, struct roundcast_error *error)
{
    struct err err = {0};
    unsigned which = 0;
    bool written = field_choose("format", format, roundcast_plot_format, &which, &err);
    const struct picture files = {(enum script_format)which, picture, prefix};
    written = written && picture_write(&files, &chart->chart, &err);
    return written || inside_fail(&err, error);
}

struct roundcast_chart_info roundcast_chart_describe(const struct roundcast_chart *chart)
{
    const struct chart *of = &chart->chart;
    return (struct roundcast_chart_info){of->title, of->x, of->y, of->count, of->mark_count};
}

struct roundcast_chart_curve roundcast_chart_curve_at(const struct roundcast_chart *chart,
                                                      size_t index)
{
    const struct chart_series *series = &chart->chart.series[index];
    return (struct roundcast_chart_curve){series->name, series->count};
}

struct roundcast_chart_mark roundcast_chart_mark_at(const struct roundcast_chart *chart,
                                                    size_t index)
{
    const struct chart_mark *mark = &chart->chart.mark[index];
    return (struct roundcast_chart_mark){mark->x, mark->text};
}

void roundcast_chart_free(struct roundcast_chart *chart)
{
    if (chart == NULL)
        return;
    chart_free(&chart->chart);
    free(chart);
}
