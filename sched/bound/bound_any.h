/* SPDX-License-Identifier: Apache-2.0 */
/* bound_any: lower bounds for collectives among the leaves of a tree that is given by its
 * parents. */
#ifndef ROUNDCAST_BOUND_ANY_H
#define ROUNDCAST_BOUND_ANY_H

#include "sched/schedule/collective.h"

/* Return whether the tree is given by its parents, and whether it is given by levels. */
bool bound_any_applies(const struct collective *collective);
bool bound_any_is_levels(const struct collective *collective);

/* Returns the steps of a broadcast in the part of the tree that hangs from `node`, without what is
 * behind `from` (`node`: all of it). By one port it is b(T) of equation (1), which is optimal, else
 * the distance of the furthest leaf. O(nodes²). */
uint64_t bound_any_hanging(const struct topology *tree, uint32_t node, uint32_t from,
                           bool one_link);
uint64_t bound_any_broadcast(const struct collective *collective);

/* The furthest leaf from the destination of a reduction. O(nodes²). */
uint64_t bound_any_distance(const struct collective *collective);

/* The largest ⌈i / c⌉ - 1 + d_i, where d_1 ≥ d_2 ≥ … are the distances of the leaves on one branch
 * of the source; by one port of all leaves, with c = 1. For a scatter, and a gather there.
 * O(nodes²).
 */
uint64_t bound_any_scatter(const struct collective *collective);

#endif
