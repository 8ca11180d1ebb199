/* SPDX-License-Identifier: Apache-2.0 */
/* bound_links: bounds for any demands in a direct topology (topology.h), by counts of links. */
#ifndef ROUNDCAST_BOUND_LINKS_H
#define ROUNDCAST_BOUND_LINKS_H

#include "sched/schedule/collective.h"

/* Returns the number of packets that a node can send in a round: 1, or one over each of its
 * links. */
uint64_t bound_links_sends(const struct collective *collective, uint32_t node);

/* Returns the largest distance over all demands: a link takes a round. O(Σ wanted ·
 * dimensions). */
uint64_t bound_links_distance(const struct collective *collective);

/* Returns the maximum number of rounds that a node needs to receive what it wants, or to send what
 * only it has; 0 if there is no memory. O(Σ wanted). */
uint64_t bound_links_arcs(const struct collective *collective);

/* Returns the number of rounds in which all nodes together can send over as many links as the
 * packets cross: each crosses at least as many as nodes want it, and at least the distance of the
 * furthest. O(n + Σ wanted · dimensions). */
uint64_t bound_links_all(const struct collective *collective);

#endif
