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

struct tree_path {
    uint32_t from, to; /* leaves, distinct */
};

/* Appends the steps, from 1, that carry packet p, 1 … packets, along path[p - 1]. Preconditions: an
 * empty schedule of the tree, model single-port or multiport, packets ≥ 1. E104. O(transfers · (h +
 * log nodes)), because each nonempty queue sends in each step; memory O(packets + nodes). */
bool tree_fifo_build(const struct topology *tree, enum model model, uint32_t packets,
                     const struct tree_path path[], struct schedule *schedule, struct err *err);

#endif
