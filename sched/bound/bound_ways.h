/* SPDX-License-Identifier: Apache-2.0 */
/* bound_ways: lower bounds for any demands in a tree or hypercube. Each function returns 0 if there
 * is no memory. */
#ifndef ROUNDCAST_BOUND_WAYS_H
#define ROUNDCAST_BOUND_WAYS_H

#include "sched/schedule/collective.h"

/* In a tree the path of a packet is fixed. For each port, and for all its packets with at least k
 * links after the port, or before it: the first packet arrives after some links, all packets use
 * the port one after another, and the last one has k links left. O(Σ links · log). */
uint64_t bound_ways_tree(const struct collective *collective);

/* In a hypercube: the distance of the furthest node that wants a packet. O(Σ wanted). */
uint64_t bound_ways_distance(const struct collective *collective);

/* In a hypercube: the packets that a node wants arrive over d arcs, those with at least a arcs to
 * go from slot a on; the packets that only it has leave over d arcs, and the last one of those with
 * at least a arcs to go has a - 1 left (bound_cube_over_arcs). O(Σ wanted + d 2^d). */
uint64_t bound_ways_arcs(const struct collective *collective);

/* In a hypercube: a packet crosses at least as many arcs as nodes want it, and at least the
 * distance of the furthest; there are d 2^d arcs. O(Σ wanted). */
uint64_t bound_ways_all(const struct collective *collective);

#endif
