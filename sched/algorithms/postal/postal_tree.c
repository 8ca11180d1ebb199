/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/postal/postal_tree.h"

#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"
#include "sched/numbers/postal.h"

#include <inttypes.h>
#include <stdlib.h>

/* Input of a call: F_λ', and whether the caller calls again sooner than the recipient. */
struct split {
    struct postal table;
    bool caller_is_sooner;
};

static uint64_t sooner(const struct postal_pace *pace)
{
    return MIN(pace->sender, pace->recipient);
}

static uint64_t later(const struct postal_pace *pace)
{
    return MAX(pace->sender, pace->recipient);
}

static bool tabulate(const struct postal_pace *pace, uint32_t n, struct postal *table,
                     struct err *err)
{
    return postal_init(table, later(pace), sooner(pace), n, err);
}

/* Makes the next call of a caller; `left` counts the nodes of its range except the first, the
 * caller. */
static struct postal_caller call(const struct postal_shape *shape, struct postal_caller *caller)
{
    const struct split *split = shape->with;
    uint32_t range = caller->left + 1;
    uint32_t kept = (uint32_t)postal_split(&split->table, range);
    if (!split->caller_is_sooner)
        kept = range - kept;
    caller->left = kept - 1;
    return (struct postal_caller){.node = caller->node + kept, .left = range - kept - 1};
}

uint64_t postal_tree_end(const struct collective *collective, const struct postal_pace *pace)
{
    struct postal table;
    if (!tabulate(pace, collective->n, &table, NULL))
        return ALGORITHM_UNKNOWN;
    uint64_t last_call = table.index - later(pace);
    postal_free(&table);
    return last_call + (collective->m - 1) * pace->period + collective->lambda.numerator;
}

uint32_t postal_tree_degree(const struct collective *collective, const struct postal_pace *pace)
{
    struct split split = {.caller_is_sooner = pace->sender <= pace->recipient};
    if (!tabulate(pace, collective->n, &split.table, NULL))
        return 0;
    const struct postal_shape shape = {.with = &split};
    struct postal_caller root = {.left = collective->n - 1};
    uint32_t calls = 0;
    for (; root.left > 0; calls++)
        call(&shape, &root);
    postal_free(&split.table);
    return calls;
}

bool postal_tree_build(const struct collective *collective, const struct postal_pace *pace,
                       struct schedule *schedule, struct err *err)
{
    struct split split = {.caller_is_sooner = pace->sender <= pace->recipient};
    if (!tabulate(pace, collective->n, &split.table, err))
        return false;
    const struct postal_shape shape = {.call = call, .left = collective->n - 1, .with = &split};
    bool built = postal_grow(&shape, pace, schedule, err);
    postal_free(&split.table);
    return built;
}

/* -- Growth ------------------------------------------------------------------------------------ */

#define NEVER UINT64_MAX

/* Three queues, each in order of time by itself, because each entry lies a fixed time after the
 * entry that caused it: nodes that have called and will call again, nodes that have been called,
 * and transfers whose next packet is to follow. The last queue is the schedule. The others share an
 * array, one from each end: in total, at most one caller is queued for each of the n - 1 calls.
 *
 *     caller    [0]  …  again_first  …  again_end  …  called_end  …  called_first  …  [n-2]  */
struct growth {
    const struct postal_shape *shape;
    const struct postal_pace *pace;
    struct schedule *schedule;
    struct postal_caller *caller; /* [n - 1] */
    size_t again_first, again_end;
    size_t called_first, called_end; /* descending: one above the entry */
    /* the first transfer whose next packet is not sent yet, and its step */
    size_t follow_first, follow_step;
};

static uint64_t next_again(const struct growth *growth)
{
    return growth->again_first < growth->again_end ? growth->caller[growth->again_first].time
                                                   : NEVER;
}

static uint64_t next_called(const struct growth *growth)
{
    return growth->called_first > growth->called_end ? growth->caller[growth->called_first - 1].time
                                                     : NEVER;
}

/* Returns the time at which the next packet follows; skips transfers of the last packet. */
static uint64_t next_follow(struct growth *growth)
{
    const struct schedule *schedule = growth->schedule;
    while (growth->follow_first < schedule->transfer_count &&
           schedule->transfer[growth->follow_first].packet == schedule->packets)
        growth->follow_first++;
    if (growth->follow_first == schedule->transfer_count)
        return NEVER;
    while (schedule_step_end(schedule, growth->follow_step) <= growth->follow_first)
        growth->follow_step++;
    return schedule->step[growth->follow_step].time + growth->pace->period;
}

/* Makes the next call of a caller, and queues the caller and its recipient for their next calls. */
static bool call_next(struct growth *growth, struct postal_caller caller, struct err *err)
{
    uint64_t time = caller.time;
    struct postal_caller recipient = growth->shape->call(growth->shape, &caller);
    caller.time = time + growth->pace->sender;
    recipient.time = time + growth->pace->recipient;
    if (caller.left > 0)
        growth->caller[growth->again_end++] = caller;
    if (recipient.left > 0)
        growth->caller[--growth->called_end] = recipient;
    return schedule_append(growth->schedule, (struct transfer){caller.node, recipient.node, 1},
                           err);
}

static bool follow(struct growth *growth, struct err *err)
{
    struct transfer transfer = growth->schedule->transfer[growth->follow_first++];
    transfer.packet++;
    return schedule_append(growth->schedule, transfer, err);
}

/* Appends all sends at `time`. The calls that they queue are sent later. E104. */
static bool grow_step(struct growth *growth, uint64_t time, struct err *err)
{
    bool grown = schedule_open_step(growth->schedule, time, 1, err) != NULL;
    while (grown && next_again(growth) == time)
        grown = call_next(growth, growth->caller[growth->again_first++], err);
    while (grown && next_called(growth) == time)
        grown = call_next(growth, growth->caller[--growth->called_first], err);
    while (grown && next_follow(growth) == time)
        grown = follow(growth, err);
    if (grown)
        schedule_close_step(growth->schedule, 0);
    return grown;
}

static bool grow_all(struct growth *growth, struct err *err)
{
    for (;;) {
        uint64_t time = next_again(growth), called = next_called(growth),
                 followed = next_follow(growth);
        time = MIN(time, called);
        time = MIN(time, followed);
        if (time == NEVER)
            return true;
        if (!grow_step(growth, time, err))
            return false;
    }
}

bool postal_grow(const struct postal_shape *shape, const struct postal_pace *pace,
                 struct schedule *schedule, struct err *err)
{
    uint32_t calls = schedule->nodes - 1;
    /* Room for one more, because a step is opened with room for one. The steps grow as needed. */
    if (!schedule_reserve(schedule, 0, (size_t)calls * schedule->packets + 1, err))
        return false;
    struct growth growth = {.shape = shape,
                            .pace = pace,
                            .schedule = schedule,
                            .caller = malloc(calls * sizeof *growth.caller),
                            .again_end = 1,
                            .called_first = calls,
                            .called_end = calls};
    if (growth.caller == NULL)
        return err_no_memory(err, "the calls of %" PRIu32 " nodes", schedule->nodes);
    growth.caller[0] = (struct postal_caller){.node = 0, .left = shape->left};
    bool grown = grow_all(&growth, err);
    free(growth.caller);
    return grown;
}
