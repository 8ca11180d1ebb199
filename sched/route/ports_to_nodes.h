/* SPDX-License-Identifier: Apache-2.0 */
/* ports_to_nodes: rewrites a schedule of n nodes with k ports as a schedule of k n nodes with one
 * port: the endpoints that stand for the nodes in a multistage network.
 *
 *     n = 3, k = 2, packets 1 and 2                 6 endpoints: node · 2 + port
 *     round 1    0→1 1    0→1 2                     round 1    0→2 1    1→3 2
 *     round 2    1→2 1    1→2 2                     round 2    2→4 1    3→5 2
 *
 * If each endpoint has its own memory, a packet uses the same port at all nodes: it is stored at
 * the endpoint from which it is sent next. Packets of stripes (algorithm.h) do so: packet p uses
 * port (p - 1) mod k. If each packet is sent once, as in a total exchange, the transfers of each
 * round are coloured with k colours (D. König: a bipartite graph of degree k has such a colouring).
 * In other schedules a node sends a packet over several ports, and its endpoints share a memory
 * (below). */
#ifndef ROUNDCAST_PORTS_TO_NODES_H
#define ROUNDCAST_PORTS_TO_NODES_H

#include "sched/schedule/schedule.h"

/* Fills `single`, which must be zero or freed, with the same steps and packets, and with the
 * demands between endpoints. Precondition: a legal schedule of a complete graph without reductions.
 * Errors: E102 for more endpoints than a schedule may have nodes, E208 for control packets, E104.
 * O(wanted · log wanted + transfers · ports); if packets are sent once, O(wanted + transfers ·
 * (nodes + ports)) in the worst case. Free it with schedule_free. */
bool ports_to_nodes(const struct schedule *several, struct schedule *single, struct err *err);

/* -- Ports with a shared memory ---------------------------------------------------------------- */

/* Rewrites a schedule of n nodes with k ports as a schedule of k n endpoints with one port, of
 * which the k endpoints of a node share a memory.
 *
 *     n = 3, k = 2, packet 1 to two nodes           6 endpoints: node · 2 + port
 *     round 1    0→1 1    0→2 1                     round 1    0→2 1    1→4 1
 *
 * A transfer uses the first free port at each end. A packet is stored at the port that receives it,
 * and any port of the node may send it. */

/* Fills `single`, which must be zero or freed, with the same steps and packets, and with a demand
 * for each packet: it starts at port 0 of its source, and each node that wants it wants it at the
 * endpoint that receives it first. Precondition: a legal schedule of a complete graph without
 * reductions and control packets, on at most SCHEDULE_MAX_NODES endpoints. E104. O(transfers ·
 * ports + wanted · log wanted). Free it with schedule_free. */
bool ports_share(const struct schedule *several, struct schedule *single, struct err *err);

#endif
