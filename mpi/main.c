/* SPDX-License-Identifier: Apache-2.0 */
/* roundcast-mpi: a rank that executes its part of a schedule; `mpirun -n N roundcast-mpi FILE`.
 *
 * Rank 0 reads and verifies the schedule, and all get its text. Rank 0 prints what came out of it,
 * also what was wrong, as JSON.
 */
#include "lib/report/report_json.h"
#include "mpi/library.h"
#include "mpi/scheduled.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/request/mpi_request.h"
#include "sched/schedule/schedule_file.h"
#include "sched/verify/verify.h"

#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Options ----------------------------------------------------------------------------------- */

/* The command line of roundcast-mpi, FILE and the fields of mpi_request.h. */

struct options {
    const char *path; /* of the schedule; NULL: only help was asked for */
    struct mpi_request request;
};

#define HELP 'h'
#define MOST_FIELDS 8

static void print_help(void)
{
    printf("usage: mpirun -n N roundcast-mpi FILE [options]\n\n"
           "Execute a schedule of N nodes, and print a report as JSON.\n\n");
    for (size_t which = 0; which < mpi_field_count; which++)
        printf("  --%s=%s\n      %s\n", mpi_fields[which].name, mpi_fields[which].argument,
               mpi_fields[which].help);
    printf("  --help\n      print this text\n");
}

/* Reads all options; the index of the first argument is left in optind. */
static bool read_options(int argc, char **argv, struct options *options, bool *help,
                         struct err *err)
{
    struct option known[MOST_FIELDS + 2] = {{"help", no_argument, NULL, HELP}};
    for (size_t which = 0; which < mpi_field_count; which++)
        known[which + 1] =
            (struct option){mpi_fields[which].name, required_argument, NULL, HELP + 1 + (int)which};
    opterr = 0;
    for (int key; (key = getopt_long(argc, argv, ":h", known, NULL)) != -1;) {
        if (key == '?' || key == ':')
            return err_set(err, ERR_OPTION, "%.40s: %s; 'roundcast-mpi --help' lists the options",
                           argv[optind - 1], key == ':' ? "requires a value" : "unknown option");
        if (key == HELP)
            *help = true;
        else if (!field_parse(&mpi_fields[key - HELP - 1], &options->request, optarg, err))
            return false;
    }
    return true;
}

/* Reads argv; --help prints the options. E101, E102. */
static bool options_read(int argc, char **argv, struct options *options, struct err *err)
{
    bool help = false;
    *options = (struct options){.request = mpi_request_default()};
    if (!read_options(argc, argv, options, &help, err))
        return false;
    if (help) {
        print_help();
        return true;
    }
    if (argc - optind != 1)
        return err_set(err, ERR_OPTION,
                       "roundcast-mpi: %d files; expected one schedule, or - for standard input",
                       argc - optind);
    options->path = argv[optind];
    return true;
}

static bool check_ranks(const char *path, const struct schedule *schedule, struct err *err)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return (uint32_t)ranks == schedule->nodes ||
           err_set(err, ERR_RANGE, "%s: %" PRIu32 " node%s, and %d ranks; expected a rank for each",
                   files_input_name(path), schedule->nodes, text_s(schedule->nodes), ranks);
}

/* The text of a schedule that holds, to be freed. */
static bool read_text(const char *path, char **text, size_t *size, struct err *err)
{
    struct verify_report report;
    struct schedule schedule = {0};
    bool read = schedule_file_read(path, &schedule, err) &&
                verify_schedule(files_input_name(path), &schedule, &report, err) &&
                check_ranks(path, &schedule, err);
    FILE *file = read ? open_memstream(text, size) : NULL;
    if (read && file == NULL)
        read = err_no_memory(err, "the text of a schedule");
    if (file != NULL) {
        read = schedule_write(file, "the schedule", &schedule, err);
        fclose(file);
    }
    schedule_free(&schedule);
    return read;
}

/* The text that rank 0 has. */
static bool share(int rank, char **text, size_t *size, struct err *err)
{
    uint64_t bytes = *size;
    MPI_Bcast(&bytes, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    *size = bytes;
    if (rank != 0)
        *text = malloc(bytes);
    if (!subject_agree(*text != NULL || err_no_memory(err, "the text of a schedule"), err))
        return false;
    for (size_t from = 0; from < bytes; from += INT_MAX)
        MPI_Bcast(*text + from, (int)(bytes - from < INT_MAX ? bytes - from : INT_MAX), MPI_CHAR, 0,
                  MPI_COMM_WORLD);
    return true;
}

static bool read_schedule(const char *path, int rank, struct schedule *schedule, struct err *err)
{
    char *text = NULL;
    size_t size = 0;
    bool read = subject_agree(rank != 0 || read_text(path, &text, &size, err), err) &&
                share(rank, &text, &size, err);
    FILE *file = read ? fmemopen(text, size, "r") : NULL;
    if (read && file == NULL)
        read = err_no_memory(err, "the text of a schedule");
    if (file != NULL) {
        read = schedule_read(file, "the schedule", schedule, err) &&
               schedule_check_routable("the schedule", schedule, err);
        fclose(file);
    }
    free(text);
    return subject_agree(read, err);
}

static json_t *times_json(const struct subject_times *times)
{
    return json_pack("{s:f, s:f}", "least", times->least, "median", times->median);
}

/* One size: a row of the report. */
static bool measure(const struct mpi_request *request, uint32_t bytes, struct scheduled *scheduled,
                    struct library *library, json_t **rows, struct err *err)
{
    struct subject_times own, beside = {0};
    const struct subject subject = scheduled_subject(scheduled), other = library_subject(library);
    bool named = library_name(library) != NULL;
    bool sized = scheduled_size(scheduled, bytes, err) && library_size(library, bytes, err);
    uint64_t mine, all = 0;
    if (!subject_agree(sized, err) || !subject_measure(&subject, request->repeat, &own, err) ||
        (named && !subject_measure(&other, request->repeat, &beside, err)))
        return false;
    mine = scheduled_checked(scheduled);
    MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    report_json_append(
        rows, json_pack("{s:I, s:o, s:I, s:o, s:o}", "packet_bytes", (json_int_t)bytes,
                        "message_bytes", named ? json_integer(library->block) : json_null(),
                        "checked_bytes", (json_int_t)all, "schedule", times_json(&own), "library",
                        named ? times_json(&beside) : json_null()));
    return true;
}

/* "Open MPI v4.1.4": what the library says of itself, up to its first comma. */
static json_t *library_version(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(text, &length);
    return report_json_bytes(text, strcspn(text, ",\n"));
}

static json_t *report(const struct mpi_request *request, const struct schedule *schedule,
                      const struct library *library, json_t *rows)
{
    const char *beside = library_name(library);
    return json_pack("{s:I, s:I, s:I, s:s, s:I, s:o, s:o, s:o}", "ranks",
                     (json_int_t)schedule->nodes, "packets", (json_int_t)schedule->packets,
                     "transfers", (json_int_t)schedule->transfer_count, "order",
                     mpi_order_name(request->order), "repeat", (json_int_t)request->repeat, "mpi",
                     library_version(), "beside",
                     beside != NULL ? json_string(beside) : json_null(), "sizes", rows);
}

static bool execute(const struct mpi_request *request, int rank, const struct schedule *schedule,
                    struct err *err)
{
    struct scheduled scheduled;
    struct library library;
    json_t *rows = json_array();
    library_new(schedule, &library);
    bool done = subject_agree(
        scheduled_new(schedule, request->order == MPI_DEPENDENCY, &scheduled, err), err);
    for (uint32_t size = 0; done && size < request->byte_count; size++)
        done = measure(request, request->bytes[size], &scheduled, &library, &rows, err);
    if (done && rank == 0)
        done = report_json(stdout, report(request, schedule, &library, rows), err);
    else
        json_decref(rows);
    library_free(&library);
    scheduled_free(&scheduled);
    return done;
}

static bool run(int argc, char **argv, int rank, struct err *err)
{
    struct options options;
    struct schedule schedule = {0};
    if (!options_read(argc, argv, &options, err) || options.path == NULL)
        return err->code == ERR_NONE;
    bool done = read_schedule(options.path, rank, &schedule, err) &&
                execute(&options.request, rank, &schedule, err);
    schedule_free(&schedule);
    return done;
}

int main(int argc, char **argv)
{
    struct err err = {0};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bool done = run(argc, argv, rank, &err);
    if (!done && rank == 0)
        report_json(stdout, json_pack("{s:o}", "error", report_json_error(&err)), NULL);
    MPI_Finalize();
    return done ? 0 : err_exit_status(err.code);
}
