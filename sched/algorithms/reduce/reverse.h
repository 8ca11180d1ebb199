/* SPDX-License-Identifier: Apache-2.0 */
/* reverse: the schedule of a broadcast, run backwards, is that of a reduction.
 *
 *     broadcast of 3 rounds, n = 4, m = 1        reduction
 *     round 1    0→1                             round 3    1→0
 *     round 2    0→2                             round 2    2→0
 *     round 3    1→3                             round 1    3→1
 *
 * A node that receives a packet once, and sends it on later, has combined what comes back from the
 * others when it returns its partial result, once. (Receipts of a packet that the node has already
 * are left out.) So the contribution of each node is counted
 * once, in as many rounds. In the same way an all-gather becomes a reduce-scatter. A transfer that
 * is sent at time t and arrives at t + λ, of a schedule that ends at E, is sent at E - t - λ.
 *
 * The port rules of all models but two are the same backwards. Networks that copy do not combine. A
 * node of a tree with one port sends on one link, but receives on all. So a reduction in the model
 * single-port reverses a broadcast of the model multiport, in which a node receives its one packet
 * once; an all-gather, in which it receives on several links at a time, cannot be reversed.
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

/* Returns the algorithm whose schedule is reversed and ends first, of those with a known end; NULL
 * if there is none. O(algorithms · end). */
const struct algorithm *reverse_best(const struct collective *collective);

/* Checks that collective->by builds a schedule to reverse: a broadcast, or an all-gather for a
 * reduce-scatter, on the topology and in the model. E103. */
bool reverse_accepts(const struct collective *collective, struct err *err);

/* Returns the end of the reversed schedule. */
uint64_t reverse_end(const struct collective *collective);

/* Appends the reversed schedule of collective->by to one without steps. Errors of that schedule,
 * and E104. O(transfers · log demands). */
bool reverse_build(const struct collective *collective, struct schedule *schedule, struct err *err);

/* The same, and the schedule itself after it, whose transfers replace partial results: an
 * all-reduce. */
bool reverse_build_twice(const struct collective *collective, struct schedule *schedule,
                         struct err *err);

/* Appends the first `steps` steps of a schedule to itself, backwards, with transfers that replace
 * partial results: the all-gather of a reduce-scatter. Precondition: a model of rounds on a
 * complete graph. E104. O(transfers). */
bool reverse_mirror(struct schedule *schedule, size_t steps, struct err *err);

/* Returns the end of reverse_build_twice. */
uint64_t reverse_end_twice(const struct collective *collective);

#endif
