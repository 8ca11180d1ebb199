/* SPDX-License-Identifier: Apache-2.0 */
/* bound_cube: components of the bounds for broadcasts of K packets from given sources, in an
 * all-port hypercube of d dimensions. They are original to this project.
 *
 * The bound is not higher if the nodes do not know the sources: for any one set of sources there is
 * a distributed algorithm that ends as early as any schedule (docs/algorithms/cube.md). It can be
 * higher for the worst of all sets: bound_cube_worst. */
#ifndef ROUNDCAST_BOUND_CUBE_H
#define ROUNDCAST_BOUND_CUBE_H

#include "sched/schedule/collective.h"

/* Returns max over a of a - 1 + ⌈w/d⌉, where w packets cross the d arcs into a node and have at
 * least a arcs to go altogether, so that none of them arrives before round a. The same holds for
 * the arcs out of a node: the last of w packets to leave it leaves in round ⌈w/d⌉ at the earliest
 * and has a - 1 arcs left. packets[a] have exactly a arcs to go, a ≤ d. O(d). */
uint64_t bound_cube_over_arcs(const uint32_t packets[], unsigned d);

/* Returns the maximum of bound_cube_over_arcs over all nodes; each node receives all packets that
 * start elsewhere. 0 if there is no memory. O(d² 2^d). */
uint64_t bound_cube_arrivals(const struct collective *collective);

/* Returns the same maximum for the arcs out of the nodes: each packet has d arcs to go. O(K). */
uint64_t bound_cube_departures(const struct collective *collective);

/* Returns a lower bound for the worst set of K different sources, for algorithms whose nodes know
 * only their own packets: bound_cube_arrivals of the K nodes that are furthest from one node, or
 * the bound for any sources. Precondition: 1 ≤ K ≤ 2^d. O(d). */
uint64_t bound_cube_worst(unsigned d, uint32_t packets);

#endif
