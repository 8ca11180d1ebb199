/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/rewrite.h"

#include "sched/base/text.h"
#include "sched/network/omega.h"
#include "sched/route/divided_steps.h"
#include "sched/route/settings.h"

#include <inttypes.h>
#include <stdlib.h>

/* Adds transfer `t` to the open step, in room[*count], with its options. */
static bool put_transfer(const struct schedule *from, size_t t, struct schedule *to,
                         struct transfer room[], size_t *count, struct err *err)
{
    if (!schedule_set_combining(to, to->transfer_count + *count, schedule_combining(from, t), err))
        return false;
    room[(*count)++] = from->transfer[t];
    return true;
}

/* --- A hypercube as a complete graph ------------------------------------------------------ */

/* Appends a round with the transfers that cross a dimension in step k. */
static bool lower_dimension(const struct schedule *from, size_t k, unsigned dimension,
                            struct schedule *to, struct err *err)
{
    unsigned d = from->topology.dimensions;
    uint64_t round = (from->step[k].time - 1) * d + dimension;
    size_t first = from->step[k].first, end = schedule_step_end(from, k), count = 0;
    struct transfer *put = schedule_open_step(to, round, end - first, err);
    if (put == NULL)
        return false;
    for (size_t t = first; t < end; t++)
        if (topology_dimension(from->transfer[t].source, from->transfer[t].destination) ==
                dimension &&
            !put_transfer(from, t, to, put, &count, err))
            return false;
    schedule_close_step(to, count);
    return true;
}

/* Returns the part of a round in which an arc is passed: its dimension. */
static uint32_t dimension_part(const void *unused, const struct transfer *transfer)
{
    (void)unused;
    return topology_dimension(transfer->source, transfer->destination);
}

bool hypercube_to_rounds(const struct schedule *cube, struct schedule *complete, struct err *err)
{
    const struct topology topology = topology_complete(cube->nodes);
    uint64_t most = SCHEDULE_MAX_TIME / cube->topology.dimensions;
    if (cube->end > most)
        return err_set(err, ERR_TOO_BIG,
                       "hypercube: %" PRIu64 " round%s; expected at most %" PRIu64, cube->end,
                       text_s(cube->end), most);
    struct divided_steps divided;
    bool lowered =
        divided_steps_open(&divided, cube, err) &&
        schedule_init_empty(complete, cube->algorithm, &topology, MODEL_SEND_RECEIVE, err) &&
        schedule_copy_demands(cube, complete, err);
    for (size_t k = 0; lowered && k < cube->step_count; k++) {
        lowered = divided_steps_check(&divided, k, dimension_part, NULL, err);
        for (unsigned dimension = 1; lowered && dimension <= cube->topology.dimensions; dimension++)
            lowered = lower_dimension(cube, k, dimension, complete, err);
    }
    divided_steps_close(&divided);
    if (!lowered)
        schedule_free(complete);
    return lowered;
}

/* --- Rounds that an omega network passes -------------------------------------------------- */

struct splitter {
    const struct schedule *from;
    struct schedule *to;
    const struct multistage *net;
    struct omega_passes *passes;
    uint32_t *circuit, *pass; /* [ports]  by source */
    struct divided_steps divided;
    struct split_report *report;
};

/* Divides step k into passes: splitter->pass, by source. */
static bool divide_step(const struct splitter *splitter, size_t k, struct omega_passes_count *count,
                        struct err *err)
{
    route_rows_circuits(splitter->from, k, k + 1, splitter->net, splitter->circuit);
    return omega_passes_divide(splitter->passes, splitter->circuit, splitter->pass, count, err);
}

/* Appends the transfers of step k that belong to a pass as round `round`. */
static bool put_pass(const struct splitter *splitter, size_t k, uint32_t pass, uint64_t round,
                     struct err *err)
{
    const struct schedule *from = splitter->from;
    size_t first = from->step[k].first, end = schedule_step_end(from, k), count = 0;
    struct transfer *put = schedule_open_step(splitter->to, round, end - first, err);
    if (put == NULL)
        return false;
    for (size_t t = first; t < end; t++)
        if (splitter->pass[from->transfer[t].source] == pass &&
            !put_transfer(from, t, splitter->to, put, &count, err))
            return false;
    schedule_close_step(splitter->to, count);
    return true;
}

/* Returns the pass of a transfer of the step that was divided last. */
static uint32_t pass_part(const void *context, const struct transfer *transfer)
{
    const struct splitter *splitter = context;
    return splitter->pass[transfer->source];
}

static bool split_step(struct splitter *splitter, size_t k, struct err *err)
{
    struct split_report *report = splitter->report;
    struct omega_passes_count count;
    if (!divide_step(splitter, k, &count, err) ||
        !divided_steps_check(&splitter->divided, k, pass_part, splitter, err))
        return false;
    uint64_t round = splitter->from->step[k].time + report->rounds_added;
    for (uint32_t pass = 0; pass < count.passes; pass++)
        if (!put_pass(splitter, k, pass, round + pass, err))
            return false;
    report->rounds_split += count.passes > 1;
    report->rounds_added += count.passes - 1;
    report->rounds_bound += count.bound - 1;
    return true;
}

static bool allocate(struct splitter *splitter, struct err *err)
{
    splitter->passes = omega_passes_new(splitter->net, err);
    if (splitter->passes == NULL)
        return false;
    splitter->circuit = calloc(splitter->net->ports, sizeof splitter->circuit[0]);
    splitter->pass = calloc(splitter->net->ports, sizeof splitter->pass[0]);
    if (splitter->circuit == NULL || splitter->pass == NULL)
        return err_no_memory(err, "%" PRIu32 " ports", splitter->net->ports);
    return divided_steps_open(&splitter->divided, splitter->from, err);
}

static bool check_fit(const struct schedule *schedule, const struct multistage *net,
                      struct err *err)
{
    if (model_has_times(schedule->model) || model_copies(schedule->model) ||
        model_combines(schedule->model))
        return err_set(err, ERR_UNSUPPORTED,
                       "{split}: the schedule has the model %s; expected a model of rounds whose "
                       "packets the network neither copies nor combines",
                       model_name(schedule->model));
    if (schedule->nodes > net->ports)
        return err_set(err, ERR_TOO_SMALL,
                       "{split}: %" PRIu32 " node%s on a network of %" PRIu32
                       " port%s; expected at least as many ports",
                       schedule->nodes, text_s(schedule->nodes), net->ports, text_s(net->ports));
    return true;
}

bool split_schedule(const struct schedule *schedule, const struct multistage *net,
                    struct schedule *split, struct split_report *report, struct err *err)
{
    *report = (struct split_report){0};
    if (!check_fit(schedule, net, err))
        return false;
    struct splitter splitter = {.from = schedule, .to = split, .net = net, .report = report};
    bool done =
        allocate(&splitter, err) &&
        schedule_init_empty(split, schedule->algorithm, &schedule->topology, schedule->model, err);
    if (done) {
        split->stream = schedule->stream;
        done = schedule_copy_demands(schedule, split, err);
        for (size_t k = 0; done && k < schedule->step_count; k++)
            done = split_step(&splitter, k, err);
        if (!done)
            schedule_free(split);
    }
    omega_passes_free(splitter.passes);
    free(splitter.circuit);
    free(splitter.pass);
    divided_steps_close(&splitter.divided);
    return done;
}
