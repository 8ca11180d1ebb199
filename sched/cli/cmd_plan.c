/* plan: rounds, bound and distance of every algorithm that applies, without building a schedule. */
#include "command.h"
#include "options.h"
#include "plan.h"
#include "report.h"

#include <inttypes.h>

struct plan_options {
    struct options_common common;
    struct options_collective collective;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct plan_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->collective;
        state->child_inputs[1] = &options->common;
        return 0;
    case ARGP_KEY_ARG:
        return options_refuse(err_set(options->common.err, ERR_OPTION,
                                      "%.40s: 'plan' takes no argument; expected options only", argument));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool print_table(const struct plan *plan, struct err *err)
{
    struct report_table table = {.columns = 5};
    report_cell(&table, "model");
    report_cell(&table, "algorithm");
    report_cell(&table, "rounds");
    report_cell(&table, "bound");
    report_cell(&table, "distance");
    for (size_t which = 0; which < plan->count; which++) {
        const struct plan_row *row = &plan->row[which];
        report_cell(&table, "%s", model_name(row->model));
        report_cell(&table, "%s", row->algorithm->name);
        report_cell(&table, "%" PRIu64, row->rounds);
        report_cell(&table, "%" PRIu64, row->bound);
        report_cell(&table, "%" PRIu64, row->distance);
    }
    return report_table_print(stdout, &table, err);
}

static bool print_json(const struct options_collective *asked, const struct plan *plan, struct err *err)
{
    json_t *rows = json_array();
    for (size_t which = 0; which < plan->count; which++) {
        const struct plan_row *row = &plan->row[which];
        json_array_append_new(rows, json_pack("{s:s, s:s, s:I, s:I, s:I}", "model", model_name(row->model),
                                              "algorithm", row->algorithm->name, "rounds",
                                              (json_int_t)row->rounds, "bound", (json_int_t)row->bound,
                                              "distance", (json_int_t)row->distance));
    }
    return report_json(stdout,
                       json_pack("{s:I, s:I, s:o}", "nodes", (json_int_t)asked->nodes, "packets",
                                 (json_int_t)asked->packets, "plan", rows),
                       err);
}

static bool run(int argc, char **argv, struct err *err)
{
    static const struct argp_child children[] = {
        {&options_collective_argp, 0, NULL, 0}, {&options_common_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .parser = parse,
        .children = children,
        .doc = "Compare all algorithms that apply, best first: in --model, or in every model."};
    struct plan_options options = {.common.err = err, .collective.err = err};
    enum options_outcome outcome = options_parse(&argp, argc, argv, &options, &options.common);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;

    const struct options_collective *asked = &options.collective;
    struct plan plan;
    if (!options_collective_check(asked) ||
        !plan_make(asked->nodes, asked->packets, asked->has_model ? &asked->model : NULL, &plan, err))
        return false;
    bool printed = options.common.json ? print_json(asked, &plan, err) : print_table(&plan, err);
    plan_free(&plan);
    return printed;
}

const struct command command_plan = {
    .name = "plan",
    .arguments = "-n N -m M [--model X]",
    .summary = "rounds, bound and distance of every algorithm",
    .run = run,
};
