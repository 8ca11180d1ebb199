/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/inside.h"
#include "sched/base/files.h"
#include "sched/base/version.h"
#include "sched/bound/bound.h"
#include "sched/request/problem.h"
#include "sched/schedule/schedule_file.h"
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

struct roundcast_schedule *inside_wrap(struct schedule *schedule, const char *name, struct err *err)
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

struct roundcast_schedule *roundcast_build(const struct roundcast_request *request,
                                           struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    struct instance instance;
    struct schedule schedule = {0};
    bool built = inside_ask(request, problem_for_schedule, &asked, &instance, &err) &&
                 algorithm_build(instance.algorithm, &instance.collective, &schedule, &err);
    instance_free(&instance);
    struct roundcast_schedule *wrapped =
        built ? inside_wrap(&schedule, request->algorithm, &err) : NULL;
    if (wrapped == NULL)
        inside_fail(&err, error);
    return wrapped;
}

bool roundcast_bound(const struct roundcast_request *request, uint64_t *end,
                     struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    struct instance instance;
    bool known = inside_ask(request, problem_for_schedule, &asked, &instance, &err) &&
                 algorithm_check(instance.algorithm, &instance.collective, &err);
    if (known) {
        const struct collective chosen = algorithm_choose(instance.algorithm, &instance.collective);
        *end = bound_end(&chosen);
    }
    instance_free(&instance);
    return known || inside_fail(&err, error);
}

struct roundcast_schedule *roundcast_read(const char *path, struct roundcast_error *error)
{
    struct err err = {0};
    struct schedule schedule = {0};
    struct roundcast_schedule *read = schedule_file_read(path, &schedule, &err)
                                          ? inside_wrap(&schedule, files_input_name(path), &err)
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
    if (read && !schedule_check_uncombined(name, schedule, err)) {
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
    struct roundcast_schedule *read = inside_read_text(name, text, size, &schedule, &err)
                                          ? inside_wrap(&schedule, name, &err)
                                          : NULL;
    if (read == NULL)
        inside_fail(&err, error);
    return read;
}

bool roundcast_write(const struct roundcast_schedule *schedule, const char *path,
                     struct roundcast_error *error)
{
    struct err err = {0};
    return schedule_file_write(path, &schedule->schedule, &err) || inside_fail(&err, error);
}

static char *write_text(const struct schedule *schedule, size_t *size, struct err *err)
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

bool inside_copy(const struct schedule *from, const char *name, struct schedule *to,
                 struct err *err)
{
    size_t size;
    char *text = write_text(from, &size, err);
    bool copied = text != NULL && inside_read_text(name, text, size, to, err);
    free(text);
    return copied;
}

char *roundcast_write_text(const struct roundcast_schedule *schedule, size_t *size,
                           struct roundcast_error *error)
{
    struct err err = {0};
    char *text = write_text(&schedule->schedule, size, &err);
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
