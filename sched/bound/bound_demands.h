/* SPDX-License-Identifier: Apache-2.0 */
/* bound_demands: lower bounds of any demands on a complete graph, in the models without copies. */
#ifndef ROUNDCAST_BOUND_DEMANDS_H
#define ROUNDCAST_BOUND_DEMANDS_H

#include "sched/schedule/schedule.h"

/* The most packets that a node wants, and does not have. O(nodes + Σ wanted). */
uint64_t bound_demands_wanted(const struct collective *collective);

/* Of the k packets of a source that most nodes want, one leaves in round k at the earliest, and
 * needs ⌈log2(1 + w_k)⌉ rounds from then on, its first among them, where w_k is the number of nodes
 * that want the k-th; by the postal model f_λ(1 + w_k). O(packets · log packets). */
uint64_t bound_demands_spread(const struct collective *collective);

/* In a round no more than all nodes receive, without one of an odd number by telephone, and half of
 * them by telegraph; and no more than nodes have anything, which at most double in a round. Not in
 * the postal model. O(nodes + Σ wanted). */
uint64_t bound_demands_receipts(const struct collective *collective);

/* By telephone: a node is in a pair in each round in which it receives what it wants, and in those
 * in which it sends what only it has; that is more if it has more than it wants. A round has all
 * nodes in pairs, but for one of an odd number. O(nodes + Σ wanted). */
uint64_t bound_demands_pairs(const struct collective *collective);

/* The bound of the collective of all nodes that the demands are, in other words; 0 if they are
 * none. One of some nodes could be helped by the others. O(nodes + Σ wanted · log nodes). */
uint64_t bound_demands_collective(const struct collective *collective);

/* By telegraph: the most packets that a node wants or alone can send. O(nodes + Σ wanted). */
uint64_t bound_demands_half_duplex(const struct collective *collective);

#endif
