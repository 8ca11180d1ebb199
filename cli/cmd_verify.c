/* SPDX-License-Identifier: Apache-2.0 */
/* verify: checks that schedules obey their models and meet their demands. */
#include "cli/command.h"
#include "cli/reading.h"
#include "cli/report.h"
#include "cli/text.h"
#include "lib/roundcast/files.h"

#include <inttypes.h>

struct verify_options {
    struct reading_options reading;
    bool idempotent, all;
};

static const struct roundcast_field own[] = {
    READING_FIELDS,
    {"all", 0, NULL, "print every breach of a rule (default: the first)", ROUNDCAST_FIELD_OUTPUT,
     ROUNDCAST_FIELD_FLAG, offsetof(struct verify_options, all)},
    {"idempotent", 0, NULL, "accept repeated contributions, for operators such as min and max",
     ROUNDCAST_FIELD_PROBLEM, ROUNDCAST_FIELD_FLAG, offsetof(struct verify_options, idempotent)},
};

/* What is found of a schedule. */
struct judgement {
    struct roundcast_verdict verdict;
    struct roundcast_error breach;             /* of a schedule that does not hold */
    struct roundcast_combination made;         /* of a schedule that holds and combines packets */
    const struct roundcast_combination *trees; /* &made, or NULL */
};

/* Adds how the packets of a reduction are combined. */
static void set_trees(json_t **root, const struct roundcast_combination *trees)
{
    roundcast_json_set(root, "trees",
                       json_pack("{s:s, s:b, s:b}", "certificate", trees->certificate,
                                 "packets_alike", trees->packets_alike, "nodes_alike",
                                 trees->nodes_alike));
}

/* Adds a breach to an array. */
static bool add_breach(void *with, const struct roundcast_error *breach)
{
    json_t **array = with;
    roundcast_json_append(array, roundcast_json_error(breach));
    return *array != NULL;
}

/* Prints a breach. */
static bool print_breach(void *with, const struct roundcast_error *breach)
{
    (void)with;
    printf("%s [E%d %s]\n", breach->text, breach->code, roundcast_error_name(breach->code));
    return true;
}

/* Returns what is found of a schedule. */
static json_t *json_of(const char *name, const struct roundcast_schedule *schedule,
                       const struct judgement *found)
{
    const struct roundcast_schedule_info info = roundcast_schedule_describe(schedule);
    const struct roundcast_verdict *verdict = &found->verdict;
    char collective[ROUNDCAST_COLLECTIVE_TEXT];
    json_t *root = json_pack(
        "{s:o, s:b, s:o, s:s, s:s, s:I, s:I, s:o, s:I, s:I, s:I}", "file",
        roundcast_json_text(name), "holds", verdict->holds, "algorithm",
        roundcast_json_text(info.algorithm), "collective",
        roundcast_collective_text(schedule, collective), "model", info.model, "nodes",
        (json_int_t)info.nodes, "packets", (json_int_t)info.packets, report_end_name(info.times),
        roundcast_json_end(info.times, verdict->end, info.ticks), "transfers",
        (json_int_t)verdict->transfers, "arrivals", (json_int_t)verdict->arrivals, "redundant",
        (json_int_t)verdict->redundant);
    if (verdict->has_bound)
        roundcast_json_set(&root, "bound",
                           roundcast_json_end(info.times, verdict->bound, info.ticks));
    if (found->trees != NULL)
        set_trees(&root, found->trees);
    if (!verdict->holds)
        roundcast_json_set(&root, "error", roundcast_json_error(&found->breach));
    return root;
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

static bool print_json(const struct verify_options *options,
                       const struct roundcast_schedule *schedule, json_t *root,
                       struct roundcast_error *err)
{
    json_t *breaches = options->all ? json_array() : NULL;
    if (options->all) {
        roundcast_verify_each(schedule, add_breach, &breaches, NULL);
        roundcast_json_set(&root, "errors", breaches);
    }
    return roundcast_json_print(stdout, root, err);
}

/* Verifies a schedule. Returns false with an error that prevented the check; a violation is in
 * found->breach. */
static bool judge(const struct verify_options *options, const struct roundcast_schedule *schedule,
                  struct judgement *found, struct roundcast_error *err)
{
    *found = (struct judgement){0};
    bool holds = options->idempotent
                     ? roundcast_verify_idempotent(schedule, &found->verdict, &found->breach)
                     : roundcast_verify(schedule, &found->verdict, &found->breach);
    if (!holds && roundcast_error_status(found->breach.code) != 1) {
        *err = found->breach; /* an error that prevented the check */
        return false;
    }
    if (holds && roundcast_schedule_describe(schedule).combines)
        found->trees = &found->made;
    return found->trees == NULL || roundcast_certify(schedule, &found->made, err);
}

static bool check(const struct verify_options *options, const char *path,
                  const struct roundcast_schedule *schedule, struct roundcast_error *err)
{
    const bool json = options->reading.common.json;
    const char *name = roundcast_input_name(path);
    const struct roundcast_schedule_info info = roundcast_schedule_describe(schedule);
    struct judgement found;
    if (!judge(options, schedule, &found, err) ||
        (json && !print_json(options, schedule, json_of(name, schedule, &found), err)))
        return false;
    const bool holds = found.verdict.holds;
    if (holds && !json)
        print_text(name, &info, &found.verdict, found.trees);
    if (holds && !json && found.verdict.redundant == 0 && !print_queues(schedule, err))
        return false;
    if (!holds) {
        if (options->all && !json)
            roundcast_verify_each(schedule, print_breach, NULL, NULL);
        *err = found.breach;
        err->reported = json;
    }
    return holds;
}

static bool check_file(const struct verify_options *options, const char *path,
                       struct roundcast_error *err)
{
    struct roundcast_schedule *schedule = reading_load(&options->reading, path, NULL, err);
    bool holds = schedule != NULL && check(options, path, schedule, err);
    roundcast_schedule_free(schedule);
    return holds;
}

/* --- several files -------------------------------------------------------------------------- */

/* The reports on several files. */
struct summary {
    bool json; /* an array, in place of a table */
    struct report_table table;
    json_t *files; /* NULL: it ran out of memory */
    size_t failed;
    struct roundcast_error first; /* of the first file that fails */
};

static void add_row(struct summary *summary, const char *path,
                    const struct roundcast_schedule *schedule,
                    const struct roundcast_verdict *verdict)
{
    const struct roundcast_schedule_info info = roundcast_schedule_describe(schedule);
    char collective[ROUNDCAST_COLLECTIVE_TEXT], end[ROUNDCAST_TIME_TEXT],
        bound[ROUNDCAST_TIME_TEXT] = "-", gap[ROUNDCAST_TIME_TEXT] = "-";
    roundcast_time_text(verdict->end, info.ticks, end);
    if (verdict->has_bound)
        roundcast_time_text(verdict->bound, info.ticks, bound);
    if (verdict->has_bound && verdict->holds)
        roundcast_time_text(verdict->end - verdict->bound, info.ticks, gap);
    report_cell(&summary->table, "%s", roundcast_input_name(path));
    report_cell(&summary->table, "%s", verdict->holds ? "holds" : "fails");
    report_cell(&summary->table, "%s", roundcast_collective_text(schedule, collective));
    report_cell(&summary->table, "%s", info.model);
    report_cell(&summary->table, "%s", end);
    report_cell(&summary->table, "%s", bound);
    report_cell(&summary->table, "%s", gap);
}

/* Adds a file that could not be checked. */
static void add_unread(struct summary *summary, const char *path, const struct roundcast_error *err)
{
    if (summary->json) {
        roundcast_json_append(&summary->files,
                              json_pack("{s:o, s:b, s:o}", "file", roundcast_json_text(path),
                                        "holds", false, "error", roundcast_json_error(err)));
        return;
    }
    report_cell(&summary->table, "%s", roundcast_input_name(path));
    report_cell(&summary->table, "E%d", err->code);
    for (unsigned column = 2; column < summary->table.columns; column++)
        report_cell(&summary->table, "-");
}

static void add_file(const struct verify_options *options, const char *path,
                     struct summary *summary)
{
    struct roundcast_error err = {0};
    struct judgement found = {0};
    struct roundcast_schedule *schedule = reading_load(&options->reading, path, NULL, &err);
    bool checked = schedule != NULL && judge(options, schedule, &found, &err);
    if (!checked) {
        add_unread(summary, path, &err);
    } else if (summary->json) {
        roundcast_json_append(&summary->files,
                              json_of(roundcast_input_name(path), schedule, &found));
    } else {
        add_row(summary, path, schedule, &found.verdict);
    }
    if (!(checked && found.verdict.holds) && summary->failed++ == 0)
        summary->first = checked ? found.breach : err;
    roundcast_schedule_free(schedule);
}

/* Verifies all files, and prints a row for each. The error is that of the first file that fails. */
static bool check_files(const struct verify_options *options, char *path[], size_t count,
                        struct roundcast_error *err)
{
    static const char *const heading[] = {"file",   "verdict", "collective", "model",
                                          "rounds", "bound",   "gap"};
    const bool json = options->reading.common.json;
    struct summary summary = {.json = json, .files = json ? json_array() : NULL};
    for (; !json && summary.table.columns < 7; summary.table.columns++)
        report_cell(&summary.table, "%s", heading[summary.table.columns]);
    for (size_t which = 0; which < count; which++)
        add_file(options, path[which], &summary);
    bool printed = json ? roundcast_json_print(
                              stdout,
                              json_pack("{s:I, s:I, s:o}", "schedules", (json_int_t)count, "failed",
                                        (json_int_t)summary.failed, "files", summary.files),
                              err)
                        : report_table_print(stdout, &summary.table, err);
    if (!printed || summary.failed == 0)
        return printed;
    *err = summary.first;
    err->further = summary.failed - 1;
    err->reported = json;
    return false;
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct verify_options options = {.all = false};
    const struct options *common = &options.reading.common;
    enum options_outcome outcome =
        options_parse(&command_verify, argc, argv, &options.reading.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (common->argument_count == 0)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "verify: no file; expected a schedule, or - for standard input");
    if (options.all && options.idempotent)
        return roundcast_error_conflict(err, "all", "idempotent");
    if (options.all && common->argument_count > 1)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "{all}: %d files; expected one file, whose breaches are printed",
                                   common->argument_count);
    if (common->argument_count > 1)
        return check_files(&options, common->argument, (size_t)common->argument_count, err);
    return check_file(&options, common->argument[0], err);
}

const struct command command_verify = {
    .name = "verify",
    .arguments = "FILE...",
    .summary = "check schedules against their models and demands",
    .request = ROUNDCAST_FOR_READING,
    .usage = "FILE...",
    .text =
        "Check a schedule against its model and its demands, or print a table of several. FILE "
        "is a schedule, a file of another tool or a list of transfers, or - for standard input.",
    .examples = "roundcast verify b.sched\nroundcast schedule path -n 4 -m 2 | roundcast verify -\n"
                "roundcast verify mine.csv --demands exercise.sched --all",
    COMMAND_OWN(own),
    .run = run,
};
