/* SPDX-License-Identifier: Apache-2.0 */
/* ports_to_nodes: rewrites a schedule of nodes of k ports as one of k n nodes of one port, the
 * endpoints that a multistage network has for them.
 *
 *     n = 3, k = 2, packets 1 and 2                 6 endpoints: node · 2 + port
 *     round 1    0→1 1    0→1 2                     round 1    0→2 1    1→3 2
 *     round 2    1→2 1    1→2 2                     round 2    2→4 1    3→5 2
 *
 * Each endpoint has a memory of its own, so a packet keeps to one port, the same at all nodes: it
 * is stored where its next transfer leaves from. Packets of stripes do so (stripes.h): packet p
 * keeps to port (p - 1) mod k. Of packets that are sent once, such as those of a total exchange,
 * the transfers of each round are coloured with k colours (D. König: a bipartite graph of degree k
 * has such a colouring). Other schedules, in which a node sends a packet over several ports at a
 * time, need a memory that all ports of a node read, which no machine has.
 */
#ifndef ROUNDCAST_PORTS_TO_NODES_H
#define ROUNDCAST_PORTS_TO_NODES_H

#include "sched/schedule/schedule.h"

/* Fills `single`, which is zero or freed: the same steps and packets, and demands of endpoints.
 * Precondition: a legal schedule of a complete graph without reductions. Errors: E102 for more
 * endpoints than a schedule may have nodes, E208 for packets that do not keep to a port, E104.
 * O(wanted + transfers), for packets that are sent once O(wanted + transfers · (nodes + ports)) at
 * worst. Free it with schedule_free. */
bool ports_to_nodes(const struct schedule *several, struct schedule *single, struct err *err);

#endif
