/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_executor: runtimes that execute XML of MSCCL, and what each of them has room for.
 *
 * Read in their public sources: microsoft/msccl src/include/msccl.h and src/graph/topo.cc;
 * Azure/msccl-executor-nccl and ROCm/rccl src/include/msccl/msccl_struct.h and
 * src/misc/msccl/msccl_parser.cc.
 */
#ifndef ROUNDCAST_MSCCL_EXECUTOR_H
#define ROUNDCAST_MSCCL_EXECUTOR_H

#include "sched/exchange/exchange.h"
#include "sched/exchange/msccl_program.h"

struct msccl_executor {
    const char *name;
    uint32_t steps;  /* of a block */
    uint32_t blocks; /* of a GPU */
    uint32_t waited; /* numbers of blocks that a step can wait for: 0 … waited - 1 */
    /* that are kept of a file: the algorithm, all GPUs, blocks and steps of one */
    uint32_t elements;
    uint32_t offset; /* of a chunk in its buffer, at most */
    bool has_rooted; /* gather and scatter */
    bool has_custom;
};

extern const struct msccl_executor msccl_executors[EXCHANGE_EXECUTORS];

/* The limits without an executor: everything that a file can express and `import` reads. */
extern const struct msccl_executor msccl_any_executor;

/* Returns the name of an executor; NULL from EXCHANGE_EXECUTORS on. */
const char *msccl_executor_name(unsigned which);

/* Returns whether the executor knows a collective by its name. */
bool msccl_executor_has(const struct msccl_executor *executor, enum msccl_collective collective);

#endif
