/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_run: assigns rounds to the steps of an algorithm for GPUs: list scheduling (R. L. Graham
 * 1966). A step is ready when the previous step and the step for which it waits have ended. A send
 * does not wait for its receipt, because connections have buffers. Sends whose receipts are also
 * ready come first, so that transfers get their rounds in an order that suits the receivers. */

#include "sched/exchange/msccl_run.h"
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/heap.h"
#include "sched/exchange/rounds.h"

#include <inttypes.h>
#include <stdlib.h>

/* The state of a step. */
struct progress {
    size_t partner; /* the partner's step */
    /* a list: the first step that waits for this one; the next one that waits for the same step */
    size_t first, next;
    size_t flight;    /* for a send: where its chunks are stored until they are received */
    unsigned missing; /* number of steps that must still end before this one */
    uint64_t ready;   /* the round in which all of them have ended */
    bool done;
};

struct runner {
    const struct msccl *msccl;
    struct msccl_links links;
    size_t *order;                 /* [steps]: an order in which the steps may end */
    struct progress *progress;     /* [steps] */
    struct msccl_content *content; /* [chunks + passing] */
    struct msccl_content *flight;  /* [chunks of all sends] */
    struct msccl_value *value;     /* [chunks] */
    struct heap heap;              /* [2 · steps]: the steps that can be executed */
    struct msccl_values values;    /* if the program combines */
    struct rounds rounds;
    void *memory;
};

static const struct msccl_block *block_of(const struct runner *runner, size_t step)
{
    return &runner->msccl->block[runner->msccl->step[step].block];
}

/* -- waits --------------------------------------------------------------------------------------*/

static void wait_for(struct runner *runner, size_t step, size_t other)
{
    runner->progress[step].missing++;
    runner->progress[step].next = runner->progress[other].first;
    runner->progress[other].first = step;
}

static void begin(struct runner *runner)
{
    const struct msccl *msccl = runner->msccl;
    size_t sent = 0;
    for (size_t k = 0; k < msccl->step_count; k++) {
        runner->progress[k] = (struct progress){.partner = runner->links.partner[k],
                                                .first = MSCCL_NO_STEP,
                                                .next = MSCCL_NO_STEP,
                                                .flight = sent,
                                                .missing = k > block_of(runner, k)->first};
        sent += msccl->step[k].type == MSCCL_SEND ? msccl->step[k].count : 0;
    }
    for (size_t k = 0; k < msccl->step_count; k++)
        if (runner->links.waits[k] != MSCCL_NO_STEP)
            wait_for(runner, k, runner->links.waits[k]);
}

/* -- a heap of the steps that are ready ---------------------------------------------------------*/

/* Sends whose receipts are not ready come last. */
static void push(struct runner *runner, bool lone, uint64_t ready, size_t step)
{
    heap_push(&runner->heap, (uint64_t)lone << 63 | ready, step);
}

/* Adds a step to the heap if no step is missing before it; a receipt only if its send is done or
 * ready. */
static void look(struct runner *runner, size_t step)
{
    const struct progress *progress = &runner->progress[step], *partner = NULL;
    enum msccl_type type = runner->msccl->step[step].type;
    if (progress->missing > 0)
        return;
    if (type != MSCCL_SEND && type != MSCCL_RECEIVE) {
        push(runner, false, progress->ready, step);
    } else {
        partner = &runner->progress[progress->partner];
        uint64_t both = MAX(progress->ready, partner->ready);
        size_t run_send = type == MSCCL_SEND ? step : progress->partner;
        if (partner->missing == 0)
            push(runner, false, both, partner->done ? step : run_send);
        else if (type == MSCCL_SEND)
            push(runner, true, progress->ready, step);
    }
}

static void end_one(struct runner *runner, size_t step, uint64_t round)
{
    struct progress *progress = &runner->progress[step];
    progress->missing--;
    progress->ready = MAX(progress->ready, round);
    look(runner, step);
}

static void end(struct runner *runner, size_t step, uint64_t round)
{
    runner->progress[step].done = true;
    for (size_t other = runner->progress[step].first; other != MSCCL_NO_STEP;
         other = runner->progress[other].next)
        end_one(runner, other, round);
    if (step + 1 < block_of(runner, step)->end)
        end_one(runner, step + 1, round);
}

/* -- execution ----------------------------------------------------------------------------------*/

static bool has(const struct runner *runner, size_t step, uint32_t which,
                struct msccl_content *content, struct err *err)
{
    const struct msccl_step *move = &runner->msccl->step[step];
    *content = runner->content[move->from + which];
    return content->value != 0 ||
           msccl_wrong(runner->msccl, step, err, ERR_ORDER,
                       "chunk %" PRIu32 " of the step has nothing yet; expected it to come before",
                       which);
}

/* Puts a content in a chunk. A value that is already in the chunk keeps its earlier round. */
static void put(struct runner *runner, size_t chunk, const struct msccl_content *content)
{
    if (runner->content[chunk].value != content->value)
        runner->content[chunk] = *content;
}

static bool copy(struct runner *runner, size_t step, struct err *err)
{
    const struct msccl_step *move = &runner->msccl->step[step];
    struct msccl_content content;
    for (uint32_t which = 0; which < move->count; which++) {
        if (!has(runner, step, which, &content, err))
            return false;
        put(runner, move->to + which, &content);
    }
    return true;
}

/* Combines the contents of the chunks at `to` with those at `from`. */
static bool combine(struct runner *runner, size_t step, struct err *err)
{
    const struct msccl_step *move = &runner->msccl->step[step];
    struct msccl_content content;
    for (uint32_t which = 0; which < move->count; which++) {
        struct msccl_content *to = &runner->content[move->to + which];
        if (!has(runner, step, which, &content, err))
            return false;
        if (to->value == 0)
            return msccl_wrong(runner->msccl, step, err, ERR_ORDER,
                               "combines with chunk %" PRIu32 " of its destination, which has "
                               "nothing yet; expected it to come before",
                               which);
        if (!msccl_values_combine(&runner->values, step, to, &content, to, err))
            return false;
    }
    return true;
}

/* Records the transfer of a chunk in a program that combines, and updates the origin of its
 * content. */
static bool record(struct runner *runner, const struct transfer *transfer,
                   struct msccl_content *flight, struct err *err)
{
    const struct msccl_move move = {.from = transfer->source,
                                    .to = transfer->destination,
                                    .value = flight->value,
                                    .round = flight->since};
    return !runner->msccl->combines ||
           msccl_values_move(&runner->values, &move, flight->origin, &flight->origin, err);
}

/* Executes a send: each chunk needs a round. */
static bool run_send(struct runner *runner, size_t step, struct err *err)
{
    const struct msccl_step *move = &runner->msccl->step[step];
    struct progress *progress = &runner->progress[step];
    struct transfer transfer = {.source = block_of(runner, step)->gpu,
                                .destination = block_of(runner, progress->partner)->gpu};
    uint64_t last = 0;
    for (uint32_t which = 0; which < move->count; which++) {
        struct msccl_content *flight = &runner->flight[progress->flight + which];
        if (!has(runner, step, which, flight, err))
            return false;
        uint64_t held = MAX(flight->since, progress->ready);
        transfer.packet = (uint32_t)flight->value;
        if (!rounds_place(&runner->rounds, transfer, held + 1, &flight->since, err) ||
            !record(runner, &transfer, flight, err))
            return false;
        last = MAX(last, flight->since);
    }
    end(runner, step, last);
    return true;
}

/* Writes the chunks of a send to their destination. If the step combines, it writes what arrived
 * combined with other chunks. */
static bool receive(struct runner *runner, size_t step, struct err *err)
{
    const struct msccl_step *move = &runner->msccl->step[step];
    const struct progress *progress = &runner->progress[step];
    const struct msccl_content *flight =
        &runner->flight[runner->progress[progress->partner].flight];
    uint64_t last = progress->ready;
    runner->values.now++;
    for (uint32_t which = 0; which < move->count; which++) {
        struct msccl_content content = flight[which], with = {0};
        last = MAX(last, content.since);
        if (runner->msccl->combines)
            msccl_values_arrive(&runner->values, content.origin);
        if (move->combines &&
            (!has(runner, step, which, &with, err) ||
             !msccl_values_combine(&runner->values, step, &with, &content, &content, err)))
            return false;
        put(runner, move->to + which, &content);
    }
    end(runner, step, last);
    return true;
}

static bool do_step(struct runner *runner, size_t step, struct err *err)
{
    const struct progress *progress = &runner->progress[step];
    enum msccl_type type = runner->msccl->step[step].type;
    if (progress->done)
        return true; /* it was executed before, as a lone send */
    runner->values.now++;
    if (type == MSCCL_RECEIVE)
        return receive(runner, step, err);
    if (type == MSCCL_SEND)
        return run_send(runner, step, err) && (runner->progress[progress->partner].missing > 0 ||
                                               receive(runner, progress->partner, err));
    if ((type == MSCCL_COPY && !copy(runner, step, err)) ||
        (type == MSCCL_COMBINE && !combine(runner, step, err)))
        return false;
    end(runner, step, progress->ready);
    return true;
}

/* Checks that every order of execution ends, and ends with the same contents. */
static bool has_one_meaning(struct runner *runner, struct err *err)
{
    return msccl_links_find(runner->msccl, &runner->links, err) &&
           msccl_order_find(runner->msccl, &runner->links, runner->order, err) &&
           msccl_races_none(runner->msccl, &runner->links, runner->order, err);
}

static bool run_all(struct runner *runner, struct err *err)
{
    const struct msccl *msccl = runner->msccl;
    begin(runner);
    for (size_t k = 0; k < msccl->step_count; k++)
        if (msccl->step[k].type != MSCCL_RECEIVE)
            look(runner, k); /* a receipt is handled together with its send */
    while (runner->heap.count > 0)
        if (!do_step(runner, heap_pop(&runner->heap), err))
            return false;
    return true;
}

bool msccl_name_packets(const struct msccl_value value[], struct rounds *rounds, struct err *err)
{
    for (size_t k = 0; k < rounds->count; k++) {
        struct transfer *transfer = &rounds->placed[k].transfer;
        transfer->packet = value[transfer->packet - 1].packet;
    }
    return rounds_omit(rounds, err);
}

/* Appends the transfers to the schedule. */
static bool finish(struct runner *runner, struct schedule *schedule, struct err *err)
{
    if (runner->msccl->combines)
        return msccl_partial_schedule(runner->msccl, runner->content, &runner->values, schedule,
                                      err);
    return msccl_demand(runner->msccl, runner->content, runner->value, schedule, err) &&
           msccl_name_packets(runner->value, &runner->rounds, err) &&
           rounds_finish(&runner->rounds, schedule, err);
}

bool msccl_run(const struct msccl *msccl, struct schedule *schedule, struct err *err)
{
    struct runner runner = {.msccl = msccl};
    size_t steps = msccl->step_count + 1, sent = 1;
    for (size_t k = 0; k < msccl->step_count; k++)
        sent += msccl->step[k].type == MSCCL_SEND ? msccl->step[k].count : 0;
    const struct arena_array arrays[] = {ARENA(runner.progress, steps),
                                         ARENA(runner.heap.entry, 2 * steps),
                                         ARENA(runner.content, msccl->chunks + msccl->passing + 1),
                                         ARENA(runner.value, msccl->chunks + 1),
                                         ARENA(runner.flight, sent),
                                         ARENA(runner.order, steps)};
    runner.memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (runner.memory == NULL)
        return err_no_memory(err, "%zu steps, %zu chunks", msccl->step_count, msccl->chunks);
    msccl_fill(msccl, runner.content, runner.value);
    bool done = rounds_begin(&runner.rounds, msccl->gpus, schedule->model, err) &&
                msccl_values_begin(msccl, runner.value, &runner.values, err) &&
                has_one_meaning(&runner, err) && run_all(&runner, err) &&
                finish(&runner, schedule, err);
    msccl_values_free(&runner.values);
    rounds_free(&runner.rounds);
    msccl_links_free(&runner.links);
    free(runner.memory);
    return done;
}
