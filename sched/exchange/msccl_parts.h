/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_parts: the steps by which a GPU executes a send or a receipt of a schedule.
 *
 * A packet that is not combined needs one step. A partial result has these chunks, of which a GPU
 * uses those that it needs:
 *
 *     i       its own contribution, which is not changed
 *     all     its partial result: in the output if the GPU wants it, else in the scratch buffer
 *     got     what it has received, if it sends that, or in an exclusive scan
 *     new     what arrives, until a send of the same round has read the chunk that it changes
 *
 *     first receipt   rrc  i, all            or   r new; cpy got; …
 *     later receipt   rrc  all, all          or   r new; re new, all
 */
#ifndef ROUNDCAST_MSCCL_PARTS_H
#define ROUNDCAST_MSCCL_PARTS_H

#include "sched/exchange/msccl_layout.h"
#include "sched/exchange/operations.h"

#define MSCCL_PARTS 3

struct msccl_part {
    const char *type;
    struct msccl_chunk from, to;
};

/* The steps of an operation, and the operations of the same node for which they wait, each
 * OPERATIONS_NONE if there is none. */
struct msccl_parts {
    unsigned count;
    struct msccl_part part[MSCCL_PARTS];
    size_t first_waits;  /* the operation for which the first step waits */
    size_t second_waits; /* the send for which the second step waits */
};

struct msccl_keeper;

/* Makes the state of the partial results of one node at a time. E104. */
struct msccl_keeper *msccl_keeper_new(const struct msccl_layout *layout,
                                      const struct operations *operations, struct err *err);
void msccl_keeper_free(struct msccl_keeper *keeper);

/* Begins with the first operation of a node. O(operations of the node). */
void msccl_keeper_begin(struct msccl_keeper *keeper, uint32_t node);

/* Finds the steps of the next operation of the node: those of a round in any order, sends before
 * receipts. */
struct msccl_parts msccl_keeper_next(struct msccl_keeper *keeper, size_t operation);

#endif
