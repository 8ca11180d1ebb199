/* wiring: how the routers of a tree are wired, and the ports that each of them has.
 *
 * A router of level l has an input and an output port for every lane, numbered
 *
 *     child · c_l + lane                 to and from its children, left to right: lanes of the branch to each
 *     k_l · c_l + lane                   to and from its parent; the root has none of these
 *
 * so that output p of one node is the other end of input q of its neighbour. A leaf has one port, lane 0 of the
 * branch to its parent. Columns of a router's table (machine.h): port · reads + read.
 */
#ifndef ROUNDCAST_WIRING_H
#define ROUNDCAST_WIRING_H

#include "topology.h"

/* c_{l+1}: lanes between a node of a level and its parent; 0 for the root. */
static inline uint32_t wiring_parent_lanes(const struct topology *tree, unsigned level)
{
    return level < tree->height ? tree->capacity[level + 1] : 0;
}

/* P: ports of a router of level 1 … h. */
static inline uint32_t wiring_ports(const struct topology *tree, unsigned level)
{
    return tree->children[level] * tree->capacity[level] + wiring_parent_lanes(tree, level);
}

static inline uint32_t wiring_child_port(const struct topology *tree, unsigned level, uint32_t child,
                                         uint32_t lane)
{
    return child * tree->capacity[level] + lane;
}

/* Precondition: level < h. */
static inline uint32_t wiring_parent_port(const struct topology *tree, unsigned level, uint32_t lane)
{
    return tree->children[level] * tree->capacity[level] + lane;
}

/* The port of `router` (a node of `level` ≥ 1) on lane `lane` of the branch that joins it to `neighbour`, a child or
 * its parent. */
static inline uint32_t wiring_port(const struct topology *tree, unsigned level, uint32_t router,
                                   uint32_t neighbour, uint32_t lane)
{
    if (neighbour > router)
        return wiring_parent_port(tree, level, lane);
    uint32_t child = topology_index(tree, level - 1, neighbour) % tree->children[level];
    return wiring_child_port(tree, level, child, lane);
}

/* The most ports that a router of the tree has. O(h). */
static inline uint32_t wiring_most_ports(const struct topology *tree)
{
    uint32_t most = 0;
    for (unsigned level = 1; level <= tree->height; level++)
        most = wiring_ports(tree, level) > most ? wiring_ports(tree, level) : most;
    return most;
}

#endif
