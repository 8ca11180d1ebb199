/* SPDX-License-Identifier: Apache-2.0 */
/* roundcast-mpi: a rank that executes its part of a schedule; `mpirun -n N roundcast-mpi FILE`.
 *
 * Rank 0 reads and verifies the schedule and sends its text to all ranks. Rank 0 prints the report,
 * or the error, as JSON.
 */
#include "lib/inside.h"
#include "lib/report/run_json.h"
#include "lib/roundcast/json.h"
#include "lib/roundcast/mpi.h"
#include "mpi/combined.h"
#include "mpi/subject.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/exchange/exchange.h"
#include "sched/verify/combination.h"
#include "sched/verify/verify.h"

#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Options ----------------------------------------------------------------------------------- */

/* The command line of roundcast-mpi, FILE and the fields of lib/roundcast/mpi.h. */

struct options {
    const char *path; /* path of the schedule; NULL: only help was requested */
    struct roundcast_mpi_options ranks;
};

#define HELP 'h'

static void print_help(void)
{
    printf("usage: mpirun -n N roundcast-mpi FILE [options]\n\n"
           "Execute a schedule of N nodes, and print a report as JSON.\n\n");
    for (size_t which = 0; which < ROUNDCAST_MPI_FIELDS; which++)
        printf("  --%s=%s\n      %s\n", roundcast_mpi_fields[which].name,
               roundcast_mpi_fields[which].argument, roundcast_mpi_fields[which].help);
    printf("  --help\n      print this text\n");
}

/* Reads all options; the index of the first argument is left in optind. */
static bool read_options(int argc, char **argv, struct options *options, bool *help,
                         struct roundcast_error *err)
{
    struct option known[ROUNDCAST_MPI_FIELDS + 2] = {{"help", no_argument, NULL, HELP}};
    for (size_t which = 0; which < ROUNDCAST_MPI_FIELDS; which++)
        known[which + 1] = (struct option){roundcast_mpi_fields[which].name, required_argument,
                                           NULL, HELP + 1 + (int)which};
    opterr = 0;
    for (int key; (key = getopt_long(argc, argv, ":h", known, NULL)) != -1;) {
        if (key == '?' || key == ':')
            return roundcast_error_set(
                err, ROUNDCAST_E_OPTION, "%.40s: %s; 'roundcast-mpi --help' lists the options",
                argv[optind - 1], key == ':' ? "requires a value" : "unknown option");
        if (key == HELP)
            *help = true;
        else if (!roundcast_field_parse(&roundcast_mpi_fields[key - HELP - 1], &options->ranks,
                                        optarg, err))
            return false;
    }
    return true;
}

/* Reads argv; --help prints the options. E101, E102. */
static bool options_read(int argc, char **argv, struct options *options,
                         struct roundcast_error *err)
{
    bool help = false;
    options->path = NULL;
    roundcast_mpi_init(&options->ranks);
    if (!read_options(argc, argv, options, &help, err))
        return false;
    if (help) {
        print_help();
        return true;
    }
    if (argc - optind != 1)
        return roundcast_error_set(
            err, ROUNDCAST_E_OPTION,
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
           err_set(err, ERR_RANGE,
                   "%s: %" PRIu32 " node%s, and %d rank%s; expected a rank for each",
                   files_input_name(path), schedule->nodes, text_s(schedule->nodes), ranks,
                   text_s((uint64_t)ranks));
}

/* Reads the text of a schedule and verifies the schedule. The caller frees the text. */
static bool read_text(const char *path, char **text, size_t *size, struct err *err)
{
    struct verify_report report;
    struct schedule schedule = {0};
    const struct exchange_reading any = {.model = MODEL_SEND_RECEIVE};
    const struct exchange_format *format = NULL;
    bool read = exchange_load(path, &any, &format, &schedule, err) &&
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

/* Sends the text of rank 0 to all ranks. */
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
               schedule_check_unshared("the schedule", schedule, err) &&
               schedule_check_one_port("the schedule", schedule, err);
        fclose(file);
    }
    free(text);
    return subject_agree(read, err);
}

static json_t *times_json(const struct subject_times *times)
{
    return json_pack("{s:f, s:f}", "least", times->least, "median", times->median);
}

/* The schedule as a subject: it combines packets, or only moves them. */
struct executor {
    struct scheduled scheduled;
    struct combined combined; /* if the schedule has reductions */
};

static bool executor_new(const struct roundcast_mpi_options *asked, const struct schedule *schedule,
                         struct executor *executor, struct err *err)
{
    *executor = (struct executor){0};
    return schedule->has_reductions
               ? combined_new(schedule, &executor->combined, err)
               : scheduled_new(schedule, asked->order == ROUNDCAST_MPI_DEPENDENCY,
                               &executor->scheduled, err);
}

static void executor_free(struct executor *executor)
{
    combined_free(&executor->combined);
    scheduled_free(&executor->scheduled);
}

#define FLOAT_BYTES 32 /* of a packet whose sums in floats are checked */

/* Executes and times the schedule with packets of this size. A schedule that combines is executed
 * once more, with floats. *checked is the number of bytes that this rank checks. */
static bool measure_schedule(const struct roundcast_mpi_options *asked, uint32_t bytes,
                             struct executor *executor, uint64_t *checked,
                             struct subject_times *times, struct err *err)
{
    struct combined *combined = &executor->combined;
    bool combines = combined->schedule != NULL;
    bool sized = combines ? combined_size(combined, bytes, COMBINED_BYTES, err)
                          : scheduled_size(&executor->scheduled, bytes, err);
    if (!subject_agree(sized, err))
        return false;
    struct subject subject =
        combines ? combined_subject(combined) : scheduled_subject(&executor->scheduled);
    if (!subject_measure(&subject, asked->repeat, times, err))
        return false;
    *checked = combines ? combined_checked(combined) : scheduled_checked(&executor->scheduled);
    if (!combines)
        return true;
    struct subject_times none;
    sized = subject_agree(combined_size(combined, FLOAT_BYTES, COMBINED_FLOATS, err), err);
    subject = combined_subject(combined);
    return sized && subject_measure(&subject, 1, &none, err);
}

/* Measures one packet size: a row of the report. */
static bool measure(const struct roundcast_mpi_options *asked, uint32_t bytes,
                    struct executor *executor, struct library *library, json_t **rows,
                    struct err *err)
{
    struct subject_times own, beside = {0};
    const struct subject other = library_subject(library);
    bool named = library_name(library) != NULL;
    uint64_t mine = 0, all = 0;
    if (!subject_agree(library_size(library, bytes, err), err) ||
        !measure_schedule(asked, bytes, executor, &mine, &own, err) ||
        (named && !subject_measure(&other, asked->repeat, &beside, err)))
        return false;
    MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    report_json_append(
        rows, json_pack("{s:I, s:o, s:I, s:o, s:o}", "packet_bytes", (json_int_t)bytes,
                        "message_bytes", named ? json_integer(library->block) : json_null(),
                        "checked_bytes", (json_int_t)all, "schedule", times_json(&own), "library",
                        named ? times_json(&beside) : json_null()));
    return true;
}

/* Returns the name and version of the library, up to the first comma, such as "Open MPI v4.1.4". */
static json_t *library_version(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(text, &length);
    return report_json_bytes(text, strcspn(text, ",\n"));
}

static json_t *report(const struct roundcast_mpi_options *asked, const struct schedule *schedule,
                      const struct library *library, json_t *trees, json_t *rows)
{
    const char *beside = library_name(library);
    return json_pack(
        "{s:I, s:I, s:I, s:s, s:I, s:o, s:o, s:o, s:o}", "ranks", (json_int_t)schedule->nodes,
        "packets", (json_int_t)schedule->packets, "transfers", (json_int_t)schedule->transfer_count,
        "order", roundcast_mpi_order_name(asked->order), "repeat", (json_int_t)asked->repeat, "mpi",
        library_version(), "beside", beside != NULL ? json_string(beside) : json_null(), "trees",
        trees, "sizes", rows);
}

/* Executes a schedule that combines packets with the hashes of trees. *trees has their certificate
 * and that of the schedule, at rank 0; null if the schedule combines none. E604 if they differ. */
static bool certify(struct executor *executor, json_t **trees, struct err *err)
{
    struct combined *combined = &executor->combined;
    struct combination expected = {0};
    uint64_t seen = 0;
    *trees = json_null();
    if (combined->schedule == NULL)
        return true;
    if (!combined_certificate(combined, &seen, err))
        return false;
    bool same = true;
    if (combined->number == 0) {
        same = combination_of(combined->schedule, COMBINATION_ON_ARRIVAL, &expected, err);
        *trees = same ? report_json_trees(expected.certificate, seen) : NULL;
        if (same && expected.certificate != seen)
            same = err_set(err, ERR_CORRUPT,
                           "the schedule: the trees of the results are %016" PRIx64
                           "; expected %016" PRIx64,
                           seen, expected.certificate);
    }
    return subject_agree(same, err);
}

static bool execute(const struct roundcast_mpi_options *asked, int rank,
                    const struct schedule *schedule, struct err *err)
{
    struct executor executor;
    struct library library;
    json_t *rows = json_array(), *trees = NULL;
    library_new(schedule, &library);
    bool done = subject_agree(executor_new(asked, schedule, &executor, err), err);
    for (uint32_t size = 0; done && size < asked->byte_count; size++)
        done = measure(asked, asked->bytes[size], &executor, &library, &rows, err);
    done = done && certify(&executor, &trees, err);
    if (done && rank == 0) {
        done = report_json(stdout, report(asked, schedule, &library, trees, rows), err);
    } else {
        json_decref(trees);
        json_decref(rows);
    }
    library_free(&library);
    executor_free(&executor);
    return done;
}

static bool run(const struct options *options, int rank, struct roundcast_error *error)
{
    struct err err = {0};
    struct schedule schedule = {0};
    bool done = read_schedule(options->path, rank, &schedule, &err) &&
                execute(&options->ranks, rank, &schedule, &err);
    schedule_free(&schedule);
    return done || inside_fail(&err, error);
}

int main(int argc, char **argv)
{
    struct roundcast_error err = {0};
    struct options options;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bool done = options_read(argc, argv, &options, &err) &&
                (options.path == NULL || run(&options, rank, &err));
    if (!done && rank == 0)
        roundcast_json_print(stdout, json_pack("{s:o}", "error", roundcast_json_error(&err)), NULL);
    MPI_Finalize();
    return done ? 0 : roundcast_error_status(err.code);
}
