/* SPDX-License-Identifier: Apache-2.0 */
/* matching_odd: matching for odd n in the telephone model, where one node of n has no partner in
 * any round.
 *
 * The algorithm of matching.c for even E = n - 1 gives roles to E - 1 nodes besides the source: one
 * node more than roles. The roles rotate as follows: r, which gets M_t from the source, needs no
 * packet for that and sends none. So the node that idled in round t - 1 is r in round t, and a
 * member of T_{k-1} idles in round t instead of being r: the cycle of the sets has one station
 * more.
 *
 *     source ─M_t─► r     T_0 ─► T_1 ─► … ─► T_{k-1} ─► idle ─► r = the next T_0
 *
 * No send is lost, but each packet is missed by one node: the node that idled when it should have
 * got M_{t-k-1} (M_{t-k} for ℓ = 0). n = 5, E = 4, k = 2, the roles as they start and round t:
 *
 *     T_0  T_1  idle
 *      1   2 3   4         0→4: M_t   1→3: M_{t-1}   3→1: M_{t-2}   2 idles
 *      4   1 3   2         the roles of round t+1
 *
 * Any node of T_{k-1} may idle: matching_odd_run.h has the choices. After m - 1 + ⌈log2 E⌉ main
 * rounds, final ones repair the misses. Several choices are tried, until one ends at bound_end or,
 * of the later ones, within one round of it.
 *
 * Bar-Noy, Kipnis and Schieber, section 5, only sketch an algorithm that ends within
 * (m-1) + ⌈log2 n⌉ + m/(n-1) + O(1); the construction is our own.
 */
#ifndef ROUNDCAST_MATCHING_ODD_H
#define ROUNDCAST_MATCHING_ODD_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* The hooks of algorithm.h, for odd n ≥ 3. Exactly m - 1 + k + ⌈m / (n-1)⌉ rounds for n = 2^k + 1,
 * and ⌈log2 n⌉ for m = 1 (the binomial tree); docs/algorithms/complete.md has the measured rounds
 * for other n. The end is known by closed form or by trying the choices without building, if that
 * takes less than about a tenth of a second; otherwise it is ALGORITHM_UNKNOWN. A build takes one
 * run (matching_odd_run.h) for each choice that is tried, mostly 10 or fewer, and one more run if
 * the first choice is not the best. Choices that would exchange no nodes are not tried. */
uint64_t matching_odd_end(const struct collective *collective);
bool matching_odd_build(const struct collective *collective, struct schedule *schedule,
                        struct err *err);

#endif
