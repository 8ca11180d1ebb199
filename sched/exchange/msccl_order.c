/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/msccl_order.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

/* Where a block is. */
struct place {
    size_t step;
    uint32_t moved; /* chunks of that step */
    uint32_t held;  /* chunks in the connection on which it sends */
    size_t next;    /* another block that waits for the same step; MSCCL_NO_BLOCK */
    bool queued, listed, seen;
};

struct run {
    const struct msccl *msccl;
    const struct msccl_links *links;
    struct place *place; /* [blocks] */
    size_t *waiting;     /* [steps]: the first block that waits for it; MSCCL_NO_BLOCK */
    bool *done;          /* [steps] */
    size_t *queue;       /* [blocks]: a ring of those that may go on */
    size_t first, queued;
    size_t *order, ended;
};

static void push(struct run *run, size_t block)
{
    if (block == MSCCL_NO_BLOCK || run->place[block].queued)
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

/* The halves of the step at which a block is: what it receives, and what it sends. */
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

/* Moves the chunks of a step that can move now. Returns whether all have. */
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

/* The block for which one that stands still waits. */
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

/* Names a step of a circle of blocks that wait for each other. */
static bool refuse(const char *name, const struct run *run, size_t block, struct err *err)
{
    while (!run->place[block].seen) {
        run->place[block].seen = true;
        block = blocker_of(run, block);
    }
    const struct msccl *msccl = run->msccl;
    const struct msccl_step *other = &msccl->step[run->place[blocker_of(run, block)].step];
    return msccl_wrong(name, msccl, run->place[block].step, err, ERR_ORDER,
                       "waits for ever: for GPU %" PRIu32 ", block %" PRIu32 ", step %" PRIu32
                       ", which waits for it in turn; expected no circle of waits (a connection "
                       "holds %" PRIu32 " chunks)",
                       msccl->block[other->block].gpu, msccl->block[other->block].id, other->number,
                       msccl->depth);
}

bool msccl_order_find(const char *name, const struct msccl *msccl, const struct msccl_links *links,
                      size_t order[], struct err *err)
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
            ends = refuse(name, &run, b, err);
    free(memory);
    return ends;
}
