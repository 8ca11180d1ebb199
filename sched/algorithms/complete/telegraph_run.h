/* SPDX-License-Identifier: Apache-2.0 */
/* telegraph_run: one run of the telegraph algorithm; telegraph.c lists its rules. */
#ifndef ROUNDCAST_TELEGRAPH_RUN_H
#define ROUNDCAST_TELEGRAPH_RUN_H

#include "sched/algorithms/complete/holdings.h"
#include "sched/algorithms/complete/telegraph_steady.h"
#include "sched/base/rng.h"
#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* -- Places ------------------------------------------------------------------------------------ */

/* The packets that nodes hold in a run of the telegraph algorithm, and the free nodes, as rows
 * of bits.
 *
 * A node has a place, 0 … n-1: node 0 has place 0; the other nodes follow in the order in which
 * ties are broken. A bit of a 64-bit word stands for a place:
 *
 *     column[packet - 1]    nodes that hold the packet
 *     classes[h]            nodes of places 1 … n-1 that hold h packets; each node is in one class
 *     idle                  nodes that have no transfer in this round yet
 *     came                  nodes that receive in this round
 *
 * So the nodes with the fewest packets are the first nonempty class, from its first bit on, and one
 * word shows which of 64 nodes are free and lack a packet. */

struct telegraph_key {
    uint64_t key;
    uint32_t node;
};

struct telegraph_places {
    uint32_t n, m;
    size_t words;                 /* words for n places */
    struct holdings rows;         /* by node; node 0 holds the packets introduced so far */
    uint32_t *held;               /* [node]: number of packets; m for node 0 */
    uint32_t *node, *place;       /* [place]: its node; [node]: its place */
    uint64_t *column, *classes;   /* [m][words], [m + 1][words] */
    uint64_t *idle, *late, *came; /* [words] */
    uint32_t *in_class, *free_in; /* [m + 1]: number of nodes, and of free nodes */
    uint32_t *some, *next;        /* [some_count]: the nonempty classes, ascending */
    uint32_t some_count;
    struct telegraph_key *keyed; /* [n]: scratch */
    uint32_t after;              /* nodes of classes below this one are late */
    uint32_t free;               /* number of free nodes */
    void *memory;
};

/* Allocates the arrays (init, E104) and resets them (start): no node holds a packet, and the place
 * of each node is its number. Call start before the first round. Free with telegraph_places_free,
 * also after an error. */
bool telegraph_places_init(struct telegraph_places *places, uint32_t n, uint32_t m,
                           struct err *err);
void telegraph_places_free(struct telegraph_places *places);
void telegraph_places_start(struct telegraph_places *places);

/* Draws new places. Afterwards only the columns of packets first … last are valid. O(n), and as
 * much again for each 64 of these packets. */
void telegraph_places_shuffle(struct telegraph_places *places, struct rng *rng, uint32_t first,
                              uint32_t last);

/* Sorts the places by the packets that their nodes hold: nodes that lack the newest packet come
 * first, and the next older packet decides among equals. Bit a of `flips` reverses this for the
 * packet `newest` - a. Packets `newest` - 64 and older decide nothing. Every node must hold all
 * packets before `first`. Afterwards only the columns of packets first … newest are valid.
 * O(n·(newest - first) + n log n). */
void telegraph_places_sort(struct telegraph_places *places, uint64_t flips, uint32_t first,
                           uint32_t newest);

/* Begins a round: frees all nodes, and marks nodes with fewer than `after` packets as late. */
void telegraph_places_round(struct telegraph_places *places, uint32_t after);

/* Returns whether a late node is free. */
bool telegraph_places_any_late(const struct telegraph_places *places);

/* Returns the number of pairs of free nodes in which the sender holds the packet and the receiver
 * lacks it and, if `late`, is late. O(n/64). */
uint32_t telegraph_places_pairs(const struct telegraph_places *places, uint32_t packet, bool late);

/* Takes `pairs` nodes that lack the packet, those with the fewest packets first, and as many nodes
 * that hold it, those with the most packets first, except that node 0 is last. Lists both by
 * ascending number of packets. The receivers hold the packet from now on. O(n/64) for each
 * class. */
void telegraph_places_take(struct telegraph_places *places, uint32_t packet, uint32_t pairs,
                           uint32_t receivers[], uint32_t senders[]);

/* Lists all nodes that are still free, node 0 first, then by ascending number of packets. Returns
 * how many there are. */
uint32_t telegraph_places_left(const struct telegraph_places *places, uint32_t node[]);

/* Records, or withdraws, that a node receives the packet in this round. */
void telegraph_places_receive(struct telegraph_places *places, uint32_t node, uint32_t packet);
void telegraph_places_withdraw(struct telegraph_places *places, uint32_t node, uint32_t packet);

/* Ends the round: each node that received a packet moves to the next class. */
void telegraph_places_end(struct telegraph_places *places);

struct telegraph_run {
    uint32_t n, m;
    uint64_t bound;                        /* number of rounds in which the run should end */
    uint64_t t;                            /* the current round */
    uint64_t left;                         /* receipts left */
    const struct telegraph_steady *steady; /* the rules of a steady run, or NULL */

    struct telegraph_places places;
    uint32_t brought;  /* packets 1 … brought have been introduced */
    void *memory;      /* storage of all arrays (arena.h) */
    uint32_t *holders; /* [packet]: number of its holders */
    uint32_t *open;    /* [brought]: packets, fewest holders first */
    uint32_t *at;      /* [packet]: its index in `open` */
    uint32_t *up_to;   /* [h]: number of packets with at most h holders, h = 1 … n-1 */
    uint32_t *senders, *receivers; /* scratch, [n] */

    struct schedule *schedule; /* NULL: only count the rounds */
    struct transfer *own;      /* [n]: the transfers of a round without a schedule */
    struct transfer *transfer; /* transfers of the round */
    uint32_t count;
};

/* Allocates a run for the n and m of a collective, n ≥ 2. E104. Free with telegraph_run_free. */
bool telegraph_run_init(struct telegraph_run *run, const struct collective *collective,
                        struct err *err);
void telegraph_run_free(struct telegraph_run *run);

/* Simulates all rounds and appends them to `schedule` unless it is NULL. If run->steady is set, the
 * run follows its rules (telegraph_steady.h) and ignores the seed. Otherwise ties are broken by
 * node number for seed 0, else in an order drawn from the seed. Returns the number of rounds, or 0
 * with E104 (only with a schedule). May be called repeatedly. */
uint64_t telegraph_run(struct telegraph_run *run, uint64_t seed, struct schedule *schedule,
                       struct err *err);

#endif
