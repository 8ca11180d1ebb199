/* SPDX-License-Identifier: Apache-2.0 */
/* matching_odd: matching for odd n in the telephone model, where in every round one node has no
 * partner.
 *
 * The algorithm of matching.c for even E = n - 1 assigns roles to E - 1 nodes besides the source,
 * which leaves one node without a role. The roles rotate as follows: r, which receives M_t from the
 * source, needs no packet for that and sends none. So the node that idled in round t - 1 is r in
 * round t, and a member of T_{k-1} idles in round t instead of becoming r: the cycle of the sets
 * has one more station.
 *
 *     source ─M_t─► r     T_0 ─► T_1 ─► … ─► T_{k-1} ─► idle ─► r = the next T_0
 *
 * No send is lost, but each packet is missed by one node: the node that idled when it should have
 * received M_{t-k-1} (M_{t-k} for ℓ = 0). n = 5, E = 4, k = 2, the initial roles and round t:
 *
 *     T_0  T_1  idle
 *      1   2 3   4         0→4: M_t   1→3: M_{t-1}   3→1: M_{t-2}   2 idles
 *      4   1 3   2         the roles of round t+1
 *
 * Any node of T_{k-1} may idle: matching_odd_run.h lists the choices. Once the source has sent all
 * packets it may rest: r and the node that would idle exchange packets. After m - 1 + ⌈log2 E⌉ main
 * rounds, final rounds repair the misses. Several choices are tried, until one ends at bound_end
 * or, for later choices, within one round of it.
 *
 * Bar-Noy, Kipnis and Schieber, section 5, only sketch an algorithm that ends within
 * (m-1) + ⌈log2 n⌉ + m/(n-1) + O(1); the construction is our own.
 */
#ifndef ROUNDCAST_MATCHING_ODD_H
#define ROUNDCAST_MATCHING_ODD_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* The hooks of algorithm.h, for odd n ≥ 3. Exactly m - 1 + k + ⌈m / (n-1)⌉ rounds for n = 2^k + 1,
 * and ⌈log2 n⌉ for m = 1 (the binomial tree); docs/algorithms/complete.md lists the measured rounds
 * for other n. The end is known by closed form or by running the choices without building, if that
 * takes less than about half a second; otherwise it is ALGORITHM_UNKNOWN. A build performs
 * one run (matching_odd_run.h) for each choice that is tried, mostly 20 or fewer, and one more run
 * if the first choice is not the best. Choices that would exchange no nodes are not tried. */
uint64_t matching_odd_end(const struct collective *collective);
bool matching_odd_build(const struct collective *collective, struct schedule *schedule,
                        struct err *err);

#endif
