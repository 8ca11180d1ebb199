/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_executor: runtimes that execute XML of MSCCL, and their limits.
 *
 * Sources of the limits: microsoft/msccl src/include/msccl.h and src/graph/topo.cc;
 * Azure/msccl-executor-nccl and ROCm/rccl src/include/msccl/msccl_struct.h and
 * src/misc/msccl/msccl_parser.cc. */
#ifndef ROUNDCAST_MSCCL_EXECUTOR_H
#define ROUNDCAST_MSCCL_EXECUTOR_H

#include "sched/exchange/exchange.h"
#include "sched/exchange/msccl_program.h"

struct msccl_executor {
    const char *name;
    uint32_t steps;  /* steps of a block */
    uint32_t blocks; /* blocks of a GPU */
    uint32_t waited; /* a step can wait for blocks 0 … waited - 1 */
    /* elements of a file that are kept: the algorithm, all GPUs, and the blocks and steps of one
     * GPU */
    uint32_t elements;
    uint32_t offset; /* maximum offset of a chunk in its buffer */
    bool has_rooted; /* supports gather and scatter */
    bool has_custom;
    const char *reduce_scatter; /* its name of the collective */
};

extern const struct msccl_executor msccl_executors[EXCHANGE_EXECUTORS];

/* The limits without an executor: those of the format and of `import`. */
extern const struct msccl_executor msccl_any_executor;

/* Returns the name of an executor; NULL if which ≥ EXCHANGE_EXECUTORS. */
const char *msccl_executor_name(unsigned which);

/* Returns the name by which the executor knows a collective. */
const char *msccl_executor_collective(const struct msccl_executor *executor,
                                      enum msccl_collective collective);

/* Returns whether the executor supports a collective. */
bool msccl_executor_has(const struct msccl_executor *executor, enum msccl_collective collective);

#endif
