/* SPDX-License-Identifier: Apache-2.0 */
/* verify: does a schedule keep its model and meet its demand? */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/bound/bound.h"
#include "sched/schedule/schedule_file.h"
#include "sched/verify/buffers.h"
#include "sched/verify/verify.h"

#include <inttypes.h>
#include <sys/stat.h>

struct verify_options {
    struct options common;
    bool idempotent;
};

static const struct field own[] = {
    {"idempotent", 0, NULL, "accept contributions that are counted twice, as min, max, and, or do",
     FIELD_PROBLEM, FIELD_FLAG, offsetof(struct verify_options, idempotent)},
};

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
    printf("%s: holds: %s, %" PRIu32 " packet%s, %" PRIu32 " node%s, %s\n", name,
           schedule->algorithm, schedule->packets, text_s(schedule->packets), schedule->nodes,
           text_s(schedule->nodes), model_name(schedule->model));
    char text[RATIONAL_TEXT];
    uint32_t tick = schedule->lambda.denominator;
    printf("  %-10s %s", report_end_name(schedule->model), rational_text(report->end, tick, text));
    uint64_t bound;
    if (bound_of_schedule(schedule, &bound))
        printf(" (bound %s)", rational_text(bound, tick, text));
    printf("\n  transfers  %" PRIu64 " (%" PRIu64 " arrival%s, %" PRIu64 " redundant)\n",
           report->transfers, report->arrivals, text_s(report->arrivals), report->redundant);
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
        report_cell(&table, "%" PRIu32,
                    schedule->topology.first[level + 1] - schedule->topology.first[level]);
        report_cell(&table, "%" PRIu32, depth[level].wait);
        report_cell(&table, "%" PRIu32, depth[level].wait_output);
        report_cell(&table, "%" PRIu32, depth[level].stored);
    }
    putchar('\n');
    return report_table_print(stdout, &table, err);
}

static bool check(const struct verify_options *options, const char *path,
                  const struct schedule *schedule, struct err *err)
{
    const bool json = options->common.json;
    const char *name = files_input_name(path);
    struct verify_report report;
    struct err breach = {0};
    bool holds = options->idempotent ? verify_idempotent(name, schedule, &report, &breach)
                                     : verify_schedule(name, schedule, &report, &breach);
    if (!holds && err_exit_status(breach.code) != 1) {
        *err = breach; /* what kept us from checking is no verdict */
        return false;
    }
    if (json && !print_json(name, schedule, &report, &breach, err))
        return false;
    if (holds && !json)
        print_text(name, schedule, &report);
    bool queues = topology_has_routers(&schedule->topology) && report.redundant == 0;
    if (holds && !json && queues && !print_queues(schedule, err))
        return false;
    if (!holds) {
        *err = breach;
        err->reported = json;
    }
    return holds;
}

static bool run(int argc, char **argv, struct err *err)
{
    struct verify_options options = {0};
    const char *path = NULL;
    enum options_outcome outcome =
        options_parse(&command_verify, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!options_one_argument(&options.common, "file", &path, err))
        return false;
    if (path == NULL)
        return err_set(err, ERR_OPTION,
                       "verify: no file; expected a schedule, or - for standard input");

    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return err_set(err, ERR_READ,
                       "%.60s: is a folder; expected a schedule, such as %.60s/schedule.sched of a "
                       "folder that 'roundcast route' wrote",
                       path, path);
    struct schedule schedule = {0};
    bool holds =
        schedule_file_read_any(path, &schedule, err) && check(&options, path, &schedule, err);
    schedule_free(&schedule);
    return holds;
}

const struct command command_verify = {
    .name = "verify",
    .arguments = "FILE",
    .summary = "check a schedule against its model and demand",
    .usage = "FILE",
    .text = "Check a schedule against its model and its demand. FILE is -, or has a schedule.",
    .examples = "roundcast verify b.sched\nroundcast schedule path -n 4 -m 2 | roundcast verify -",
    COMMAND_OWN(own),
    .run = run,
};
