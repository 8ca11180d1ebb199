/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/msccl_run.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The steps that happened before a step: the number of such steps in each block of the current GPU.
 * A past with several users is not changed. */
struct past {
    size_t users;
    struct past *next; /* next in the list of free pasts */
    uint32_t ended[];  /* [blocks of the GPU] */
};

/* A step, as seen by the steps that wait for it and by its receipt. */
struct event {
    struct past *past; /* NULL: no step of that GPU */
    uint32_t ended;    /* number of steps of its block that have ended */
    uint32_t users;    /* number of steps that will read it */
    bool whole;        /* `ended` includes the step itself */
};

/* A read of a chunk since the last write. */
struct reading {
    size_t step;
    size_t next; /* one more than the number of the next reading; 0: none */
};

/* The uses of a chunk: one more than the number of the step that last wrote it, and of the latest
 * reading; 0: none. */
struct uses {
    size_t written, read;
};

struct races {
    const struct msccl *msccl;
    const struct msccl_links *links;
    uint32_t gpu, first, blocks; /* the current GPU and its blocks */
    bool alone;                  /* ignore the steps of other GPUs */
    struct past **now;           /* [blocks of all GPUs] */
    struct event *event;         /* [steps] */
    struct uses *uses;           /* [chunks] */
    struct reading *reading;     /* [number of reads of chunks] */
    size_t readings;
    struct past *spare;
};

/* -- the past -----------------------------------------------------------------------------------*/

static void drop(struct races *races, struct past *past)
{
    if (past != NULL && --past->users == 0) {
        past->next = races->spare;
        races->spare = past;
    }
}

static struct past *share(struct past *past)
{
    if (past != NULL)
        past->users++;
    return past;
}

/* Returns the past, or a copy if it has other users, so that the caller can change it. NULL without
 * memory. */
static struct past *own(struct races *races, struct past *past)
{
    if (past != NULL && past->users == 1)
        return past;
    size_t bytes = races->blocks * sizeof past->ended[0];
    struct past *copy = races->spare;
    if (copy != NULL)
        races->spare = copy->next;
    else
        copy = malloc(sizeof *copy + bytes);
    if (copy == NULL)
        return NULL;
    copy->users = 1;
    if (past != NULL)
        memcpy(copy->ended, past->ended, bytes);
    else
        memset(copy->ended, 0, bytes);
    drop(races, past);
    return copy;
}

static void free_spare(struct races *races)
{
    while (races->spare != NULL) {
        struct past *next = races->spare->next;
        free(races->spare);
        races->spare = next;
    }
}

static bool is_own(const struct races *races, size_t block)
{
    return races->msccl->block[block].gpu == races->gpu;
}

/* Adds to a past the steps that happened before an event, and the first `ended` steps of its block.
 * Returns false without memory. */
static bool add(struct races *races, struct past **past, const struct event *event, size_t block,
                uint32_t ended)
{
    bool counts = is_own(races, block) && ended > 0;
    uint32_t index = counts ? (uint32_t)block - races->first : 0;
    if (counts && event->whole && ended == event->ended && *past != NULL &&
        (*past)->ended[index] >= ended)
        return true; /* the past already contains everything that happened before the event */
    bool differs = event->past != NULL && event->past != *past;
    if (!counts && !differs)
        return true;
    if (!counts && *past == NULL) {
        *past = share(event->past);
        return true;
    }
    struct past *mine = own(races, *past);
    if (mine == NULL)
        return false;
    *past = mine;
    for (uint32_t b = 0; differs && b < races->blocks; b++)
        mine->ended[b] = MAX(mine->ended[b], event->past->ended[b]);
    if (counts)
        mine->ended[index] = MAX(mine->ended[index], ended);
    return true;
}

/* -- uses of chunks -----------------------------------------------------------------------------*/

/* A use of a chunk by a step. */
struct use {
    size_t step;
    bool writes;
};

/* Rejects a use that neither happens before nor after an earlier one. Returns false. */
static bool refuse(const struct races *races, struct use now, struct use earlier, size_t chunk,
                   struct err *err)
{
    const struct msccl *msccl = races->msccl;
    const struct msccl_step *before = &msccl->step[earlier.step];
    char buffer;
    size_t offset = msccl_offset_of(&msccl->gpu[races->gpu], chunk, &buffer);
    return msccl_wrong(msccl, now.step, err, ERR_ORDER,
                       "%s chunk %zu of buffer %c, and block %" PRIu32 ", step %" PRIu32
                       " %s it: they race; expected one to wait for the other (depid, deps, "
                       "hasdep)",
                       now.writes ? "writes" : "reads", offset, buffer,
                       msccl->block[before->block].id, before->number,
                       earlier.writes ? "writes" : "reads");
}

static bool is_before(const struct races *races, size_t other, size_t step, const struct past *past)
{
    const struct msccl *msccl = races->msccl;
    uint32_t block = msccl->step[other].block;
    if (block == msccl->step[step].block)
        return true;
    return past != NULL &&
           past->ended[block - races->first] > (uint32_t)(other - msccl->block[block].first);
}

static bool read_chunk(struct races *races, size_t step, size_t chunk, const struct past *past,
                       struct err *err)
{
    struct uses *uses = &races->uses[chunk];
    if (uses->written > 0 && !is_before(races, uses->written - 1, step, past))
        return refuse(races, (struct use){step, false}, (struct use){uses->written - 1, true},
                      chunk, err);
    races->reading[races->readings++] = (struct reading){step, uses->read};
    uses->read = races->readings;
    return true;
}

static bool write_chunk(struct races *races, size_t step, size_t chunk, const struct past *past,
                        struct err *err)
{
    struct uses *uses = &races->uses[chunk];
    if (uses->written > 0 && !is_before(races, uses->written - 1, step, past))
        return refuse(races, (struct use){step, true}, (struct use){uses->written - 1, true}, chunk,
                      err);
    for (size_t k = uses->read; k > 0; k = races->reading[k - 1].next)
        if (!is_before(races, races->reading[k - 1].step, step, past))
            return refuse(races, (struct use){step, true},
                          (struct use){races->reading[k - 1].step, false}, chunk, err);
    *uses = (struct uses){.written = step + 1};
    return true;
}

/* Records the chunks that a step uses. */
static bool use_chunks(struct races *races, size_t step, const struct past *past, struct err *err)
{
    const struct msccl_step *move = &races->msccl->step[step];
    const struct msccl_uses uses = msccl_uses_of(races->msccl, step);
    size_t apart = MAX(move->from, move->to) - MIN(move->from, move->to);
    bool right = true;
    if (uses.reads_from && uses.writes_to && apart > 0 && apart < move->count)
        return msccl_wrong(races->msccl, step, err, ERR_ORDER,
                           "%s %" PRIu32 " chunks to %zu chunks from there: its reads and writes "
                           "race; expected chunks that do not overlap",
                           move->type == MSCCL_COPY ? "copies" : "combines", move->count, apart);
    for (uint32_t k = 0; right && uses.reads_from && k < move->count; k++)
        right = read_chunk(races, step, move->from + k, past, err);
    for (uint32_t k = 0; right && uses.reads_to && k < move->count; k++)
        right = read_chunk(races, step, move->to + k, past, err);
    for (uint32_t k = 0; right && uses.writes_to && k < move->count; k++)
        right = write_chunk(races, step, move->to + k, past, err);
    return right;
}

/* Clears the uses of the chunks of a step. */
static void forget(struct races *races, size_t step)
{
    const struct msccl_step *move = &races->msccl->step[step];
    const struct msccl_uses uses = msccl_uses_of(races->msccl, step);
    for (uint32_t k = 0; k < move->count && is_own(races, move->block); k++) {
        if (uses.reads_from)
            races->uses[move->from + k] = (struct uses){0};
        if (uses.writes_to)
            races->uses[move->to + k] = (struct uses){0};
    }
}

/* -- steps in order -----------------------------------------------------------------------------*/

/* Counts a use of an event, and releases its past after the last use. */
static void pass(struct races *races, size_t step)
{
    if (races->event[step].users > 0 && --races->event[step].users == 0) {
        drop(races, races->event[step].past);
        races->event[step].past = NULL;
    }
}

static bool wait_for(struct races *races, size_t step, struct past **past)
{
    size_t other = races->links->waits[step];
    if (other == MSCCL_NO_STEP)
        return true;
    bool added = add(races, past, &races->event[other], races->msccl->step[other].block,
                     races->event[other].ended);
    pass(races, other);
    return added;
}

static uint32_t place_of(const struct races *races, size_t step)
{
    const struct msccl *msccl = races->msccl;
    return (uint32_t)(step - msccl->block[msccl->step[step].block].first);
}

/* Returns whether a step forwards several chunks that it receives. Its first half then has an event
 * of its own, which precedes the receipt of its send. */
static bool is_in_parts(const struct races *races, size_t second)
{
    return msccl_is_second(races->msccl, second) && races->msccl->step[second].count > 1;
}

static bool is_first_of_parts(const struct races *races, size_t step)
{
    const struct msccl *msccl = races->msccl;
    return step + 1 < msccl->block[msccl->step[step].block].end && is_in_parts(races, step + 1);
}

/* Records the event of a step that forwards several chunks. It begins to send before it has
 * received all chunks, so only the steps before it, and before the send to it, happen before its
 * receipt. */
static bool note_parts(struct races *races, size_t step, const struct event *event, size_t block)
{
    struct past *past = share(races->now[races->msccl->step[step].block]);
    bool added = add(races, &past, event, block, event->ended - event->whole);
    races->event[step] = (struct event){past, place_of(races, step), 1, false};
    return added;
}

static bool receive(struct races *races, size_t step, struct past **past)
{
    const struct msccl *msccl = races->msccl;
    size_t send = races->links->partner[step], block = msccl->step[send].block;
    size_t seen = is_in_parts(races, send) ? send - 1 : send;
    const struct event *event = &races->event[seen];
    if (is_first_of_parts(races, step) && !note_parts(races, step, event, block))
        return false;
    bool added = add(races, past, event, block, event->ended);
    pass(races, seen);
    return added;
}

static bool look_at_step(struct races *races, size_t step, struct err *err)
{
    size_t block = races->msccl->step[step].block;
    bool receives = races->msccl->step[step].type == MSCCL_RECEIVE && !races->alone;
    struct past **now = &races->now[block];
    struct event *event = &races->event[step];
    if (!wait_for(races, step, now) || (receives && !receive(races, step, now)))
        return err_no_memory(err, "what happens before %zu steps", races->msccl->step_count);
    if (is_own(races, block) && !use_chunks(races, step, *now, err))
        return false;
    if (event->users > 0 && !is_first_of_parts(races, step))
        *event = (struct event){share(*now), place_of(races, step) + 1, event->users, true};
    return true;
}

/* Checks steps for races on the current GPU, in an order in which they can run. */
static bool look_at(struct races *races, const size_t order[], size_t count, struct err *err)
{
    const struct msccl *msccl = races->msccl;
    bool right = true;
    races->readings = 0;
    for (size_t k = 0; k < count; k++) {
        bool sends = msccl->step[order[k]].type == MSCCL_SEND && !races->alone;
        races->event[order[k]] = (struct event){.users = sends && !is_in_parts(races, order[k])};
        forget(races, order[k]);
    }
    for (size_t k = 0; k < count; k++)
        if (races->links->waits[order[k]] != MSCCL_NO_STEP)
            races->event[races->links->waits[order[k]]].users++;
    for (size_t k = 0; right && k < count; k++)
        right = look_at_step(races, order[k], err);
    for (size_t k = 0; k < count; k++) {
        struct past **now = &races->now[msccl->step[order[k]].block];
        drop(races, races->event[order[k]].past);
        drop(races, *now);
        *now = NULL;
    }
    free_spare(races);
    return right;
}

/* Checks a GPU for races. Its own steps are checked first; if they race, steps of other GPUs may
 * order them, so that all steps are checked. */
static bool look_at_gpu(struct races *races, uint32_t gpu, const size_t own[], size_t own_count,
                        const size_t order[], struct err *err)
{
    struct err alone = {0};
    races->gpu = gpu;
    races->first = races->msccl->gpu[gpu].first_block;
    races->blocks = races->msccl->gpu[gpu].blocks;
    races->alone = true;
    if (look_at(races, own, own_count, &alone))
        return true;
    races->alone = false;
    return look_at(races, order, races->msccl->step_count, err);
}

/* Sorts the steps by GPU, stably: the first step of GPU g is sorted[end[g + 1]]. */
static void sort_by_gpu(const struct msccl *msccl, const size_t order[], size_t end[],
                        size_t sorted[])
{
    for (size_t k = 0; k < msccl->step_count; k++)
        end[msccl->block[msccl->step[k].block].gpu + 1]++;
    for (uint32_t gpu = 0; gpu < msccl->gpus; gpu++)
        end[gpu + 1] += end[gpu];
    for (size_t k = msccl->step_count; k-- > 0;)
        sorted[--end[msccl->block[msccl->step[order[k]].block].gpu + 1]] = order[k];
}

bool msccl_races_none(const struct msccl *msccl, const struct msccl_links *links,
                      const size_t order[], struct err *err)
{
    struct races races = {.msccl = msccl, .links = links};
    size_t *end, *sorted, reads = 1;
    for (size_t k = 0; k < msccl->step_count; k++) {
        const struct msccl_uses uses = msccl_uses_of(msccl, k);
        reads += msccl->step[k].count * ((size_t)uses.reads_from + uses.reads_to);
    }
    const struct arena_array arrays[] = {ARENA(races.now, msccl->block_count + 1),
                                         ARENA(races.event, msccl->step_count + 1),
                                         ARENA(races.uses, msccl->chunks + msccl->passing + 1),
                                         ARENA(races.reading, reads),
                                         ARENA(sorted, msccl->step_count + 1),
                                         ARENA(end, msccl->gpus + (size_t)2)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (memory == NULL)
        return err_no_memory(err, "the uses of %zu chunks", msccl->chunks);
    sort_by_gpu(msccl, order, end, sorted);
    bool right = true;
    for (uint32_t gpu = 0; right && gpu < msccl->gpus; gpu++) {
        size_t first = end[gpu + 1];
        size_t next = gpu + 1 < msccl->gpus ? end[gpu + 2] : msccl->step_count;
        right = look_at_gpu(&races, gpu, sorted + first, next - first, order, err);
    }
    free(memory);
    return right;
}
