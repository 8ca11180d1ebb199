/* SPDX-License-Identifier: Apache-2.0 */
/* telegraph_places: who holds what in a run of the telegraph algorithm, and who is free, in rows of
 * bits.
 *
 * A node has a place, 0 … n-1: node 0 place 0, the others as they follow in an order in which
 * equals are taken. A bit of a word of 64 stands for a place:
 *
 *     column[packet - 1]    who holds the packet
 *     class[h]              who of places 1 … n-1 holds h packets; together they are all of these
 *     idle                  who does nothing in this round yet
 *     came                  who receives in this round
 *
 * So nodes with fewest packets are the first class that is not empty, from its first bit on, and a
 * word tells of 64 nodes at once who of them is free and lacks a packet.
 */
#ifndef ROUNDCAST_TELEGRAPH_PLACES_H
#define ROUNDCAST_TELEGRAPH_PLACES_H

#include "sched/algorithms/complete/holdings.h"
#include "sched/base/rng.h"

struct telegraph_places {
    uint32_t n, m;
    size_t words;                 /* of places */
    struct holdings rows;         /* by node; node 0 holds what it has brought out */
    uint32_t *held;               /* [node]: how many packets; node 0 has m */
    uint32_t *node, *place;       /* [place], [node] */
    uint64_t *column, *classes;   /* [m][words], [m + 1][words] */
    uint64_t *idle, *late, *came; /* [words] */
    uint32_t *in_class, *free_in; /* [m + 1]: how many nodes, and how many of them are free */
    uint32_t *some, *next;        /* [some_count]: the classes that are not empty, ascending */
    uint32_t some_count;
    uint32_t after; /* classes before this one are behind */
    uint32_t free;  /* how many nodes are free */
    void *memory;
};

/* Nobody holds anything, and places are numbers. */
bool telegraph_places_init(struct telegraph_places *places, uint32_t n, uint32_t m,
                           struct err *err);
void telegraph_places_free(struct telegraph_places *places);
void telegraph_places_start(struct telegraph_places *places);

/* Draw the places anew. Of packets first … last alone it is noted then who holds them. O(n) and,
 * for each 64 of these packets, as much again. */
void telegraph_places_shuffle(struct telegraph_places *places, struct rng *rng, uint32_t first,
                              uint32_t last);

/* A round begins: free all nodes, and note that those with fewer than `behind` packets are
 * behind. */
void telegraph_places_round(struct telegraph_places *places, uint32_t after);

/* Is anybody free who is behind? */
bool telegraph_places_any_late(const struct telegraph_places *places);

/* How many pairs of free nodes there are of which one holds the packet and the other lacks it and,
 * if `late`, is behind. O(n/64). */
uint32_t telegraph_places_pairs(const struct telegraph_places *places, uint32_t packet, bool late);

/* Take so many nodes that lack the packet, those with fewest packets first, and so many that hold
 * it, those with most packets, but node 0 last; both are listed by ascending packets. Those that
 * lack it have it from now on. O(n/64) for each class. */
void telegraph_places_take(struct telegraph_places *places, uint32_t packet, uint32_t pairs,
                           uint32_t receivers[], uint32_t senders[]);

/* List all nodes that are still free, node 0 first, then by ascending packets; returns how
 * many. */
uint32_t telegraph_places_left(const struct telegraph_places *places, uint32_t node[]);

/* A node receives the packet in this round, or, after all, does not. */
void telegraph_places_receive(struct telegraph_places *places, uint32_t node, uint32_t packet);
void telegraph_places_withdraw(struct telegraph_places *places, uint32_t node, uint32_t packet);

/* The round ends: who has received one is in the next class. */
void telegraph_places_end(struct telegraph_places *places);

#endif
