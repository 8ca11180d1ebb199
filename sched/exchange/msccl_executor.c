/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/msccl_executor.h"

const struct msccl_executor msccl_executors[EXCHANGE_EXECUTORS] = {
    {.name = "msccl",
     .steps = 256,
     .blocks = 216,
     .waited = 128,
     .elements = 4096,
     .offset = INT16_MAX,
     .has_custom = true,
     .reduce_scatter = "reduce_scatter"},
    {.name = "msccl-executor-nccl",
     .steps = 256,
     .blocks = 1024,
     .waited = 128,
     .elements = 4096,
     .offset = INT16_MAX,
     .has_rooted = true,
     .reduce_scatter = "reducescatter"},
    {.name = "rccl",
     .steps = 64,
     .blocks = 64,
     .waited = 128,
     .elements = 4096,
     .offset = INT16_MAX,
     .has_rooted = true,
     .reduce_scatter = "reducescatter"},
};

const struct msccl_executor msccl_any_executor = {.name = "the format",
                                                  .steps = MSCCL_STEPS,
                                                  .blocks = MSCCL_BLOCKS,
                                                  .waited = MSCCL_BLOCKS,
                                                  .elements = UINT32_MAX,
                                                  .offset = UINT32_MAX,
                                                  .has_rooted = true,
                                                  .has_custom = true,
                                                  .reduce_scatter = "reduce_scatter"};

const char *msccl_executor_collective(const struct msccl_executor *executor,
                                      enum msccl_collective collective)
{
    return collective == MSCCL_REDUCE_SCATTER ? executor->reduce_scatter
                                              : msccl_collective_names[collective];
}

const char *msccl_executor_name(unsigned which)
{
    return which < EXCHANGE_EXECUTORS ? msccl_executors[which].name : NULL;
}

bool msccl_executor_has(const struct msccl_executor *executor, enum msccl_collective collective)
{
    if (collective == MSCCL_CUSTOM)
        return executor->has_custom;
    return executor->has_rooted || (collective != MSCCL_GATHER && collective != MSCCL_SCATTER);
}
