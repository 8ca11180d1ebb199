/* SPDX-License-Identifier: Apache-2.0 */
/* goal: GOAL, the input text of LogGOPSim and htsim (Hoefler, Siebert, Lumsdaine 2009; the grammar
 * is that of LogGOPSim's txt2bin).
 *
 *     round 1   0 → 1         num_ranks 3
 *     round 2   1 → 2         rank 0 {
 *                             s0: send 8b to 1 tag 1
 *                             }
 *                             rank 1 {
 *                             r0: recv 8b from 0 tag 1
 *                             s1: send 8b to 2 tag 1
 *                             s1 requires r0
 *                             }
 *                             …
 *
 * A tag is a packet's number. A send requires the receipt of its packet, and the sends of the last
 * step in which the node sent; a receipt requires the receipts of the last step in which the node
 * received. GOAL has no times because the simulator computes them, so schedules with times are
 * supported.
 *
 * A combined packet has one partial result at a rank. A receipt that combines is followed by a
 * calculation of one unit for each byte, `c1: calc 8`; one that replaces writes the partial result
 * itself. Each requires the previous one and the sends between them, and a send requires the last
 * one that has arrived by its time. */
#include "sched/exchange/exchange.h"
#include "sched/exchange/goal_program.h"
#include "sched/exchange/operations.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The operations of a node in one direction in one step, and those of the previous step that had
 * any: indices of `operation`. */
struct chain {
    size_t step;
    size_t first, end;   /* of this step; operations of the other direction may be between them */
    size_t before, last; /* of the previous step */
};

/* Adds the next operation, `k`, of a step. */
static void advance(struct chain *chain, size_t step, size_t k)
{
    if (chain->end == 0 || chain->step != step) {
        chain->before = chain->first;
        chain->last = chain->end;
        chain->step = step;
        chain->first = k;
    }
    chain->end = k + 1;
}

static void put_operation(FILE *to, const struct transfer *transfer, size_t operation,
                          uint64_t bytes)
{
    bool receives = operation % 2 == 1;
    fprintf(to, "%c%zu: %s %" PRIu64 "b %s %" PRIu32 " tag %" PRIu32 "\n", receives ? 'r' : 's',
            operation / 2, receives ? "recv" : "send", bytes, receives ? "from" : "to",
            receives ? transfer->source : transfer->destination, transfer->packet);
}

static void put_node(FILE *to, const struct schedule *schedule, const struct operations *operations,
                     uint32_t node, uint64_t bytes)
{
    struct chain chains[2] = {{0}, {0}};
    const size_t *operation = operations->operation;
    size_t step = 0;
    fprintf(to, "rank %" PRIu32 " {\n", node);
    for (size_t k = operations->first[node]; k < operations->first[node + 1]; k++) {
        size_t index = operation[k] / 2, receives = operation[k] % 2;
        struct chain *chain = &chains[receives];
        while (index >= schedule_step_end(schedule, step))
            step++;
        advance(chain, step, k);
        put_operation(to, &schedule->transfer[index], operation[k], bytes);
        if (!receives && operations->needs[index] != OPERATIONS_NONE)
            fprintf(to, "s%zu requires r%zu\n", index, operations->needs[index]);
        for (size_t j = chain->before; j < chain->last; j++)
            if (operation[j] % 2 == receives)
                fprintf(to, "%c%zu requires %c%zu\n", receives ? 'r' : 's', index,
                        receives ? 'r' : 's', operation[j] / 2);
    }
}

/* --- Combined packets --------------------------------------------------------------------- */

/* An operation of a node on a combined packet, at the time when it is sent or has arrived. */
struct event {
    uint64_t time;
    size_t operation; /* as in struct operations */
    size_t before;    /* of a send: 1 + the previous one since the last change; 0: none */
};

/* The combined packets of a node. */
struct combined {
    struct event *event; /* [operations of the node with the most] */
    size_t events;
    /* [packets + 1], valid while mark[packet] is 1 + the node */
    uint32_t *mark;
    size_t *update; /* 1 + the transfer that last changed the partial result; 0: none */
    size_t *sent;   /* 1 + the last event since then that sends it; 0: none */
    void *memory;
};

static int by_time(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    int order = compare_then(COMPARE(a->time, b->time),
                             COMPARE(b->operation % 2, a->operation % 2)); /* receipts first */
    return compare_then(order, COMPARE(a->operation, b->operation));
}

static bool combined_new(const struct schedule *schedule, const struct operations *operations,
                         struct combined *combined, struct err *err)
{
    size_t most = 0, packets = schedule->packets + (size_t)1;
    for (uint32_t node = 0; node < schedule->nodes; node++)
        most = MAX(most, operations->first[node + 1] - operations->first[node]);
    const struct arena_array arrays[] = {
        ARENA(combined->event, most + 1), ARENA(combined->mark, packets),
        ARENA(combined->update, packets), ARENA(combined->sent, packets)};
    combined->memory = arena_new(arrays, ARENA_COUNT(arrays));
    return combined->memory != NULL || err_no_memory(err, "%zu operations of a node", most);
}

/* Finds the events of a node, in order of time. */
static void find_events(const struct schedule *schedule, const struct operations *operations,
                        uint32_t node, struct combined *combined)
{
    const bool timed = model_has_times(schedule->model);
    combined->events = 0;
    for (size_t k = operations->first[node]; k < operations->first[node + 1]; k++) {
        const size_t index = operations->operation[k] / 2;
        const bool receives = operations->operation[k] % 2 == 1;
        uint64_t time = schedule->step[schedule_step_of(schedule, index)].time;
        if (schedule_demand_of(schedule, schedule->transfer[index].packet)->reduction == NULL)
            continue;
        time += receives ? (timed ? schedule->lambda.numerator : 1) : 0;
        combined->event[combined->events++] = (struct event){time, operations->operation[k], 0};
    }
    qsort(combined->event, combined->events, sizeof *combined->event, by_time);
}

/* Returns how the file names the operation that changes a partial result. */
static char changes_by(const struct schedule *schedule, size_t transfer)
{
    return schedule_combining(schedule, transfer) & COMBINING_REPLACE ? 'r' : 'c';
}

/* Writes what event k requires: a change the sends since the previous change, each the previous
 * change. */
static void put_event(FILE *to, const struct schedule *schedule, struct combined *combined,
                      size_t k, uint64_t bytes)
{
    const size_t index = combined->event[k].operation / 2;
    const bool receives = combined->event[k].operation % 2 == 1;
    const uint32_t packet = schedule->transfer[index].packet;
    const char name = receives ? changes_by(schedule, index) : 's';
    const size_t update = combined->update[packet];
    if (name == 'c')
        fprintf(to, "c%zu: calc %" PRIu64 "\nc%zu requires r%zu\n", index, bytes, index, index);
    if (update > 0)
        fprintf(to, "%c%zu requires %c%zu\n", name, index, changes_by(schedule, update - 1),
                update - 1);
    if (!receives) {
        combined->event[k].before = combined->sent[packet];
        combined->sent[packet] = k + 1;
        return;
    }
    for (size_t j = combined->sent[packet]; j > 0; j = combined->event[j - 1].before)
        fprintf(to, "%c%zu requires s%zu\n", name, index, combined->event[j - 1].operation / 2);
    combined->update[packet] = index + 1;
    combined->sent[packet] = 0;
}

static void put_combined(FILE *to, const struct schedule *schedule,
                         const struct operations *operations, struct combined *combined,
                         uint32_t node, uint64_t bytes)
{
    find_events(schedule, operations, node, combined);
    for (size_t k = 0; k < combined->events; k++) {
        const uint32_t packet = schedule->transfer[combined->event[k].operation / 2].packet;
        if (combined->mark[packet] != node + 1) {
            combined->mark[packet] = node + 1;
            combined->update[packet] = combined->sent[packet] = 0;
        }
        put_event(to, schedule, combined, k, bytes);
    }
}

static bool write_goal(FILE *to, const struct schedule *schedule,
                       const struct exchange_options *options, struct err *err)
{
    struct operations operations;
    struct combined combined = {0};
    if (!operations_new(schedule, &operations, err))
        return false;
    bool ready = !schedule->has_reductions || combined_new(schedule, &operations, &combined, err);
    if (ready)
        fprintf(to, "num_ranks %" PRIu32 "\n", schedule->nodes);
    for (uint32_t node = 0; ready && node < schedule->nodes && !ferror(to); node++) {
        put_node(to, schedule, &operations, node, options->bytes);
        if (schedule->has_reductions)
            put_combined(to, schedule, &operations, &combined, node, options->bytes);
        fputs("}\n", to);
    }
    free(combined.memory);
    operations_free(&operations);
    return ready;
}

static bool is_goal(const char *head)
{
    const char *first = strstr(head, "num_ranks");
    return first != NULL && (first == head || (head[0] == '/' && strstr(head, "rank ") != NULL));
}

const struct exchange_format exchange_goal = {
    .name = "goal",
    .what = "GOAL, for LogGOPSim and htsim",
    .suffix = "goal",
    .lacks = EXCHANGE_TREE | EXCHANGE_CONTROL | EXCHANGE_COPIES,
    .most = SCHEDULE_MAX_NODES,
    .write = write_goal,
    .list = goal_list,
    .is_like = is_goal,
    .proof = GOAL_PROOF,
};
