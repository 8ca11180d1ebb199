/* SPDX-License-Identifier: Apache-2.0 */
/* plan: rounds, bound and gap of every algorithm that applies. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/price.h"
#include "cli/report.h"
#include "lib/plan.h"
#include "sched/request/problem.h"

#include <inttypes.h>

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
    report_cell(&table, "gap");
    for (size_t which = 0; which < plan->count; which++) {
        const struct plan_row *row = &plan->row[which];
        uint32_t tick = model_has_times(row->model) ? asked->lambda.denominator : 1;
        char end[RATIONAL_TEXT] = "-", bound[RATIONAL_TEXT], gap[RATIONAL_TEXT] = "-";
        if (row->end != ALGORITHM_UNKNOWN) {
            rational_text(row->end, tick, end);
            rational_text(row->end - row->bound, tick, gap);
        }
        report_cell(&table, "%s", model_name(row->model));
        const char *method = algorithm_method_name(row->algorithm, row->model, row->method);
        report_cell(&table, "%s%s%s", row->algorithm->name, method ? " --method " : "",
                    method ? method : "");
        report_cell(&table, row->degree ? "%" PRIu32 : " ", row->degree);
        report_cell(&table, "%s", end);
        report_cell(&table, "%s", rational_text(row->bound, tick, bound));
        report_cell(&table, "%s", gap);
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
            report_json_set(&entry, "gap",
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

/* Prints what traffic takes whose settings are held. */
static bool show_price(const struct options *options, const struct collective *asked,
                       struct err *err)
{
    uint32_t planes = options->request.problem.planes;
    return price_check(asked, err) &&
           price_plan(asked, planes > 0 ? planes : 1, options->json, err);
}

static bool show(const struct options *options, struct instance *instance, struct err *err)
{
    const struct collective *asked = &instance->collective;
    struct plan plan = {0};
    if (!problem_for_models(&options->request, instance, err))
        return false;
    if (asked->priced || options->request.problem.planes > 0)
        return show_price(options, asked, err);
    bool printed = plan_of_instance(instance, &plan, err) &&
                   (options->json ? print_json(asked, &plan, err) : print_table(asked, &plan, err));
    plan_free(&plan);
    return printed;
}

static bool run(int argc, char **argv, struct err *err)
{
    struct options options;
    struct instance instance = {0};
    enum options_outcome outcome = options_parse(&command_plan, argc, argv, &options, NULL, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    bool shown =
        options_no_argument(&options, &command_plan, err) && show(&options, &instance, err);
    instance_free(&instance);
    return shown;
}

const struct command command_plan = {
    .name = "plan",
    .arguments = "-n N -m M [--model X]",
    .summary = "print rounds, bound and gap of every algorithm",
    .text = "Compare all algorithms that apply, best first: in --model, or in every model.",
    .examples = "roundcast plan -n 22 -m 8\nroundcast plan --tree 4,4 --capacity exp\n"
                "roundcast plan --matrix m.csv --reconfigure 20us --clock 100",
    .request = FIELD_FOR_PLAN,
    .run = run,
};
