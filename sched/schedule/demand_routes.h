/* SPDX-License-Identifier: Apache-2.0 */
/* demand_routes: the links that packets cross, from their sources to all nodes that want them, on
 * topologies other than the complete graph.
 *
 *     tree 2 2, packet 1 of leaf 0, wanted by 1 and 3 before after (multiport)
 *             2:0              hop 0    0 → 1:0                    0       4
 *          ┌───┴───┐           hop 1    1:0 → 1                    1       1
 *         1:0     1:1          hop 2    1:0 → 2:0                  1       3
 *         ┌┴┐     ┌┴┐          hop 3    2:0 → 1:1                  2       2
 *         0 1     2 3          hop 4    1:1 → 3                    3       1
 *
 * In a tree the links are unique. In a hypercube of d dimensions there are three kinds of routes
 * (enum demand_routes_kind), where j = (p - 1) mod d + 1 for packet p:
 *
 *     shortest   the packet crosses the dimensions in which the nodes differ, in the order
 *                j, …, d, 1, …, j - 1
 *     alone      if several nodes want the packet, it leaves its source over dimension j only, and
 *                then crosses the dimensions in the order j + 1, …, d, 1, …, j, so that d packets
 *                of a source cross no arc twice
 *     drawn      one of these two kinds, and j, are drawn for each packet
 *
 * Other topologies have one kind of routes (topology_row.next). The links that one packet crosses
 * always form a tree. */
#ifndef ROUNDCAST_DEMAND_ROUTES_H
#define ROUNDCAST_DEMAND_ROUTES_H

#include "sched/base/rng.h"
#include "sched/schedule/schedule.h"

#define DEMAND_ROUTES_NONE UINT32_MAX

/* The kinds of routes of packets in a hypercube. In other topologies all kinds are
 * the same. */
enum demand_routes_kind { DEMAND_ROUTES_SHORTEST, DEMAND_ROUTES_ALONE, DEMAND_ROUTES_DRAWN };

struct demand_hop {
    uint32_t from, to, packet;
    uint32_t before; /* number of links from the source to `from` */
    /* number of rounds that the packet needs from this link on, if no other packet delays it */
    uint32_t after;
    uint32_t child; /* the first of the hops out of `to` */
    uint32_t next;  /* the next hop out of `from`; hops with more rounds after them come first */
    uint32_t port;  /* the port that the hop uses; the hops of a port share its width */
};

struct demand_routes {
    uint32_t count;
    struct demand_hop *hop; /* packet by packet; within a packet, hops nearer to the source first */
    uint32_t ports;
    uint32_t *width; /* width[ports]: packets per round */
};

/* Returns whether the kinds of routes differ on a topology. */
bool demand_routes_differ(const struct topology *topology);

/* Finds the routes of all data packets. The ports are those of the schedule's model: the only port
 * of a node, the lanes of a branch in one direction, or an arc. `rng` is used for routes that are
 * drawn. Preconditions: not a complete graph, no control packets; `routes` is zero or freed.
 * E104. O(Σ wanted · h²) in a tree, else O(Σ wanted · links · d). */
bool demand_routes_new(const struct schedule *demands, enum demand_routes_kind kind,
                       struct rng *rng, struct demand_routes *routes, struct err *err);
void demand_routes_free(struct demand_routes *routes);

#endif
