/* SPDX-License-Identifier: Apache-2.0 */
/* cube_overlap: packets climb to the roots of d edge-disjoint trees, and the roots forward them at
 * once, or as soon as they detect the end of their gather.
 *
 * An arc of a tree is, in the opposite direction, an arc of another tree's climb. In each round
 * either the gather or the spread uses the arc, by the rule below, and the other phase waits.
 * Except with `detected`, no node is informed of the end. N is the largest number of packets of a
 * tree:
 *
 *     gather first   at most 2N + 2d - 2 rounds: the gather ends as if it were alone, after N + d -
 *                    1, and from then on each tree is a pipeline of at most N packets
 *     spread first   the paper's rule; may take somewhat longer
 *     detected       gather first, and a root forwards nothing before it has detected the end of
 *                    its gather (cube_ends.h). After all its packets it sends a last packet. At
 *                    most 2N + 2d rounds: the gather with its ends takes N + d, and from then on
 *                    each tree is a pipeline of at most N + 1 packets.
 *
 * Stamoulis and Tsitsiklis, "An efficient algorithm for multiple simultaneous broadcasts in the
 * hypercube", section 3.2, the end; the bounds are ours.
 */
#ifndef ROUNDCAST_CUBE_OVERLAP_H
#define ROUNDCAST_CUBE_OVERLAP_H

#include "sched/algorithms/cube/cube_variant.h"
#include "sched/base/rng.h"
#include "sched/schedule/schedule.h"

/* Appends the steps after round `after`, for the packets of simultaneous broadcasts; `rng` as in
 * cube_climb_init. With CUBE_DETECTED it also adds the control packets. E102, E104. Precondition:
 * `kind` is not CUBE_APART. O(rounds · (d 2^d + K log K)). */
bool cube_overlap_build(const struct collective *collective, struct rng *rng,
                        enum cube_overlap kind, uint64_t after, struct schedule *schedule,
                        struct err *err);

#endif
