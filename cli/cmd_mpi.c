/* SPDX-License-Identifier: Apache-2.0 */
/* mpi: executes a schedule with MPI ranks. The ranks are a separate program, roundcast-mpi, in the
 * same folder, so that this program does not depend on MPI. Prints a report in JSON. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/text.h"
#include "lib/roundcast/mpi.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "roundcast-mpi"

/* Returns the path of the program of the ranks, in the folder of this program. */
static const char *find_program(char path[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof PROGRAM);
    path[MAX(length, 0)] = '\0';
    char *slash = strrchr(path, '/');
    strcpy(slash != NULL ? slash + 1 : path, PROGRAM);
    return path;
}

static void put_times(struct report_table *table, const json_t *times)
{
    static const char *const keys[] = {"least", "median"};
    for (size_t which = 0; which < 2; which++)
        if (json_is_null(times))
            report_cell(table, "-");
        else
            report_cell(table, "%.6f s", json_real_value(json_object_get(times, keys[which])));
}

static void put_number(struct report_table *table, const json_t *number)
{
    if (json_is_null(number))
        report_cell(table, "-");
    else
        report_cell(table, "%" JSON_INTEGER_FORMAT, json_integer_value(number));
}

static bool print(const struct roundcast_schedule_info *schedule, const json_t *report,
                  struct roundcast_error *err)
{
    static const char *const numbers[] = {"packet_bytes", "message_bytes", "checked_bytes"};
    const char *beside = json_string_value(json_object_get(report, "beside"));
    const char *order = json_string_value(json_object_get(report, "order"));
    const char *trees =
        json_string_value(json_object_get(json_object_get(report, "trees"), "seen"));
    struct report_table table = {.columns = 7};
    const json_t *rows = json_object_get(report, "sizes");
    char end[REPORT_END_TEXT];
    printf("%" PRIu32 " packet%s, %" PRIu32 " ranks, %s, %zu transfer%s: all bytes are right",
           schedule->packets, text_s(schedule->packets), schedule->nodes,
           report_end_text(schedule, end), schedule->transfers, text_s(schedule->transfers));
    if (trees != NULL)
        printf(", trees %s", trees);
    putchar('\n');
    report_cell(&table, "packet");
    report_cell(&table, "message");
    report_cell(&table, "checked");
    report_cell(&table, "by %s", order);
    report_cell(&table, "median");
    report_cell(&table, "%s", beside != NULL ? beside : "MPI: none");
    report_cell(&table, "median");
    for (size_t which = 0; which < json_array_size(rows); which++) {
        const json_t *row = json_array_get(rows, which);
        for (size_t column = 0; column < sizeof numbers / sizeof *numbers; column++)
            put_number(&table, json_object_get(row, numbers[column]));
        put_times(&table, json_object_get(row, "schedule"));
        put_times(&table, json_object_get(row, "library"));
    }
    return report_table_print(stdout, &table, err);
}

static bool execute(const struct roundcast_schedule *schedule,
                    const struct roundcast_mpi_options *ranks, const char *json_path,
                    struct roundcast_error *err)
{
    const struct roundcast_schedule_info info = roundcast_schedule_describe(schedule);
    json_t *report = roundcast_json_mpi(schedule, ranks, err);
    if (report == NULL)
        return false;
    if (json_path != NULL) {
        roundcast_json_set(&report, "file", roundcast_json_text(json_path));
        return roundcast_json_print(stdout, report, err);
    }
    bool printed = print(&info, report, err);
    json_decref(report);
    return printed;
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct options options;
    struct roundcast_mpi_options ranks;
    const char *path = NULL;
    char program[PATH_MAX];
    roundcast_mpi_init(&ranks);
    enum options_outcome outcome = options_parse(&command_mpi, argc, argv, &options, &ranks, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!options_one_argument(&options, "file", &path, err))
        return false;
    if (path == NULL)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "mpi: no file; expected a schedule, or - for standard input");
    ranks.program = find_program(program);
    struct roundcast_schedule *schedule = roundcast_read_any(path, err);
    bool done = schedule != NULL && execute(schedule, &ranks, options.json ? path : NULL, err);
    roundcast_schedule_free(schedule);
    return done;
}

const struct command command_mpi = {
    .name = "mpi",
    .arguments = "FILE [--order O]",
    .summary = "execute a schedule with MPI ranks",
    .usage = "FILE",
    .text =
        "Execute a schedule with MPI ranks, one per node, check every byte, and compare the time "
        "with that of the same collective of the MPI library.",
    .examples = "roundcast mpi b.sched --bytes 1,64Ki\nroundcast mpi b.sched --order dependency",
    COMMAND_OWN(roundcast_mpi_fields),
    .run = run,
};
