/* SPDX-License-Identifier: Apache-2.0 */
/* mpi: execute a schedule by ranks of MPI. They are a program of their own, roundcast-mpi, which
 * stands beside this one, as this one knows no MPI; it prints a report as JSON. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "sched/base/compare.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/base/tool.h"
#include "sched/exchange/operations.h"
#include "sched/request/mpi_request.h"
#include "sched/schedule/schedule_file.h"
#include "sched/verify/verify.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM "roundcast-mpi"

struct mpi_options {
    struct options common;
    struct mpi_request request;
    const char *path;
};

/* The program of the ranks, in the folder of this one. */
static bool find_program(char path[PATH_MAX], struct err *err)
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof PROGRAM);
    path[MAX(length, 0)] = '\0';
    char *slash = strrchr(path, '/');
    strcpy(slash != NULL ? slash + 1 : path, PROGRAM);
    return access(path, X_OK) == 0 ||
           err_set(err, ERR_TOOL,
                   "mpi: no %.300s; expected the program of the ranks, which `make mpi` builds "
                   "(of the packages libopenmpi-dev and openmpi-bin)",
                   path);
}

/* What does not hold, and what ranks cannot do, is refused before anything is started. */
static bool check(const struct mpi_options *options, const struct schedule *schedule,
                  struct err *err)
{
    struct verify_report report;
    struct ranks ranks;
    if (!verify_schedule(files_input_name(options->path), schedule, &report, err) ||
        !ranks_new(schedule, &ranks, err))
        return false;
    ranks_free(&ranks);
    return true;
}

/* Run the ranks: the schedule's text comes from one file, their report goes to another. */
static bool run_ranks(const struct mpi_options *options, const struct schedule *schedule,
                      FILE *text, FILE *printed, struct err *err)
{
    char program[PATH_MAX], count[12], repeat[12];
    int status;
    if (!find_program(program, err) || !schedule_write(text, "a temporary file", schedule, err))
        return false;
    rewind(text);
    snprintf(count, sizeof count, "%" PRIu32, schedule->nodes);
    snprintf(repeat, sizeof repeat, "%" PRIu32, options->request.repeat);
    char *arguments[] = {(char[]){"mpirun"},
                         (char[]){"--quiet"},
                         (char[]){"--oversubscribe"},
                         (char[]){"-n"},
                         count,
                         program,
                         (char[]){"-"},
                         (char[]){"--order"},
                         (char *)(uintptr_t)mpi_order_name(options->request.order),
                         (char[]){"--bytes"},
                         (char *)(uintptr_t)options->request.sizes,
                         (char[]){"--repeat"},
                         repeat,
                         NULL};
    return tool_run(arguments, fileno(text), fileno(printed), "Open MPI (the package openmpi-bin)",
                    &status, err);
}

/* What rank 0 printed: a report, or what was wrong. */
static bool take_report(FILE *printed, json_t **report, struct err *err)
{
    rewind(printed);
    errno = 0;
    *report = json_loadf(printed, JSON_REJECT_DUPLICATES, NULL);
    if (*report == NULL && errno == ENOMEM)
        return err_no_memory(err, "the report of %s", PROGRAM);
    const json_t *error = json_object_get(*report, "error");
    if (error != NULL) {
        err_set(err, (enum err_code)json_integer_value(json_object_get(error, "code")), "%s",
                json_string_value(json_object_get(error, "message")));
        return false;
    }
    return *report != NULL ||
           err_set(err, ERR_TOOL, "mpirun: its ranks printed no report; expected one");
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

static bool print(const struct schedule *schedule, const json_t *report, struct err *err)
{
    static const char *const numbers[] = {"packet_bytes", "message_bytes", "checked_bytes"};
    const char *beside = json_string_value(json_object_get(report, "beside"));
    const char *order = json_string_value(json_object_get(report, "order"));
    struct report_table table = {.columns = 7};
    const json_t *row, *rows = json_object_get(report, "sizes");
    size_t which;
    char end[REPORT_END_TEXT];
    printf("%" PRIu32 " packet%s, %" PRIu32 " ranks, %s, %zu transfer%s: all bytes are right\n",
           schedule->packets, text_s(schedule->packets), schedule->nodes,
           report_end_text(schedule, end), schedule->transfer_count,
           text_s(schedule->transfer_count));
    report_cell(&table, "packet");
    report_cell(&table, "message");
    report_cell(&table, "checked");
    report_cell(&table, "by %s", order);
    report_cell(&table, "median");
    report_cell(&table, "%s", beside != NULL ? beside : "MPI: none");
    report_cell(&table, "median");
    json_array_foreach(rows, which, row)
    {
        for (size_t column = 0; column < sizeof numbers / sizeof *numbers; column++)
            put_number(&table, json_object_get(row, numbers[column]));
        put_times(&table, json_object_get(row, "schedule"));
        put_times(&table, json_object_get(row, "library"));
    }
    return report_table_print(stdout, &table, err);
}

/* The two files have no names. */
static bool execute(const struct mpi_options *options, const struct schedule *schedule,
                    json_t **report, struct err *err)
{
    FILE *text = tmpfile(), *printed = text != NULL ? tmpfile() : NULL;
    bool done = printed != NULL ? run_ranks(options, schedule, text, printed, err) &&
                                      take_report(printed, report, err)
                                : files_refuse_output("a temporary file", errno, err);
    if (text != NULL)
        fclose(text);
    if (printed != NULL)
        fclose(printed);
    return done;
}

static bool run(int argc, char **argv, struct err *err)
{
    struct mpi_options options = {.request = mpi_request_default()};
    struct schedule schedule = {0};
    json_t *report = NULL;
    enum options_outcome outcome =
        options_parse(&command_mpi, argc, argv, &options.common, &options.request, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!options_one_argument(&options.common, "file", &options.path, err))
        return false;
    if (options.path == NULL)
        return err_set(err, ERR_OPTION,
                       "mpi: no file; expected a schedule, or - for standard input");
    bool done = schedule_file_read(options.path, &schedule, err) &&
                schedule_check_routable(files_input_name(options.path), &schedule, err) &&
                check(&options, &schedule, err) && execute(&options, &schedule, &report, err);
    if (done && options.common.json) {
        report_json_set(&report, "file", report_json_text(options.path));
        done = report_json(stdout, report, err);
        report = NULL;
    } else if (done) {
        done = print(&schedule, report, err);
    }
    json_decref(report);
    schedule_free(&schedule);
    return done;
}

const struct command command_mpi = {
    .name = "mpi",
    .arguments = "FILE [--order O]",
    .summary = "execute a schedule by ranks of MPI",
    .usage = "FILE",
    .text = "Execute a schedule by ranks of MPI, one for each node, check every byte, and time it "
            "next to the same collective of the MPI library.",
    .examples = "roundcast mpi b.sched --bytes 1,64Ki\nroundcast mpi b.sched --order dependency",
    COMMAND_OWN(mpi_fields),
    .run = run,
};
