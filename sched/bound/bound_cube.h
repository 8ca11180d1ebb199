/* SPDX-License-Identifier: Apache-2.0 */
/* bound_cube: what the bounds of broadcasts of K packets from given sources, in an all-port
 * hypercube of d dimensions, are made of. Ours.
 *
 * That nodes do not know the sources raises no bound: for any one set of sources there is a
 * distributed algorithm that ends as early as any schedule (docs/algorithms/cube.md). For the worst
 * of all sets it can, bound_cube_worst. */
#ifndef ROUNDCAST_BOUND_CUBE_H
#define ROUNDCAST_BOUND_CUBE_H

#include "sched/schedule/collective.h"

/* Returns max over a of a - 1 + ⌈w/d⌉, where w packets cross the d arcs into a node and have at
 * least a arcs to go altogether: none of them arrives before slot a. The same holds for the arcs
 * out of a node: the last of w packets to leave it leaves in slot ⌈w/d⌉ at the earliest and has a -
 * 1 arcs left. packets[a] have exactly a arcs to go, a ≤ d. O(d). */
uint64_t bound_cube_over_arcs(const uint32_t packets[], unsigned d);

/* Returns the maximum of bound_cube_over_arcs over the nodes, into which all packets come that
 * start elsewhere; 0 if there is no memory. O(d² 2^d). */
uint64_t bound_cube_arrivals(const struct collective *collective);

/* Returns the same for the arcs out of the nodes: each packet has d arcs to go. O(K). */
uint64_t bound_cube_departures(const struct collective *collective);

/* Returns a lower bound for the worst set of K different sources, which an algorithm whose nodes
 * know only their own packets cannot choose: bound_cube_arrivals of K nodes as far as possible from
 * one node, or the bounds for any sources. Precondition: 1 ≤ K ≤ 2^d. O(d). */
uint64_t bound_cube_worst(unsigned d, uint32_t packets);

#endif
