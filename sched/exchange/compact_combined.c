/* SPDX-License-Identifier: Apache-2.0 */
/* compact_combined: the order of transfers in which each node combines, sends and replaces the same
 * partial results as before. */
#include "sched/exchange/compact.h"

#include "sched/base/arena.h"
#include "sched/exchange/operations.h"

#include <inttypes.h>
#include <stdlib.h>

#define NOTHING SIZE_MAX

/* What a node has done with a packet, as nodes of the graph. */
struct last {
    uint32_t node;     /* 1 + the node */
    size_t arrived;    /* the receipts that have arrived */
    size_t sent;       /* the sends */
    size_t begun;      /* the receipts, whether arrived or not */
    uint64_t begun_at; /* the start of the last receipt */
    bool fixed;        /* the last receipt replaced the partial result: later ones follow it */
};

struct order {
    const struct schedule *schedule;
    const uint64_t *start; /* [transfers] */
    struct rounds_graph graph;
    struct last *last; /* [packets + 1] */
    /* the receipts of a node that have not arrived: flying[landed … begun - 1], ascending */
    size_t *flying, landed, begun;
    uint32_t takes; /* ticks, in the schedule as it is */
    uint32_t lag;   /* ticks, under the rules */
    bool in_flight;
};

/* Adds an edge, unless it begins nowhere. */
static bool after(struct order *order, size_t from, size_t to, uint32_t lag, struct err *err)
{
    return from == NOTHING || rounds_graph_edge(&order->graph, from, to, lag, err);
}

/* Moves a point to after a transfer. */
static bool pass(struct order *order, size_t *point, size_t transfer, struct err *err)
{
    size_t next = rounds_graph_point(&order->graph);
    if (!after(order, *point, next, 0, err) || !after(order, transfer, next, 0, err))
        return false;
    *point = next;
    return true;
}

static struct last *last_of(struct order *order, uint32_t node, size_t transfer)
{
    struct last *last = &order->last[order->schedule->transfer[transfer].packet];
    if (last->node != node + 1)
        *last =
            (struct last){.node = node + 1, .arrived = NOTHING, .sent = NOTHING, .begun = NOTHING};
    return last;
}

/* Lets the receipts arrive that have arrived at a time. */
static bool land(struct order *order, uint32_t node, uint64_t time, struct err *err)
{
    bool landed = true;
    for (; landed && order->landed < order->begun &&
           order->start[order->flying[order->landed]] + order->takes <= time;
         order->landed++) {
        const size_t transfer = order->flying[order->landed];
        landed = pass(order, &last_of(order, node, transfer)->arrived, transfer, err);
    }
    return landed;
}

/* A send comes after the receipts that have arrived, and stays as far from those in flight. */
static bool add_send(struct order *order, uint32_t node, size_t transfer, struct err *err)
{
    struct last *last = last_of(order, node, transfer);
    const uint32_t packet = order->schedule->transfer[transfer].packet;
    bool added = after(order, last->arrived, transfer, order->lag, err);
    for (size_t k = order->landed; added && k < order->begun; k++) {
        const size_t receipt = order->flying[k];
        if (order->schedule->transfer[receipt].packet != packet)
            continue;
        order->in_flight = true;
        added = after(order, receipt, transfer, 0, err) && after(order, transfer, receipt, 0, err);
    }
    return added && pass(order, &last->sent, transfer, err);
}

/* A receipt does not begin before the sends before it; receipts keep their order if one of them
 * replaces the partial result, or if the order counts. */
static bool add_receipt(struct order *order, uint32_t node, size_t transfer, struct err *err)
{
    struct last *last = last_of(order, node, transfer);
    const uint32_t packet = order->schedule->transfer[transfer].packet;
    const struct demand *demand = schedule_demand_of(order->schedule, packet);
    const bool ordered = demand->reduction != NULL && demand->reduction->ordered;
    const bool fixed = ordered || schedule_combining(order->schedule, transfer) & COMBINING_REPLACE;
    const bool keeps = demand->reduction == NULL || fixed || last->fixed;
    const uint32_t lag = order->start[transfer] > last->begun_at;
    if (!after(order, last->sent, transfer, 0, err) ||
        (keeps && !after(order, last->begun, transfer, lag, err)) ||
        !pass(order, &last->begun, transfer, err))
        return false;
    last->fixed = fixed;
    last->begun_at = order->start[transfer];
    order->flying[order->begun++] = transfer;
    return true;
}

static bool add_node(struct order *order, const struct operations *operations, uint32_t node,
                     struct err *err)
{
    bool added = true;
    order->landed = order->begun = 0;
    for (size_t k = operations->first[node]; added && k < operations->first[node + 1]; k++) {
        const size_t operation = operations->operation[k], transfer = operation / 2;
        added = land(order, node, order->start[transfer], err) &&
                (operation % 2 == 0 ? add_send(order, node, transfer, err)
                                    : add_receipt(order, node, transfer, err));
    }
    return added;
}

/* Finds the order of all transfers. */
static bool find_order(struct order *order, struct err *err)
{
    struct operations operations;
    if (!operations_new(order->schedule, &operations, err))
        return false;
    bool found = true;
    for (uint32_t node = 0; found && node < order->schedule->topology.all; node++)
        found = add_node(order, &operations, node, err);
    operations_free(&operations);
    return found;
}

/* Returns the packet of a transfer if a network can combine it at the receiver; else 0. */
static uint32_t joins_of(const struct schedule *schedule, size_t transfer)
{
    const uint32_t packet = schedule->transfer[transfer].packet;
    const bool combined = schedule_demand_of(schedule, packet)->reduction != NULL;
    return combined && schedule_combining(schedule, transfer) == 0 ? packet : 0;
}

static bool place(struct order *order, const char *name, struct rounds *rounds, struct err *err)
{
    size_t conflict = SIZE_MAX;
    bool placed =
        find_order(order, err) && rounds_graph_place(&order->graph, rounds, &conflict, err);
    if (conflict != SIZE_MAX)
        err_set(err, ERR_UNSUPPORTED,
                "%.150s:%" PRIu64 ": nodes combine what they send each other in one round, which "
                "%s does not allow; expected another model",
                name, schedule_line(order->schedule, conflict), model_name(rounds->model));
    return placed;
}

bool compact_combined(const char *name, const struct schedule *schedule, const uint64_t start[],
                      struct rounds *rounds, bool *in_flight, struct err *err)
{
    struct order order = {.schedule = schedule,
                          .start = start,
                          .takes = schedule->lambda.numerator,
                          .lag = rounds->takes};
    size_t count = schedule->transfer_count;
    uint8_t *combining = NULL;
    uint32_t *joins = NULL;
    const struct arena_array arrays[] = {ARENA(order.last, schedule->packets + (size_t)1),
                                         ARENA(order.flying, count + 1),
                                         ARENA(combining, count + 1), ARENA(joins, count + 1)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (memory == NULL)
        return err_no_memory(err, "%zu transfers", count);
    for (size_t t = 0; t < count; t++) {
        combining[t] = (uint8_t)schedule_combining(schedule, t);
        joins[t] = joins_of(schedule, t);
    }
    order.graph = (struct rounds_graph){.transfers = count,
                                        .transfer = schedule->transfer,
                                        .combining = combining,
                                        .joins = joins,
                                        .key = start,
                                        .apart = order.takes == rounds->takes,
                                        .nodes = count};
    bool placed = place(&order, name, rounds, err);
    *in_flight = order.in_flight;
    rounds_graph_free(&order.graph);
    free(memory);
    return placed;
}
