/* SPDX-License-Identifier: Apache-2.0 */
/* reverse: the schedule of a broadcast, reversed in time, is the schedule of a reduction.
 *
 *     broadcast of 3 rounds, n = 4, m = 1        reduction
 *     round 1    0→1                             round 3    1→0
 *     round 2    0→2                             round 2    2→0
 *     round 3    1→3                             round 1    3→1
 *
 * In a broadcast a node receives a packet once and forwards it later. Reversed, it combines the
 * partial results of those receivers and then returns its own partial result once. (Receipts of a
 * packet that the node already has are omitted.) So the contribution of each node is counted once,
 * in as many rounds. In the same way an all-gather becomes a reduce-scatter. If a schedule ends at
 * E, its transfer that is sent at time t and arrives at t + λ is sent at E - t - λ in the reverse.
 *
 * Most models have the same port rules in reverse. Networks that copy packets do not combine them.
 * A node of a single-port tree or direct topology sends on one link, but receives on all. So a
 * reduction in these models reverses a broadcast of the multiport model, in which a node receives
 * its one packet once. In a direct topology, whose furthest node is D links away, the reverse is
 * repeated for each packet, a round later, in m - 1 + D rounds, which is the minimum: the furthest
 * node sends m packets. An all-gather, in which a node receives on several links at a time, cannot
 * be reversed.
 *
 * Bar-Noy, Kipnis, Schieber, "Optimal multiple message broadcasting in telephone-like communication
 * systems", section 1; Träff, arXiv 2407.18004, section 3.
 */
#ifndef ROUNDCAST_REVERSE_H
#define ROUNDCAST_REVERSE_H

#include "sched/algorithms/algorithm.h"

/* Bits of the models on complete graphs whose schedules can be reversed. */
#define REVERSE_MODELS \
    (1u << MODEL_SEND_RECEIVE | 1u << MODEL_TELEPHONE | 1u << MODEL_TELEGRAPH | 1u << MODEL_POSTAL)

/* Returns the algorithm whose reversed schedule ends first, among those with a known end, or the
 * first of the table if none has one; NULL if there is no algorithm. If all packets are to be
 * combined by the same trees, it is the one for ⌈log2 n⌉ packets, so that it does not
 * depend on m. O(algorithms · end). */
const struct algorithm *reverse_best(const struct collective *collective);

/* Checks that collective->by builds a schedule that can be reversed: a broadcast or, for a
 * reduce-scatter, an all-gather, on the topology and in the model. E103. */
bool reverse_accepts(const struct collective *collective, struct err *err);

/* Returns the end of the reversed schedule. */
uint64_t reverse_end(const struct collective *collective);

/* Appends the reversed schedule of collective->by to a schedule without steps. Errors of that
 * algorithm, and E104. O(transfers · log demands). */
bool reverse_build(const struct collective *collective, struct schedule *schedule, struct err *err);

/* Appends the reversed schedule as reverse_build, then the schedule itself, whose transfers replace
 * partial results: an all-reduce. */
bool reverse_build_twice(const struct collective *collective, struct schedule *schedule,
                         struct err *err);

/* Appends steps first_step … end_step - 1 of a schedule to itself in reverse, with transfers that
 * replace partial results: the all-gather after a reduce-scatter. The step of round r is repeated
 * in round sum - r. Preconditions: a model of rounds on a complete graph, and `sum` is larger than
 * the sum of the last of these rounds and the last round of the schedule. E104. O(transfers). */
bool reverse_mirror(struct schedule *schedule, size_t first_step, size_t end_step, uint64_t sum,
                    struct err *err);

/* Returns the end of reverse_build_twice. */
uint64_t reverse_end_twice(const struct collective *collective);

#endif
