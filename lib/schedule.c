/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io.h"
#include "cli/options_schedule.h"
#include "cli/version.h"
#include "lib/inside.h"
#include "lib/words.h"
#include "sched/base/files.h"
#include "sched/bound/bound.h"
#include "sched/verify/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *roundcast_error_name(int code)
{
    return err_name((enum err_code)code);
}

const char *roundcast_version(void)
{
    return ROUNDCAST_VERSION;
}

bool inside_fail(const struct err *err, struct roundcast_error *error)
{
    _Static_assert(sizeof error->text == sizeof err->text, "a message is kept whole");
    _Static_assert(sizeof error->field == sizeof err->field, "a field's name is kept whole");
    if (error == NULL)
        return false;
    error->code = (int)err->code;
    memcpy(error->text, err->text, sizeof error->text);
    memcpy(error->field, err->field, sizeof error->field);
    return false;
}

/* A handle of a schedule, or NULL, and then the schedule is freed. */
static struct roundcast_schedule *wrap(struct schedule *schedule, const char *name, struct err *err)
{
    struct roundcast_schedule *wrapped = malloc(sizeof *wrapped);
    char *copy = strdup(name);
    if (wrapped == NULL || copy == NULL) {
        err_no_memory(err, "a schedule");
        free(wrapped);
        free(copy);
        schedule_free(schedule);
        return NULL;
    }
    *wrapped = (struct roundcast_schedule){*schedule, copy};
    return wrapped;
}

/* The collective that words ask an algorithm for, and that algorithm, into use(); free what the
 * options own. */
static bool ask(const char *algorithm, const char *const words[],
                bool (*use)(const struct algorithm *algorithm, const struct collective *collective,
                            void *result, struct err *err),
                void *result, struct err *err)
{
    struct options_schedule options = OPTIONS_SCHEDULE(err);
    struct collective collective;
    options.algorithm = algorithm;
    bool parsed = words_parse(&options_schedule_argp, "schedule", words, &options, err);
    const struct algorithm *found = parsed ? options_schedule_of(&options, &collective) : NULL;
    bool used = found != NULL && use(found, &collective, result, err);
    options_collective_free(&options.collective);
    return used;
}

static bool use_build(const struct algorithm *algorithm, const struct collective *collective,
                      void *result, struct err *err)
{
    return algorithm_build(algorithm, collective, result, err);
}

static bool use_bound(const struct algorithm *algorithm, const struct collective *collective,
                      void *result, struct err *err)
{
    if (!algorithm_check(algorithm, collective, err))
        return false;
    const struct collective chosen = algorithm_choose(algorithm, collective);
    *(uint64_t *)result = bound_end(&chosen);
    return true;
}

struct roundcast_schedule *roundcast_build(const char *algorithm, const char *const words[],
                                           struct roundcast_error *error)
{
    struct err err = {0};
    struct schedule schedule = {0};
    struct roundcast_schedule *built =
        ask(algorithm, words, use_build, &schedule, &err) ? wrap(&schedule, algorithm, &err) : NULL;
    if (built == NULL)
        inside_fail(&err, error);
    return built;
}

bool roundcast_bound(const char *algorithm, const char *const words[], uint64_t *end,
                     struct roundcast_error *error)
{
    struct err err = {0};
    return ask(algorithm, words, use_bound, end, &err) || inside_fail(&err, error);
}

struct roundcast_schedule *roundcast_read(const char *path, struct roundcast_error *error)
{
    struct err err = {0};
    struct schedule schedule = {0};
    struct roundcast_schedule *read = io_read_schedule(path, &schedule, &err)
                                          ? wrap(&schedule, files_input_name(path), &err)
                                          : NULL;
    if (read == NULL)
        inside_fail(&err, error);
    return read;
}

bool inside_read_text(const char *name, const char *text, size_t size, struct schedule *schedule,
                      struct err *err)
{
    FILE *file = fmemopen((char *)text, size, "rb");
    if (file == NULL)
        return err_no_memory(err, "a text of %zu bytes", size);
    bool read = schedule_read(file, name, schedule, err);
    if (read && !schedule_check_routable(name, schedule, err)) {
        schedule_free(schedule);
        read = false;
    }
    fclose(file);
    return read;
}

struct roundcast_schedule *roundcast_read_text(const char *name, const char *text, size_t size,
                                               struct roundcast_error *error)
{
    struct err err = {0};
    struct schedule schedule = {0};
    struct roundcast_schedule *read =
        inside_read_text(name, text, size, &schedule, &err) ? wrap(&schedule, name, &err) : NULL;
    if (read == NULL)
        inside_fail(&err, error);
    return read;
}

bool roundcast_write(const struct roundcast_schedule *schedule, const char *path,
                     struct roundcast_error *error)
{
    struct err err = {0};
    return io_write_schedule(path, &schedule->schedule, &err) || inside_fail(&err, error);
}

char *inside_write_text(const struct schedule *schedule, size_t *size, struct err *err)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    bool written = file != NULL && schedule_write(file, "the text", schedule, err);
    if (file != NULL && fclose(file) == 0 && written)
        return text;
    free(text);
    err_no_memory(err, "the text of a schedule");
    return NULL;
}

char *roundcast_write_text(const struct roundcast_schedule *schedule, size_t *size,
                           struct roundcast_error *error)
{
    struct err err = {0};
    char *text = inside_write_text(&schedule->schedule, size, &err);
    if (text == NULL)
        inside_fail(&err, error);
    return text;
}

struct roundcast_schedule_info
roundcast_schedule_describe(const struct roundcast_schedule *schedule)
{
    const struct schedule *it = &schedule->schedule;
    return (struct roundcast_schedule_info){.algorithm = it->algorithm,
                                            .model = model_name(it->model),
                                            .nodes = it->nodes,
                                            .packets = it->packets,
                                            .ticks = it->lambda.denominator,
                                            .end = it->end,
                                            .transfers = it->transfer_count};
}

bool roundcast_transfer_at(const struct roundcast_schedule *schedule, size_t index,
                           struct roundcast_transfer *transfer, struct roundcast_error *error)
{
    const struct schedule *it = &schedule->schedule;
    struct err err = {0};
    if (index >= it->transfer_count) {
        err_set(&err, ERR_RANGE, "%s: transfer %zu; expected less than %zu", schedule->name, index,
                it->transfer_count);
        return inside_fail(&err, error);
    }
    const struct transfer *at = &it->transfer[index];
    *transfer = (struct roundcast_transfer){.time = it->step[schedule_step_of(it, index)].time,
                                            .source = at->source,
                                            .destination = at->destination,
                                            .packet = at->packet,
                                            .lane = schedule_lane(it, index)};
    return true;
}

bool roundcast_verify(const struct roundcast_schedule *schedule, struct roundcast_verdict *verdict,
                      struct roundcast_error *error)
{
    const struct schedule *it = &schedule->schedule;
    struct err err = {0};
    struct verify_report report;
    uint64_t bound;
    bool holds = verify_schedule(schedule->name, it, &report, &err);
    if (!holds && err.code == ERR_TOO_BIG)
        return inside_fail(&err, error);
    *verdict = (struct roundcast_verdict){.holds = holds,
                                          .has_bound = bound_of_schedule(it, &bound),
                                          .transfers = report.transfers,
                                          .arrivals = report.arrivals,
                                          .redundant = report.redundant,
                                          .violations = holds ? 0 : err.further + 1};
    verdict->bound = bound;
    return holds || inside_fail(&err, error);
}

void roundcast_schedule_free(struct roundcast_schedule *schedule)
{
    if (schedule == NULL)
        return;
    schedule_free(&schedule->schedule);
    free(schedule->name);
    free(schedule);
}
