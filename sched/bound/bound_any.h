/* SPDX-License-Identifier: Apache-2.0 */
/* bound_any: lower bounds for collectives among the leaves of a tree that is defined by its
 * parents. */
#ifndef ROUNDCAST_BOUND_ANY_H
#define ROUNDCAST_BOUND_ANY_H

#include "sched/schedule/collective.h"

/* Return whether the tree is defined by its parents, and whether it is defined by its levels. */
bool bound_any_applies(const struct collective *collective);
bool bound_any_is_levels(const struct collective *collective);

/* Returns the steps of a broadcast in the part of the tree that hangs from `node`, excluding the
 * part beyond `from` (if from = node: the whole tree). With one link at a time it is b(T) of
 * equation (1), which is optimal, else the distance of the furthest leaf. O(nodes²). */
uint64_t bound_any_hanging(const struct topology *tree, uint32_t node, uint32_t from,
                           bool one_link);
uint64_t bound_any_broadcast(const struct collective *collective);

/* Returns the distance of the furthest leaf from the destination of a reduction. O(nodes²). */
uint64_t bound_any_distance(const struct collective *collective);

/* Returns the largest ⌈i / c⌉ - 1 + d_i, where d_1 ≥ d_2 ≥ … are the distances of the leaves on one
 * branch of the source; in the single-port model the distances of all leaves, with c = 1. For a
 * scatter from the source, and a gather to it. O(nodes²). */
uint64_t bound_any_scatter(const struct collective *collective);

#endif
