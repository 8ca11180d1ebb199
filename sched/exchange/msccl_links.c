/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/exchange/msccl_run.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- Waits -------------------------------------------------------------------------------- */

struct finder {
    const struct msccl *msccl;
    struct msccl_links *links;
    size_t *next_signal; /* [steps + 1]: the first step of its block, from here on, that signals */
};

/* -- waits --------------------------------------------------------------------------------------*/

static void find_signals(struct finder *finder)
{
    const struct msccl *msccl = finder->msccl;
    for (size_t b = 0; b < msccl->block_count; b++) {
        size_t next = MSCCL_NO_STEP;
        for (size_t k = msccl->block[b].end; k-- > msccl->block[b].first;) {
            /* Both halves of a step end together, so the second half signals. */
            bool last = k + 1 == msccl->block[b].end || !msccl_is_second(msccl, k + 1);
            if (msccl->step[k].signals && last)
                next = k;
            finder->next_signal[k] = next;
        }
    }
}

/* Returns the first half of step `number` of a block; MSCCL_NO_STEP if there is none. Steps are
 * numbered without a gap. */
static size_t find_step(const struct msccl *msccl, const struct msccl_block *block, uint32_t number)
{
    size_t low = block->first, high = block->end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (msccl->step[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < block->end ? low : MSCCL_NO_STEP;
}

static bool find_wait(struct finder *finder, size_t step, struct err *err)
{
    const struct msccl *msccl = finder->msccl;
    const struct msccl_step *waits = &msccl->step[step];
    const struct msccl_gpu *gpu = &msccl->gpu[msccl->block[waits->block].gpu];
    size_t other = MSCCL_NO_STEP;
    if (waits->waits_block == MSCCL_NONE || msccl_is_second(msccl, step))
        return true;
    if (waits->waits_block < gpu->blocks)
        other = find_step(msccl, &msccl->block[gpu->first_block + waits->waits_block],
                          waits->waits_number);
    if (other == MSCCL_NO_STEP)
        return msccl_wrong(msccl, step, err, ERR_FIELD_RANGE,
                           "waits for step %d of block %" PRIu32 "; expected one of its GPU",
                           (int)waits->waits_number, waits->waits_block);
    finder->links->waits[step] = finder->next_signal[other];
    return finder->next_signal[other] != MSCCL_NO_STEP ||
           msccl_wrong(msccl, step, err, ERR_ORDER,
                       "waits for ever for step %" PRIu32 " of block %" PRIu32
                       ", which never signals; expected hasdep=\"1\" there",
                       waits->waits_number, waits->waits_block);
}

/* -- connections --------------------------------------------------------------------------------*/

/* One end of a connection: a block that sends, or receives, on it. */
struct end {
    uint32_t from, to, channel;
    size_t block;
};

static int by_connection(const void *left, const void *right)
{
    const struct end *a = left, *b = right;
    return compare_then(COMPARE(a->from, b->from),
                        compare_then(COMPARE(a->to, b->to), COMPARE(a->channel, b->channel)));
}

static int by_connection_and_block(const void *left, const void *right)
{
    const struct end *a = left, *b = right;
    return compare_then(by_connection(left, right), COMPARE(a->block, b->block));
}

/* Lists the ends of all connections that send, or receive, in ascending order, each connection
 * once. */
static bool list_ends(const struct finder *finder, bool sends, struct end end[], size_t *count,
                      struct err *err)
{
    const struct msccl *msccl = finder->msccl;
    *count = 0;
    for (size_t b = 0; b < msccl->block_count; b++) {
        const struct msccl_block *block = &msccl->block[b];
        if (sends && block->send != MSCCL_NONE)
            end[(*count)++] = (struct end){block->gpu, block->send, block->channel, b};
        else if (!sends && block->receive != MSCCL_NONE)
            end[(*count)++] = (struct end){block->receive, block->gpu, block->channel, b};
    }
    qsort(end, *count, sizeof *end, by_connection_and_block);
    for (size_t k = 1; k < *count; k++) {
        const struct msccl_block *block = &msccl->block[end[k].block];
        if (by_connection(&end[k - 1], &end[k]) == 0)
            return err_set(err, ERR_UNSUPPORTED,
                           "%s:%" PRIu64 ":%" PRIu64 ": GPU %" PRIu32 ", block %" PRIu32
                           ": %s GPU %" PRIu32 " on channel %" PRIu32 ", as block %" PRIu32
                           " does; expected one block for each connection",
                           finder->msccl->name, block->line, block->column, block->gpu, block->id,
                           sends ? "sends to" : "receives from", sends ? end[k].to : end[k].from,
                           end[k].channel, msccl->block[end[k - 1].block].id);
    }
    return true;
}

/* Returns the next step of a type in a block, from `step` on; MSCCL_NO_STEP if there is none. */
static size_t next_of(const struct msccl *msccl, const struct msccl_block *block, size_t step,
                      enum msccl_type type)
{
    while (step < block->end && msccl->step[step].type != type)
        step++;
    return step < block->end ? step : MSCCL_NO_STEP;
}

/* Joins the k-th send of a block with the k-th receipt of the peer's block. */
static bool join(struct finder *finder, const struct msccl_block *from,
                 const struct msccl_block *to, struct err *err)
{
    const struct msccl *msccl = finder->msccl;
    size_t send = next_of(msccl, from, from->first, MSCCL_SEND);
    size_t receipt = next_of(msccl, to, to->first, MSCCL_RECEIVE);
    while (send != MSCCL_NO_STEP && receipt != MSCCL_NO_STEP) {
        finder->links->partner[send] = receipt;
        finder->links->partner[receipt] = send;
        if (msccl->step[send].count != msccl->step[receipt].count)
            return msccl_wrong(msccl, receipt, err, ERR_FIELD_RANGE,
                               "%" PRIu32 " chunks; expected %" PRIu32 ", which are sent",
                               msccl->step[receipt].count, msccl->step[send].count);
        send = next_of(msccl, from, send + 1, MSCCL_SEND);
        receipt = next_of(msccl, to, receipt + 1, MSCCL_RECEIVE);
    }
    return true;
}

static bool check_joined(const struct finder *finder, struct err *err)
{
    const struct msccl *msccl = finder->msccl;
    for (size_t k = 0; k < msccl->step_count; k++) {
        const struct msccl_block *block = &msccl->block[msccl->step[k].block];
        bool sends = msccl->step[k].type == MSCCL_SEND;
        if ((sends || msccl->step[k].type == MSCCL_RECEIVE) &&
            finder->links->partner[k] == MSCCL_NO_STEP)
            return msccl_wrong(msccl, k, err, ERR_ORDER,
                               "%s GPU %" PRIu32 " on channel %" PRIu32
                               ", which does not %s it; expected as many sends as receipts",
                               sends ? "sends to" : "waits for ever to receive from",
                               sends ? block->send : block->receive, block->channel,
                               sends ? "receive" : "send");
    }
    return true;
}

static bool find_partners(struct finder *finder, struct end send[], struct end receipt[],
                          struct err *err)
{
    size_t sends, receipts;
    if (!list_ends(finder, true, send, &sends, err) ||
        !list_ends(finder, false, receipt, &receipts, err))
        return false;
    for (size_t k = 0; k < sends; k++) {
        const struct end *other =
            bsearch(&send[k], receipt, receipts, sizeof *other, by_connection);
        if (other == NULL)
            continue;
        finder->links->receiver[send[k].block] = other->block;
        finder->links->sender[other->block] = send[k].block;
        if (!join(finder, &finder->msccl->block[send[k].block], &finder->msccl->block[other->block],
                  err))
            return false;
    }
    return check_joined(finder, err);
}

bool msccl_links_find(const struct msccl *msccl, struct msccl_links *links, struct err *err)
{
    struct finder finder = {msccl, links, NULL};
    size_t steps = msccl->step_count + 1, blocks = msccl->block_count + 1;
    struct end *send, *receipt;
    const struct arena_array kept[] = {ARENA(links->partner, steps), ARENA(links->waits, steps),
                                       ARENA(links->sender, blocks),
                                       ARENA(links->receiver, blocks)};
    const struct arena_array used[] = {ARENA(finder.next_signal, steps), ARENA(send, blocks),
                                       ARENA(receipt, blocks)};
    void *memory = arena_new(used, ARENA_COUNT(used));
    links->memory = arena_new(kept, ARENA_COUNT(kept));
    bool found = memory != NULL && links->memory != NULL;
    if (!found)
        err_no_memory(err, "the connections of %zu steps", msccl->step_count);
    for (size_t k = 0; found && k < steps; k++)
        links->partner[k] = links->waits[k] = MSCCL_NO_STEP;
    for (size_t b = 0; found && b < blocks; b++)
        links->sender[b] = links->receiver[b] = MSCCL_NO_BLOCK;
    if (found)
        find_signals(&finder);
    found = found && find_partners(&finder, send, receipt, err);
    for (size_t k = 0; found && k < msccl->step_count; k++)
        found = find_wait(&finder, k, err);
    free(memory);
    if (!found)
        msccl_links_free(links);
    return found;
}

void msccl_links_free(struct msccl_links *links)
{
    free(links->memory);
    *links = (struct msccl_links){0};
}

/* --- Termination in every order ---------------------------------------------------------- */

/* The progress of a block. */
struct place {
    size_t step;
    uint32_t moved; /* chunks of the current step that were moved */
    uint32_t held;  /* chunks in the connection over which the block sends */
    size_t next;    /* another block that waits for the same step; MSCCL_NO_BLOCK */
    bool queued, listed, seen;
};

struct run {
    const struct msccl *msccl;
    const struct msccl_links *links;
    struct place *place; /* [blocks] */
    size_t *waiting;     /* [steps]: the first block that waits for it; MSCCL_NO_BLOCK */
    bool *done;          /* [steps] */
    size_t *queue;       /* [blocks]: a ring of the blocks that may continue */
    size_t first, queued;
    size_t *order, ended;
};

static void push(struct run *run, size_t block)
{
    if (run->place[block].queued)
        return;
    run->place[block].queued = true;
    run->queue[(run->first + run->queued++) % run->msccl->block_count] = block;
}

static size_t pop(struct run *run)
{
    size_t block = run->queue[run->first];
    run->first = (run->first + 1) % run->msccl->block_count;
    run->queued--;
    run->place[block].queued = false;
    return block;
}

/* Returns the halves of the current step of a block: whether it receives, and whether it sends. */
static void halves_of(const struct run *run, size_t block, bool *receives, bool *sends)
{
    size_t step = run->place[block].step;
    bool both = step + 1 < run->msccl->block[block].end && msccl_is_second(run->msccl, step + 1);
    *receives = run->msccl->step[step].type == MSCCL_RECEIVE;
    *sends = both || run->msccl->step[step].type == MSCCL_SEND;
}

static void end_step(struct run *run, size_t block)
{
    struct place *place = &run->place[block];
    bool receives, sends;
    halves_of(run, block, &receives, &sends);
    for (unsigned half = 0; half < 1u + (receives && sends); half++, place->step++) {
        size_t step = place->step;
        run->done[step] = true;
        run->order[run->ended++] = step;
        for (size_t other = run->waiting[step]; other != MSCCL_NO_BLOCK;
             other = run->place[other].next) {
            run->place[other].listed = false;
            push(run, other);
        }
    }
    place->moved = 0;
}

/* Moves the chunks of a step that can move now. Returns whether all have been moved. */
static bool move(struct run *run, size_t block)
{
    struct place *place = &run->place[block];
    const struct msccl_step *step = &run->msccl->step[place->step];
    bool receives, sends;
    halves_of(run, block, &receives, &sends);
    if (!receives && !sends)
        return true;
    uint32_t count = step->count - place->moved;
    struct place *from = receives ? &run->place[run->links->sender[block]] : NULL;
    if (receives)
        count = MIN(count, from->held);
    if (sends)
        count = MIN(count, run->msccl->depth - place->held);
    if (receives && count > 0) {
        from->held -= count;
        push(run, run->links->sender[block]);
    }
    if (sends && count > 0) {
        place->held += count;
        push(run, run->links->receiver[block]);
    }
    place->moved += count;
    return place->moved == step->count;
}

static void advance(struct run *run, size_t block)
{
    struct place *place = &run->place[block];
    while (place->step < run->msccl->block[block].end) {
        size_t waits = run->links->waits[place->step];
        if (waits != MSCCL_NO_STEP && !run->done[waits]) {
            if (!place->listed) {
                place->next = run->waiting[waits];
                run->waiting[waits] = block;
                place->listed = true;
            }
            return;
        }
        if (!move(run, block))
            return;
        end_step(run, block);
    }
}

/* Returns the block for which a blocked block waits. */
static size_t blocker_of(const struct run *run, size_t block)
{
    const struct place *place = &run->place[block];
    size_t waits = run->links->waits[place->step];
    bool receives, sends;
    if (waits != MSCCL_NO_STEP && !run->done[waits])
        return run->msccl->step[waits].block;
    halves_of(run, block, &receives, &sends);
    size_t sender = run->links->sender[block];
    return receives && run->place[sender].held == 0 ? sender : run->links->receiver[block];
}

/* Reports a step in a cycle of blocks that wait for each other. Returns false. */
static bool refuse(const struct run *run, size_t block, struct err *err)
{
    while (!run->place[block].seen) {
        run->place[block].seen = true;
        block = blocker_of(run, block);
    }
    const struct msccl *msccl = run->msccl;
    const struct msccl_step *other = &msccl->step[run->place[blocker_of(run, block)].step];
    return msccl_wrong(msccl, run->place[block].step, err, ERR_ORDER,
                       "waits for ever: for GPU %" PRIu32 ", block %" PRIu32 ", step %" PRIu32
                       ", which waits for it in turn; expected no circle of waits (a connection "
                       "holds %" PRIu32 " chunks)",
                       msccl->block[other->block].gpu, msccl->block[other->block].id, other->number,
                       msccl->depth);
}

bool msccl_order_find(const struct msccl *msccl, const struct msccl_links *links, size_t order[],
                      struct err *err)
{
    struct run run = {.msccl = msccl, .links = links, .order = order};
    size_t blocks = msccl->block_count, steps = msccl->step_count;
    const struct arena_array arrays[] = {ARENA(run.place, blocks + 1), ARENA(run.queue, blocks + 1),
                                         ARENA(run.waiting, steps + 1), ARENA(run.done, steps + 1)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (memory == NULL)
        return err_no_memory(err, "the order of %zu steps", steps);
    for (size_t k = 0; k < steps; k++)
        run.waiting[k] = MSCCL_NO_BLOCK;
    for (size_t b = 0; b < blocks; b++) {
        run.place[b].step = msccl->block[b].first;
        push(&run, b);
    }
    while (run.queued > 0)
        advance(&run, pop(&run));
    bool ends = true;
    for (size_t b = 0; ends && b < blocks; b++)
        if (run.place[b].step < msccl->block[b].end)
            ends = refuse(&run, b, err);
    free(memory);
    return ends;
}
