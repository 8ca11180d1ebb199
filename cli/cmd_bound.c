/* SPDX-License-Identifier: Apache-2.0 */
/* bound: prints every lower bound that applies, and the exact functions on which the papers' bounds
 * are based. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/price.h"
#include "cli/report.h"
#include "cli/text.h"

#include <inttypes.h>

struct bound_options {
    struct options common;
    struct roundcast_time t; /* 0/0 if not given */
};

static bool set_time(void *base, const char *text, struct roundcast_error *err)
{
    struct bound_options *options = base;
    return roundcast_time_parse(text, &options->t) ||
           roundcast_error_set(
               err, ROUNDCAST_E_RANGE,
               "{time}: '%.40s'; expected a time P/Q or P, at least 0, P and Q at most %d", text,
               ROUNDCAST_TIME_MAX);
}

static const struct roundcast_field own[] = {
    {"time", 't', "T", "print F_d(T) for -d, F_λ(T) for --lambda; T is P/Q or P",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_TEXT, offsetof(struct bound_options, t),
     .set = set_time},
};

#define FUNCTION_TEXT (2 * ROUNDCAST_TIME_TEXT + 8)

/* Writes a name such as "F_2(7)" or "f_5/2(22)". */
static const char *function_name(const struct roundcast_function *function,
                                 char text[FUNCTION_TEXT])
{
    char subscript[ROUNDCAST_TIME_TEXT], argument[ROUNDCAST_TIME_TEXT];
    roundcast_time_text(function->subscript, function->subscript_ticks, subscript);
    roundcast_time_text(function->argument, function->argument_ticks, argument);
    snprintf(text, FUNCTION_TEXT, "%c_%s(%s)", function->name, subscript, argument);
    return text;
}

static void print_row(struct report_table *table, const struct roundcast_bound_row *row, bool named)
{
    char end[ROUNDCAST_TIME_TEXT];
    report_cell(table, "%s%s%s", row->model, named ? ", " : "", named ? row->collective : "");
    report_cell(table, "%s", row->name);
    report_cell(table, "%s", roundcast_time_text(row->end, row->ticks, end));
    report_cell(table, row->tightest ? "*" : " ");
    report_cell(table, "%s", row->formula);
    report_cell(table, "%s", row->source);
}

/* Writes a guarantee such as "≥ 25" or "≤ 15/2". */
static const char *guarantee_text(const struct roundcast_function *function,
                                  char text[FUNCTION_TEXT])
{
    char value[ROUNDCAST_TIME_TEXT];
    roundcast_time_text(function->guarantee, function->value_ticks, value);
    snprintf(text, FUNCTION_TEXT, "%s %s", function->name == 'F' ? "≥" : "≤", value);
    return text;
}

static void print_function(struct report_table *table, const struct roundcast_function *function)
{
    char name[FUNCTION_TEXT], value[ROUNDCAST_TIME_TEXT];
    const bool guaranteed = function->guarantee_source != NULL;
    report_cell(table, "%s", function_name(function, name));
    report_cell(table, "%s%s", function->large ? "≥ " : "",
                roundcast_time_text(function->value, function->value_ticks, value));
    report_cell(table, "%s", guaranteed ? guarantee_text(function, name) : " ");
    report_cell(table, "%s", guaranteed ? function->guarantee_source : " ");
}

static void print_tail(struct report_table *table, uint32_t most, double tail)
{
    report_cell(table, "P(N ≥ %" PRIu32 ")", most);
    report_cell(table, "≤ %.2g", tail);
    report_cell(table, " ");
    report_cell(table, "Stamoulis, Tsitsiklis, inequality (1)");
}

static void print_sources(struct report_table *table, const struct roundcast_sources *sources)
{
    if (sources->worst_source != NULL) {
        report_cell(table, "W_%" PRIu32 "(%" PRIu32 ")", sources->dimensions, sources->packets);
        report_cell(table, "≥ %" PRIu64, sources->worst_least);
        report_cell(table, "≤ %" PRIu64, sources->worst_most);
        report_cell(table, "%s", sources->worst_source);
    }
    if (sources->largest == 0)
        return;
    report_cell(table, "N");
    report_cell(table, "%" PRIu32, sources->largest);
    report_cell(table, " ");
    report_cell(table, " ");
    print_tail(table, sources->largest, sources->largest_tail);
    if (sources->unlikely != 0)
        print_tail(table, sources->unlikely, sources->unlikely_tail);
}

static bool print_functions(const struct roundcast_bound_table *bounds, struct roundcast_error *err)
{
    struct report_table table = {.columns = 4};
    static const char *const heading[] = {"function", "value", "guarantee", "source"};
    for (unsigned column = 0; column < table.columns; column++)
        report_cell(&table, "%s", heading[column]);
    if (bounds->has_sources)
        print_sources(&table, &bounds->sources);
    for (size_t which = 0; which < bounds->function_count; which++)
        print_function(&table, &bounds->function[which]);
    return report_table_print(stdout, &table, err);
}

/* Prints the guarantees of theorems for the algorithms that apply. */
static bool print_guarantees(const struct roundcast_bound_table *bounds,
                             struct roundcast_error *err)
{
    static const char *const heading[] = {"model", "algorithm", "guarantee", "formula", "source"};
    struct report_table table = {.columns = 5};
    if (bounds->guarantee_count == 0)
        return true;
    for (unsigned column = 0; column < table.columns; column++)
        report_cell(&table, "%s", heading[column]);
    for (size_t which = 0; which < bounds->guarantee_count; which++) {
        const struct roundcast_plan_row *row = &bounds->guarantee[which];
        char end[ROUNDCAST_TIME_TEXT];
        report_cell(&table, "%s", row->model);
        report_cell(&table, "%s%s%s", row->algorithm, row->method != NULL ? " --method " : "",
                    row->method != NULL ? row->method : "");
        report_cell(&table, "%s", roundcast_time_text(row->guarantee, row->ticks, end));
        report_cell(&table, "%s", row->guarantee_formula);
        report_cell(&table, "%s", row->guarantee_source);
    }
    putchar('\n');
    return report_table_print(stdout, &table, err);
}

static bool print_bounds(const struct roundcast_bound_table *bounds, bool named,
                         struct roundcast_error *err)
{
    struct report_table table = {.columns = 6};
    static const char *const heading[] = {"model", "bound", "value", " ", "formula", "source"};
    for (unsigned column = 0; column < table.columns; column++)
        report_cell(&table, "%s", heading[column]);
    for (size_t which = 0; which < bounds->count; which++)
        print_row(&table, &bounds->row[which], named || bounds->several);
    if (!report_table_print(stdout, &table, err))
        return false;
    printf("\n* the tightest: the bound of plan, schedule and run\n");
    if (bounds->priced)
        price_cycles(bounds->round_cycles, bounds->change_cycles);
    return true;
}

static bool print_table(const struct roundcast_bound_table *bounds, bool named,
                        struct roundcast_error *err)
{
    if (bounds->functions_only)
        return print_functions(bounds, err);
    if (bounds->nodes == 1)
        printf("One node takes no round: there is no bound.\n");
    else if (!print_bounds(bounds, named, err) || !print_guarantees(bounds, err))
        return false;
    if (bounds->function_count == 0 && !bounds->has_sources)
        return true;
    putchar('\n');
    return print_functions(bounds, err);
}

static json_t *json_of(const struct roundcast_bound_row *row, bool priced)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:b, s:s, s:s}", "model", row->model, "collective",
                     row->collective, "name", row->name,
                     priced ? "cycles" : report_end_name(row->times),
                     roundcast_json_end(row->times, row->end, row->ticks), "tightest",
                     row->tightest, "formula", row->formula, "source", row->source);
}

static json_t *json_of_guarantee(const struct roundcast_plan_row *row)
{
    json_t *entry = json_pack("{s:s, s:s, s:o, s:s, s:s}", "model", row->model, "algorithm",
                              row->algorithm, report_end_name(row->times),
                              roundcast_json_end(row->times, row->guarantee, row->ticks), "formula",
                              row->guarantee_formula, "source", row->guarantee_source);
    if (row->method != NULL)
        roundcast_json_set(&entry, "method", json_string(row->method));
    if (row->degree != 0)
        roundcast_json_set(&entry, "d", json_integer(row->degree));
    return entry;
}

/* Sets the value of a function and its guarantee. */
static void set_function(const struct roundcast_function *function, json_t **values,
                         json_t **guarantees)
{
    char name[FUNCTION_TEXT], value[ROUNDCAST_TIME_TEXT], guarantee[FUNCTION_TEXT];
    roundcast_time_text(function->value, function->value_ticks, value);
    function_name(function, name);
    roundcast_json_set(values, name, function->large ? json_null() : json_string(value));
    if (function->guarantee_source != NULL)
        roundcast_json_set(guarantees, name, json_string(guarantee_text(function, guarantee)));
}

static void set_tail(uint32_t most, double tail, json_t **values)
{
    char name[FUNCTION_TEXT], value[FUNCTION_TEXT];
    snprintf(name, sizeof name, "P(N ≥ %" PRIu32 ")", most);
    snprintf(value, sizeof value, "≤ %.2g", tail);
    roundcast_json_set(values, name, json_string(value));
}

static void set_sources(const struct roundcast_sources *sources, json_t **values,
                        json_t **guarantees)
{
    char name[FUNCTION_TEXT], value[FUNCTION_TEXT];
    snprintf(name, sizeof name, "W_%" PRIu32 "(%" PRIu32 ")", sources->dimensions,
             sources->packets);
    if (sources->worst_source != NULL) {
        snprintf(value, sizeof value, "≥ %" PRIu64, sources->worst_least);
        roundcast_json_set(values, name, json_string(value));
        snprintf(value, sizeof value, "≤ %" PRIu64, sources->worst_most);
        roundcast_json_set(guarantees, name, json_string(value));
    }
    if (sources->largest == 0)
        return;
    snprintf(value, sizeof value, "%" PRIu32, sources->largest);
    roundcast_json_set(values, "N", json_string(value));
    set_tail(sources->largest, sources->largest_tail, values);
    if (sources->unlikely != 0)
        set_tail(sources->unlikely, sources->unlikely_tail, values);
}

static bool print_json(const struct roundcast_bound_table *table, struct roundcast_error *err)
{
    json_t *bounds = json_array(), *guarantees = json_array();
    json_t *values = json_object(), *theorems = json_object();
    for (size_t which = 0; which < table->count; which++)
        roundcast_json_append(&bounds, json_of(&table->row[which], table->priced));
    for (size_t which = 0; which < table->guarantee_count; which++)
        roundcast_json_append(&guarantees, json_of_guarantee(&table->guarantee[which]));
    if (table->has_sources)
        set_sources(&table->sources, &values, &theorems);
    for (size_t which = 0; which < table->function_count; which++)
        set_function(&table->function[which], &values, &theorems);
    json_t *root = json_pack("{s:I, s:I, s:o, s:o, s:o, s:o}", "nodes", (json_int_t)table->nodes,
                             "packets", (json_int_t)table->packets, "bounds", bounds, "guarantees",
                             guarantees, "functions", values, "function_guarantees", theorems);
    if (table->priced)
        price_json_cycles(table->round_cycles, table->change_cycles, &root);
    return roundcast_json_print(stdout, root, err);
}

static bool print(const struct bound_options *options, const struct roundcast_bound_table *bounds,
                  struct roundcast_error *err)
{
    const bool named = options->common.request.collective != NULL;
    return options->common.json ? print_json(bounds, err) : print_table(bounds, named, err);
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct bound_options options = {0};
    struct roundcast_bound_table bounds = {0};
    enum options_outcome outcome =
        options_parse(&command_bound, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    bool printed = options_no_argument(&options.common, &command_bound, err) &&
                   roundcast_bounds(&options.common.request,
                                    options.t.denominator != 0 ? &options.t : NULL, &bounds, err) &&
                   print(&options, &bounds, err);
    roundcast_bound_table_free(&bounds);
    return printed;
}

const struct command command_bound = {
    .name = "bound",
    .arguments = "-n N -m M [--model X] [-d D]",
    .summary = "print every lower bound, its source and the tightest",
    .text =
        "Print every lower bound that applies, in --model or in every model, mark the tightest, "
        "and print what theorems guarantee for algorithms. With -d D, also print f_D(n) of the "
        "generalised Fibonacci trees; with --lambda L, print f_L(n) of the postal model. On a "
        "hypercube, also print W_d(K), the fewest rounds for the worst K sources; with given "
        "sources, print N, the packets of the largest random tree of cube-broadcast, and the "
        "paper's bound on its probability.",
    .examples = "roundcast bound -n 22 -m 8\nroundcast bound -n 22 -m 8 --lambda 5/2\n"
                "roundcast bound --tree 4,4 --capacity exp",
    .request = ROUNDCAST_FOR_BOUND,
    COMMAND_OWN(own),
    .run = run,
};
