/* SPDX-License-Identifier: Apache-2.0 */
/* demand_ways: the links that packets cross in a tree, hypercube or torus, from their sources to
 * all that want them.
 *
 *     tree 2 2, packet 1 of leaf 0, wanted by 1 and 3 before after (multiport)
 *             2:0              way 0    0 → 1:0                    0       4
 *          ┌───┴───┐           way 1    1:0 → 1                    1       1
 *         1:0     1:1          way 2    1:0 → 2:0                  1       3
 *         ┌┴┐     ┌┴┐          way 3    2:0 → 1:1                  2       2
 *         0 1     2 3          way 4    1:1 → 3                    3       1
 *
 * In a tree there is no other way. In a hypercube of d dimensions packet p goes by the shortest
 * way: it crosses those in which nodes differ in the order j, …, d, 1, …, j - 1, where j = (p - 1)
 * mod d + 1. Or, if several nodes want it, it leaves its source over dimension j alone, and from
 * there crosses them in the order j + 1, …, d, 1, …, j: so d packets of a source cross no arc
 * twice. Or which of both, and j, is drawn for each packet. In a torus packet p goes along the
 * dimensions j, …, d, 1, …, j - 1, each the shorter way round. What one packet crosses is a tree in
 * any case.
 */
#ifndef ROUNDCAST_DEMAND_WAYS_H
#define ROUNDCAST_DEMAND_WAYS_H

#include "sched/base/rng.h"
#include "sched/schedule/schedule.h"

#define DEMAND_WAYS_NONE UINT32_MAX

/* The ways of packets in a hypercube; in a tree or torus all kinds are the same. */
enum demand_ways_kind { DEMAND_WAYS_SHORTEST, DEMAND_WAYS_ALONE, DEMAND_WAYS_DRAWN };

struct demand_way {
    uint32_t from, to, packet;
    uint32_t before; /* the links from the source to `from` */
    uint32_t after;  /* the rounds that the packet needs from here on, if no other is in its way */
    uint32_t child;  /* the first of the ways out of `to` */
    uint32_t next;   /* the next way out of `from`; ways with more rounds after them come first */
    uint32_t port;   /* the port that it uses; the ways of a port share its width */
};

struct demand_ways {
    uint32_t count;
    struct demand_way *way; /* packet by packet, nearer to the source first */
    uint32_t ports;
    uint32_t *width; /* width[ports]: packets per round */
};

/* Returns whether the kinds of ways differ on a topology. */
bool demand_ways_differ(const struct topology *topology);

/* Finds the ways of all packets of data. The ports are those of the schedule's model: a node's only
 * one, a branch's lanes up or down, or an arc. `rng` is for ways that are drawn. Precondition: a
 * tree, hypercube or torus, no control. `ways` must be zero or freed. E104. O(Σ wanted · h²), O(Σ
 * wanted · d), or O(Σ wanted · links · d) in a torus. */
bool demand_ways_new(const struct schedule *demands, enum demand_ways_kind kind, struct rng *rng,
                     struct demand_ways *ways, struct err *err);
void demand_ways_free(struct demand_ways *ways);

#endif
