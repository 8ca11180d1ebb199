/* SPDX-License-Identifier: Apache-2.0 */
/* bound_rows: sets of models and collectives, for the tables of bounds. */
#ifndef ROUNDCAST_BOUND_ROWS_H
#define ROUNDCAST_BOUND_ROWS_H

#include "sched/bound/bound.h"

#define SINGLE_PORT (1u << MODEL_SINGLE_PORT)
#define MULTIPORT (1u << MODEL_MULTIPORT)
#define ALL_PORT (1u << MODEL_ALL_PORT)
#define BROADCAST (1u << COLLECTIVE_BROADCAST)
#define SCATTER (1u << COLLECTIVE_SCATTER)
#define GATHER (1u << COLLECTIVE_GATHER)
#define ALL_GATHER (1u << COLLECTIVE_ALL_GATHER)
#define TOTAL_EXCHANGE (1u << COLLECTIVE_TOTAL_EXCHANGE)
#define TRAFFIC (1u << COLLECTIVE_TRAFFIC)
#define DEMANDS (1u << COLLECTIVE_DEMANDS)
#define REDUCE (1u << COLLECTIVE_REDUCE)
#define REDUCE_SCATTER (1u << COLLECTIVE_REDUCE_SCATTER)
#define ALL_REDUCE (1u << COLLECTIVE_ALL_REDUCE)
#define SCAN (1u << COLLECTIVE_SCAN | 1u << COLLECTIVE_EXCLUSIVE_SCAN)
#define TO_ALL (BROADCAST | ALL_GATHER | 1u << COLLECTIVE_SIMULTANEOUS)
/* A reduction to one node is a broadcast in reverse. Its bounds are those of a broadcast in every
 * model whose rules are the same in reverse. An all-reduce and a scan contain a reduction to one
 * node. */
#define REDUCTIONS (REDUCE | ALL_REDUCE | SCAN)
#define ROUND_MODELS (1u << MODEL_SEND_RECEIVE | 1u << MODEL_TELEPHONE | 1u << MODEL_TELEGRAPH)

/* Returns the larger number. It is a function, so that each argument is computed only once. */
static inline uint64_t bound_larger(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

#endif
