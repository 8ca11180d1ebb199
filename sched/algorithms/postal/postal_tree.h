/* SPDX-License-Identifier: Apache-2.0 */
/* postal_tree: the tree of Algorithm BCAST (Bar-Noy and Kipnis, section 3) for any pace.
 *
 * A caller for c nodes, including itself, splits them: j = F_λ'(f_λ'(c) - 1) nodes for the caller
 * or the recipient, whichever calls sooner, and c - j for the other of the two. λ' is the ratio of
 * the later to the sooner of the two times; the sooner is the unit of time here. By Theorem 6 no
 * tree of this pace has an earlier last call.
 *
 *     sender    recipient         λ'                 Algorithm
 *     1         λ                 λ                  BCAST, REPEAT
 *     m         λ + m - 1         (λ + m - 1)/m      PACK
 *     m         λ                 λ/m or m/λ         PIPELINE-1 or PIPELINE-2
 *
 * The nodes of a caller are consecutive: the caller is the first of them, and keeps the first part.
 */
#ifndef ROUNDCAST_POSTAL_TREE_H
#define ROUNDCAST_POSTAL_TREE_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* -- Growth ------------------------------------------------------------------------------------ */

/* Broadcasts along any tree in the postal model, written in order of time.
 *
 * A tree grows by calls: a caller sends packet 1 to a recipient and assigns it a part of the
 * remaining nodes. The caller calls again `sender` ticks after this call began, and the recipient
 * calls for the first time `recipient` ticks after it, as long as each has nodes left. Packets 2 …
 * m follow packet 1 along every edge, `period` ticks apart. λ = 5/2, ticks of 1/2, pace {2, 5, 4},
 * node 0 calls 1 and 2, node 1 calls 3:
 *
 *     tick        0   1   2   3   4   5   6   7   8   9
 *     0 → 1       p1              p2              p3
 *     0 → 2               p1              p2              p3
 *     1 → 3                           p1              p2          …
 *
 * So every node receives each packet once, and in order. */

/* Times in ticks, each at least 1. */
struct postal_pace {
    uint64_t sender, recipient, period;
};

/* A node that calls at `time`. `left` is 0 if it has no more calls to make; the shape defines its
 * unit. */
struct postal_caller {
    uint64_t time;
    uint32_t node, left;
};

/* The shape of a tree. `call` makes the next call of a caller with left > 0: it updates the
 * caller's `left` and returns the recipient's node and `left`. */
struct postal_shape {
    struct postal_caller (*call)(const struct postal_shape *shape, struct postal_caller *caller);
    uint32_t left;    /* initial `left` of the root, node 0 */
    const void *with; /* further input of `call` */
};

/* Appends all m·(n-1) transfers to an empty schedule of n nodes and m packets whose λ is set.
 * Precondition: the shape calls each node except 0 once; `verify` checks whether a pace keeps the
 * model. O(transfers + calls of `call`), 16 bytes per node besides the schedule. E104. */
bool postal_grow(const struct postal_shape *shape, const struct postal_pace *pace,
                 struct schedule *schedule, struct err *err);

/* Returns the tick at which the last packet arrives. The last call begins at f_λ'(n) minus the
 * later of the two times:
 *
 *     f_λ'(n) - max(sender, recipient) + (m - 1)·period + λ
 *
 * ALGORITHM_UNKNOWN if the steps of F_λ' do not fit in memory. Precondition: n ≥ 2. O(steps of
 * F_λ'). */
uint64_t postal_tree_end(const struct collective *collective, const struct postal_pace *pace);

/* Returns the number of calls of node 0; no node makes more. Returns 0 if the steps of F_λ' do not
 * fit in memory. Precondition: n ≥ 2. O(steps of F_λ' + calls · log steps). */
uint32_t postal_tree_degree(const struct collective *collective, const struct postal_pace *pace);

/* Appends the transfers of all packets. Precondition: n ≥ 2. O(transfers + n log steps). E104. */
bool postal_tree_build(const struct collective *collective, const struct postal_pace *pace,
                       struct schedule *schedule, struct err *err);

#endif
