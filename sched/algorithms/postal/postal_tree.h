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

#include "sched/algorithms/postal/postal_grow.h"
#include "sched/schedule/collective.h"

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
