/* SPDX-License-Identifier: Apache-2.0 */
/* furthest_first: the timetable of the scatter in a tree, forwards and backwards.
 *
 * Leaf 0 sends a packet to each other leaf, the furthest first: leaf p's in step n - p. No packet
 * waits: it crosses its hop number i in step n - p + i - 1. All packets take equally long from leaf
 * 0 to a node, so two of them are never at one node together. (From another source, packet p goes
 * to where topology_move takes leaf p.) k = 2, 3, each packet's node after the step:
 *
 *     step      1     2     3     4     5     6     7
 *     packet 5  1:0   2:0   1:2   5
 *     packet 4        1:0   2:0   1:2   4
 *     packet 3              1:0   2:0   1:1   3
 *     packet 2                    1:0   2:0   1:1   2
 *     packet 1                          1:0   1
 *
 * The packets of leaves that meet leaf 0 at level i (i, but not i - 1) end with step n - N_{i-1} +
 * 2i - 1; the last of all with n, or n + 1 if k_1 = 2 and h ≥ 2. Backwards in time it is a gather,
 * in which each leaf waits for its step and no router has a queue.
 *
 * Dimakopoulos and Dimopoulos, "Leaf Communications in Complete Trees", section 2.2, Theorem 2.
 * (T_i is not decreasing there, only non-increasing: for k = 2 both T_2 and T_3 are n + 1. k_1
 * alone counts.)
 */
#ifndef ROUNDCAST_FURTHEST_FIRST_H
#define ROUNDCAST_FURTHEST_FIRST_H

#include "sched/algorithms/algorithm.h"

/* Returns the last step of the scatter and of all gathers: n, or n + 1 if k_1 = 2 and h ≥ 2.
 * Optimal. */
uint64_t furthest_first_end(const struct topology *tree);

/* Number of hops of all packets between the source and the other leaves. */
uint64_t furthest_first_hops(const struct topology *tree);

/* Appends the scatter, or the gather. O(transfers). E104. */
bool furthest_first_build(const struct collective *collective, bool gather,
                          struct schedule *schedule, struct err *err);

#endif
