/* SPDX-License-Identifier: Apache-2.0 */
/* schedule: builds an algorithm's schedule and writes it. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/price.h"
#include "cli/report.h"
#include "cli/text.h"
#include "lib/roundcast/progress.h"

#include <inttypes.h>
#include <string.h>

struct schedule_options {
    struct options common;
    const char *output;
};

static const struct roundcast_field own[] = {
    {"output", 'o', "FILE", "write the schedule to this file (default: standard output)",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_FILE, offsetof(struct schedule_options, output)},
};

/* The contents of the report. */
struct result {
    struct roundcast_schedule_info info;
    struct roundcast_demands demands;
    struct roundcast_built built;
};

/* Prints the report in JSON. Packets from a node to itself need no transfer; their number is
 * reported. */
static bool print_json(const struct result *result, json_t *entry, struct roundcast_error *err)
{
    roundcast_json_set(&entry, "local", json_integer((json_int_t)result->built.local));
    return roundcast_json_print(stdout, entry, err);
}

static void end_line(const struct result *result)
{
    uint64_t local = result->built.local;
    if (local > 0)
        printf("; local: %" PRIu64 " packet%s", local, text_s(local));
    putchar('\n');
}

static void print_nodes(const struct result *result)
{
    const struct roundcast_demands *demands = &result->demands;
    bool one = demands->count == 1, to_one = demands->wanted > 0;
    uint32_t nodes = one && to_one && !demands->reduces ? demands->wanted : result->info.nodes;
    if (demands->reduces)
        printf(one && to_one ? " of all, combined at node %" PRIu32 ", among"
                             : " of all, combined, among",
               demands->source);
    else if (one)
        printf(" from node %s to", demands->source_text);
    else
        printf(" among");
    printf(" %" PRIu32 " node%s", nodes, text_s(nodes));
}

static bool report_rounds(const struct schedule_options *options, const struct result *result,
                          struct roundcast_error *err)
{
    const struct roundcast_schedule_info *info = &result->info;
    const uint64_t bound = result->built.bound;
    if (options->common.json)
        return print_json(
            result,
            json_pack("{s:o, s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:I}", "file",
                      roundcast_json_text(options->output), "algorithm", info->algorithm, "model",
                      info->model, "nodes", (json_int_t)info->nodes, "packets",
                      (json_int_t)info->packets, "source", (json_int_t)result->demands.source,
                      report_end_name(info->times),
                      roundcast_json_end(info->times, info->end, info->ticks), "bound",
                      roundcast_json_end(info->times, bound, info->ticks), "gap",
                      roundcast_json_end(info->times, info->end - bound, info->ticks), "transfers",
                      (json_int_t)info->transfers),
            err);
    char end[REPORT_END_TEXT], least[ROUNDCAST_TIME_TEXT];
    printf("%s: %s, %" PRIu32 " packet%s", options->output, info->algorithm, info->packets,
           text_s(info->packets));
    print_nodes(result);
    printf(", %s: %s (bound %s), %zu transfer%s", info->model, report_end_text(info, end),
           roundcast_time_text(bound, info->ticks, least), info->transfers,
           text_s(info->transfers));
    end_line(result);
    return true;
}

/* Reports a schedule in which changing a setting takes time. */
static bool report_price(const struct schedule_options *options, const struct result *result,
                         struct roundcast_error *err)
{
    const struct roundcast_schedule_info *info = &result->info;
    const struct roundcast_price *price = &result->built.price;
    if (options->common.json) {
        json_t *root =
            json_pack("{s:o, s:s, s:I, s:I, s:o, s:I}", "file",
                      roundcast_json_text(options->output), "algorithm", info->algorithm, "nodes",
                      (json_int_t)info->nodes, "packets", (json_int_t)info->packets, "price",
                      price_json(price), "transfers", (json_int_t)info->transfers);
        price_json_cycles(price->round_cycles, price->change_cycles, &root);
        return print_json(result, root, err);
    }
    printf("%s: %s, %" PRIu32 " packet%s among %" PRIu32 " node%s: %" PRIu64
           " cycle%s (bound %" PRIu64 ", %.1f%% above), %" PRIu64 " round%s of %" PRIu64
           " cycle%s in %" PRIu64 " setting%s of %" PRIu64 " cycle%s; data for %.1f%% of the time",
           options->output, info->algorithm, info->packets, text_s(info->packets), info->nodes,
           text_s(info->nodes), price->makespan, text_s(price->makespan), price->bound,
           price_gap(price), price->rounds, text_s(price->rounds), price->round_cycles,
           text_s(price->round_cycles), price->settings, text_s(price->settings),
           price->change_cycles, text_s(price->change_cycles), price_busy(price));
    end_line(result);
    return true;
}

static void report_progress(void *with, size_t done, size_t all)
{
    roundcast_progress_update(with, done, all);
}

/* Builds the schedule, with a progress line on a terminal. */
static struct roundcast_schedule *build(const struct roundcast_request *request,
                                        struct roundcast_built *built, struct roundcast_error *err)
{
    struct roundcast_progress *progress = roundcast_progress_begin("transfers found");
    struct roundcast_schedule *schedule =
        roundcast_build_reported(request, report_progress, progress, built, err);
    roundcast_progress_end(progress);
    return schedule;
}

static bool build_and_write(struct schedule_options *options, struct roundcast_error *err)
{
    struct result result;
    if (!algorithm_argument(&options->common, false, err) ||
        !options_check_output(&options->common, options->output, "schedule", OUTPUT_SCHEDULE, err))
        return false;
    struct roundcast_schedule *schedule = build(&options->common.request, &result.built, err);
    if (schedule == NULL)
        return false;
    result.info = roundcast_schedule_describe(schedule);
    result.demands = roundcast_schedule_demands(schedule);
    bool written = roundcast_write(schedule, options->output, err);
    if (written && strcmp(options->output, "-") != 0)
        written = result.built.priced ? report_price(options, &result, err)
                                      : report_rounds(options, &result, err);
    roundcast_schedule_free(schedule);
    return written;
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct schedule_options options = {.output = "-"};
    enum options_outcome outcome =
        options_parse(&command_schedule, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    return build_and_write(&options, err);
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
    .request = ROUNDCAST_FOR_SCHEDULE,
    COMMAND_OWN(own),
    .run = run,
};
