/* SPDX-License-Identifier: Apache-2.0 */
/* minimum: a table of equal sums as few permutations as can be found in a given time. To find the
 * fewest is NP-hard (Dufossé and Uçar 2016). */
#ifndef ROUNDCAST_MINIMUM_H
#define ROUNDCAST_MINIMUM_H

#include "sched/decompose/decompose.h"

/* Decompose table[nodes][nodes], nodes 2 … BEAM_MAX_NODES, exactly: the durations of all settings
 * that connect a pair add up to its entry. Beam searches by rules that are drawn take turns with a
 * local search, which takes some permutations out of the best decomposition and looks for as few or
 * fewer that do the same. It ends after so many seconds of CPU (a search that has begun is ended),
 * or when there are as few as a row or column has entries. Precondition: all rows and columns have
 * the same sum, not 0. `decomposition` must be zero or freed. E104. */
bool minimum_search(const uint32_t table[], uint32_t nodes, double seconds, uint64_t seed,
                    struct decomposition *decomposition, struct err *err);

#endif
