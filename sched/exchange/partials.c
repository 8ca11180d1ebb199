/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/partials.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/exchange/rounds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NO_NODE SIZE_MAX

/* A send or a receipt of a packet at a node. */
struct event {
    uint32_t node, packet;
    uint64_t time;
    size_t move;
    bool arrives;
};

/* The partial result of a node, and the nodes of the graph that precede its next change. */
struct state {
    uint64_t *all, *received; /* [words] */
    size_t arrived, sent;     /* points after all receipts and all sends so far; NO_NODE */
    size_t replaced;          /* the last receipt that replaced the result; NO_NODE */
};

struct follower {
    const struct partials *partials;
    struct event *event;       /* [2 · moves] */
    struct transfer *transfer; /* [moves] */
    uint64_t *key;             /* [moves] */
    uint8_t *combining;        /* [moves] */
    struct state state;
    struct rounds_graph graph;
};

static int by_place(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    int order = compare_then(COMPARE(a->node, b->node), COMPARE(a->packet, b->packet));
    return compare_then(compare_then(order, COMPARE(a->time, b->time)), COMPARE(a->move, b->move));
}

/* Lists the sends and receipts of all nodes, and the transfers. */
static void list_events(struct follower *follower)
{
    const struct partials *partials = follower->partials;
    for (size_t k = 0; k < partials->moves; k++) {
        const struct partials_move *move = &partials->move[k];
        const struct transfer *transfer = &move->transfer;
        follower->transfer[k] = *transfer;
        follower->key[k] = move->key;
        follower->event[2 * k] =
            (struct event){transfer->source, transfer->packet, 2 * move->sent + 1, k, false};
        follower->event[2 * k + 1] =
            (struct event){transfer->destination, transfer->packet, 2 * move->arrives, k, true};
    }
    if (partials->moves > 0)
        qsort(follower->event, 2 * partials->moves, sizeof *follower->event, by_place);
}

/* -- sets ---------------------------------------------------------------------------------------*/

static bool is_equal(const struct follower *follower, const uint64_t a[], const uint64_t b[])
{
    return memcmp(a, b, follower->partials->words * sizeof *a) == 0;
}

static bool is_disjoint(const struct follower *follower, const uint64_t a[], const uint64_t b[])
{
    uint64_t common = 0;
    for (size_t word = 0; word < follower->partials->words; word++)
        common |= a[word] & b[word];
    return common == 0;
}

static bool contains(const struct follower *follower, const uint64_t a[], const uint64_t b[])
{
    uint64_t lacking = 0;
    for (size_t word = 0; word < follower->partials->words; word++)
        lacking |= b[word] & ~a[word];
    return lacking == 0;
}

/* -- events -------------------------------------------------------------------------------------*/

/* Adds an edge, unless it begins nowhere. */
static bool after(struct follower *follower, size_t from, size_t to, bool strict, struct err *err)
{
    return from == NO_NODE || rounds_graph_edge(&follower->graph, from, to, strict, err);
}

/* Moves a point to after a transfer. */
static bool pass(struct follower *follower, size_t *point, size_t move, struct err *err)
{
    size_t next = rounds_graph_point(&follower->graph);
    if (!after(follower, *point, next, false, err) || !after(follower, move, next, false, err))
        return false;
    *point = next;
    return true;
}

static bool follow_send(struct follower *follower, const struct event *event, struct err *err)
{
    struct state *state = &follower->state;
    const struct partials *partials = follower->partials;
    const uint64_t *sent = partials->content(partials->with, event->move);
    if (!is_equal(follower, sent, state->all)) {
        if (!is_equal(follower, sent, state->received))
            return err_set(err, ERR_UNSUPPORTED,
                           "%s: %s %" PRIu32 " sends to %s %" PRIu32
                           " a part of its partial result of %s %" PRIu64
                           "; expected all of it, or all that it has received, as a schedule "
                           "sends",
                           partials->name, partials->node, event->node, partials->node,
                           follower->transfer[event->move].destination, partials->piece,
                           partials->number(partials->with, event->packet));
        follower->combining[event->move] |= COMBINING_RECEIVED;
    }
    return after(follower, state->arrived, event->move, true, err) &&
           pass(follower, &state->sent, event->move, err);
}

static bool follow_receipt(struct follower *follower, const struct event *event, struct err *err)
{
    struct state *state = &follower->state;
    const struct partials *partials = follower->partials;
    const uint64_t *came = partials->content(partials->with, event->move);
    bool replaces = !is_disjoint(follower, came, state->all);
    if (replaces && !contains(follower, came, state->all))
        return err_set(err, ERR_UNSUPPORTED,
                       "%s: %s %" PRIu32 " receives from %s %" PRIu32 " a result of %s %" PRIu64
                       " that has some of the contributions that it has; expected none, or all",
                       partials->name, partials->node, event->node, partials->node,
                       follower->transfer[event->move].source, partials->piece,
                       partials->number(partials->with, event->packet));
    if (!after(follower, state->sent, event->move, false, err) ||
        !after(follower, replaces ? state->arrived : state->replaced, event->move, false, err))
        return false;
    for (size_t word = 0; word < follower->partials->words; word++) {
        state->received[word] = came[word] | (replaces ? 0 : state->received[word]);
        state->all[word] = came[word] | (replaces ? 0 : state->all[word]);
    }
    if (!replaces)
        return pass(follower, &state->arrived, event->move, err);
    follower->combining[event->move] |= COMBINING_REPLACE;
    state->replaced = state->arrived = event->move;
    return true;
}

/* Begins with the partial result of a node that has received nothing: its contribution, if it has
 * one. */
static void begin_state(struct follower *follower, const struct event *event)
{
    struct state *state = &follower->state;
    const struct partials *partials = follower->partials;
    size_t bytes = partials->words * sizeof *state->all;
    const uint64_t *set = partials->contributors(partials->with, event->packet);
    memset(state->all, 0, bytes);
    memset(state->received, 0, bytes);
    state->all[event->node / 64] = set[event->node / 64] & UINT64_C(1) << event->node % 64;
    state->arrived = state->sent = state->replaced = NO_NODE;
}

static bool follow_events(struct follower *follower, struct err *err)
{
    bool followed = true;
    for (size_t k = 0; followed && k < 2 * follower->partials->moves; k++) {
        const struct event *event = &follower->event[k];
        if (k == 0 || event[-1].node != event->node || event[-1].packet != event->packet)
            begin_state(follower, event);
        followed = event->arrives ? follow_receipt(follower, event, err)
                                  : follow_send(follower, event, err);
    }
    return followed;
}

/* Places the transfers in rounds. */
static bool place(struct follower *follower, struct schedule *schedule, struct err *err)
{
    const struct partials *partials = follower->partials;
    struct rounds rounds = {0};
    size_t conflict = SIZE_MAX;
    bool placed = rounds_begin(&rounds, schedule->nodes, schedule->model, err) &&
                  rounds_graph_place(&follower->graph, &rounds, &conflict, err);
    if (conflict != SIZE_MAX) {
        const struct transfer *transfer = &follower->transfer[conflict];
        err_set(err, ERR_UNSUPPORTED,
                "%s: %s %" PRIu32 " sends its partial result of %s %" PRIu64 " to %s %" PRIu32
                " before it combines what arrives, as do the %ss that send to it, which %s does "
                "not allow in one round; expected each %s to send once before it combines",
                partials->name, partials->node, transfer->source, partials->piece,
                partials->number(partials->with, transfer->packet), partials->node,
                transfer->destination, partials->node, model_name(schedule->model), partials->node);
    }
    placed = placed && rounds_finish(&rounds, schedule, err);
    rounds_free(&rounds);
    return placed;
}

bool partials_schedule(const struct partials *partials, struct schedule *schedule, struct err *err)
{
    struct follower follower = {.partials = partials};
    size_t moves = partials->moves;
    const struct arena_array arrays[] = {ARENA(follower.event, 2 * moves + 1),
                                         ARENA(follower.transfer, moves + 1),
                                         ARENA(follower.key, moves + 1),
                                         ARENA(follower.combining, moves + 1),
                                         ARENA(follower.state.all, partials->words),
                                         ARENA(follower.state.received, partials->words)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (memory == NULL)
        return err_no_memory(err, "%zu transfers", moves);
    follower.graph = (struct rounds_graph){.transfers = moves,
                                           .transfer = follower.transfer,
                                           .combining = follower.combining,
                                           .key = follower.key,
                                           .nodes = moves};
    list_events(&follower);
    bool found = follow_events(&follower, err) && place(&follower, schedule, err);
    rounds_graph_free(&follower.graph);
    free(memory);
    return found;
}
