/* SPDX-License-Identifier: Apache-2.0 */
/* meetings: rounds in which every node meets every other node, for all-gather and total-exchange.
 *
 * If a node sends to one node and receives from another in a round, round r is the cyclic shift by
 * r: v sends to (v + r) mod n, n - 1 rounds, each a full permutation (n = 4 on the left). In the
 * telephone and telegraph models a round is a matching, and the rounds a tournament: a
 * 1-factorisation of the complete graph. Let p be the odd number among n - 1 and n. Nodes v and w <
 * p meet in round r if v + w ≡ r (mod p); a node that would meet itself meets node p, or pauses if
 * n = p (n = 5 in the middle). If n = 2^k v and v xor r meet, so that a round is a complement,
 * which the stages of a Beneš network compute by themselves (on the right). In the telegraph model
 * a meeting takes two rounds, up and down.
 *
 *     round 1   0→1 1→2 2→3 3→0         0-1 2-4, 3 pauses         0-1 2-3
 *     round 2   0→2 1→3 2→0 3→1         0-2 3-4, 1 pauses         0-2 1-3
 *     round 3   0→3 1→0 2→1 3→2         0-3 1-2, 4 pauses         0-3 1-2
 *     round 4                           0-4 1-3, 2 pauses
 *     round 5                           1-4 2-3, 0 pauses
 *
 * Each meeting sends one of m packets, and all meetings are done m times. In every round each node
 * but the one that pauses receives something new: no schedule is shorter (bound.h). If nodes have k
 * ports, k shifts are done in a round, or k matchings. For odd n and even k no node needs to pause
 * by telephone: shifts by r and by -r together are calls of every node with two others.
 *
 * The tournament is the circle method: T. Kirkman, On a problem in combinations, 1847; D. König,
 * Theorie der endlichen und unendlichen Graphen, 1936, chapter 11.
 */
#ifndef ROUNDCAST_MEETINGS_H
#define ROUNDCAST_MEETINGS_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* Checks the collective. Every node has packets, so there is no source: E103 if a source is given;
 * E102 as one_by_one_accepts. */
bool meetings_accepts(const char *name, const struct collective *collective, struct err *err);

/* Returns whether shifts by r and -r make the calls of a round: by telephone, odd n, even k. */
bool meetings_go_both_ways(const struct collective *collective);

/* Returns the end, as `end` of algorithm.h. */
uint64_t meetings_end(const struct collective *collective);

/* Appends the rounds, in which a node sends the packet that its partner wants (collective_packet).
 * With several ports the last round may have fewer shifts. E104. O(transfers). */
bool meetings_build(const struct collective *collective, struct schedule *schedule,
                    struct err *err);

#endif
