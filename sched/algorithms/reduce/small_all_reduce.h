/* SPDX-License-Identifier: Apache-2.0 */
/* small_all_reduce: all-reduces of few packets among few nodes, in fewer rounds than any parts of
 * blocks_part.h. A SAT solver found them; they are stored as data. docs/algorithms/optima.md has
 * the table of optima.
 *
 * Source: ours.
 */
#ifndef ROUNDCAST_SMALL_ALL_REDUCE_H
#define ROUNDCAST_SMALL_ALL_REDUCE_H

#include "sched/algorithms/reduce/blocks_part.h"

/* Returns the rounds of the table's all-reduce of m packets among n nodes; 0 if it has none. */
uint64_t small_all_reduce_rounds(uint32_t n, uint32_t m);

/* Appends a part of n nodes and m = `blocks` packets, or fewer, in the rounds after `round`.
 * Precondition: small_all_reduce_rounds is not 0. E104. */
bool small_all_reduce_build(const struct blocks_part *part, uint64_t round,
                            struct schedule *schedule, struct err *err);

#endif
