/* SPDX-License-Identifier: Apache-2.0 */
/* schedule: build an algorithm's schedule and write it. */
#include "cli/algorithm_argument.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/price.h"
#include "cli/report.h"
#include "sched/algorithms/algorithm.h"
#include "sched/base/text.h"
#include "sched/bound/bound.h"
#include "sched/request/problem.h"
#include "sched/schedule/schedule_file.h"
#include "sched/schedule/schedule_settings.h"
#include "testbench/run/progress.h"

#include <inttypes.h>
#include <string.h>

struct schedule_options {
    struct options common;
    struct instance instance;
    const char *output;
};

static const struct field own[] = {
    {"output", 'o', "FILE", "write the schedule to this file (default: standard output)",
     FIELD_OUTPUT, FIELD_FILE, offsetof(struct schedule_options, output)},
};

/* Packets of a node for itself need no transfer; their number is reported. */
static bool print_json(const struct schedule_options *options, json_t *entry, struct err *err)
{
    uint64_t local = options->instance.traffic.local;
    report_json_set(&entry, "local", json_integer((json_int_t)local));
    return report_json(stdout, entry, err);
}

static void end_line(const struct schedule_options *options)
{
    uint64_t local = options->instance.traffic.local;
    if (local > 0)
        printf("; local: %" PRIu64 " packet%s", local, text_s(local));
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
    char source[TOPOLOGY_NODE_TEXT];
    bool one = schedule->demand_count == 1, to_one = first->wanted_count > 0;
    uint32_t nodes =
        one && to_one && first->reduction == NULL ? first->wanted_count : schedule->nodes;
    if (first->reduction != NULL)
        printf(one && to_one ? " of all, combined at node %" PRIu32 ", among"
                             : " of all, combined, among",
               source_of(schedule));
    else if (one)
        printf(" from node %s to", topology_node_text(&schedule->topology, first->source, source));
    else
        printf(" among");
    printf(" %" PRIu32 " node%s", nodes, text_s(nodes));
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
                      "bound", report_json_end(model, lambda, bound), "gap",
                      report_json_end(model, lambda, schedule->end - bound), "transfers",
                      (json_int_t)schedule->transfer_count),
            err);
    char end[REPORT_END_TEXT], least[RATIONAL_TEXT];
    printf("%s: %s, %" PRIu32 " packet%s", options->output, schedule->algorithm, schedule->packets,
           text_s(schedule->packets));
    print_nodes(schedule);
    printf(", %s: %s (bound %s), %zu transfer%s", model_name(model), report_end_text(schedule, end),
           rational_text(bound, lambda.denominator, least), schedule->transfer_count,
           text_s(schedule->transfer_count));
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
    printf("%s: %s, %" PRIu32 " packet%s among %" PRIu32 " node%s: %" PRIu64
           " cycle%s (bound %" PRIu64 ", %.1f%% above), %" PRIu64 " round%s of %" PRIu64
           " cycle%s in %" PRIu64 " setting%s of %" PRIu64 " cycle%s; data for %.1f%% of the time",
           options->output, schedule->algorithm, schedule->packets, text_s(schedule->packets),
           schedule->nodes, text_s(schedule->nodes), row.makespan, text_s(row.makespan), row.bound,
           price_gap(&row), row.rounds, text_s(row.rounds), row.cost.round, text_s(row.cost.round),
           row.settings, text_s(row.settings), row.cost.change, text_s(row.cost.change),
           price_busy(&row));
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

/* Builds the schedule, with a progress line on a terminal. */
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
    struct instance *instance = &options->instance;
    const struct request *request = &options->common.request;
    instance->several_ports = true;
    if (!algorithm_argument(&options->common, err) || !problem_for_schedule(request, instance, err))
        return false;
    bool to_stdout = strcmp(options->output, "-") == 0;
    if (!options_check_output(&options->common, options->output, "schedule", OUTPUT_SCHEDULE, err))
        return false;

    const struct collective chosen = algorithm_choose(instance->algorithm, &instance->collective);
    struct schedule schedule = {0};
    if (!build(instance->algorithm, instance->collective, &schedule, err))
        return false;
    bool written = schedule_file_write(options->output, &schedule, err) &&
                   (to_stdout || report(options, &chosen, &schedule, err));
    schedule_free(&schedule);
    return written;
}

static bool run(int argc, char **argv, struct err *err)
{
    struct schedule_options options = {.output = "-"};
    enum options_outcome outcome =
        options_parse(&command_schedule, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    bool written = build_and_write(&options, err);
    instance_free(&options.instance);
    return written;
}

const struct command command_schedule = {
    .name = "schedule",
    .arguments = "ALGORITHM -n N -m M [-o F]",
    .summary = "build a schedule",
    .usage = "ALGORITHM",
    .text = "Build the schedule of a collective and write it. 'roundcast list' lists the "
            "algorithms.",
    .examples = "roundcast schedule circulant -n 8 -m 4 -o b.sched\n"
                "roundcast schedule postal-dtree -n 8 -m 4 --lambda 5/2\n"
                "roundcast schedule traffic --matrix m.csv --reconfigure 20us --clock 100",
    .request = FIELD_FOR_SCHEDULE,
    COMMAND_OWN(own),
    .run = run,
};
