/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify/buffers.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <stdlib.h>
#include <string.h>

#define NEVER UINT32_MAX

/* The stays of packets. Each transfer that a router sends ends a stay at its output; the last copy
 * of a packet also ends its stay at the router. Steps are indices in schedule->step. */
struct stays {
    const struct schedule *schedule;
    struct buffer_depth *depth;
    void *memory; /* the memory of all arrays (arena.h) */
    /* [transfer]: the step in which its sender received the packet; NEVER: the sender is a leaf */
    uint32_t *since;
    bool *last; /* [transfer]: it is the sender's last copy */
    /* [transfer]: indices of transfers, sorted by packet at first, then by `since` */
    size_t *order;
    size_t *start; /* [max(packets, steps) + 2]: where each packet, or step, starts in `order` */
    uint32_t *received; /* [node]: the step in which it received the current packet */
    size_t *sent;       /* [node]: the last transfer by which it sent the current packet */
    uint32_t *stored;   /* [node]: packets in a router */
    /* [branch]: packets that wait for an output: up from a node, or, at offset `all`, down to it */
    uint32_t *owed;
};

/* Sorts transfers stably by a key less than `keys`; omits those whose key is NEVER. */
static void sort_transfers(struct stays *stays, size_t keys,
                           uint32_t (*key)(const struct stays *, size_t))
{
    size_t count = stays->schedule->transfer_count;
    memset(stays->start, 0, (keys + 1) * sizeof *stays->start);
    for (size_t index = 0; index < count; index++)
        if (key(stays, index) != NEVER)
            stays->start[key(stays, index)]++;
    for (size_t k = 1; k <= keys; k++)
        stays->start[k] += stays->start[k - 1];
    for (size_t index = count; index-- > 0;)
        if (key(stays, index) != NEVER)
            stays->order[--stays->start[key(stays, index)]] = index;
}

static uint32_t packet_of(const struct stays *stays, size_t index)
{
    return stays->schedule->transfer[index].packet;
}

static uint32_t since_of(const struct stays *stays, size_t index)
{
    return stays->since[index];
}

/* Finds the stays of one packet at routers; its transfers are order[first … end-1]. */
static void follow(struct stays *stays, size_t first, size_t end)
{
    const struct schedule *schedule = stays->schedule;
    for (size_t which = first; which < end; which++) {
        size_t index = stays->order[which];
        struct transfer now = schedule->transfer[index];
        bool router = now.source >= schedule->nodes;
        stays->since[index] = router ? stays->received[now.source] : NEVER;
        stays->received[now.destination] = (uint32_t)schedule_step_of(schedule, index);
        stays->sent[now.source] = index;
    }
    for (size_t which = first; which < end; which++) {
        size_t index = stays->order[which];
        stays->last[index] = stays->sent[schedule->transfer[index].source] == index;
    }
}

static void follow_all(struct stays *stays)
{
    uint32_t packets = stays->schedule->packets;
    sort_transfers(stays, (size_t)packets + 1, packet_of);
    for (uint32_t packet = 1; packet <= packets; packet++)
        follow(stays, stays->start[packet], stays->start[packet + 1]);
}

static void raise(uint32_t *most, uint32_t count)
{
    *most = MAX(*most, count);
}

/* Return the counters of a transfer that a router sends: of its output, and of the router. */
static uint32_t *owed_of(const struct stays *stays, size_t index)
{
    struct transfer now = stays->schedule->transfer[index];
    bool up = now.source < now.destination;
    return &stays->owed[up ? now.source : now.destination + stays->schedule->topology.all];
}

static uint32_t *stored_of(const struct stays *stays, size_t index)
{
    return &stays->stored[stays->schedule->transfer[index].source];
}

static struct buffer_depth *depth_of(const struct stays *stays, size_t index)
{
    return &stays->depth[topology_level(&stays->schedule->topology,
                                        stays->schedule->transfer[index].source)];
}

/* Adds the packets that arrived in step k. */
static void enter(struct stays *stays, size_t k)
{
    for (size_t which = stays->start[k]; which < stays->start[k + 1]; which++) {
        size_t index = stays->order[which];
        ++*owed_of(stays, index);
        *stored_of(stays, index) += stays->last[index];
        raise(&depth_of(stays, index)->stored, *stored_of(stays, index));
    }
}

/* Removes the packets whose last copies leave in step k. */
static void leave(struct stays *stays, size_t k)
{
    for (size_t index = stays->schedule->step[k].first;
         index < schedule_step_end(stays->schedule, k); index++)
        if (stays->since[index] != NEVER) {
            --*owed_of(stays, index);
            *stored_of(stays, index) -= stays->last[index];
        }
}

/* Updates the maxima with the packets that are waiting. Only routers that received a packet in step
 * k, the step before, can have a new maximum. */
static void add_wait(struct stays *stays, size_t k)
{
    for (size_t which = stays->start[k]; which < stays->start[k + 1]; which++) {
        size_t index = stays->order[which];
        raise(&depth_of(stays, index)->wait, *stored_of(stays, index));
        raise(&depth_of(stays, index)->wait_output, *owed_of(stays, index));
    }
}

static void replay(struct stays *stays)
{
    const struct schedule *schedule = stays->schedule;
    sort_transfers(stays, schedule->step_count, since_of);
    for (size_t k = 0; k < schedule->step_count; k++) {
        /* in the rounds between two steps nothing is sent, so all packets wait */
        if (k > 0 && schedule->step[k].time > schedule->step[k - 1].time + 1)
            add_wait(stays, k - 1);
        leave(stays, k);
        if (k > 0)
            add_wait(stays, k - 1);
        enter(stays, k);
    }
}

static bool allocate(struct stays *stays)
{
    const struct schedule *schedule = stays->schedule;
    size_t transfers = schedule->transfer_count + 1, all = schedule->topology.all;
    size_t keys = MAX(schedule->packets, schedule->step_count);
    const struct arena_array arrays[] = {
        ARENA(stays->since, transfers), ARENA(stays->last, transfers),
        ARENA(stays->order, transfers), ARENA(stays->start, keys + 2),
        ARENA(stays->received, all),    ARENA(stays->sent, all),
        ARENA(stays->stored, all),      ARENA(stays->owed, 2 * all)};
    stays->memory = arena_new(arrays, ARENA_COUNT(arrays));
    return stays->memory != NULL;
}

bool buffers_measure(const struct schedule *schedule,
                     struct buffer_depth depth[TOPOLOGY_MAX_HEIGHT + 1], struct err *err)
{
    memset(depth, 0, (TOPOLOGY_MAX_HEIGHT + 1) * sizeof *depth);
    struct stays stays = {.schedule = schedule, .depth = depth};
    bool measured = allocate(&stays);
    if (measured) {
        follow_all(&stays);
        replay(&stays);
    } else {
        err_no_memory(err, "the stays of %zu transfers", schedule->transfer_count);
    }
    free(stays.memory);
    return measured;
}
