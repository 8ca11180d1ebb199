/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/postal/postal_grow.h"

#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

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
static bool call(struct growth *growth, struct postal_caller caller, struct err *err)
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
        grown = call(growth, growth->caller[growth->again_first++], err);
    while (grown && next_called(growth) == time)
        grown = call(growth, growth->caller[--growth->called_first], err);
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
