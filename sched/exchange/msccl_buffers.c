/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/msccl_buffers.h"

#include "sched/base/compare.h"

#include <inttypes.h>

size_t msccl_gathered(const struct msccl *msccl, const struct msccl_gpu *gpu)
{
    uint32_t inputs = gpu->chunks[MSCCL_INPUT];
    return inputs > 0 ? inputs : gpu->chunks[MSCCL_OUTPUT] / msccl->gpus;
}

/* Where the buffers of a GPU lie. In place, its input is a part of its output, or, of what is
 * scattered, its output a part of its input. */
static bool place_buffers(const struct xml *xml, struct msccl *msccl, uint32_t id, struct err *err)
{
    struct msccl_gpu *gpu = &msccl->gpu[id];
    size_t inputs = gpu->chunks[MSCCL_INPUT], outputs = gpu->chunks[MSCCL_OUTPUT];
    size_t input = outputs, output = 0; /* out of place, one lies after the other */
    if (msccl->in_place)
        input = 0;
    if (msccl->in_place && outputs > 0 &&
        (msccl->collective == MSCCL_ALL_GATHER || msccl->collective == MSCCL_GATHER))
        input = id * msccl_gathered(msccl, gpu);
    if (msccl->in_place && inputs > 0 && msccl->collective == MSCCL_SCATTER)
        output = id * outputs;
    gpu->first[MSCCL_OUTPUT] = msccl->chunks + output;
    gpu->first[MSCCL_INPUT] = msccl->chunks + input;
    gpu->first[MSCCL_SCRATCH] = msccl->chunks + MAX(input + inputs, output + outputs);
    msccl->chunks = gpu->first[MSCCL_SCRATCH] + gpu->chunks[MSCCL_SCRATCH];
    return msccl->chunks <= MSCCL_CHUNKS ||
           xml_wrong(xml, err, ERR_TOO_BIG,
                     "more than %" PRIu32 " chunks of all GPUs; expected fewer", MSCCL_CHUNKS);
}

/* nchunksperloop counts the chunks of a whole collective: those of each buffer that is not a part
 * of one GPU alone. Of what is gathered or scattered, it counts that part. */
static bool check_per_loop(const struct xml *xml, const struct msccl *msccl,
                           const struct msccl_gpu *gpu, struct err *err)
{
    static const char *const names[] = {"i_chunks", "o_chunks"};
    enum msccl_collective collective = msccl->collective;
    int64_t n = msccl->gpus, loop = msccl->per_loop;
    int64_t of_buffer[] = {loop, loop};
    if (collective == MSCCL_ALL_GATHER)
        of_buffer[MSCCL_INPUT] = loop / n;
    if (collective == MSCCL_GATHER)
        of_buffer[MSCCL_OUTPUT] = loop * n;
    if (collective == MSCCL_SCATTER)
        of_buffer[MSCCL_INPUT] = loop * n;
    for (unsigned which = 0; which < 2; which++) {
        int64_t chunks = gpu->chunks[which];
        bool right =
            collective == MSCCL_CUSTOM ? chunks <= loop : chunks == 0 || chunks == of_buffer[which];
        if (loop >= 0 && !right)
            return xml_wrong(xml, err, ERR_FIELD_RANGE,
                             "%s=\"%" PRIi64 "\"; expected %s%" PRIi64
                             ", as nchunksperloop=\"%" PRIi64 "\" and coll=\"%s\" say",
                             names[which], chunks,
                             collective == MSCCL_CUSTOM ? "at most " : "0 or ", of_buffer[which],
                             loop, msccl_collective_names[collective]);
    }
    return true;
}

bool msccl_buffers_place(const struct xml *xml, struct msccl *msccl, uint32_t id, struct err *err)
{
    return check_per_loop(xml, msccl, &msccl->gpu[id], err) && place_buffers(xml, msccl, id, err);
}
