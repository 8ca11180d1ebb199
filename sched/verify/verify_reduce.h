/* SPDX-License-Identifier: Apache-2.0 */
/* verify_reduce: checks that each contribution is counted once in each result that a reduction
 * wants.
 *
 * A node has two components of a combined packet: its own contribution, and what it has received.
 * The partial result that it sends is the combination of both. The contribution of node c is
 * counted in the result at node d as often as there are paths from c to d along transfers in order
 * of time. Going back from d counts them for all contributors:
 *
 *     1 2 7    round 1                 back from node 0:   w(0) = 1
 *     3 2 7    round 2                 round 3             w(2) = w(0) = 1
 *     2 0 7    round 3                 rounds 2 and 1      w(3) = w(1) = w(2) = 1
 *
 * The weights are exact and saturate at 2. 64 destinations are counted at once, a bit each in two
 * words, and destinations that hold the same copy of a result are counted once. */
#ifndef ROUNDCAST_VERIFY_REDUCE_H
#define ROUNDCAST_VERIFY_REDUCE_H

#include "sched/verify/verifier.h"

/* Returns whether the node contributes to the combined packets of a demand. O(log contributors). */
bool verify_contributes(const struct schedule *schedule, const struct demand *demand,
                        uint32_t node);

/* Checks all reductions of a schedule. Counts a breach for each wrong triple of packet, destination
 * and contributor (E310, E311), and for each transfer that combines out of order (E312). With
 * `idempotent` a contribution may be counted several times, unless the reduction is ordered.
 * Returns false with E104. O(transfers · ⌈different results of a packet / 64⌉ + nodes), memory
 * O(transfers + nodes). */
bool verify_reductions(struct verifier *v, bool idempotent);

#endif
