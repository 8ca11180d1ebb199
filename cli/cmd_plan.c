/* SPDX-License-Identifier: Apache-2.0 */
/* plan: rounds, bound and distance of every algorithm that applies. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/options_collective.h"
#include "cli/options_keys.h"
#include "cli/options_round.h"
#include "cli/price.h"
#include "cli/report.h"
#include "sched/decompose/planes.h"
#include "sched/plan/plan.h"

#include <inttypes.h>

struct plan_options {
    struct options_common common;
    struct options_collective collective;
    struct options_round round;
    uint32_t planes; /* 0 if not given */
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct plan_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->collective;
        state->child_inputs[1] = &options->collective.seed;
        state->child_inputs[2] = &options->round;
        state->child_inputs[3] = &options->common;
        return 0;
    case KEY_COLLECTIVE:
        options->collective.has_kind = true;
        return options_refuse(
            options_kind(argument, &options->collective.collective.kind, options->common.err));
    case KEY_PLANES:
        return options_refuse(options_number32("--planes", argument, 1, PLANES_MAX,
                                               &options->planes, options->common.err));
    case ARGP_KEY_ARG:
        return options_refuse(err_set(options->common.err, ERR_OPTION,
                                      "%.40s: 'plan' takes no argument; expected options only",
                                      argument));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What ends are counted in: those of the postal model are times. */
static const char *end_heading(const struct plan *plan)
{
    size_t times = 0;
    for (size_t which = 0; which < plan->count; which++)
        times += model_has_times(plan->row[which].model);
    if (times == 0)
        return "rounds";
    return times == plan->count ? "time" : "rounds or time";
}

static bool print_rows(const struct collective *asked, const struct plan *plan, struct err *err)
{
    struct report_table table = {.columns = 6};
    report_cell(&table, "model");
    report_cell(&table, "algorithm");
    report_cell(&table, "d");
    report_cell(&table, "%s", end_heading(plan));
    report_cell(&table, "bound");
    report_cell(&table, "distance");
    for (size_t which = 0; which < plan->count; which++) {
        const struct plan_row *row = &plan->row[which];
        uint32_t tick = model_has_times(row->model) ? asked->lambda.denominator : 1;
        char end[RATIONAL_TEXT] = "-", bound[RATIONAL_TEXT], distance[RATIONAL_TEXT] = "-";
        if (row->end != ALGORITHM_UNKNOWN) {
            rational_text(row->end, tick, end);
            rational_text(row->end - row->bound, tick, distance);
        }
        report_cell(&table, "%s", model_name(row->model));
        const char *method = algorithm_method_name(row->algorithm, row->model, row->method);
        report_cell(&table, "%s%s%s", row->algorithm->name, method ? " --method " : "",
                    method ? method : "");
        report_cell(&table, row->degree ? "%" PRIu32 : " ", row->degree);
        report_cell(&table, "%s", end);
        report_cell(&table, "%s", rational_text(row->bound, tick, bound));
        report_cell(&table, "%s", distance);
    }
    return report_table_print(stdout, &table, err);
}

/* Where each model's bound comes from; on a tree, where each collective's does. */
static bool print_sources(const struct collective *asked, const struct plan *plan, struct err *err)
{
    struct report_table table = {.columns = 3};
    report_cell(&table, "bound of");
    report_cell(&table, "formula");
    report_cell(&table, "source");
    for (size_t which = 0; which < plan->count; which++) {
        const struct plan_row *row = &plan->row[which];
        if (row->by == NULL || (which > 0 && plan->row[which - 1].model == row->model &&
                                plan->row[which - 1].by == row->by))
            continue;
        report_cell(&table, "%s%s%s", model_name(row->model), asked->topology ? ", " : "",
                    asked->topology ? row->algorithm->name : "");
        report_cell(&table, "%s", row->by->formula);
        report_cell(&table, "%s", row->by->source);
    }
    putchar('\n');
    return report_table_print(stdout, &table, err);
}

static bool print_table(const struct collective *asked, const struct plan *plan, struct err *err)
{
    bool unknown = false, bounded = false;
    bool unplaced = asked->topology != NULL && asked->topology->dimensions > 0 &&
                    asked->sources == NULL && asked->demands == NULL;
    for (size_t which = 0; which < plan->count; which++) {
        unknown = unknown || plan->row[which].end == ALGORITHM_UNKNOWN;
        bounded = bounded || plan->row[which].by != NULL;
    }
    if (!print_rows(asked, plan, err) || (bounded && !print_sources(asked, plan, err)))
        return false;
    if (unknown)
        printf("\n- not known: %s\n",
               unplaced ? "it depends on where the packets start (--sources or --random)"
                        : "the schedule would take more than about a second to build; "
                          "'roundcast schedule' builds it");
    return true;
}

static bool print_json(const struct collective *asked, const struct plan *plan, struct err *err)
{
    json_t *rows = json_array();
    for (size_t which = 0; which < plan->count; which++) {
        const struct plan_row *row = &plan->row[which];
        enum model model = row->model;
        json_t *entry = json_pack("{s:s, s:s, s:o}", "model", model_name(model), "algorithm",
                                  row->algorithm->name, "bound",
                                  report_json_end(model, asked->lambda, row->bound));
        const char *method = algorithm_method_name(row->algorithm, row->model, row->method);
        if (method != NULL)
            report_json_set(&entry, "method", json_string(method));
        if (row->by != NULL)
            report_json_set(&entry, "bound_source", json_string(row->by->source));
        if (row->degree != 0)
            report_json_set(&entry, "d", json_integer(row->degree));
        if (row->end != ALGORITHM_UNKNOWN) {
            report_json_set(&entry, report_end_name(model),
                            report_json_end(model, asked->lambda, row->end));
            report_json_set(&entry, "distance",
                            report_json_end(model, asked->lambda, row->end - row->bound));
        }
        report_json_append(&rows, entry);
    }
    uint64_t packets = collective_rows[asked->kind].weighed ? asked->load.packets : asked->m;
    return report_json(stdout,
                       json_pack("{s:I, s:I, s:o}", "nodes", (json_int_t)asked->n, "packets",
                                 (json_int_t)packets, "plan", rows),
                       err);
}

static bool refuse_degree(struct err *err)
{
    return err_set(err, ERR_OPTION, "-d: of no algorithm that applies; expected none");
}

/* What traffic takes whose settings are held. */
static bool show_price(const struct plan_options *options, struct err *err)
{
    const struct collective *asked = &options->collective.collective;
    if (!asked->priced)
        return err_set(err, ERR_OPTION,
                       "--planes: without --reconfigure; expected the cycles that a change takes, "
                       "which may be 0, with it");
    if (asked->degree != 0)
        return refuse_degree(err);
    return price_plan(asked, options->planes > 0 ? options->planes : 1, options->common.json, err);
}

/* In a model that algorithms for traffic do not keep, traffic is planned as any demands are. */
static bool make(struct options_collective *options, struct plan *plan, struct err *err)
{
    const struct collective *asked = &options->collective;
    const enum model *model = options->has_model ? &asked->model : NULL;
    if (!plan_make(asked, model, true, plan, err))
        return false;
    if (plan->count == 0 && options_traffic_given(&options->traffic)) {
        plan_free(plan);
        if (!options_demands_of_traffic(&options->demands, &options->collective) ||
            !plan_make(asked, model, true, plan, err))
            return false;
    }
    return plan->count > 0 || asked->degree == 0 || refuse_degree(err);
}

static bool run(int argc, char **argv, struct err *err)
{
    static const struct argp_child children[] = {{&options_collective_argp, 0, NULL, 0},
                                                 {&options_seed_argp, 0, NULL, 0},
                                                 {&options_round_argp, 0, NULL, 0},
                                                 {&options_common_argp, 0, NULL, 0},
                                                 {0}};
    static const struct argp_option own[] = {
        {"collective", KEY_COLLECTIVE, "NAME", 0, OPTIONS_KIND_HELP, 1},
        {"planes", KEY_PLANES, "S", 0,
         "with --reconfigure: S networks side by side, a port of each node on each (1)", 1},
        {0}};
    static const struct argp argp = {
        .options = own,
        .parser = parse,
        .children = children,
        .doc = "Compare all algorithms that apply, best first: in --model, or in every model."};
    struct plan_options options = {
        .common.err = err, .collective = OPTIONS_COLLECTIVE(err), .round = OPTIONS_ROUND(err)};
    options.collective.several_ports = true;
    enum options_outcome outcome = options_parse(&argp, argc, argv, &options, &options.common);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;

    const struct collective *asked = &options.collective.collective;
    struct plan plan = {0};
    if (!options_collective_check_models(&options.collective) ||
        !options_round_set(&options.round, &options.collective.collective)) {
        options_collective_free(&options.collective);
        return false;
    }
    if (asked->priced || options.planes > 0) {
        bool shown = show_price(&options, err);
        options_collective_free(&options.collective);
        return shown;
    }
    bool printed =
        make(&options.collective, &plan, err) &&
        (options.common.json ? print_json(asked, &plan, err) : print_table(asked, &plan, err));
    plan_free(&plan);
    options_collective_free(&options.collective);
    return printed;
}

const struct command command_plan = {
    .name = "plan",
    .arguments = "-n N -m M [--model X]",
    .summary = "rounds, bound and distance of every algorithm",
    .run = run,
};
