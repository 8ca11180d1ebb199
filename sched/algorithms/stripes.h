/* SPDX-License-Identifier: Apache-2.0 */
/* stripes: broadcasts over k ports of each node, by an algorithm that uses one port.
 *
 *     path, n = 3, m = 3, k = 2     round 1    0→1 1, 2
 *     stripe 0: packets 1, 3        round 2    0→1 3  1→2 1, 2
 *     stripe 1: packet 2            round 3    1→2 3
 *
 * Packet p belongs to stripe (p - 1) mod k. Each stripe is a broadcast of ⌈m/k⌉ or ⌊m/k⌋ packets by
 * the algorithm, and uses one port of each node. So the schedule takes as long as ⌈m/k⌉ packets
 * over one port.
 */
#ifndef ROUNDCAST_STRIPES_H
#define ROUNDCAST_STRIPES_H

#include "sched/algorithms/algorithm.h"

/* Returns whether the collective is built of stripes: several ports are given, and the algorithm
 * broadcasts in a complete graph and does not use several ports itself. */
bool stripes_are_built(const struct algorithm *algorithm, const struct collective *collective);

/* Returns the collective of the largest stripe, or a copy of the collective if it has no stripes.
 * O(1). */
struct collective stripes_of(const struct algorithm *algorithm,
                             const struct collective *collective);

/* Appends the steps of all stripes, for source 0. Preconditions: stripes_are_built, and the degree
 * is chosen. Errors as algorithm_build. O(transfers). */
bool stripes_build(const struct algorithm *algorithm, const struct collective *collective,
                   struct schedule *schedule, struct err *err);

#endif
