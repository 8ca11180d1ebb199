/* SPDX-License-Identifier: Apache-2.0 */
/* bound: every lower bound that applies, and the exact functions that the papers' bounds are made
 * of. */
#include "cli/bound_functions.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/price.h"
#include "cli/report.h"
#include "sched/bound/bound.h"
#include "sched/plan/plan.h"
#include "sched/request/machine_request.h"
#include "sched/request/problem.h"

#include <inttypes.h>

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
    for (const struct bound *bound = bound_table; bound->name != NULL; bound++) {
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

/* What theorems guarantee for the algorithms that apply. Errors as plan_make. */
static bool find_guarantees(const struct bound_options *options, struct plan *plan, struct err *err)
{
    struct collective asked = *asked_of(options);
    asked.degree = 0; /* of the functions, not of the algorithms */
    return plan_guarantees(&asked, options->instance.has_model ? &asked.model : NULL, plan, err);
}

static bool print_guarantees(const struct bound_options *options, struct err *err)
{
    static const char *const heading[] = {"model", "algorithm", "guarantee", "formula", "source"};
    struct report_table table = {.columns = 5};
    struct plan plan = {0};
    if (!find_guarantees(options, &plan, err))
        return false;
    for (unsigned column = 0; plan.count > 0 && column < table.columns; column++)
        report_cell(&table, "%s", heading[column]);
    for (size_t which = 0; which < plan.count; which++) {
        const struct plan_row *row = &plan.row[which];
        const char *method = algorithm_method_name(row->algorithm, row->model, row->method);
        uint32_t tick = model_has_times(row->model) ? asked_of(options)->lambda.denominator : 1;
        char end[RATIONAL_TEXT];
        report_cell(&table, "%s", model_name(row->model));
        report_cell(&table, "%s%s%s", row->algorithm->name, method != NULL ? " --method " : "",
                    method != NULL ? method : "");
        report_cell(&table, "%s", rational_text(row->guarantee.end, tick, end));
        report_cell(&table, "%s", row->guarantee.formula);
        report_cell(&table, "%s", row->guarantee.source);
    }
    bool any = plan.count > 0;
    plan_free(&plan);
    if (any)
        putchar('\n');
    return !any || report_table_print(stdout, &table, err);
}

/* -t alone asks for F(T) and for no broadcast. */
static bool asks_functions(const struct bound_options *options)
{
    const struct problem *asked = &options->common.request.problem;
    return options->t.denominator != 0 && asked->nodes == 0 && asked->packets == 0 &&
           asked->tree == NULL && asked->dim == 0;
}

static bool print_table(const struct bound_options *options,
                        const struct bound_functions *functions, struct err *err)
{
    if (asks_functions(options))
        return bound_functions_print(functions, err);
    if (asked_of(options)->n == 1)
        printf("One node takes no round: there is no bound.\n");
    else if (!print_bounds(options, err) || !print_guarantees(options, err))
        return false;
    if (functions->count == 0)
        return true;
    putchar('\n');
    return bound_functions_print(functions, err);
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

/* Appends the guarantees to an array. Errors as find_guarantees; a lack of memory for the array
 * makes it NULL, as report_json_append does. */
static bool json_guarantees(const struct bound_options *options, json_t **rows, struct err *err)
{
    struct plan plan = {0};
    if (!find_guarantees(options, &plan, err))
        return false;
    for (size_t which = 0; which < plan.count; which++) {
        const struct plan_row *row = &plan.row[which];
        const char *method = algorithm_method_name(row->algorithm, row->model, row->method);
        json_t *entry =
            json_pack("{s:s, s:s, s:o, s:s, s:s}", "model", model_name(row->model), "algorithm",
                      row->algorithm->name, report_end_name(row->model),
                      report_json_end(row->model, asked_of(options)->lambda, row->guarantee.end),
                      "formula", row->guarantee.formula, "source", row->guarantee.source);
        if (method != NULL)
            report_json_set(&entry, "method", json_string(method));
        if (row->degree != 0)
            report_json_set(&entry, "d", json_integer(row->degree));
        report_json_append(rows, entry);
    }
    plan_free(&plan);
    return true;
}

static bool print_json(const struct bound_options *options, const struct bound_functions *functions,
                       struct err *err)
{
    json_t *bounds = json_array(), *values = json_object(), *guarantees = json_array();
    json_t *theorems = json_object();
    if (!asks_functions(options)) {
        show_all(options, show_json, &bounds);
        if (!json_guarantees(options, &guarantees, err)) {
            json_decref(guarantees);
            json_decref(bounds);
            json_decref(values);
            json_decref(theorems);
            return false;
        }
    }
    bound_functions_json(functions, &values, &theorems);
    const struct collective *asked = asked_of(options);
    json_t *root = json_pack("{s:I, s:I, s:o, s:o, s:o, s:o}", "nodes", (json_int_t)asked->n,
                             "packets", (json_int_t)asked->m, "bounds", bounds, "guarantees",
                             guarantees, "functions", values, "function_guarantees", theorems);
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
    struct bound_functions functions;
    bool printed = options_no_argument(&options.common, &command_bound, err) &&
                   find_problem(&options, err) &&
                   bound_functions_find(asked_of(&options), options.t, &functions, err) &&
                   (options.common.json ? print_json(&options, &functions, err)
                                        : print_table(&options, &functions, err));
    instance_free(&options.instance);
    return printed;
}

const struct command command_bound = {
    .name = "bound",
    .arguments = "-n N -m M [--model X] [-d D]",
    .summary = "print every lower bound, its source and the tightest",
    .text =
        "Print every lower bound that applies, in --model or in every model, and mark the "
        "tightest. Print what theorems guarantee for algorithms from above. With -d D also "
        "f_D(n) of the generalised Fibonacci trees, with --lambda L f_L(n) of the postal model. On "
        "a hypercube also W_d(K), the fewest slots for the worst K sources, and with given "
        "sources N, the packets of the largest random tree of cube-broadcast, and the paper's "
        "bound of its probability.",
    .examples = "roundcast bound -n 22 -m 8\nroundcast bound -n 22 -m 8 --lambda 5/2\n"
                "roundcast bound --tree 4,4 --capacity exp",
    .request = FIELD_FOR_BOUND,
    COMMAND_OWN(own),
    .run = run,
};
