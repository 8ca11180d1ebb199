/* SPDX-License-Identifier: Apache-2.0 */
/* verify: checks that a schedule obeys its model and meets its demands. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/text.h"
#include "lib/roundcast/files.h"

#include <inttypes.h>

struct verify_options {
    struct options common;
    bool idempotent;
};

static const struct roundcast_field own[] = {
    {"idempotent", 0, NULL, "accept repeated contributions, for operators such as min and max",
     ROUNDCAST_FIELD_PROBLEM, ROUNDCAST_FIELD_FLAG, offsetof(struct verify_options, idempotent)},
};

/* Adds how the packets of a reduction are combined. */
static void set_trees(json_t **root, const struct roundcast_combination *trees)
{
    roundcast_json_set(root, "trees",
                       json_pack("{s:s, s:b, s:b}", "certificate", trees->certificate,
                                 "packets_alike", trees->packets_alike, "nodes_alike",
                                 trees->nodes_alike));
}

static bool print_json(const char *name, const struct roundcast_schedule_info *info,
                       const struct roundcast_verdict *verdict,
                       const struct roundcast_combination *trees,
                       const struct roundcast_error *breach, struct roundcast_error *err)
{
    json_t *root = json_pack(
        "{s:o, s:b, s:o, s:s, s:I, s:I, s:o, s:I, s:I, s:I}", "file", roundcast_json_text(name),
        "holds", verdict->holds, "algorithm", roundcast_json_text(info->algorithm), "model",
        info->model, "nodes", (json_int_t)info->nodes, "packets", (json_int_t)info->packets,
        report_end_name(info->times), roundcast_json_end(info->times, verdict->end, info->ticks),
        "transfers", (json_int_t)verdict->transfers, "arrivals", (json_int_t)verdict->arrivals,
        "redundant", (json_int_t)verdict->redundant);
    if (verdict->has_bound)
        roundcast_json_set(&root, "bound",
                           roundcast_json_end(info->times, verdict->bound, info->ticks));
    if (trees != NULL)
        set_trees(&root, trees);
    if (!verdict->holds)
        roundcast_json_set(&root, "error", roundcast_json_error(breach));
    return roundcast_json_print(stdout, root, err);
}

static void print_text(const char *name, const struct roundcast_schedule_info *info,
                       const struct roundcast_verdict *verdict,
                       const struct roundcast_combination *trees)
{
    printf("%s: holds: %s, %" PRIu32 " packet%s, %" PRIu32 " node%s, %s\n", name, info->algorithm,
           info->packets, text_s(info->packets), info->nodes, text_s(info->nodes), info->model);
    char text[ROUNDCAST_TIME_TEXT];
    printf("  %-10s %s", report_end_name(info->times),
           roundcast_time_text(verdict->end, info->ticks, text));
    if (verdict->has_bound)
        printf(" (bound %s)", roundcast_time_text(verdict->bound, info->ticks, text));
    printf("\n  transfers  %" PRIu64 " (%" PRIu64 " arrival%s, %" PRIu64 " redundant)\n",
           verdict->transfers, verdict->arrivals, text_s(verdict->arrivals), verdict->redundant);
    if (trees != NULL)
        printf("  trees      %s (packets %s, nodes %s)\n", trees->certificate,
               trees->packets_alike ? "alike" : "differ", trees->nodes_alike ? "alike" : "differ");
}

static bool add_queue(void *with, const struct roundcast_queue *queue)
{
    struct report_table *table = with;
    const uint32_t cells[] = {queue->level, queue->routers, queue->wait, queue->one_branch,
                              queue->stored};
    static const char *const heading[] = {"level", "routers", "packets waiting", "for one branch",
                                          "stored"};
    if (table->columns == 0)
        for (; table->columns < sizeof heading / sizeof *heading; table->columns++)
            report_cell(table, "%s", heading[table->columns]);
    for (unsigned column = 0; column < table->columns; column++)
        report_cell(table, "%" PRIu32, cells[column]);
    return true;
}

/* Prints the largest number of packets that wait in a router of each level of a tree. */
static bool print_queues(const struct roundcast_schedule *schedule, struct roundcast_error *err)
{
    struct report_table table = {.columns = 0};
    if (!roundcast_each_queue(schedule, add_queue, &table, err))
        return false;
    if (table.columns > 0)
        putchar('\n');
    return report_table_print(stdout, &table, err);
}

static bool check(const struct verify_options *options, const char *path,
                  const struct roundcast_schedule *schedule, struct roundcast_error *err)
{
    const bool json = options->common.json;
    const char *name = roundcast_input_name(path);
    const struct roundcast_schedule_info info = roundcast_schedule_describe(schedule);
    struct roundcast_verdict verdict;
    struct roundcast_error breach = {0};
    bool holds = options->idempotent ? roundcast_verify_idempotent(schedule, &verdict, &breach)
                                     : roundcast_verify(schedule, &verdict, &breach);
    if (!holds && roundcast_error_status(breach.code) != 1) {
        *err = breach; /* an error that prevented the check */
        return false;
    }
    struct roundcast_combination found, *trees = NULL;
    if (holds && roundcast_schedule_demands(schedule).reduces)
        trees = &found;
    if (trees != NULL && !roundcast_certify(schedule, trees, err))
        return false;
    if (json && !print_json(name, &info, &verdict, trees, &breach, err))
        return false;
    if (holds && !json)
        print_text(name, &info, &verdict, trees);
    if (holds && !json && verdict.redundant == 0 && !print_queues(schedule, err))
        return false;
    if (!holds) {
        *err = breach;
        err->reported = json;
    }
    return holds;
}

static bool run(int argc, char **argv, struct roundcast_error *err)
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
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "verify: no file; expected a schedule, or - for standard input");

    struct roundcast_schedule *schedule = roundcast_read_any(path, err);
    bool holds = schedule != NULL && check(&options, path, schedule, err);
    roundcast_schedule_free(schedule);
    return holds;
}

const struct command command_verify = {
    .name = "verify",
    .arguments = "FILE",
    .summary = "check a schedule against its model and demand",
    .usage = "FILE",
    .text = "Check a schedule against its model and its demand. FILE is a schedule, or - for "
            "standard input.",
    .examples = "roundcast verify b.sched\nroundcast schedule path -n 4 -m 2 | roundcast verify -",
    COMMAND_OWN(own),
    .run = run,
};
