/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_partial: finds the schedule of a program that combines.
 *
 * The transfers of a chunk at a GPU change and send its partial result. Receipts are in order of
 * execution; a send comes after the receipts whose contents it sends.
 *
 *     receives A   combines (A has nothing that the GPU has), or replaces (A has all that it has)
 *     sends S      the whole partial result, or all that was received
 *
 * Rounds must keep the order of a receipt before a send, strictly, and of a send before a receipt,
 * which may share a round. */
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/exchange/msccl_results.h"
#include "sched/exchange/rounds_graph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NO_NODE SIZE_MAX

/* A send or a receipt of a chunk at a GPU. */
struct event {
    uint32_t gpu, chunk;
    uint64_t time;
    size_t move;
    bool arrives;
};

/* The partial result of a GPU, and the nodes of the graph that precede its next change. */
struct state {
    uint64_t *all, *received; /* [words] */
    size_t arrived, sent;     /* points after all receipts and all sends so far; NO_NODE */
    size_t replaced;          /* the last receipt that replaced the result; NO_NODE */
};

struct partial {
    const struct msccl *msccl;
    const struct msccl_values *values;
    struct msccl_results results;
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
    int order = compare_then(COMPARE(a->gpu, b->gpu), COMPARE(a->chunk, b->chunk));
    return compare_then(compare_then(order, COMPARE(a->time, b->time)), COMPARE(a->move, b->move));
}

/* Lists the sends and receipts of all GPUs, and the transfers with their packets. */
static bool list_events(struct partial *partial, struct err *err)
{
    const struct msccl_values *values = partial->values;
    for (size_t k = 0; k < values->moves; k++) {
        const struct msccl_move *move = &values->move[k];
        uint32_t chunk = msccl_values_chunk(values, move->value);
        uint32_t packet = chunk < partial->results.numbers ? partial->results.packet[chunk] : 0;
        if (packet == 0)
            return err_set(err, ERR_DEMAND,
                           "%s: chunk %" PRIu32 " goes from GPU %" PRIu32 " to GPU %" PRIu32
                           ", and no output has a result of it in the end; expected one",
                           partial->msccl->name, chunk, move->from, move->to);
        partial->transfer[k] = (struct transfer){move->from, move->to, packet};
        partial->key[k] = move->round;
        partial->event[2 * k] = (struct event){move->from, chunk, 2 * move->known + 1, k, false};
        partial->event[2 * k + 1] = (struct event){move->to, chunk, 2 * move->used, k, true};
    }
    if (values->moves > 0)
        qsort(partial->event, 2 * values->moves, sizeof *partial->event, by_place);
    return true;
}

/* -- sets ---------------------------------------------------------------------------------------*/

static bool is_equal(const struct partial *partial, const uint64_t a[], const uint64_t b[])
{
    return memcmp(a, b, partial->values->words * sizeof *a) == 0;
}

static bool is_disjoint(const struct partial *partial, const uint64_t a[], const uint64_t b[])
{
    uint64_t common = 0;
    for (size_t word = 0; word < partial->values->words; word++)
        common |= a[word] & b[word];
    return common == 0;
}

static bool contains(const struct partial *partial, const uint64_t a[], const uint64_t b[])
{
    uint64_t lacking = 0;
    for (size_t word = 0; word < partial->values->words; word++)
        lacking |= b[word] & ~a[word];
    return lacking == 0;
}

/* -- events -------------------------------------------------------------------------------------*/

/* Adds an edge, unless it begins nowhere. */
static bool after(struct partial *partial, size_t from, size_t to, bool strict, struct err *err)
{
    return from == NO_NODE || rounds_graph_edge(&partial->graph, from, to, strict, err);
}

/* Moves a point to after a transfer. */
static bool pass(struct partial *partial, size_t *point, size_t move, struct err *err)
{
    size_t next = rounds_graph_point(&partial->graph);
    if (!after(partial, *point, next, false, err) || !after(partial, move, next, false, err))
        return false;
    *point = next;
    return true;
}

static bool follow_send(struct partial *partial, const struct event *event, struct err *err)
{
    struct state *state = &partial->state;
    const struct msccl_move *move = &partial->values->move[event->move];
    const uint64_t *sent = msccl_values_set(partial->values, move->value);
    if (!is_equal(partial, sent, state->all)) {
        if (!is_equal(partial, sent, state->received))
            return err_set(err, ERR_UNSUPPORTED,
                           "%s: GPU %" PRIu32 " sends to GPU %" PRIu32
                           " a part of its partial result of chunk %" PRIu32
                           "; expected all of it, or all that it has received, as a schedule "
                           "sends",
                           partial->msccl->name, event->gpu, move->to, event->chunk);
        partial->combining[event->move] |= COMBINING_RECEIVED;
    }
    return after(partial, state->arrived, event->move, true, err) &&
           pass(partial, &state->sent, event->move, err);
}

static bool follow_receipt(struct partial *partial, const struct event *event, struct err *err)
{
    struct state *state = &partial->state;
    const struct msccl_move *move = &partial->values->move[event->move];
    const uint64_t *came = msccl_values_set(partial->values, move->value);
    bool replaces = !is_disjoint(partial, came, state->all);
    if (replaces && !contains(partial, came, state->all))
        return err_set(err, ERR_UNSUPPORTED,
                       "%s: GPU %" PRIu32 " receives from GPU %" PRIu32
                       " a result of chunk %" PRIu32
                       " that has some of the contributions that it has; expected none, or all",
                       partial->msccl->name, event->gpu, move->from, event->chunk);
    if (!after(partial, state->sent, event->move, false, err) ||
        !after(partial, replaces ? state->arrived : state->replaced, event->move, false, err))
        return false;
    for (size_t word = 0; word < partial->values->words; word++) {
        state->received[word] = came[word] | (replaces ? 0 : state->received[word]);
        state->all[word] = came[word] | (replaces ? 0 : state->all[word]);
    }
    if (!replaces)
        return pass(partial, &state->arrived, event->move, err);
    partial->combining[event->move] |= COMBINING_REPLACE;
    state->replaced = state->arrived = event->move;
    return true;
}

/* Begins with the partial result of a GPU that has received nothing: its contribution, if it
 * has one. */
static void begin_state(struct partial *partial, const struct event *event)
{
    struct state *state = &partial->state;
    size_t bytes = partial->values->words * sizeof *state->all;
    const uint64_t *set = msccl_values_set(partial->values, partial->results.whole[event->chunk]);
    memset(state->all, 0, bytes);
    memset(state->received, 0, bytes);
    state->all[event->gpu / 64] = set[event->gpu / 64] & UINT64_C(1) << event->gpu % 64;
    state->arrived = state->sent = state->replaced = NO_NODE;
}

static bool follow_events(struct partial *partial, struct err *err)
{
    bool followed = true;
    for (size_t k = 0; followed && k < 2 * partial->values->moves; k++) {
        const struct event *event = &partial->event[k];
        if (k == 0 || event[-1].gpu != event->gpu || event[-1].chunk != event->chunk)
            begin_state(partial, event);
        followed =
            event->arrives ? follow_receipt(partial, event, err) : follow_send(partial, event, err);
    }
    return followed;
}

/* Places the transfers in rounds. */
static bool place(struct partial *partial, struct schedule *schedule, struct err *err)
{
    struct rounds rounds = {0};
    size_t conflict = SIZE_MAX;
    bool placed = rounds_begin(&rounds, partial->msccl->gpus, schedule->model, err) &&
                  rounds_graph_place(&partial->graph, &rounds, &conflict, err);
    if (conflict != SIZE_MAX) {
        const struct msccl_move *move = &partial->values->move[conflict];
        err_set(err, ERR_UNSUPPORTED,
                "%s: GPU %" PRIu32 " sends its partial result of chunk %" PRIu32 " to GPU %" PRIu32
                " before it combines what arrives, as do the GPUs that send to it, which %s does "
                "not allow in one round; expected each GPU to send once before it combines",
                partial->msccl->name, move->from, msccl_values_chunk(partial->values, move->value),
                move->to, model_name(schedule->model));
    }
    placed = placed && rounds_finish(&rounds, schedule, err);
    rounds_free(&rounds);
    return placed;
}

bool msccl_partial_schedule(const struct msccl *msccl, const struct msccl_content content[],
                            const struct msccl_values *values, struct schedule *schedule,
                            struct err *err)
{
    struct partial partial = {.msccl = msccl, .values = values};
    size_t moves = values->moves;
    if (!msccl_results_find(msccl, content, values, &partial.results, schedule, err))
        return false;
    const struct arena_array arrays[] = {
        ARENA(partial.event, 2 * moves + 1),     ARENA(partial.transfer, moves + 1),
        ARENA(partial.key, moves + 1),           ARENA(partial.combining, moves + 1),
        ARENA(partial.state.all, values->words), ARENA(partial.state.received, values->words)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    bool found = memory != NULL || err_no_memory(err, "%zu transfers", moves);
    partial.graph = (struct rounds_graph){.transfers = moves,
                                          .transfer = partial.transfer,
                                          .combining = partial.combining,
                                          .key = partial.key,
                                          .nodes = moves};
    found = found && list_events(&partial, err) && follow_events(&partial, err) &&
            place(&partial, schedule, err);
    rounds_graph_free(&partial.graph);
    msccl_results_free(&partial.results);
    free(memory);
    return found;
}
