/* SPDX-License-Identifier: Apache-2.0 */
/* bound_demands: lower bounds of any demands on a complete graph, in the models without copies. */
#ifndef ROUNDCAST_BOUND_DEMANDS_H
#define ROUNDCAST_BOUND_DEMANDS_H

#include "sched/schedule/schedule.h"

/* Returns the maximum number of packets that a node wants and does not have. O(nodes + Σ
 * wanted). */
uint64_t bound_demands_wanted(const struct collective *collective);

/* Bound by the spread of packets. Among the k packets of a source that the most nodes want, one
 * leaves in round k or later and then needs ⌈log2(1 + w_k)⌉ rounds, including the round in which it
 * leaves. w_k is the number of nodes that want the k-th packet. In the postal model the time is
 * f_λ(1 + w_k). Returns the maximum over k and sources. O(packets · log packets). */
uint64_t bound_demands_spread(const struct collective *collective);

/* Returns the rounds that all receipts need. A round has at most one receipt for each node; by
 * telephone one node of an odd number is idle, by telegraph half of the nodes receive. It has at
 * most one for each node that holds any packet, a number that at most doubles in a round. Not in
 * the postal model. O(nodes + Σ wanted). */
uint64_t bound_demands_receipts(const struct collective *collective);

/* By telephone: a node is in a pair in each round in which it receives a packet that it wants, and
 * in each round in which it sends a packet that only it has; the larger of both numbers counts. A
 * round has all nodes in pairs, except one of an odd number. O(nodes + Σ wanted). */
uint64_t bound_demands_pairs(const struct collective *collective);

/* Returns the bound of the collective of all nodes that the demands are, under any node names; 0 if
 * they are not a collective. A collective of some nodes does not count, because the others could
 * help. O(nodes + Σ wanted · log nodes). */
uint64_t bound_demands_collective(const struct collective *collective);

/* By telegraph: the maximum, over nodes, of the packets that a node wants plus those that only it
 * can send. O(nodes + Σ wanted). */
uint64_t bound_demands_half_duplex(const struct collective *collective);

#endif
