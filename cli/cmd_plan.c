/* SPDX-License-Identifier: Apache-2.0 */
/* plan: prints rounds, bound and gap of every algorithm that applies. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/price.h"
#include "cli/reading.h"
#include "cli/report.h"
#include "cli/text.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define WITH_MOST 16

struct plan_options {
    struct options common;
    uint32_t top; /* rows of a model to print */
    const char *with[WITH_MOST];
    unsigned with_count;
};

static bool set_with(void *base, const char *text, struct roundcast_error *err)
{
    struct plan_options *options = base;
    if (options->with_count == WITH_MOST)
        return roundcast_error_field(err, ROUNDCAST_E_OPTION, "with",
                                     ": another schedule; expected at most %d", WITH_MOST);
    options->with[options->with_count++] = text;
    return true;
}

static const struct roundcast_field own[] = {
    {"top", 0, "K", "print the K best algorithms of each model (default: all)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_NUMBER, offsetof(struct plan_options, top), 1,
     UINT32_MAX},
    {"with", 0, "FILE",
     "add a schedule, in any format, to the table; may be repeated (default: none)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_FILE, offsetof(struct plan_options, with),
     .set = set_with},
};

/* Returns the heading of the column of ends: time in the postal model, otherwise rounds. */
static const char *end_heading(const struct roundcast_plan_table *plan)
{
    size_t times = 0;
    for (size_t which = 0; which < plan->count; which++)
        times += plan->row[which].times;
    if (times == 0)
        return "rounds";
    return times == plan->count ? "time" : "rounds or time";
}

static bool has_guarantee(const struct roundcast_plan_table *plan)
{
    bool has = false;
    for (size_t which = 0; which < plan->count; which++)
        has = has || plan->row[which].guarantee_source != NULL;
    return has;
}

static bool print_rows(const struct roundcast_plan_table *plan, struct roundcast_error *err)
{
    bool guarantees = has_guarantee(plan);
    struct report_table table = {.columns = guarantees ? 7 : 6};
    report_cell(&table, "model");
    report_cell(&table, "algorithm");
    report_cell(&table, "d");
    report_cell(&table, "%s", end_heading(plan));
    report_cell(&table, "bound");
    report_cell(&table, "gap");
    if (guarantees)
        report_cell(&table, "guarantee");
    for (size_t which = 0; which < plan->count; which++) {
        const struct roundcast_plan_row *row = &plan->row[which];
        char end[ROUNDCAST_TIME_TEXT] = "-", bound[ROUNDCAST_TIME_TEXT],
             gap[ROUNDCAST_TIME_TEXT] = "-";
        if (row->has_end) {
            roundcast_time_text(row->end, row->ticks, end);
            roundcast_time_text(row->end - row->bound, row->ticks, gap);
        }
        report_cell(&table, "%s", row->model);
        report_cell(&table, "%s%s%s", row->algorithm, row->method ? " --method " : "",
                    row->method ? row->method : "");
        report_cell(&table, row->degree ? "%" PRIu32 : " ", row->degree);
        report_cell(&table, "%s", end);
        report_cell(&table, "%s", roundcast_time_text(row->bound, row->ticks, bound));
        report_cell(&table, "%s", gap);
        if (guarantees)
            report_cell(&table, "%s",
                        row->guarantee_source != NULL
                            ? roundcast_time_text(row->guarantee, row->ticks, gap)
                            : " ");
    }
    return report_table_print(stdout, &table, err);
}

/* Returns whether the previous row has the same model and bound. */
static bool repeats(const struct roundcast_plan_table *plan, size_t which)
{
    const struct roundcast_plan_row *row = &plan->row[which], *before = row - 1;
    return which > 0 && strcmp(before->model, row->model) == 0 && before->bound_source != NULL &&
           strcmp(before->bound_source, row->bound_source) == 0 &&
           strcmp(before->bound_formula, row->bound_formula) == 0;
}

/* Prints the source of the bound of each model; on a tree, of each collective. */
static bool print_sources(const struct roundcast_plan_table *plan, struct roundcast_error *err)
{
    struct report_table table = {.columns = 3};
    report_cell(&table, "bound of");
    report_cell(&table, "formula");
    report_cell(&table, "source");
    for (size_t which = 0; which < plan->count; which++) {
        const struct roundcast_plan_row *row = &plan->row[which];
        if (row->bound_source == NULL || repeats(plan, which))
            continue;
        report_cell(&table, "%s%s%s", row->model, plan->topology ? ", " : "",
                    plan->topology ? row->algorithm : "");
        report_cell(&table, "%s", row->bound_formula);
        report_cell(&table, "%s", row->bound_source);
    }
    putchar('\n');
    return report_table_print(stdout, &table, err);
}

/* Prints the theorems of the guarantees. */
static bool print_theorems(const struct roundcast_plan_table *plan, struct roundcast_error *err)
{
    struct report_table table = {.columns = 3};
    report_cell(&table, "guarantee of");
    report_cell(&table, "formula");
    report_cell(&table, "source");
    for (size_t which = 0; which < plan->count; which++) {
        const struct roundcast_plan_row *row = &plan->row[which];
        if (row->guarantee_source == NULL)
            continue;
        report_cell(&table, "%s, %s%s%s", row->model, row->algorithm,
                    row->method != NULL ? " --method " : "", row->method ? row->method : "");
        report_cell(&table, "%s", row->guarantee_formula);
        report_cell(&table, "%s", row->guarantee_source);
    }
    putchar('\n');
    return report_table_print(stdout, &table, err);
}

static bool print_table(const struct roundcast_plan_table *plan, struct roundcast_error *err)
{
    bool unknown = false, bounded = false;
    for (size_t which = 0; which < plan->count; which++) {
        unknown = unknown || !plan->row[which].has_end;
        bounded = bounded || plan->row[which].bound_source != NULL;
    }
    if (!print_rows(plan, err) || (bounded && !print_sources(plan, err)) ||
        (has_guarantee(plan) && !print_theorems(plan, err)))
        return false;
    if (unknown)
        printf("\n- not known: %s\n",
               plan->unplaced ? "it depends on where the packets start (--sources or --random)"
                              : "the schedule would take more than about a second to build; "
                                "'roundcast schedule' builds it");
    return true;
}

static json_t *json_of(const struct roundcast_plan_row *row)
{
    json_t *entry = json_pack("{s:s, s:s, s:o}", "model", row->model, "algorithm", row->algorithm,
                              "bound", roundcast_json_end(row->times, row->bound, row->ticks));
    if (row->method != NULL)
        roundcast_json_set(&entry, "method", json_string(row->method));
    if (row->bound_source != NULL)
        roundcast_json_set(&entry, "bound_source", json_string(row->bound_source));
    if (row->degree != 0)
        roundcast_json_set(&entry, "d", json_integer(row->degree));
    if (row->has_end) {
        roundcast_json_set(&entry, report_end_name(row->times),
                           roundcast_json_end(row->times, row->end, row->ticks));
        roundcast_json_set(&entry, "gap",
                           roundcast_json_end(row->times, row->end - row->bound, row->ticks));
    }
    if (row->guarantee_source != NULL) {
        roundcast_json_set(&entry, "guarantee",
                           roundcast_json_end(row->times, row->guarantee, row->ticks));
        roundcast_json_set(&entry, "guarantee_formula", json_string(row->guarantee_formula));
        roundcast_json_set(&entry, "guarantee_source", json_string(row->guarantee_source));
    }
    return entry;
}

static bool print_json(const struct roundcast_plan_table *plan, struct roundcast_error *err)
{
    json_t *rows = json_array();
    for (size_t which = 0; which < plan->count; which++)
        roundcast_json_append(&rows, json_of(&plan->row[which]));
    return roundcast_json_print(stdout,
                                json_pack("{s:I, s:I, s:o}", "nodes", (json_int_t)plan->nodes,
                                          "packets", (json_int_t)plan->packets, "plan", rows),
                                err);
}

static bool print(const struct roundcast_plan_table *plan, bool json, struct roundcast_error *err)
{
    if (plan->priced)
        return price_plan(plan, json, err);
    return json ? print_json(plan, err) : print_table(plan, err);
}

/* Returns whether a row is that of a schedule of --with. */
static bool is_given(const struct plan_options *options, const struct roundcast_plan_row *row)
{
    bool given = false;
    for (unsigned which = 0; which < options->with_count; which++)
        given = given || row->algorithm == options->with[which];
    return given;
}

/* Keeps the first rows of each model, which are the best ones, and the rows of schedules. */
static void keep_best(const struct plan_options *options, struct roundcast_plan_table *plan)
{
    size_t kept = 0, of_model = 0;
    for (size_t which = 0; which < plan->count; which++) {
        bool same = which > 0 && strcmp(plan->row[which].model, plan->row[which - 1].model) == 0;
        of_model = same ? of_model + 1 : 0;
        if (of_model < options->top || is_given(options, &plan->row[which]))
            plan->row[kept++] = plan->row[which];
    }
    plan->count = kept;
}

/* --- schedules beside the algorithms --------------------------------------------------------- */

/* Checks that a schedule solves the problem of the request. */
static bool check_with(const struct roundcast_schedule *schedule, const char *path,
                       const struct roundcast_request *request, struct roundcast_error *err)
{
    const uint32_t nodes = roundcast_schedule_describe(schedule).nodes;
    char text[ROUNDCAST_COLLECTIVE_TEXT];
    if (roundcast_solves(schedule, request, err))
        return true;
    return err->code != ROUNDCAST_E_TOO_BIG &&
           roundcast_error_field(
               err, ROUNDCAST_E_OPTION, "with",
               ": %.60s is a schedule of another problem, %s on %" PRIu32
               " node%s; expected that of the options, or no {packets}, {source} and {collective}",
               path, roundcast_collective_text(schedule, text), nodes, text_s(nodes));
}

/* Checks that rows have rounds or times, and not cycles. */
static bool check_price(const struct plan_options *options, struct roundcast_error *err)
{
    const struct roundcast_request *request = &options->common.request;
    bool priced = request->reconfigure != NULL || request->planes > 0;
    return options->with_count == 0 || !priced ||
           roundcast_error_field(err, ROUNDCAST_E_OPTION, "with",
                                 ": {reconfigure} and {planes} plan the cycles of traffic, method "
                                 "by method; expected a plan of rounds");
}

/* Plans the problem of the request or, if it describes none, of the first schedule, which the
 * caller frees. */
static bool make_plan(const struct plan_options *options, struct roundcast_schedule **problem,
                      struct roundcast_plan_table *plan, struct roundcast_error *err)
{
    const struct roundcast_request *request = &options->common.request;
    if (options->with_count == 0 || roundcast_has_demands(request))
        return roundcast_plan_all(request, plan, err);
    *problem = reading_by_rules(request, options->with[0], err);
    return *problem != NULL && roundcast_plan_for(*problem, request, plan, err);
}

/* Adds a row for each schedule, which solves the problem of the plan. */
static bool add_schedules(const struct plan_options *options,
                          const struct roundcast_schedule *problem,
                          struct roundcast_plan_table *plan, struct roundcast_error *err)
{
    const struct roundcast_request *request = &options->common.request;
    bool added = true;
    for (unsigned which = 0; added && which < options->with_count; which++) {
        const char *path = options->with[which];
        const bool first = which == 0 && problem != NULL;
        struct roundcast_schedule *loaded = first ? NULL : reading_by_rules(request, path, err);
        const struct roundcast_schedule *schedule = first ? problem : loaded;
        struct roundcast_verdict verdict;
        added = schedule != NULL && roundcast_verify(schedule, &verdict, err) &&
                (first || (problem != NULL ? roundcast_solves_as(schedule, problem, err)
                                           : check_with(schedule, path, request, err))) &&
                roundcast_plan_add(schedule, path, plan, err);
        roundcast_schedule_free(loaded);
    }
    return added;
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct plan_options options = {.top = UINT32_MAX};
    struct roundcast_plan_table plan = {0};
    struct roundcast_schedule *problem = NULL;
    enum options_outcome outcome =
        options_parse(&command_plan, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    bool shown = options_no_argument(&options.common, &command_plan, err) &&
                 check_price(&options, err) && make_plan(&options, &problem, &plan, err) &&
                 add_schedules(&options, problem, &plan, err);
    keep_best(&options, &plan);
    shown = shown && print(&plan, options.common.json, err);
    roundcast_plan_table_free(&plan);
    roundcast_schedule_free(problem);
    return shown;
}

const struct command command_plan = {
    .name = "plan",
    .arguments = "-n N -m M [--model X]",
    .summary = "print rounds, bound, gap and guarantee of every algorithm",
    .text = "Compare all algorithms that apply, best first: in --model, or in every model. The "
            "guarantee is the latest end that a theorem allows an algorithm.",
    .examples = "roundcast plan -n 22 -m 8 --top 3\nroundcast plan --tree 4,4 --capacity exp\n"
                "roundcast plan --matrix m.csv --reconfigure 20us --clock 100\n"
                "roundcast plan --with mine.csv --with plan.xml",
    COMMAND_OWN(own),
    .request = ROUNDCAST_FOR_PLAN,
    .run = run,
};
