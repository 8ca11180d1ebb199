/* SPDX-License-Identifier: Apache-2.0 */
/* bound_ways: lower bounds of any demands in a tree or hypercube. 0 if there is no memory. */
#ifndef ROUNDCAST_BOUND_WAYS_H
#define ROUNDCAST_BOUND_WAYS_H

#include "sched/schedule/collective.h"

/* In a tree, where packets have no choice: of each port, and of all packets that have at least so
 * much behind it, or before it: the first comes after so many links, they take their turns, and the
 * last has so much behind it. O(Σ links · log). */
uint64_t bound_ways_tree(const struct collective *collective);

/* In a hypercube: the furthest node that wants a packet. O(Σ wanted). */
uint64_t bound_ways_distance(const struct collective *collective);

/* In a hypercube: what a node wants comes over d arcs, from its nearest source on; what only it has
 * leaves over d arcs, the last of it with its nearest way to go. O(Σ wanted). */
uint64_t bound_ways_arcs(const struct collective *collective);

/* In a hypercube: a packet crosses as many arcs as nodes want it, and as its furthest is away;
 * there are d 2^d arcs. O(Σ wanted). */
uint64_t bound_ways_all(const struct collective *collective);

#endif
