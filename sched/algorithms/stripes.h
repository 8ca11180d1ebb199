/* SPDX-License-Identifier: Apache-2.0 */
/* stripes: a broadcast of an algorithm for one port, by nodes of k ports.
 *
 *     path, n = 3, m = 3, k = 2     round 1    0→1 1, 2
 *     stripe 0: packets 1, 3        round 2    0→1 3  1→2 1, 2
 *     stripe 1: packet 2            round 3    1→2 3
 *
 * Packet p is of stripe (p - 1) mod k. Each stripe is a broadcast of ⌈m/k⌉ or ⌊m/k⌋ packets by the
 * algorithm, and uses one port of each node. So it takes as long as ⌈m/k⌉ packets do over one port.
 */
#ifndef ROUNDCAST_STRIPES_H
#define ROUNDCAST_STRIPES_H

#include "sched/algorithms/algorithm.h"

/* Returns whether the collective is built of stripes: by an algorithm of broadcasts that does not
 * use several ports itself. */
bool stripes_are_built(const struct algorithm *algorithm, const struct collective *collective);

/* Returns the collective of the largest stripe, or the collective itself if it has no stripes.
 * O(1). */
struct collective stripes_of(const struct algorithm *algorithm,
                             const struct collective *collective);

/* Appends the steps of all stripes, for source 0. Precondition: stripes_are_built, the degree is
 * chosen. Errors of algorithm_build. O(transfers). */
bool stripes_build(const struct algorithm *algorithm, const struct collective *collective,
                   struct schedule *schedule, struct err *err);

#endif
