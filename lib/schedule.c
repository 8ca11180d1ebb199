/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/schedule.h"
#include "lib/inside.h"
#include "sched/base/compare.h"
#include "sched/base/files.h"
#include "sched/base/version.h"
#include "sched/bound/bound.h"
#include "sched/request/problem.h"
#include "sched/schedule/schedule_settings.h"
#include "sched/verify/buffers.h"
#include "sched/verify/combination.h"
#include "sched/verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *roundcast_version(void)
{
    return ROUNDCAST_VERSION;
}

const char *roundcast_commit(void)
{
    return version_commit();
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
    *wrapped = (struct roundcast_schedule){.schedule = *schedule, .name = copy};
    snprintf(wrapped->ports, sizeof wrapped->ports, "%" PRIu32, schedule->ports);
    snprintf(wrapped->lambda, sizeof wrapped->lambda, "%" PRIu32 "/%" PRIu32,
             schedule->lambda.numerator, schedule->lambda.denominator);
    return wrapped;
}

/* Fills *built. With a price, `makespan` and `settings` are computed from the schedule. */
static bool report_built(const struct instance *instance, const struct schedule *schedule,
                         struct roundcast_built *built, struct err *err)
{
    const struct collective asked = algorithm_choose(instance->algorithm, &instance->collective);
    struct roundcast_price price = {.bound = bound_end(&asked),
                                    .rounds = schedule->end,
                                    .round_cycles = asked.cost.round,
                                    .change_cycles = asked.cost.change,
                                    .planes = 1};
    if (asked.priced && !schedule_settings(schedule, &price.settings, err))
        return false;
    price.makespan = traffic_takes(asked.cost, price.rounds, price.settings);
    *built = (struct roundcast_built){price.bound, instance->traffic.local, asked.priced, price};
    return true;
}

struct roundcast_schedule *
roundcast_build_reported(const struct roundcast_request *request,
                         void (*progress)(void *with, size_t done, size_t all), void *with,
                         struct roundcast_built *built, struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    struct instance instance;
    struct schedule schedule = {0};
    bool right = inside_ask(request, problem_for_schedule, &asked, &instance, &err);
    instance.collective.watch = (struct watch){progress, with};
    right = right && algorithm_build(instance.algorithm, &instance.collective, &schedule, &err) &&
            (built == NULL || report_built(&instance, &schedule, built, &err));
    instance_free(&instance);
    struct roundcast_schedule *wrapped =
        right ? inside_wrap(&schedule, request->algorithm, &err) : NULL;
    if (!right)
        schedule_free(&schedule);
    if (wrapped == NULL)
        inside_fail(&err, error);
    return wrapped;
}

struct roundcast_schedule *roundcast_build(const struct roundcast_request *request,
                                           struct roundcast_error *error)
{
    return roundcast_build_reported(request, NULL, NULL, NULL, error);
}

struct roundcast_schedule *roundcast_read(const char *path, struct roundcast_error *error)
{
    struct err err = {0};
    struct roundcast_schedule *read = roundcast_read_any(path, error);
    if (read == NULL || schedule_check_uncombined(read->name, &read->schedule, &err))
        return read;
    roundcast_schedule_free(read);
    inside_fail(&err, error);
    return NULL;
}

struct roundcast_schedule *roundcast_read_any(const char *path, struct roundcast_error *error)
{
    return roundcast_load(path, &(struct roundcast_reading){0}, NULL, error);
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

char *roundcast_write_text(const struct roundcast_schedule *schedule, size_t *size,
                           struct roundcast_error *error)
{
    struct err err = {0};
    char *text = write_text(&schedule->schedule, size, &err);
    if (text == NULL)
        inside_fail(&err, error);
    return text;
}

struct roundcast_schedule_info inside_describe(const struct schedule *schedule)
{
    return (struct roundcast_schedule_info){.algorithm = schedule->algorithm,
                                            .model = model_name(schedule->model),
                                            .nodes = schedule->nodes,
                                            .packets = schedule->packets,
                                            .times = model_has_times(schedule->model),
                                            .lambda = schedule->lambda.numerator,
                                            .ticks = schedule->lambda.denominator,
                                            .end = schedule->end,
                                            .transfers = schedule->transfer_count,
                                            .dimensions = schedule->topology.dimensions,
                                            .combines = schedule->has_reductions,
                                            .shared = MAX(schedule->topology.shared, 1)};
}

struct roundcast_schedule_info
roundcast_schedule_describe(const struct roundcast_schedule *schedule)
{
    return inside_describe(&schedule->schedule);
}

struct roundcast_demands roundcast_schedule_demands(const struct roundcast_schedule *schedule)
{
    const struct schedule *it = &schedule->schedule;
    if (it->demand_count == 0)
        return (struct roundcast_demands){0};
    const struct demand *first = &it->demand[0];
    const bool reduces = first->reduction != NULL;
    struct roundcast_demands demands = {
        .count = it->demand_count,
        .source = reduces && first->wanted_count > 0 ? *first->wanted : first->source,
        .wanted = first->wanted_count,
        .reduces = reduces};
    topology_node_text(&it->topology, demands.source, demands.source_text);
    return demands;
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

static bool verify_by(bool (*by)(const char *name, const struct schedule *schedule,
                                 struct verify_report *report, struct err *err),
                      const struct roundcast_schedule *schedule, struct roundcast_verdict *verdict,
                      struct roundcast_error *error)
{
    const struct schedule *it = &schedule->schedule;
    struct err err = {0};
    struct verify_report report;
    uint64_t bound = 0;
    bool holds = by(schedule->name, it, &report, &err);
    if (!holds && err_exit_status(err.code) != 1)
        return inside_fail(&err, error);
    *verdict = (struct roundcast_verdict){.holds = holds,
                                          .has_bound = bound_of_schedule(it, &bound),
                                          .end = report.end,
                                          .transfers = report.transfers,
                                          .arrivals = report.arrivals,
                                          .redundant = report.redundant,
                                          .violations = holds ? 0 : err.further + 1};
    verdict->bound = verdict->has_bound ? bound : 0;
    return holds || inside_fail(&err, error);
}

bool roundcast_schedule_bound(const struct roundcast_schedule *schedule, uint64_t *end)
{
    return bound_of_schedule(&schedule->schedule, end);
}

bool roundcast_verify(const struct roundcast_schedule *schedule, struct roundcast_verdict *verdict,
                      struct roundcast_error *error)
{
    return verify_by(verify_schedule, schedule, verdict, error);
}

bool roundcast_verify_idempotent(const struct roundcast_schedule *schedule,
                                 struct roundcast_verdict *verdict, struct roundcast_error *error)
{
    return verify_by(verify_idempotent, schedule, verdict, error);
}

bool roundcast_certify(const struct roundcast_schedule *schedule,
                       struct roundcast_combination *combination, struct roundcast_error *error)
{
    const struct schedule *it = &schedule->schedule;
    struct combination found;
    struct err err = {0};
    if (!it->has_reductions) {
        err_set(&err, ERR_UNSUPPORTED, "%s: no packet is combined; expected a reduction",
                schedule->name);
        return inside_fail(&err, error);
    }
    if (!combination_of(it, COMBINATION_ON_ARRIVAL, &found, &err))
        return inside_fail(&err, error);
    *combination = (struct roundcast_combination){.packets_alike = found.packets_alike,
                                                  .nodes_alike = found.nodes_alike};
    snprintf(combination->certificate, sizeof combination->certificate, "%016" PRIx64,
             found.certificate);
    return true;
}

/* A caller's function for breaches. */
struct breaches {
    bool (*visit)(void *with, const struct roundcast_error *breach);
    void *with;
};

static bool visit_breach(void *with, const struct err *breach)
{
    const struct breaches *breaches = with;
    struct roundcast_error error = {0};
    inside_fail(breach, &error);
    return breaches->visit(breaches->with, &error);
}

bool roundcast_verify_each(const struct roundcast_schedule *schedule,
                           bool (*visit)(void *with, const struct roundcast_error *breach),
                           void *with, struct roundcast_error *error)
{
    struct verify_report report;
    struct err err = {0};
    struct breaches breaches = {visit, with};
    return verify_each(schedule->name, &schedule->schedule, visit_breach, &breaches, &report,
                       &err) ||
           inside_fail(&err, error);
}

bool roundcast_each_queue(const struct roundcast_schedule *schedule,
                          bool (*visit)(void *with, const struct roundcast_queue *queue),
                          void *with, struct roundcast_error *error)
{
    const struct schedule *it = &schedule->schedule;
    struct buffer_depth depth[TOPOLOGY_MAX_HEIGHT + 1];
    struct err err = {0};
    bool more = topology_has_routers(&it->topology);
    if (more && !buffers_measure(it, depth, &err))
        return inside_fail(&err, error);
    for (unsigned level = 1; more && level <= it->topology.height; level++) {
        const struct roundcast_queue queue = {.level = level,
                                              .routers = it->topology.first[level + 1] -
                                                         it->topology.first[level],
                                              .wait = depth[level].wait,
                                              .one_branch = depth[level].wait_output,
                                              .stored = depth[level].stored};
        more = visit(with, &queue);
    }
    return true;
}

void roundcast_schedule_free(struct roundcast_schedule *schedule)
{
    if (schedule == NULL)
        return;
    schedule_free(&schedule->schedule);
    free(schedule->name);
    free(schedule);
}
