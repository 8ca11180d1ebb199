/* SPDX-License-Identifier: Apache-2.0 */
/* bound: every lower bound that applies, and the exact functions that the papers' bounds are made
 * of. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/price.h"
#include "cli/report.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "sched/numbers/fibonacci.h"
#include "sched/numbers/postal.h"
#include "sched/request/machine_request.h"
#include "sched/request/problem.h"

#include <inttypes.h>

/* Sizes of this and more are printed as this: λ's tables end here, and JSON numbers are below
 * 2^63. */
#define LARGE (UINT64_C(1) << 62)

struct bound_options {
    struct options common;
    struct instance instance;
    struct rational t; /* 0/0 if not given */
};

static bool set_time(void *base, const char *text, struct err *err)
{
    struct bound_options *options = base;
    return rational_parse(text, &options->t) ||
           err_set(err, ERR_RANGE,
                   "{time}: '%.40s'; expected a time P/Q or P, at least 0, P and Q at most %d",
                   text, RATIONAL_MAX);
}

static const struct field own[] = {
    {"time", 't', "T", "print F_d(T) for -d, F_λ(T) for --lambda; T is P/Q or P", FIELD_OUTPUT,
     FIELD_TEXT, offsetof(struct bound_options, t), .set = set_time},
};

/* What is asked for; before problem_for_models, of -t alone, by its fields. */
static const struct collective *asked_of(const struct bound_options *options)
{
    return &options->instance.collective;
}

/* The functions that were asked for, by name. */
struct functions {
    unsigned count;
    struct {
        char name[RATIONAL_TEXT * 2 + 8], value[RATIONAL_TEXT];
        bool large; /* no exact value */
    } row[4];
};

static void add_size(struct functions *functions, const char *subscript, const char *t,
                     uint64_t size)
{
    unsigned row = functions->count++;
    functions->row[row].large = size >= LARGE;
    snprintf(functions->row[row].name, sizeof functions->row[row].name, "F_%s(%s)", subscript, t);
    snprintf(functions->row[row].value, sizeof functions->row[row].value, "%s%" PRIu64,
             size >= LARGE ? "≥ " : "", MIN(size, LARGE));
}

static void add_index(struct functions *functions, const char *subscript, uint32_t n,
                      const char *index)
{
    unsigned row = functions->count++;
    functions->row[row].large = false;
    snprintf(functions->row[row].name, sizeof functions->row[row].name, "f_%s(%" PRIu32 ")",
             subscript, n);
    snprintf(functions->row[row].value, sizeof functions->row[row].value, "%s", index);
}

/* F_d and f_d of the generalised Fibonacci trees. */
static bool add_trees(const struct bound_options *options, struct functions *functions,
                      struct err *err)
{
    const struct collective *asked = asked_of(options);
    char subscript[RATIONAL_TEXT], text[RATIONAL_TEXT];
    rational_text(asked->degree, 1, subscript);
    if (options->t.denominator > 1)
        return err_set(err, ERR_RANGE,
                       "{time}: %" PRIu32 "/%" PRIu32 "; expected a whole number for F_%s",
                       options->t.numerator, options->t.denominator, subscript);
    if (options->t.denominator != 0)
        add_size(functions, subscript, rational_text(options->t.numerator, 1, text),
                 fibonacci_size(asked->degree, options->t.numerator));
    if (asked->n > 0)
        add_index(functions, subscript, asked->n,
                  rational_text(fibonacci_index(asked->degree, asked->n), 1, text));
    return true;
}

/* F_λ and f_λ of the postal model. */
static bool add_postal(const struct bound_options *options, struct functions *functions,
                       struct err *err)
{
    const struct collective *asked = asked_of(options);
    struct rational lambda = asked->lambda, t = options->t;
    char subscript[RATIONAL_TEXT], text[RATIONAL_TEXT];
    struct postal postal;
    if (!postal_init(&postal, lambda.numerator, lambda.denominator, LARGE, err))
        return false;
    rational_text(lambda.numerator, lambda.denominator, subscript);
    /* F_λ is constant between ticks. */
    if (t.denominator != 0)
        add_size(functions, subscript, rational_text(t.numerator, t.denominator, text),
                 postal_size(&postal, (uint64_t)t.numerator * lambda.denominator / t.denominator));
    if (asked->n > 0)
        add_index(functions, subscript, asked->n,
                  rational_text(postal_index(&postal, asked->n), lambda.denominator, text));
    postal_free(&postal);
    return true;
}

static bool find_functions(const struct bound_options *options, struct functions *functions,
                           struct err *err)
{
    const struct collective *asked = asked_of(options);
    bool trees = asked->degree != 0, postal = asked->lambda.denominator != 0;
    *functions = (struct functions){0};
    if (options->t.denominator != 0 && !trees && !postal)
        return err_set(err, ERR_OPTION, "{time} requires {degree} or {lambda}");
    return (!trees || add_trees(options, functions, err)) &&
           (!postal || add_postal(options, functions, err));
}

/* Are bounds of this model wanted? The postal model is one if there is a λ. */
static bool is_asked(const struct instance *instance, enum model model)
{
    if (instance->has_model)
        return instance->collective.model == model;
    return !model_has_times(model) || instance->collective.lambda.denominator != 0;
}

struct value {
    const struct bound *bound;
    const struct collective *collective;
    uint64_t end;
    bool tightest;
    bool named; /* several collectives are shown, or it was asked for by its name */
};

static void show_bounds(const struct collective *asked, bool named,
                        void (*show)(void *to, const struct value *value), void *to)
{
    uint64_t most = bound_end(asked);
    const struct bound *bound;
    for (size_t which = 0; (bound = bound_at(which)) != NULL; which++) {
        struct value value = {.bound = bound, .collective = asked, .named = named};
        if (!bound_applies(bound, asked))
            continue;
        value.end = bound->value(asked);
        value.tightest = value.end == most;
        show(to, &value);
    }
}

/* Show the bounds of all models that are asked for, one by one. */
static void show_all(const struct bound_options *options,
                     void (*show)(void *to, const struct value *value), void *to)
{
    const struct collective *of = asked_of(options);
    bool all = of->topology != NULL && of->demands == NULL;
    bool named = request_has(&options->common.request, problem.collective);
    for (unsigned model = 0; model < MODEL_COUNT; model++)
        for (unsigned kind = 0; kind < COLLECTIVE_KINDS; kind++) {
            struct collective asked = *of;
            if (!is_asked(&options->instance, (enum model)model) || (!all && kind != asked.kind))
                continue;
            asked.model = (enum model)model;
            asked.kind = (enum collective_kind)kind;
            if (all && !collective_rows[kind].counted)
                asked.m = 1; /* the packets that were asked for are those of broadcasts */
            show_bounds(&asked, all || named, show, to);
        }
}

static void show_row(void *to, const struct value *value)
{
    struct report_table *table = to;
    const struct collective *collective = value->collective;
    uint32_t tick = model_has_times(collective->model) ? collective->lambda.denominator : 1;
    char end[RATIONAL_TEXT];
    report_cell(table, "%s%s%s", model_name(collective->model), value->named ? ", " : "",
                value->named ? collective_name(collective->kind) : "");
    report_cell(table, "%s", value->bound->name);
    report_cell(table, "%s", rational_text(value->end, tick, end));
    report_cell(table, value->tightest ? "*" : " ");
    report_cell(table, "%s", value->bound->formula);
    report_cell(table, "%s", value->bound->source);
}

static bool print_functions(const struct functions *functions, struct err *err)
{
    struct report_table table = {.columns = 2};
    report_cell(&table, "function");
    report_cell(&table, "value");
    for (unsigned row = 0; row < functions->count; row++) {
        report_cell(&table, "%s", functions->row[row].name);
        report_cell(&table, "%s", functions->row[row].value);
    }
    return report_table_print(stdout, &table, err);
}

static bool print_bounds(const struct bound_options *options, struct err *err)
{
    struct report_table table = {.columns = 6};
    static const char *const heading[] = {"model", "bound", "value", " ", "formula", "source"};
    for (unsigned column = 0; column < table.columns; column++)
        report_cell(&table, "%s", heading[column]);
    show_all(options, show_row, &table);
    if (!report_table_print(stdout, &table, err))
        return false;
    printf("\n* the tightest: the bound of plan, schedule and run\n");
    if (asked_of(options)->priced)
        price_units(asked_of(options));
    return true;
}

/* -t alone asks for F(T) and for no broadcast. */
static bool asks_functions(const struct bound_options *options)
{
    const struct problem *asked = &options->common.request.problem;
    return options->t.denominator != 0 && asked->nodes == 0 && asked->packets == 0 &&
           asked->tree == NULL && asked->dim == 0;
}

static bool print_table(const struct bound_options *options, const struct functions *functions,
                        struct err *err)
{
    if (asks_functions(options))
        return print_functions(functions, err);
    if (asked_of(options)->n == 1)
        printf("One node takes no round: there is no bound.\n");
    else if (!print_bounds(options, err))
        return false;
    if (functions->count == 0)
        return true;
    putchar('\n');
    return print_functions(functions, err);
}

static void show_json(void *to, const struct value *value)
{
    enum model model = value->collective->model;
    report_json_append(
        to, json_pack(
                "{s:s, s:s, s:s, s:o, s:b, s:s, s:s}", "model", model_name(model), "collective",
                collective_name(value->collective->kind), "name", value->bound->name,
                value->collective->priced ? "cycles" : report_end_name(model),
                report_json_end(model, value->collective->lambda, value->end), "tightest",
                value->tightest, "formula", value->bound->formula, "source", value->bound->source));
}

static bool print_json(const struct bound_options *options, const struct functions *functions,
                       struct err *err)
{
    json_t *bounds = json_array(), *values = json_object();
    if (!asks_functions(options))
        show_all(options, show_json, &bounds);
    for (unsigned row = 0; row < functions->count; row++)
        report_json_set(&values, functions->row[row].name,
                        functions->row[row].large ? json_null()
                                                  : json_string(functions->row[row].value));
    const struct collective *asked = asked_of(options);
    json_t *root = json_pack("{s:I, s:I, s:o, s:o}", "nodes", (json_int_t)asked->n, "packets",
                             (json_int_t)asked->m, "bounds", bounds, "functions", values);
    if (asked->priced)
        price_json_units(asked, &root);
    return report_json(stdout, root, err);
}

/* A request for F(T) alone has no problem, only a degree and λ. */
static bool find_problem(struct bound_options *options, struct err *err)
{
    const struct request *request = &options->common.request;
    options->instance.several_ports = true;
    if (!asks_functions(options))
        return problem_for_models(request, &options->instance, err);
    options->instance.collective =
        (struct collective){.degree = request->problem.degree, .lambda = request->problem.lambda};
    return machine_request_round(request, &options->instance.collective, err);
}

static bool run(int argc, char **argv, struct err *err)
{
    struct bound_options options = {0};
    enum options_outcome outcome =
        options_parse(&command_bound, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    struct functions functions;
    bool printed = options_no_argument(&options.common, &command_bound, err) &&
                   find_problem(&options, err) && find_functions(&options, &functions, err) &&
                   (options.common.json ? print_json(&options, &functions, err)
                                        : print_table(&options, &functions, err));
    instance_free(&options.instance);
    return printed;
}

const struct command command_bound = {
    .name = "bound",
    .arguments = "-n N -m M [--model X] [-d D]",
    .summary = "print every lower bound, its source and the tightest",
    .text = "Print every lower bound that applies, in --model or in every model, and mark the "
            "tightest. With -d D also f_D(n) of the generalised Fibonacci trees, with --lambda L "
            "f_L(n) of the postal model.",
    .examples = "roundcast bound -n 22 -m 8\nroundcast bound -n 22 -m 8 --lambda 5/2\n"
                "roundcast bound --tree 4,4 --capacity exp",
    .request = FIELD_FOR_BOUND,
    COMMAND_OWN(own),
    .run = run,
};
