/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/mscclpp_races.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint32_t *clock_of(const struct mscclpp_races *races, size_t thread)
{
    return races->clock + thread * races->plan->threads;
}

bool mscclpp_races_begin(const struct mscclpp *plan, struct mscclpp_races *races, struct err *err)
{
    size_t chunks = plan->msccl.chunks + 1;
    *races = (struct mscclpp_races){.plan = plan};
    const struct arena_array arrays[] = {ARENA(races->clock, plan->threads * plan->threads + 1),
                                         ARENA(races->written, chunks), ARENA(races->read, chunks),
                                         ARENA(races->reading, plan->moved + 1)};
    races->memory = arena_new(arrays, ARENA_COUNT(arrays));
    return races->memory != NULL || err_no_memory(err, "the clocks of %zu threads", plan->threads);
}

void mscclpp_races_free(struct mscclpp_races *races)
{
    free(races->memory);
    *races = (struct mscclpp_races){0};
}

struct mscclpp_use mscclpp_races_next(struct mscclpp_races *races, size_t thread, size_t event)
{
    return (struct mscclpp_use){
        .event = event + 1, .thread = (uint32_t)thread, .time = ++clock_of(races, thread)[thread]};
}

uint32_t *mscclpp_races_clock(const struct mscclpp_races *races, size_t thread)
{
    size_t bytes = races->plan->threads * sizeof *races->clock;
    uint32_t *copy = malloc(bytes);
    if (copy != NULL)
        memcpy(copy, clock_of(races, thread), bytes);
    return copy;
}

void mscclpp_races_join(struct mscclpp_races *races, size_t thread, const uint32_t clock[])
{
    uint32_t *own = clock_of(races, thread);
    for (size_t k = 0; clock != NULL && k < races->plan->threads; k++)
        own[k] = MAX(own[k], clock[k]);
}

/* Rejects a use that neither happens before nor after an earlier one. Returns false. */
static bool refuse(const struct mscclpp_races *races, const struct mscclpp_use *now,
                   const struct mscclpp_use *earlier, size_t chunk, struct err *err)
{
    const struct msccl *msccl = &races->plan->msccl;
    const struct msccl_step *before = &msccl->step[races->plan->event[earlier->event - 1].step];
    const struct msccl_block *block = &msccl->block[before->block];
    uint32_t id = 0;
    char buffer = 'i';
    while (id + 1 < msccl->gpus &&
           chunk >= msccl->gpu[id].first[MSCCL_SCRATCH] + msccl->gpu[id].chunks[MSCCL_SCRATCH])
        id++;
    size_t offset = msccl_offset_of(&msccl->gpu[id], chunk, &buffer);
    return msccl_wrong(msccl, races->plan->event[now->event - 1].step, err, ERR_ORDER,
                       "%s chunk %zu of buffer %c of GPU %" PRIu32 ", and GPU %" PRIu32
                       ", block %" PRIu32 ", step %" PRIu32
                       " %s it: they race; expected a signal, a barrier or a flush between them",
                       now->writes ? "writes" : "reads", offset, buffer, id, block->gpu, block->id,
                       before->number, earlier->writes ? "writes" : "reads");
}

static bool is_before(const struct mscclpp_races *races, const struct mscclpp_use *earlier,
                      uint32_t thread)
{
    return earlier->event == 0 || clock_of(races, thread)[earlier->thread] >= earlier->time;
}

bool mscclpp_races_use(struct mscclpp_races *races, const struct mscclpp_use *use, size_t chunk,
                       struct err *err)
{
    if (!is_before(races, &races->written[chunk], use->thread))
        return refuse(races, use, &races->written[chunk], chunk, err);
    if (!use->writes) {
        races->reading[races->readings++] = (struct mscclpp_reading){*use, races->read[chunk]};
        races->read[chunk] = races->readings;
        return true;
    }
    for (size_t k = races->read[chunk]; k > 0; k = races->reading[k - 1].next)
        if (!is_before(races, &races->reading[k - 1].use, use->thread))
            return refuse(races, use, &races->reading[k - 1].use, chunk, err);
    races->written[chunk] = *use;
    races->read[chunk] = 0;
    return true;
}
