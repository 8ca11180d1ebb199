/* SPDX-License-Identifier: Apache-2.0 */
/* tree_fifo: routes packets through a tree of routers with queues, first come first served.
 *
 * Each packet goes from one leaf to another, up to the router where they meet and down. Packets
 * wait at a node in queues: in the single-port model in one queue, from which a step takes one
 * packet; in the multiport model in a queue for each branch and direction, from which a step takes
 * one packet for each lane, lane 0 first. Packets that start at a leaf are queued there before step
 * 1, in their order. Packets that arrive at a node in one step are queued in this order: from its
 * children, left to right, then from its parent; from one branch by lane.
 */
#ifndef ROUNDCAST_TREE_FIFO_H
#define ROUNDCAST_TREE_FIFO_H

#include "sched/schedule/schedule.h"

/* -- Awake routers ----------------------------------------------------------------------------- */

/* A bit for each router of a tree that may have a packet to send, so that idle routers cost
 * almost nothing.
 *
 * Router r = node - n is bit r mod 64 of word r / 64. */

/* Returns the number of words for a tree's routers. */
static inline size_t tree_awake_words(const struct topology *tree)
{
    return ((size_t)tree->all - tree->nodes + 63) / 64;
}

static inline void tree_awake_wake(uint64_t awake[], const struct topology *tree, uint32_t router)
{
    awake[(router - tree->nodes) / 64] |= UINT64_C(1) << (router - tree->nodes) % 64;
}

/* Appends the transfers of one router of a level in a step. E104. */
typedef bool tree_awake_serve(void *queues, uint32_t router, unsigned level,
                              struct schedule *schedule, struct err *err);

/* Serves all awake routers in ascending order; a router that sends nothing is put to sleep. E104.
 * O(transfers + routers / 64) if every awake router sends in all but one step. */
bool tree_awake_step(uint64_t awake[], const struct topology *tree, tree_awake_serve *serve,
                     void *queues, struct schedule *schedule, struct err *err);

struct tree_path {
    uint32_t from, to; /* leaves, distinct */
};

/* Appends the steps, from 1, that carry packet p, 1 … packets, along path[p - 1]. Preconditions: an
 * empty schedule of the tree, model single-port or multiport, packets ≥ 1. E104. O(transfers · (h +
 * log nodes)), because each nonempty queue sends in each step; memory O(packets + nodes). */
bool tree_fifo_build(const struct topology *tree, enum model model, uint32_t packets,
                     const struct tree_path path[], struct schedule *schedule, struct err *err);

/* -- Total exchange ---------------------------------------------------------------------------- */

/* The total exchange in the single-port model (Figure 5). Leaves send the furthest packet first. */

/* Appends the steps of a total exchange. A router has two first-in, first-out queues: one for
 * packets that go up, which it serves first, and one for packets that go down. Packets that arrive
 * in one step are queued in the order children, left to right, then parent.
 *
 * O(transfers + steps · routers / 64), memory O(transfers). E104. */
bool tree_total_exchange_queues_build(const struct collective *collective,
                                      struct schedule *schedule, struct err *err);

#endif
