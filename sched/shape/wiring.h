/* SPDX-License-Identifier: Apache-2.0 */
/* wiring: how routers are wired, and the ports that each of them and their endpoints have.
 *
 * In a tree a router of level l has an input and an output port for every lane, numbered
 *
 *     child · c_l + lane                 to and from its children, left to right: lanes of the
 *                                        branch to each
 *     k_l · c_l + lane                   to and from its parent; the root has none of these
 *
 * so that output p of a node drives input q of its neighbour. A leaf has c_1 endpoints, one on each
 * lane of the branch to its parent: endpoint leaf · c_1 + lane.
 *
 * In a hypercube each node has a router of d ports, port j - 1 on the arcs of dimension j, and its
 * processor has d endpoints, also one on the arcs of each dimension:
 *
 *     endpoint node · d + j - 1 ──┐                    ┌──► endpoint (node ^ 2^(j-1)) · d + j - 1
 *                                 ├── arc of dim. j ───┤
 *     router node, port j - 1 ────┘                    └──► router node ^ 2^(j-1), port j - 1
 *
 * so that the processor has a packet in the step in which it arrives, over any arc, and its router
 * can forward it in the next step. An endpoint can send back the packets that it received by
 * itself. With d = 1 nothing else is needed, so there are no routers.
 *
 * Columns of a router's table (machine.h): port · reads + read. A router's level is 1 … h in a
 * tree, 1 in a hypercube.
 */
#ifndef ROUNDCAST_WIRING_H
#define ROUNDCAST_WIRING_H

#include "sched/base/compare.h"
#include "sched/shape/topology.h"

/* Returns c_{l+1}, the number of lanes between a node of a level and its parent; 0 for the root and
 * in a hypercube. */
static inline uint32_t wiring_parent_lanes(const struct topology *tree, unsigned level)
{
    return level < tree->height ? tree->capacity[level + 1] : 0;
}

/* Number of routers of a level. */
static inline uint32_t wiring_level_routers(const struct topology *topology, unsigned level)
{
    return topology->router_first[level + 1] - topology->router_first[level];
}

/* Number of endpoints of all processors. */
static inline uint32_t wiring_endpoints(const struct topology *topology)
{
    return topology->nodes * topology->endpoints;
}

/* Returns the level of a router. Precondition: router < topology->routers. O(h). */
static inline unsigned wiring_level(const struct topology *topology, uint32_t router)
{
    unsigned level = 1;
    while (router >= topology->router_first[level + 1])
        level++;
    return level;
}

/* Returns the number of a node's router. For a processor of a tree it is not the number of a
 * router. */
static inline uint32_t wiring_router(const struct topology *topology, uint32_t node)
{
    return node - topology->router_node;
}

/* Returns the node at which a router is. */
static inline uint32_t wiring_router_node(const struct topology *topology, uint32_t router)
{
    return topology->router_node + router;
}

/* Returns the first of the topology->endpoints endpoints of a processor. */
static inline uint32_t wiring_first_endpoint(const struct topology *topology, uint32_t node)
{
    return node * topology->endpoints;
}

/* Returns the endpoint of a processor that sends to, or receives from, another node on a lane. A
 * hypercube has an endpoint on the arcs of each dimension, a leaf of a tree on each lane. */
static inline uint32_t wiring_endpoint(const struct topology *topology, uint32_t node,
                                       uint32_t neighbour, uint32_t lane)
{
    uint32_t first = wiring_first_endpoint(topology, node);
    return topology->dimensions > 0 ? first + topology_dimension(node, neighbour) - 1
                                    : first + lane;
}

static inline uint32_t wiring_child_port(const struct topology *tree, unsigned level,
                                         uint32_t child, uint32_t lane)
{
    return child * tree->capacity[level] + lane;
}

/* Returns the port of a router of a tree on a lane to its parent. Precondition: level < h. */
static inline uint32_t wiring_parent_port(const struct topology *tree, unsigned level,
                                          uint32_t lane)
{
    return tree->children[level] * tree->capacity[level] + lane;
}

/* Returns the port of the router at a node of `level` ≥ 1 on lane `lane` of the link that joins it
 * to `neighbour`: a child or its parent; in a hypercube, the node across a dimension. */
static inline uint32_t wiring_port(const struct topology *topology, unsigned level, uint32_t router,
                                   uint32_t neighbour, uint32_t lane)
{
    return topology_row(topology)->router_port(topology, level, router, neighbour, lane);
}

/* Maximum number of ports of a router. O(h). */
static inline uint32_t wiring_most_ports(const struct topology *topology)
{
    uint32_t most = 0;
    for (unsigned level = 1; level <= topology->router_levels; level++)
        most = MAX(most, topology->router_ports[level]);
    return most;
}

#endif
