/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/msccl_program.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

const char *const msccl_collective_names[MSCCL_CUSTOM + 1] = {
    "allgather", "alltoall", "broadcast",      "gather", "scatter",
    "allreduce", "reduce",   "reduce_scatter", "custom"};

size_t msccl_gathered(const struct msccl *msccl, const struct msccl_gpu *gpu)
{
    uint32_t inputs = gpu->chunks[MSCCL_INPUT];
    return inputs > 0 ? inputs : gpu->chunks[MSCCL_OUTPUT] / msccl->gpus;
}

struct msccl_uses msccl_uses_of(const struct msccl *msccl, size_t step)
{
    const struct msccl_step *at = &msccl->step[step];
    bool sends = at->type == MSCCL_SEND && !msccl_is_second(msccl, step);
    bool local = at->type == MSCCL_COPY || at->type == MSCCL_COMBINE;
    return (struct msccl_uses){.reads_from = sends || local || at->combines,
                               .reads_to = at->type == MSCCL_COMBINE,
                               .writes_to = local || at->type == MSCCL_RECEIVE};
}

size_t msccl_offset_of(const struct msccl_gpu *gpu, size_t chunk, char *buffer)
{
    static const enum msccl_buffer buffers[] = {MSCCL_OUTPUT, MSCCL_INPUT, MSCCL_SCRATCH};
    unsigned which = 0;
    while (which < 2 && (chunk < gpu->first[buffers[which]] ||
                         chunk >= gpu->first[buffers[which]] + gpu->chunks[buffers[which]]))
        which++;
    *buffer = "ois"[which];
    return chunk - gpu->first[buffers[which]];
}

void msccl_free(struct msccl *msccl)
{
    free(msccl->gpu);
    free(msccl->block);
    free(msccl->step);
    *msccl = (struct msccl){0};
}

bool msccl_wrong(const struct msccl *msccl, size_t step, struct err *err, enum err_code code,
                 const char *format, ...)
{
    const struct msccl_step *at = &msccl->step[step];
    const struct msccl_block *block = &msccl->block[at->block];
    char text[300];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return err_set(err, code,
                   "%s:%" PRIu64 ":%" PRIu64 ": GPU %" PRIu32 ", block %" PRIu32 ", step %" PRIu32
                   ": %s",
                   msccl->name, at->line, at->column, block->gpu, block->id, at->number, text);
}
