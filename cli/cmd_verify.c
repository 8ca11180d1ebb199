/* SPDX-License-Identifier: Apache-2.0 */
/* verify: does a schedule keep its model and meet its demand? */
#include "cli/command.h"
#include "cli/io.h"
#include "cli/options.h"
#include "cli/options_keys.h"
#include "cli/report.h"
#include "sched/base/files.h"
#include "sched/base/plural.h"
#include "sched/bound/bound.h"
#include "sched/verify/buffers.h"
#include "sched/verify/verify.h"

#include <inttypes.h>

struct verify_options {
    struct options_common common;
    const char *path;
    bool idempotent;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct verify_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case KEY_IDEMPOTENT:
        options->idempotent = true;
        return 0;
    case ARGP_KEY_ARG:
        return options_argument("file", argument, &options->path, options->common.err);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool print_json(const char *name, const struct schedule *schedule,
                       const struct verify_report *report, const struct err *breach,
                       struct err *err)
{
    bool holds = breach->code == ERR_NONE;
    json_t *root = json_pack(
        "{s:o, s:b, s:o, s:s, s:I, s:I, s:o, s:I, s:I, s:I}", "file", report_json_text(name),
        "holds", holds, "algorithm", report_json_text(schedule->algorithm), "model",
        model_name(schedule->model), "nodes", (json_int_t)schedule->nodes, "packets",
        (json_int_t)schedule->packets, report_end_name(schedule->model),
        report_json_end(schedule->model, schedule->lambda, report->end), "transfers",
        (json_int_t)report->transfers, "arrivals", (json_int_t)report->arrivals, "redundant",
        (json_int_t)report->redundant);
    uint64_t bound;
    if (bound_of_schedule(schedule, &bound))
        report_json_set(&root, "bound", report_json_end(schedule->model, schedule->lambda, bound));
    if (!holds)
        report_json_set(&root, "error", report_json_error(breach));
    return report_json(stdout, root, err);
}

static void print_text(const char *name, const struct schedule *schedule,
                       const struct verify_report *report)
{
    plural_print(stdout, "%s: holds: %s, %" PRIu32 " packets, %" PRIu32 " nodes, %s\n", name,
                 schedule->algorithm, schedule->packets, schedule->nodes,
                 model_name(schedule->model));
    char text[RATIONAL_TEXT];
    uint32_t tick = schedule->lambda.denominator;
    printf("  %-10s %s", report_end_name(schedule->model), rational_text(report->end, tick, text));
    uint64_t bound;
    if (bound_of_schedule(schedule, &bound))
        printf(" (bound %s)", rational_text(bound, tick, text));
    plural_print(stdout,
                 "\n  transfers  %" PRIu64 " (%" PRIu64 " arrivals, %" PRIu64 " redundant)\n",
                 report->transfers, report->arrivals, report->redundant);
}

/* How many packets wait in a router of each level of a tree. */
static bool print_queues(const struct schedule *schedule, struct err *err)
{
    struct buffer_depth depth[TOPOLOGY_MAX_HEIGHT + 1];
    struct report_table table = {.columns = 5};
    static const char *const heading[] = {"level", "routers", "packets waiting", "for one branch",
                                          "stored"};
    if (!buffers_measure(schedule, depth, err))
        return false;
    for (unsigned column = 0; column < table.columns; column++)
        report_cell(&table, "%s", heading[column]);
    for (unsigned level = 1; level <= schedule->topology.height; level++) {
        report_cell(&table, "%u", level);
        report_cell(&table, "%" PRIu32, schedule->nodes / schedule->topology.leaves[level]);
        report_cell(&table, "%" PRIu32, depth[level].wait);
        report_cell(&table, "%" PRIu32, depth[level].wait_output);
        report_cell(&table, "%" PRIu32, depth[level].stored);
    }
    putchar('\n');
    return report_table_print(stdout, &table, err);
}

static bool check(const struct verify_options *options, const struct schedule *schedule,
                  struct err *err)
{
    const char *name = files_input_name(options->path);
    struct verify_report report;
    struct err breach = {0};
    bool holds = options->idempotent ? verify_idempotent(name, schedule, &report, &breach)
                                     : verify_schedule(name, schedule, &report, &breach);
    if (!holds && err_exit_status(breach.code) != 1) {
        *err = breach; /* what kept us from checking is no verdict */
        return false;
    }
    if (options->common.json && !print_json(name, schedule, &report, &breach, err))
        return false;
    if (holds && !options->common.json)
        print_text(name, schedule, &report);
    bool queues = topology_has_routers(&schedule->topology) && report.redundant == 0;
    if (holds && !options->common.json && queues && !print_queues(schedule, err))
        return false;
    if (!holds) {
        *err = breach;
        err->reported = options->common.json;
    }
    return holds;
}

static bool run(int argc, char **argv, struct err *err)
{
    static const struct argp_child children[] = {{&options_common_argp, 0, NULL, 0}, {0}};
    static const struct argp_option own[] = {
        {"idempotent", KEY_IDEMPOTENT, NULL, 0,
         "accept contributions that are counted several times, which makes no difference to min, "
         "max, and, or",
         1},
        {0}};
    static const struct argp argp = {.options = own,
                                     .parser = parse,
                                     .children = children,
                                     .args_doc = "FILE",
                                     .doc = "Check a schedule against its model and its demand."};
    struct verify_options options = {.common.err = err};
    enum options_outcome outcome = options_parse(&argp, argc, argv, &options, &options.common);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (options.path == NULL)
        return err_set(err, ERR_OPTION,
                       "verify: no file; expected a schedule, or - for standard input");

    struct schedule schedule = {0};
    bool holds =
        io_read_any_schedule(options.path, &schedule, err) && check(&options, &schedule, err);
    schedule_free(&schedule);
    return holds;
}

const struct command command_verify = {
    .name = "verify",
    .arguments = "FILE",
    .summary = "check a schedule against its model and demand",
    .run = run,
};
