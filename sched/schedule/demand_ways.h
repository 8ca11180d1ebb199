/* SPDX-License-Identifier: Apache-2.0 */
/* demand_ways: the links that packets cross in a tree, hypercube or torus, from their sources to
 * all nodes that want them.
 *
 *     tree 2 2, packet 1 of leaf 0, wanted by 1 and 3 before after (multiport)
 *             2:0              way 0    0 → 1:0                    0       4
 *          ┌───┴───┐           way 1    1:0 → 1                    1       1
 *         1:0     1:1          way 2    1:0 → 2:0                  1       3
 *         ┌┴┐     ┌┴┐          way 3    2:0 → 1:1                  2       2
 *         0 1     2 3          way 4    1:1 → 3                    3       1
 *
 * In a tree the links are unique. In a hypercube of d dimensions there are three kinds of ways
 * (enum demand_ways_kind), where j = (p - 1) mod d + 1 for packet p:
 *
 *     shortest   the packet crosses the dimensions in which the nodes differ, in the order
 *                j, …, d, 1, …, j - 1
 *     alone      if several nodes want the packet, it leaves its source over dimension j only, and
 *                then crosses the dimensions in the order j + 1, …, d, 1, …, j, so that d packets
 *                of a source cross no arc twice
 *     drawn      one of these two kinds, and j, are drawn for each packet
 *
 * In a torus packet p goes along the dimensions j, …, d, 1, …, j - 1, each the shorter way round.
 * The links that one packet crosses always form a tree. */
#ifndef ROUNDCAST_DEMAND_WAYS_H
#define ROUNDCAST_DEMAND_WAYS_H

#include "sched/base/rng.h"
#include "sched/schedule/schedule.h"

#define DEMAND_WAYS_NONE UINT32_MAX

/* The kinds of ways of packets in a hypercube. In a tree or torus all kinds are the same. */
enum demand_ways_kind { DEMAND_WAYS_SHORTEST, DEMAND_WAYS_ALONE, DEMAND_WAYS_DRAWN };

struct demand_way {
    uint32_t from, to, packet;
    uint32_t before; /* number of links from the source to `from` */
    /* number of rounds that the packet needs from this link on, if no other packet delays it */
    uint32_t after;
    uint32_t child; /* the first of the ways out of `to` */
    uint32_t next;  /* the next way out of `from`; ways with more rounds after them come first */
    uint32_t port;  /* the port that the way uses; the ways of a port share its width */
};

struct demand_ways {
    uint32_t count;
    struct demand_way *way; /* packet by packet; within a packet, ways nearer to the source first */
    uint32_t ports;
    uint32_t *width; /* width[ports]: packets per round */
};

/* Returns whether the kinds of ways differ on a topology. */
bool demand_ways_differ(const struct topology *topology);

/* Finds the ways of all data packets. The ports are those of the schedule's model: the only port of
 * a node, the lanes of a branch in one direction, or an arc. `rng` is used for ways that are drawn.
 * Preconditions: a tree, hypercube or torus, no control packets; `ways` is zero or freed. E104. O(Σ
 * wanted · h²), O(Σ wanted · d), or O(Σ wanted · links · d) in a torus. */
bool demand_ways_new(const struct schedule *demands, enum demand_ways_kind kind, struct rng *rng,
                     struct demand_ways *ways, struct err *err);
void demand_ways_free(struct demand_ways *ways);

#endif
