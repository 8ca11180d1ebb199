/* SPDX-License-Identifier: Apache-2.0 */
/* tree_pipeline: repeats schedules of one packet in a tree for many packets.
 *
 * A broadcast crosses each branch once, on one lane. In the multiport model c packets move together
 * if every branch has c lanes, and the next packets follow a round later. In the single-port model
 * a node sends one copy after the other, so that the next packet follows after as many rounds as
 * the busiest node sends copies: ⌈m/c⌉ groups of packets at intervals of i rounds end (⌈m/c⌉ - 1)i
 * rounds after one packet. In an all-reduce partial results climb to a router and results return
 * from it; in the multiport model both move at the same time, in opposite directions:
 *
 *     k = 2, 2, m = 2    round 1   packet 1 to level 1
 *                        round 2   packet 1 to level 2     packet 2 to level 1
 *                        round 3   packet 1 to level 1     packet 2 to level 2
 *                        round 4   packet 1 to the leaves  packet 2 to level 1
 *                        round 5                           packet 2 to the leaves
 */
#ifndef ROUNDCAST_TREE_PIPELINE_H
#define ROUNDCAST_TREE_PIPELINE_H

#include "sched/algorithms/algorithm.h"
#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

extern const struct algorithm algorithm_tree_broadcast;

/* A broadcast of one packet, or its reverse, that each packet makes. */
struct tree_wave {
    const struct schedule *broadcast; /* a step for each round 1 … end */
    bool backwards;                   /* it is reversed in time, and combines partial results */
    uint64_t after;                   /* rounds before its first round */
    uint64_t interval;                /* rounds from one group of packets to the next */
};

/* Returns the number of packets that move together: the lanes of the narrowest branch, or 1 in the
 * single-port model. */
uint32_t tree_pipeline_lanes(const struct collective *collective);

/* Returns the number of groups of packets, ⌈m/c⌉. */
uint64_t tree_pipeline_groups(const struct collective *collective);

/* Returns the rounds from one group of packets of a broadcast to the next: in the single-port model
 * the most copies of a packet that a node sends, else 1. O(h); of a tree given by parents
 * O(nodes²). */
uint64_t tree_pipeline_interval(const struct collective *collective);

/* Returns the rounds from the end of the first packet of a broadcast to that of the last. */
uint64_t tree_pipeline_later(const struct collective *collective);

/* Appends the waves of each packet to a schedule without steps. The transfers of a wave that is not
 * backwards replace partial results, if the packets are combined. Preconditions: waves at their
 * intervals use no port or branch twice in a round, and each fits in one lane. E104. O(transfers +
 * rounds · waves). */
bool tree_pipeline_append(const struct collective *collective, const struct tree_wave wave[],
                          unsigned waves, struct schedule *schedule, struct err *err);

#endif
