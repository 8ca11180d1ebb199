/* SPDX-License-Identifier: Apache-2.0 */
/* schedule: build an algorithm's schedule and write it. */
#include "cli/command.h"
#include "cli/io.h"
#include "cli/options.h"
#include "cli/options_schedule.h"
#include "cli/price.h"
#include "cli/report.h"
#include "sched/algorithms/algorithm.h"
#include "sched/base/plural.h"
#include "sched/bound/bound.h"
#include "sched/schedule/schedule_settings.h"
#include "testbench/run/progress.h"

#include <inttypes.h>
#include <string.h>

struct schedule_options {
    struct options_common common;
    struct options_schedule schedule;
    const char *output;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct schedule_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->schedule;
        state->child_inputs[1] = &options->common;
        return 0;
    case 'o':
        options->output = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What traffic has for nodes from themselves takes no transfer, but is told. */
static bool print_json(const struct schedule_options *options, json_t *entry, struct err *err)
{
    uint64_t local = options->schedule.collective.traffic.traffic.local;
    report_json_set(&entry, "local", json_integer((json_int_t)local));
    return report_json(stdout, entry, err);
}

static void end_line(const struct schedule_options *options)
{
    uint64_t local = options->schedule.collective.traffic.traffic.local;
    if (local > 0)
        plural_print(stdout, "; local: %" PRIu64 " packets", local);
    putchar('\n');
}

/* The node where a schedule's packets start, or where the results of a reduction are wanted. */
static uint32_t source_of(const struct schedule *schedule)
{
    const struct demand *first = &schedule->demand[0];
    bool reduces = first->reduction != NULL && first->wanted_count > 0;
    return reduces ? *first->wanted : first->source;
}

static void print_nodes(const struct schedule *schedule)
{
    const struct demand *first = &schedule->demand[0];
    bool one = schedule->demand_count == 1, to_one = first->wanted_count > 0;
    uint32_t nodes =
        one && to_one && first->reduction == NULL ? first->wanted_count : schedule->nodes;
    if (first->reduction != NULL)
        printf(one && to_one ? " of all, combined at node %" PRIu32 ", among"
                             : " of all, combined, among",
               source_of(schedule));
    else if (one)
        printf(" from node %" PRIu32 " to", first->source);
    else
        printf(" among");
    plural_print(stdout, " %" PRIu32 " nodes", nodes);
}

static bool report_rounds(const struct schedule_options *options, const struct schedule *schedule,
                          uint64_t bound, struct err *err)
{
    enum model model = schedule->model;
    struct rational lambda = schedule->lambda;
    if (options->common.json)
        return print_json(
            options,
            json_pack("{s:o, s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:I}", "file",
                      report_json_text(options->output), "algorithm", schedule->algorithm, "model",
                      model_name(model), "nodes", (json_int_t)schedule->nodes, "packets",
                      (json_int_t)schedule->packets, "source", (json_int_t)source_of(schedule),
                      report_end_name(model), report_json_end(model, lambda, schedule->end),
                      "bound", report_json_end(model, lambda, bound), "distance",
                      report_json_end(model, lambda, schedule->end - bound), "transfers",
                      (json_int_t)schedule->transfer_count),
            err);
    char end[REPORT_END_TEXT], least[RATIONAL_TEXT];
    plural_print(stdout, "%s: %s, %" PRIu32 " packets", options->output, schedule->algorithm,
                 schedule->packets);
    print_nodes(schedule);
    plural_print(stdout, ", %s: %s (bound %s), %zu transfers", model_name(model),
                 report_end_text(schedule, end), rational_text(bound, lambda.denominator, least),
                 schedule->transfer_count);
    end_line(options);
    return true;
}

/* The report of a schedule in which changing a setting has a price. */
static bool report_price(const struct schedule_options *options, const struct collective *asked,
                         const struct schedule *schedule, struct err *err)
{
    struct price_row row = {
        .bound = bound_end(asked), .rounds = schedule->end, .cost = asked->cost};
    if (!schedule_settings(schedule, &row.settings, err))
        return false;
    row.makespan = traffic_takes(row.cost, row.rounds, row.settings);
    if (options->common.json) {
        json_t *root =
            json_pack("{s:o, s:s, s:I, s:I, s:o, s:I}", "file", report_json_text(options->output),
                      "algorithm", schedule->algorithm, "nodes", (json_int_t)schedule->nodes,
                      "packets", (json_int_t)schedule->packets, "price", price_json(&row),
                      "transfers", (json_int_t)schedule->transfer_count);
        price_json_units(asked, &root);
        return print_json(options, root, err);
    }
    plural_print(stdout,
                 "%s: %s, %" PRIu32 " packets among %" PRIu32 " nodes: %" PRIu64
                 " cycles (bound %" PRIu64 ", %.1f%% above), %" PRIu64 " rounds of %" PRIu64
                 " cycles in %" PRIu64 " settings of %" PRIu64
                 " cycles; data for %.1f%% of the time",
                 options->output, schedule->algorithm, schedule->packets, schedule->nodes,
                 row.makespan, row.bound, price_gap(&row), row.rounds, row.cost.round, row.settings,
                 row.cost.change, price_busy(&row));
    end_line(options);
    return true;
}

static bool report(const struct schedule_options *options, const struct collective *asked,
                   const struct schedule *schedule, struct err *err)
{
    return asked->priced ? report_price(options, asked, schedule, err)
                         : report_rounds(options, schedule, bound_end(asked), err);
}

static void report_progress(void *with, size_t done, size_t all)
{
    struct progress *progress = with;
    progress->total = all;
    progress_update(progress, done);
}

/* Build the schedule, with a progress line for whoever watches. */
static bool build(const struct algorithm *algorithm, struct collective collective,
                  struct schedule *schedule, struct err *err)
{
    struct progress progress = progress_begin("transfers found", 0);
    collective.watch = (struct watch){report_progress, &progress};
    bool built = algorithm_build(algorithm, &collective, schedule, err);
    progress_end(&progress);
    return built;
}

static bool build_and_write(struct schedule_options *options, struct err *err)
{
    struct collective collective;
    const struct algorithm *algorithm = options_schedule_of(&options->schedule, &collective);
    if (algorithm == NULL)
        return false;
    bool to_stdout = strcmp(options->output, "-") == 0;
    if (!options_check_output(&options->common, options->output, "schedule", OUTPUT_SCHEDULE))
        return false;

    const struct collective chosen = algorithm_choose(algorithm, &collective);
    struct schedule schedule = {0};
    if (!build(algorithm, collective, &schedule, err))
        return false;
    bool written = io_write_schedule(options->output, &schedule, err) &&
                   (to_stdout || report(options, &chosen, &schedule, err));
    schedule_free(&schedule);
    return written;
}

static bool run(int argc, char **argv, struct err *err)
{
    static const struct argp_child children[] = {
        {&options_schedule_argp, 0, NULL, 0}, {&options_common_argp, 0, NULL, 0}, {0}};
    static const struct argp_option own[] = {
        {"output", 'o', "FILE", 0, "write the schedule here (standard output)", 1}, {0}};
    static const struct argp argp = {.options = own,
                                     .parser = parse,
                                     .children = children,
                                     .args_doc = "ALGORITHM",
                                     .doc = "Build the schedule of a broadcast and write it."};
    struct schedule_options options = {
        .common.err = err, .schedule = OPTIONS_SCHEDULE(err), .output = "-"};
    options.schedule.collective.several_ports = true;
    enum options_outcome outcome = options_parse(&argp, argc, argv, &options, &options.common);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    bool written = build_and_write(&options, err);
    options_collective_free(&options.schedule.collective);
    return written;
}

const struct command command_schedule = {
    .name = "schedule",
    .arguments = "ALGORITHM -n N -m M [-o F]",
    .summary = "build a schedule",
    .run = run,
};
