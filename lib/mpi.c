/* SPDX-License-Identifier: Apache-2.0 */
/* mpi: executes schedules with MPI ranks. */
#include "lib/roundcast/mpi.h"

#include "lib/inside.h"
#include "lib/roundcast/json.h"
#include "sched/base/files.h"
#include "sched/base/tool.h"
#include "sched/exchange/operations.h"
#include "sched/verify/verify.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define USUAL_SIZES "1,64,4096,65536"
#define MAX_REPEAT UINT32_C(1000000)

const char *roundcast_mpi_order_name(unsigned order)
{
    static const char *const names[ROUNDCAST_MPI_ORDERS] = {"rounds", "dependency"};
    return order < ROUNDCAST_MPI_ORDERS ? names[order] : NULL;
}

/* Reads comma-separated numbers such as "1,1024". */
static bool set_sizes(void *base, const char *text, struct roundcast_error *err)
{
    struct roundcast_mpi_options *options = base;
    options->sizes = text;
    options->byte_count = 0;
    for (const char *from = text, *end; from != NULL; from = *end != '\0' ? end + 1 : NULL) {
        char number[24];
        uint64_t bytes;
        end = from + strcspn(from, ",");
        if (options->byte_count == ROUNDCAST_MPI_SIZES)
            return roundcast_error_set(err, ROUNDCAST_E_RANGE,
                                       "{bytes}: '%.40s' has more than %d sizes; expected fewer",
                                       text, ROUNDCAST_MPI_SIZES);
        struct err inner = {0};
        snprintf(number, sizeof number, "%.*s", (int)(end - from), from);
        if (!field_bytes("bytes", number, 1, ROUNDCAST_MPI_MAX_BYTES, &bytes, &inner))
            return inside_fail(&inner, err);
        options->bytes[options->byte_count++] = (uint32_t)bytes;
    }
    return true;
}

#define AT(member) .offset = offsetof(struct roundcast_mpi_options, member)

const struct roundcast_field roundcast_mpi_fields[ROUNDCAST_MPI_FIELDS] = {
    {.name = "order",
     .argument = "WHAT",
     .help = "send after all earlier rounds, or as soon as the packet has arrived: {choices} "
             "(default: rounds)",
     .group = ROUNDCAST_FIELD_RUN,
     .type = ROUNDCAST_FIELD_CHOICE,
     AT(order),
     .choice = roundcast_mpi_order_name},
    {.name = "bytes",
     .argument = "B,B,...",
     .help = "set the bytes of a packet, for one or more sizes (default: " USUAL_SIZES ")",
     .group = ROUNDCAST_FIELD_RUN,
     .type = ROUNDCAST_FIELD_TEXT,
     AT(sizes),
     .set = set_sizes},
    {.name = "repeat",
     .argument = "R",
     .help = "execute each size R times (default: 10)",
     .group = ROUNDCAST_FIELD_RUN,
     .type = ROUNDCAST_FIELD_NUMBER,
     AT(repeat),
     .minimum = 1,
     .maximum = MAX_REPEAT},
};

void roundcast_mpi_init(struct roundcast_mpi_options *options)
{
    *options = (struct roundcast_mpi_options){.repeat = 10};
    set_sizes(options, USUAL_SIZES, NULL);
}

/* --- execution ------------------------------------------------------------------------------ */

#define PROGRAM "roundcast-mpi"

/* Rejects root unless two variables allow it, because Open MPI does not start ranks as root and
 * prints a long message: OMPI_… of version 4, which version 5 also reads, or PRTE_… of version
 * 5. */
static bool check_root(struct err *err)
{
    static const char *const variables[][2] = {
        {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"},
        {"PRTE_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"}};
    bool allowed = geteuid() != 0;
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++)
        allowed = allowed || (getenv(variables[k][0]) != NULL && getenv(variables[k][1]) != NULL);
    return allowed ||
           err_set(err, ERR_TOOL,
                   "mpi: Open MPI does not run as root; run as another user, or set %s=1 and %s=1",
                   variables[0][0], variables[0][1]);
}

/* Rejects a schedule that combines packets if it has routers, or an order other than rounds. */
static bool check_combined(const struct roundcast_mpi_options *options,
                           const struct schedule *schedule, struct err *err)
{
    if (topology_has_routers(&schedule->topology))
        return err_set(err, ERR_UNSUPPORTED,
                       "the schedule has routers between its nodes, and ranks of MPI have none; "
                       "expected a complete graph or a hypercube");
    return options->order == ROUNDCAST_MPI_ROUNDS ||
           err_set(err, ERR_UNSUPPORTED,
                   "{order}: dependency does not apply to packets that are combined, because a "
                   "rank sends what it has at the beginning of a round; expected rounds");
}

/* Rejects a schedule that is invalid or that ranks cannot execute, before ranks start. */
static bool check(const struct roundcast_mpi_options *options,
                  const struct roundcast_schedule *schedule, struct err *err)
{
    struct verify_report report;
    struct ranks ranks;
    if (!verify_schedule(schedule->name, &schedule->schedule, &report, err))
        return false;
    if (schedule->schedule.has_reductions)
        return check_combined(options, &schedule->schedule, err);
    if (!ranks_new(&schedule->schedule, &ranks, err))
        return false;
    ranks_free(&ranks);
    return true;
}

/* Starts the ranks and waits for them. They read the schedule from `text`; rank 0 writes its report
 * to `printed`. */
static bool run_ranks(const struct roundcast_mpi_options *options, const struct schedule *schedule,
                      FILE *text, FILE *printed, struct err *err)
{
    char count[12], repeat[12];
    int status;
    if (options->program != NULL && access(options->program, X_OK) != 0)
        return err_set(err, ERR_TOOL,
                       "mpi: no %.300s; expected the program of the ranks, which `make mpi` builds "
                       "(of the packages libopenmpi-dev and openmpi-bin)",
                       options->program);
    if (!check_root(err) || !schedule_write(text, "a temporary file", schedule, err))
        return false;
    rewind(text);
    snprintf(count, sizeof count, "%" PRIu32, schedule->nodes);
    snprintf(repeat, sizeof repeat, "%" PRIu32, options->repeat);
    const char *program = options->program != NULL ? options->program : PROGRAM;
    char *arguments[] = {(char[]){"mpirun"},
                         (char[]){"--quiet"},
                         (char[]){"--oversubscribe"},
                         (char[]){"-n"},
                         count,
                         (char *)(uintptr_t)program,
                         (char[]){"-"},
                         (char[]){"--order"},
                         (char *)(uintptr_t)roundcast_mpi_order_name(options->order),
                         (char[]){"--bytes"},
                         (char *)(uintptr_t)options->sizes,
                         (char[]){"--repeat"},
                         repeat,
                         NULL};
    return tool_run(arguments, fileno(text), fileno(printed), "Open MPI (the package openmpi-bin)",
                    &status, err);
}

/* Reads the output of rank 0: a report, or an error, which becomes the error of this call. */
static bool take_report(FILE *printed, json_t **report, struct err *err)
{
    rewind(printed);
    errno = 0;
    *report = json_loadf(printed, JSON_REJECT_DUPLICATES, NULL);
    if (*report == NULL && errno == ENOMEM)
        return err_no_memory(err, "the report of %s", PROGRAM);
    const json_t *error = json_object_get(*report, "error");
    if (error != NULL)
        return err_set(err, (enum err_code)json_integer_value(json_object_get(error, "code")), "%s",
                       json_string_value(json_object_get(error, "message")));
    return *report != NULL ||
           err_set(err, ERR_TOOL, "mpirun: its ranks printed no report; expected one");
}

/* Runs the ranks and reads their report, through two temporary files without names. */
static bool execute(const struct roundcast_mpi_options *options, const struct schedule *schedule,
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

json_t *roundcast_json_mpi(const struct roundcast_schedule *schedule,
                           const struct roundcast_mpi_options *options,
                           struct roundcast_error *error)
{
    struct err err = {0};
    json_t *report = NULL;
    if (schedule_check_unshared(schedule->name, &schedule->schedule, &err) &&
        schedule_check_one_port(schedule->name, &schedule->schedule, &err) &&
        check(options, schedule, &err) && execute(options, &schedule->schedule, &report, &err))
        return report;
    json_decref(report);
    inside_fail(&err, error);
    return NULL;
}
