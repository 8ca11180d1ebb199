/* SPDX-License-Identifier: Apache-2.0 */
/* bound: every lower bound that applies, and the exact functions that the papers' bounds are made
 * of. */
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

/* "F_2(7)", "f_5/2(22)" */
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

static bool print_functions(const struct roundcast_bound_table *bounds, struct roundcast_error *err)
{
    struct report_table table = {.columns = 2};
    report_cell(&table, "function");
    report_cell(&table, "value");
    for (size_t which = 0; which < bounds->function_count; which++) {
        const struct roundcast_function *function = &bounds->function[which];
        char name[FUNCTION_TEXT], value[ROUNDCAST_TIME_TEXT];
        report_cell(&table, "%s", function_name(function, name));
        report_cell(&table, "%s%s", function->large ? "≥ " : "",
                    roundcast_time_text(function->value, function->value_ticks, value));
    }
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
        price_units(bounds->round_cycles, bounds->change_cycles);
    return true;
}

static bool print_table(const struct roundcast_bound_table *bounds, bool named,
                        struct roundcast_error *err)
{
    if (bounds->functions_only)
        return print_functions(bounds, err);
    if (bounds->nodes == 1)
        printf("One node takes no round: there is no bound.\n");
    else if (!print_bounds(bounds, named, err))
        return false;
    if (bounds->function_count == 0)
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

static bool print_json(const struct roundcast_bound_table *table, struct roundcast_error *err)
{
    json_t *bounds = json_array(), *values = json_object();
    for (size_t which = 0; which < table->count; which++)
        roundcast_json_append(&bounds, json_of(&table->row[which], table->priced));
    for (size_t which = 0; which < table->function_count; which++) {
        const struct roundcast_function *function = &table->function[which];
        char name[FUNCTION_TEXT], value[ROUNDCAST_TIME_TEXT];
        roundcast_time_text(function->value, function->value_ticks, value);
        roundcast_json_set(&values, function_name(function, name),
                           function->large ? json_null() : json_string(value));
    }
    json_t *root = json_pack("{s:I, s:I, s:o, s:o}", "nodes", (json_int_t)table->nodes, "packets",
                             (json_int_t)table->packets, "bounds", bounds, "functions", values);
    if (table->priced)
        price_json_units(table->round_cycles, table->change_cycles, &root);
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
    .text = "Print every lower bound that applies, in --model or in every model, and mark the "
            "tightest. With -d D also f_D(n) of the generalised Fibonacci trees, with --lambda L "
            "f_L(n) of the postal model.",
    .examples = "roundcast bound -n 22 -m 8\nroundcast bound -n 22 -m 8 --lambda 5/2\n"
                "roundcast bound --tree 4,4 --capacity exp",
    .request = ROUNDCAST_FOR_BOUND,
    COMMAND_OWN(own),
    .run = run,
};
