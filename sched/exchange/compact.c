/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/compact.h"

#include "sched/base/arena.h"
#include "sched/exchange/operations.h"
#include "sched/exchange/rounds.h"

#include <inttypes.h>
#include <stdlib.h>

/* Checks that every transfer is a packet that moves from a node to another in a round. */
static bool check(const char *name, const struct schedule *schedule, struct err *err)
{
    bool plain = topology_joins_all(&schedule->topology) && schedule->ports <= 1 &&
                 !model_has_times(schedule->model) && !model_copies(schedule->model) &&
                 !model_combines(schedule->model) &&
                 schedule_data_packets(schedule) == schedule->packets;
    return plain ||
           err_set(
               err, ERR_UNSUPPORTED,
               "%s: {compact} finds rounds of nodes with one port on a complete graph; expected "
               "such a schedule",
               name);
}

/* --- packets that are combined -------------------------------------------------------------- */

#define NOTHING SIZE_MAX

/* The last operations of a node on a packet: the receipts, and the sends, as nodes of a graph. */
struct last {
    uint32_t node; /* 1 + the node */
    size_t arrived, sent;
    bool fixed; /* the last receipt replaced the partial result: later ones come after it */
};

/* The order of transfers in which each node combines, sends and replaces the same partial results
 * as before. */
struct order {
    const struct schedule *schedule;
    struct rounds_graph graph;
    struct last *last; /* [packets + 1] */
};

/* Adds an edge, unless it begins nowhere. */
static bool after(struct order *order, size_t from, size_t to, bool strict, struct err *err)
{
    return from == NOTHING || rounds_graph_edge(&order->graph, from, to, strict, err);
}

/* Moves a point to after a transfer. */
static bool pass(struct order *order, size_t *point, size_t transfer, struct err *err)
{
    size_t next = rounds_graph_point(&order->graph);
    if (!after(order, *point, next, false, err) || !after(order, transfer, next, false, err))
        return false;
    *point = next;
    return true;
}

/* A send comes after the receipts before it. A receipt is not before the sends before it; receipts
 * keep their order if one of them replaces the partial result, or if the order counts. */
static bool add_operation(struct order *order, uint32_t node, size_t operation, struct err *err)
{
    size_t transfer = operation / 2;
    uint32_t packet = order->schedule->transfer[transfer].packet;
    const struct reduction *reduction = schedule_demand_of(order->schedule, packet)->reduction;
    struct last *last = &order->last[packet];
    if (last->node != node + 1)
        *last = (struct last){.node = node + 1, .arrived = NOTHING, .sent = NOTHING};
    if (operation % 2 == 0)
        return after(order, last->arrived, transfer, true, err) &&
               pass(order, &last->sent, transfer, err);
    bool replaces = schedule_combining(order->schedule, transfer) & COMBINING_REPLACE;
    bool fixed = replaces || (reduction != NULL && reduction->ordered);
    if (!after(order, last->sent, transfer, false, err) ||
        ((fixed || last->fixed) && !after(order, last->arrived, transfer, true, err)) ||
        !pass(order, &last->arrived, transfer, err))
        return false;
    last->fixed = fixed;
    return true;
}

/* Finds the order of all transfers. */
static bool find_order(struct order *order, struct err *err)
{
    struct operations operations;
    if (!operations_new(order->schedule, &operations, err))
        return false;
    bool found = true;
    for (uint32_t node = 0; found && node < order->schedule->nodes; node++)
        for (size_t k = operations.first[node]; found && k < operations.first[node + 1]; k++)
            found = add_operation(order, node, operations.operation[k], err);
    operations_free(&operations);
    return found;
}

/* Places transfers, those of earlier rounds first. E208 if the model does not permit transfers in
 * one round that have to share one. */
static bool place_combined(const char *name, const struct schedule *schedule, struct rounds *rounds,
                           struct err *err)
{
    struct order order = {.schedule = schedule};
    size_t count = schedule->transfer_count, conflict = SIZE_MAX;
    uint8_t *combining = NULL;
    uint64_t *key = NULL;
    const struct arena_array arrays[] = {ARENA(order.last, schedule->packets + (size_t)1),
                                         ARENA(combining, count + 1), ARENA(key, count + 1)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (memory == NULL)
        return err_no_memory(err, "%zu transfers", count);
    for (size_t t = 0; t < count; t++) {
        combining[t] = (uint8_t)schedule_combining(schedule, t);
        key[t] = schedule_step_of(schedule, t);
    }
    order.graph = (struct rounds_graph){.transfers = count,
                                        .transfer = schedule->transfer,
                                        .combining = combining,
                                        .key = key,
                                        .nodes = count};
    bool placed =
        find_order(&order, err) && rounds_graph_place(&order.graph, rounds, &conflict, err);
    if (conflict != SIZE_MAX)
        err_set(err, ERR_UNSUPPORTED,
                "%.150s:%" PRIu64 ": nodes combine what they send each other in one round, which "
                "%s does not allow; expected another model",
                name, schedule_line(schedule, conflict), model_name(rounds->model));
    rounds_graph_free(&order.graph);
    free(memory);
    return placed;
}

/* --- packets that are moved ----------------------------------------------------------------- */

/* Finds the first round in which the sender can have the packet. E302. */
static bool find_ready(const char *name, const struct schedule *schedule,
                       const struct operations *operations, const uint64_t round[], size_t index,
                       uint64_t *ready, struct err *err)
{
    const struct transfer *now = &schedule->transfer[index];
    size_t needs = operations->needs[index];
    bool arrives = needs != OPERATIONS_NONE &&
                   schedule_step_of(schedule, needs) < schedule_step_of(schedule, index);
    *ready = arrives ? round[needs] + 1 : 1;
    return arrives || schedule_demand_of(schedule, now->packet)->source == now->source ||
           err_set(err, ERR_NOT_HELD,
                   "%.150s:%" PRIu64 ": node %" PRIu32 " sends packet %" PRIu32
                   ", which it does not hold; expected it to arrive in an earlier round",
                   name, schedule_line(schedule, index), now->source, now->packet);
}

static bool place(const char *name, const struct schedule *schedule, struct rounds *rounds,
                  uint64_t round[], struct err *err)
{
    struct operations operations;
    if (!operations_new(schedule, &operations, err))
        return false;
    bool placed = true;
    for (size_t index = 0; placed && index < schedule->transfer_count; index++) {
        uint64_t ready;
        placed = find_ready(name, schedule, &operations, round, index, &ready, err) &&
                 rounds_place(rounds, schedule->transfer[index], ready, &round[index], err);
    }
    operations_free(&operations);
    return placed;
}

bool compact_schedule(const char *name, enum model model, struct schedule *schedule,
                      struct err *err)
{
    struct rounds rounds;
    if (!rounds_have(model, err) || !check(name, schedule, err) ||
        !rounds_begin(&rounds, schedule->nodes, model, err))
        return false;
    uint64_t *round = malloc((schedule->transfer_count + 1) * sizeof *round);
    struct schedule made = {0};
    bool done = round != NULL || err_no_memory(err, "%zu rounds", schedule->transfer_count);
    done = done && (schedule->has_reductions ? place_combined(name, schedule, &rounds, err)
                                             : place(name, schedule, &rounds, round, err));
    done = done &&
           schedule_init_empty(&made, schedule->algorithm, &schedule->topology, model, err) &&
           schedule_copy_demands(schedule, &made, err) && rounds_finish(&rounds, &made, err);
    free(round);
    rounds_free(&rounds);
    if (!done) {
        schedule_free(&made);
        return false;
    }
    made.in_place = schedule->in_place;
    schedule_free(schedule);
    *schedule = made;
    return true;
}
