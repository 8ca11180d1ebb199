/* SPDX-License-Identifier: Apache-2.0 */
/* tree_pipeline: repeats schedules of one packet for many packets, in the multiport model of a
 * tree.
 *
 * A broadcast crosses each branch at most once in each direction, on one lane, so that the next
 * packet can follow a round later. With c lanes on every branch, c packets move together. So m
 * packets end ⌈m/c⌉ - 1 rounds after one packet. In an all-reduce partial results climb to a router
 * and results return from it; both move at the same time, in opposite directions:
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
    const struct schedule *broadcast;
    bool backwards; /* it is reversed in time, and combines partial results */
    uint64_t after; /* rounds before its first round */
};

/* Returns the number of packets that move together: the lanes of the narrowest branch. */
uint32_t tree_pipeline_lanes(const struct topology *tree);

/* Returns the rounds from the end of the first packet to that of the last: ⌈m/c⌉ - 1. */
uint64_t tree_pipeline_later(const struct collective *collective);

/* Checks that several packets can follow one another: the multiport model, and levels of equal
 * routers. E103. */
bool tree_pipeline_accepts(const struct collective *collective, struct err *err);

/* Appends the waves of each packet to a schedule without steps. The transfers of a wave that is not
 * backwards replace partial results, if the packets are combined. Preconditions: two waves never
 * cross a branch in the same direction, and each fits in one lane. E104. O(transfers + rounds ·
 * h). */
bool tree_pipeline_append(struct schedule *schedule, const struct tree_wave wave[], unsigned waves,
                          uint32_t packets, struct err *err);

#endif
