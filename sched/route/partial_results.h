/* SPDX-License-Identifier: Apache-2.0 */
/* partial_results: which receipts of a reduction an endpoint combines, and which schedules it can
 * execute.
 *
 * An endpoint holds one partial result of a packet, in the packet's slot of its memory, which
 * begins with the node's contribution, if there is one; or it keeps what it receives apart from
 * that contribution (keeps_own in machine.h), and sends either or their combination.
 */
#ifndef ROUNDCAST_PARTIAL_RESULTS_H
#define ROUNDCAST_PARTIAL_RESULTS_H

#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

/* Returns whether nodes need two partial results of a packet: a transfer leaves out the sender's
 * contribution, or a demand is that of an exclusive scan. O(transfers + demands). */
bool partial_results_two(const struct schedule *schedule);

/* Checks that a machine keeps as many partial results of a packet as a schedule needs. E208. */
bool partial_results_check_kept(const char *name, const struct schedule *schedule,
                                const struct machine *machine, struct err *err);

/* Checks that endpoints can execute the reductions of a verified schedule, if there are any. In
 * models with times, E208 for a packet that a node sends while a receipt of it is being stored,
 * because its flits would be of two partial results. E104. O(transfers · log transfers). */
bool partial_results_check(const char *name, const struct schedule *schedule, struct err *err);

/* Checks that node memories (machine_has_node_memories) can execute the reductions of a verified
 * schedule of a hypercube. They keep one packet of each arc, combine it with the others unless it
 * replaces them, and do not know of two which one arrived first. E208 for a second packet over an
 * arc that is combined, for a packet that is combined after another has replaced the result, and
 * for two that replace it over different arcs. E104. O(transfers · log demands). */
bool partial_results_check_arcs(const char *name, const struct schedule *schedule, struct err *err);

/* Checks that the leaves of a tree, which have an endpoint on each link to their parent, can
 * execute the reductions of a verified schedule. E208 for a packet that a leaf has combined on one
 * link and sends or combines on another one, because each endpoint has a memory of its own. E104.
 * O(transfers · log demands). */
bool partial_results_check_links(const char *name, const struct schedule *schedule,
                                 struct err *err);

/* Index of a packet at a node, in arrays [packet-1][node]. */
static inline size_t partial_results_pair(const struct schedule *schedule, uint32_t node,
                                          uint32_t packet)
{
    return (size_t)(packet - 1) * schedule->nodes + node;
}

/* The partial results that nodes hold before a transfer. */
struct partial_results {
    const struct schedule *schedule;
    bool apart; /* what a node receives is kept apart from its own packets */
    /* [packet-1][node]: what an endpoint holds when a transfer arrives, and, if apart, when a
     * transfer begins; NULL in a schedule without reductions */
    uint8_t *held, *seen;
    size_t step; /* the next step whose packets have not arrived in `seen` */
    /* met[node]: 1 + the step of the last receipt; NULL unless the network combines packets */
    size_t *met;
};

/* Begins with the contributions; `apart` is keeps_own of the machine. E104. Free it with
 * partial_results_close. */
bool partial_results_open(struct partial_results *results, const struct schedule *schedule,
                          bool apart, struct err *err);
void partial_results_close(struct partial_results *results);

/* Returns whether the receiver of transfer `index` of a step receives an earlier transfer of the
 * step, with which the network combines this one. Transfers are passed in order. O(1). */
bool partial_results_meet(struct partial_results *results, size_t step, size_t index);

/* Returns whether the packet of transfer `index` is combined with a partial result of its receiver,
 * if there is one: it is part of a reduction, and replaces nothing. O(log demands). */
bool partial_results_joins(const struct schedule *schedule, size_t index);

/* Records the receipt of transfer `index`. Returns whether an endpoint combines it: the receiver
 * holds a partial result, if apart one that it has received, and does not replace it. Routers
 * combine copies when they send them (packet_tracker.h). Transfers are passed in order.
 * O(log demands). */
bool partial_results_receive(struct partial_results *results, size_t index);

/* If apart, returns whether the receiver's result includes its own contribution after transfer
 * `index`, whose receipt was recorded last; else false. O(log demands). */
bool partial_results_includes_own(const struct partial_results *results, size_t index);

/* If apart, returns the bits MACHINE_RECEIVED and MACHINE_COMBINE of the entry that sends transfer
 * `index` of a step; else 0. Steps are passed in order. O(log demands), and O(transfers) in all
 * calls together. */
uint32_t partial_results_sent(struct partial_results *results, size_t step, size_t index);

#endif
