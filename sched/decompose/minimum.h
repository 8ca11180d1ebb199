/* SPDX-License-Identifier: Apache-2.0 */
/* minimum: decomposes a table of equal sums into as few permutations as can be found in a given
 * time. Finding the fewest is NP-hard (Dufossé and Uçar 2016). */
#ifndef ROUNDCAST_MINIMUM_H
#define ROUNDCAST_MINIMUM_H

#include "sched/decompose/decompose.h"

/* Decomposes table[nodes][nodes], nodes 2 … BEAM_MAX_NODES, exactly: the durations of all settings
 * that connect a pair add up to its entry. Beam searches with random rules alternate with a local
 * search, which removes some permutations from the best decomposition and searches for as few or
 * fewer with the same sum. It ends after `seconds` of CPU time (a search that has begun is
 * completed), or when there are as few permutations as a row or column has entries. Precondition:
 * all rows and columns have the same sum, not 0; `decomposition` is zero or freed. E104. */
bool minimum_search(const uint32_t table[], uint32_t nodes, double seconds, uint64_t seed,
                    struct decomposition *decomposition, struct err *err);

#endif
