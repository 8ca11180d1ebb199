/* SPDX-License-Identifier: Apache-2.0 */
/* matching_odd: matching for odd n in the telephone model, where one node of n has no partner in
 * any round.
 *
 * The algorithm of matching.c for even E = n - 1 gives roles to E - 1 nodes besides the source: one
 * node more than roles. It goes round like this: r, who gets M_t from the source, needs no packet
 * for that and sends none. So the node that idled in round t - 1 is r in round t, and a member of
 * T_{k-1} idles in round t instead of being r: the cycle of the sets has one station more.
 *
 *     source ─M_t─► r     T_0 ─► T_1 ─► … ─► T_{k-1} ─► idle ─► r = the next T_0
 *
 * No send is lost for it, but each packet is missed by one node, the one that idled when it should
 * have got M_{t-k-1} (M_{t-k} for ℓ = 0). n = 5, E = 4, k = 2, the roles as they start and round t:
 *
 *     T_0  T_1  idle
 *      1   2 3   4         0→4: M_t   1→3: M_{t-1}   3→1: M_{t-2}   2 idles
 *      4   1 3   2         the roles of round t+1
 *
 * Who of T_{k-1} idles is free: who misses fewest packets, so that misses are spread. Y and Z never
 * idle; a member that misses little is exchanged with one of T_{k-1} that misses much, which costs
 * nothing in the long run, as who lacks its nominal packet sends another useful one (the oldest).
 * After m - 1 + ⌈log2 E⌉ main rounds, final ones repair the misses. Several choices of the
 * exchanges are tried, until one ends at bound_end or, of the later ones, within one round of it.
 *
 * Rounds. Exactly m - 1 + k + ⌈m / (n-1)⌉ for n = 2^k + 1, and ⌈log2 n⌉ for m = 1 (the binomial
 * tree). For other n no closed form is known: bound_end or one more in every case with n ≤ 67 and m
 * ≤ 160 but n = 67 with m = 68 and 134 (two more; so are n = 131 with m = 132 and 133). For 2 ≤ m ≤
 * n/2 it is m + ⌈log2 n⌉ (all n ≤ 129 but 2^k + 1), which is not always the least: two packets can
 * reach 7 nodes in 4 rounds, not 5.
 *
 * Bar-Noy, Kipnis and Schieber, section 5, only sketch an algorithm that ends within
 * (m-1) + ⌈log2 n⌉ + m/(n-1) + O(1); the construction is our own.
 */
#ifndef ROUNDCAST_MATCHING_ODD_H
#define ROUNDCAST_MATCHING_ODD_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* The hooks of algorithm.h, for odd n ≥ 3. The end is known by closed form or by trying the choices
 * without building, if that takes less than about a tenth of a second; otherwise ALGORITHM_UNKNOWN.
 * To build is one run (matching_odd_run.h) for each choice that is tried, mostly 10 or fewer, and
 * one more. */
uint64_t matching_odd_end(const struct collective *collective);
bool matching_odd_build(const struct collective *collective, struct schedule *schedule,
                        struct err *err);

#endif
