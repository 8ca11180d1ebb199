/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/msccl_parts.h"

#include <stdlib.h>

/* The partial result of a packet. `mark` is 1 + the node of the other members. */
struct held {
    uint32_t mark;
    bool sends_all, sends_got; /* the node sends its partial result, what it has received */
    bool has_all, has_got;     /* these chunks have a content */
    bool replaced;             /* all that the node has was received in `all` */
    size_t read;               /* the last send that reads a chunk which receipts change */
    size_t came;               /* the last receipt */
};

struct msccl_keeper {
    const struct msccl_layout *layout;
    const struct operations *operations;
    uint32_t node;
    struct held *held; /* [packets + 1] */
};

struct msccl_keeper *msccl_keeper_new(const struct msccl_layout *layout,
                                      const struct operations *operations, struct err *err)
{
    struct msccl_keeper *keeper = calloc(1, sizeof *keeper);
    if (keeper != NULL) {
        *keeper = (struct msccl_keeper){.layout = layout, .operations = operations};
        keeper->held = calloc(layout->schedule->packets + (size_t)1, sizeof *keeper->held);
    }
    if (keeper != NULL && keeper->held != NULL)
        return keeper;
    free(keeper);
    err_no_memory(err, "the partial results of %u packets", layout->schedule->packets);
    return NULL;
}

void msccl_keeper_free(struct msccl_keeper *keeper)
{
    if (keeper != NULL)
        free(keeper->held);
    free(keeper);
}

static struct held *held_of(struct msccl_keeper *keeper, uint32_t packet)
{
    struct held *held = &keeper->held[packet];
    if (held->mark != keeper->node + 1)
        *held = (struct held){
            .mark = keeper->node + 1, .read = OPERATIONS_NONE, .came = OPERATIONS_NONE};
    return held;
}

void msccl_keeper_begin(struct msccl_keeper *keeper, uint32_t node)
{
    const struct schedule *schedule = keeper->layout->schedule;
    const struct operations *operations = keeper->operations;
    keeper->node = node;
    for (uint32_t packet = 0; packet <= schedule->packets; packet++)
        keeper->held[packet].mark = 0;
    for (size_t k = operations->first[node]; k < operations->first[node + 1]; k++) {
        size_t operation = operations->operation[k];
        if (operation % 2 == 1)
            continue;
        struct held *held = held_of(keeper, schedule->transfer[operation / 2].packet);
        bool got = schedule_combining(schedule, operation / 2) & COMBINING_RECEIVED;
        held->sends_got = held->sends_got || got;
        held->sends_all = held->sends_all || !got;
    }
}

/* Returns the chunk of a kind. */
static struct msccl_chunk chunk_of(const struct msccl_keeper *keeper, uint32_t packet,
                                   enum msccl_partial kind)
{
    return msccl_layout_partial(keeper->layout, keeper->node, packet, kind);
}

static void add(struct msccl_parts *parts, const char *type, struct msccl_chunk from,
                struct msccl_chunk to)
{
    parts->part[parts->count++] = (struct msccl_part){type, from, to};
}

/* Returns whether two operations are in one round. */
static bool is_same_round(const struct msccl_keeper *keeper, size_t a, size_t b)
{
    const struct schedule *schedule = keeper->layout->schedule;
    return a != OPERATIONS_NONE &&
           schedule_step_of(schedule, a / 2) == schedule_step_of(schedule, b / 2);
}

static struct msccl_parts next_send(struct msccl_keeper *keeper, size_t operation, uint32_t packet)
{
    struct held *held = held_of(keeper, packet);
    const struct transfer *transfer = &keeper->layout->schedule->transfer[operation / 2];
    bool got = schedule_combining(keeper->layout->schedule, operation / 2) & COMBINING_RECEIVED;
    struct msccl_parts parts = {.first_waits = held->came, .second_waits = OPERATIONS_NONE};
    enum msccl_partial from = MSCCL_OWN;
    if (held->has_got && (got || !held->has_all))
        from = MSCCL_GOT;
    else if (held->has_all)
        from = MSCCL_ALL;
    if (from != MSCCL_OWN)
        held->read = operation;
    add(&parts, "s", chunk_of(keeper, packet, from),
        msccl_layout_partial(keeper->layout, transfer->destination, packet, MSCCL_ALL));
    return parts;
}

/* Adds the steps that write what arrives to a chunk, combined with chunk `with` if it is not NULL.
 * They wait for the last send that reads a chunk which receipts change. */
static void receive_to(struct msccl_keeper *keeper, struct msccl_parts *parts, size_t operation,
                       uint32_t packet, const struct msccl_chunk *with, struct msccl_chunk to)
{
    const struct held *held = held_of(keeper, packet);
    struct msccl_chunk arrives = chunk_of(keeper, packet, MSCCL_NEW);
    if (!is_same_round(keeper, held->read, operation)) {
        parts->first_waits = held->read;
        add(parts, with != NULL ? "rrc" : "r", with != NULL ? *with : to, to);
        return;
    }
    parts->second_waits = held->read;
    add(parts, "r", arrives, arrives);
    add(parts, with != NULL ? "re" : "cpy", arrives, to);
}

/* A receipt that changes both the partial result and what was received. */
static void receive_both(struct msccl_keeper *keeper, struct msccl_parts *parts, uint32_t packet)
{
    struct held *held = held_of(keeper, packet);
    struct msccl_chunk all = chunk_of(keeper, packet, MSCCL_ALL);
    struct msccl_chunk got = chunk_of(keeper, packet, MSCCL_GOT);
    struct msccl_chunk arrives = chunk_of(keeper, packet, MSCCL_NEW);
    if (!held->has_all) {
        add(parts, "r", got, got);
        add(parts, "cpy", chunk_of(keeper, packet, MSCCL_OWN), all);
        add(parts, "re", got, all);
    } else {
        parts->second_waits = held->read;
        add(parts, "r", arrives, arrives);
        add(parts, "re", arrives, got);
        add(parts, "re", arrives, all);
    }
    held->has_all = held->has_got = true;
}

static struct msccl_parts next_receipt(struct msccl_keeper *keeper, size_t operation,
                                       uint32_t packet)
{
    struct held *held = held_of(keeper, packet);
    const struct schedule *schedule = keeper->layout->schedule;
    const struct demand *demand = schedule_demand_of(schedule, packet);
    struct msccl_parts parts = {.first_waits = OPERATIONS_NONE, .second_waits = OPERATIONS_NONE};
    bool replaces = schedule_combining(schedule, operation / 2) & COMBINING_REPLACE;
    bool own = demand_contributes(demand, keeper->node) && !held->replaced;
    bool wants = demand_wants(demand, keeper->node), exclusive = demand->reduction->exclusive;
    bool got = own && ((wants && exclusive) || held->sends_got);
    bool all = !own || held->sends_all || (wants && !exclusive);
    struct msccl_chunk in_all = chunk_of(keeper, packet, MSCCL_ALL);
    struct msccl_chunk in_got = chunk_of(keeper, packet, MSCCL_GOT);
    struct msccl_chunk mine = chunk_of(keeper, packet, MSCCL_OWN);
    held->came = operation;
    if (replaces) {
        /* What was received is the whole result, and what an exclusive scan wants. */
        bool to_got = wants && exclusive;
        receive_to(keeper, &parts, operation, packet, NULL, to_got ? in_got : in_all);
        held->replaced = true;
        held->has_got = to_got;
        held->has_all = !to_got;
    } else if (got && all) {
        receive_both(keeper, &parts, packet);
    } else if (got || (held->replaced && held->has_got)) {
        receive_to(keeper, &parts, operation, packet, held->has_got ? &in_got : NULL, in_got);
        held->has_got = true;
    } else {
        const struct msccl_chunk *with = held->has_all ? &in_all : own ? &mine : NULL;
        receive_to(keeper, &parts, operation, packet, with, in_all);
        held->has_all = true;
    }
    return parts;
}

struct msccl_parts msccl_keeper_next(struct msccl_keeper *keeper, size_t operation)
{
    const struct schedule *schedule = keeper->layout->schedule;
    const struct transfer *transfer = &schedule->transfer[operation / 2];
    struct msccl_parts parts = {.first_waits = OPERATIONS_NONE, .second_waits = OPERATIONS_NONE};
    bool receives = operation % 2 == 1;
    if (schedule_demand_of(schedule, transfer->packet)->reduction != NULL)
        return receives ? next_receipt(keeper, operation, transfer->packet)
                        : next_send(keeper, operation, transfer->packet);
    size_t needs = keeper->operations->needs[operation / 2];
    if (!receives && needs != OPERATIONS_NONE)
        parts.first_waits = 2 * needs + 1;
    add(&parts, receives ? "r" : "s",
        msccl_layout_chunk(keeper->layout, transfer->source, transfer->packet),
        msccl_layout_chunk(keeper->layout, transfer->destination, transfer->packet));
    return parts;
}
