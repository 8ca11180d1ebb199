/* SPDX-License-Identifier: Apache-2.0 */
/* wiring: how routers are wired, and the ports that each of them and their endpoints have.
 *
 * In a tree a router of level l has an input and an output port for every lane, numbered
 *
 *     child · c_l + lane                 to and from its children, left to right: lanes of the
 *                                        branch to each
 *     k_l · c_l + lane                   to and from its parent; the root has none of these
 *
 * so that output p of one node is the other end of input q of its neighbour. A leaf has one port,
 * lane 0 of the branch to its parent.
 *
 * In a hypercube each node has a router of d ports, port j - 1 on the arcs of dimension j, and its
 * processor d endpoints, one on the arcs of each dimension too:
 *
 *     endpoint node · d + j - 1 ──┐                    ┌──► endpoint (node ^ 2^(j-1)) · d + j - 1
 *                                 ├── arc of dim. j ───┤
 *     router node, port j - 1 ────┘                    └──► router node ^ 2^(j-1), port j - 1
 *
 * so that the processor has a packet in the step in which it comes, over whichever arc, and its
 * router can send it on in the next. What an endpoint got it can send back by itself. With d = 1
 * there is nothing else to do: no routers.
 *
 * Columns of a router's table (machine.h): port · reads + read. A router's level is 1 … h in a
 * tree, 1 in a hypercube.
 */
#ifndef ROUNDCAST_WIRING_H
#define ROUNDCAST_WIRING_H

#include "sched/base/compare.h"
#include "sched/shape/topology.h"

/* Levels of routers; 0 if there are none. */
static inline unsigned wiring_levels(const struct topology *topology)
{
    return topology->kind == TOPOLOGY_HYPERCUBE ? topology->dimensions > 1 : topology->height;
}

/* c_{l+1}: lanes between a node of a level and its parent; 0 for the root, and in a hypercube. */
static inline uint32_t wiring_parent_lanes(const struct topology *tree, unsigned level)
{
    return level < tree->height ? tree->capacity[level + 1] : 0;
}

/* P: ports of a router of a level. */
static inline uint32_t wiring_ports(const struct topology *topology, unsigned level)
{
    if (topology->kind == TOPOLOGY_HYPERCUBE)
        return topology->dimensions;
    return topology->children[level] * topology->capacity[level] +
           wiring_parent_lanes(topology, level);
}

/* The first router of a level, and how many there are. */
static inline uint32_t wiring_first_router(const struct topology *topology, unsigned level)
{
    return topology->kind == TOPOLOGY_HYPERCUBE ? 0 : topology->first[level] - topology->nodes;
}
static inline uint32_t wiring_level_routers(const struct topology *topology, unsigned level)
{
    return topology->kind == TOPOLOGY_HYPERCUBE
               ? topology->nodes
               : topology->first[level + 1] - topology->first[level];
}

/* All routers; all endpoints. */
static inline uint32_t wiring_routers(const struct topology *topology)
{
    if (topology->kind == TOPOLOGY_HYPERCUBE)
        return topology->dimensions > 1 ? topology->nodes : 0;
    return topology->all - topology->nodes;
}
static inline uint32_t wiring_endpoints(const struct topology *topology)
{
    return topology->kind == TOPOLOGY_HYPERCUBE ? topology->nodes * topology->dimensions
                                                : topology->nodes;
}

/* The level of a router. O(h). */
static inline unsigned wiring_level(const struct topology *topology, uint32_t router)
{
    return topology->kind == TOPOLOGY_HYPERCUBE
               ? 1
               : topology_level(topology, topology->nodes + router);
}

/* The number of a node's router; more than there are for the processors of a tree. */
static inline uint32_t wiring_router(const struct topology *topology, uint32_t node)
{
    return topology->kind == TOPOLOGY_HYPERCUBE ? node : node - topology->nodes;
}

/* The node that a router is at. */
static inline uint32_t wiring_router_node(const struct topology *topology, uint32_t router)
{
    return topology->kind == TOPOLOGY_HYPERCUBE ? router : topology->nodes + router;
}

/* A processor's endpoints: the first of them, and how many it has. */
static inline uint32_t wiring_first_endpoint(const struct topology *topology, uint32_t node)
{
    return topology->kind == TOPOLOGY_HYPERCUBE ? node * topology->dimensions : node;
}
static inline uint32_t wiring_node_endpoints(const struct topology *topology)
{
    return topology->kind == TOPOLOGY_HYPERCUBE ? topology->dimensions : 1;
}

/* The endpoint of a processor that sends to, or receives from, another node. */
static inline uint32_t wiring_endpoint(const struct topology *topology, uint32_t node,
                                       uint32_t neighbour)
{
    uint32_t first = wiring_first_endpoint(topology, node);
    return topology->kind == TOPOLOGY_HYPERCUBE ? first + topology_dimension(node, neighbour) - 1
                                                : first;
}

static inline uint32_t wiring_child_port(const struct topology *tree, unsigned level,
                                         uint32_t child, uint32_t lane)
{
    return child * tree->capacity[level] + lane;
}

/* Precondition: level < h. */
static inline uint32_t wiring_parent_port(const struct topology *tree, unsigned level,
                                          uint32_t lane)
{
    return tree->children[level] * tree->capacity[level] + lane;
}

/* The port of the router at a node of `level` ≥ 1 on lane `lane` of the branch that joins it to
 * `neighbour`, a child or its parent; in a hypercube on the arcs to and from it. */
static inline uint32_t wiring_port(const struct topology *tree, unsigned level, uint32_t router,
                                   uint32_t neighbour, uint32_t lane)
{
    if (tree->kind == TOPOLOGY_HYPERCUBE)
        return topology_dimension(router, neighbour) - 1;
    if (neighbour > router)
        return wiring_parent_port(tree, level, lane);
    uint32_t child = topology_index(tree, level - 1, neighbour) % tree->children[level];
    return wiring_child_port(tree, level, child, lane);
}

/* The most ports that a router has. O(h). */
static inline uint32_t wiring_most_ports(const struct topology *topology)
{
    uint32_t most = 0;
    for (unsigned level = 1; level <= wiring_levels(topology); level++)
        most = MAX(most, wiring_ports(topology, level));
    return most;
}

#endif
