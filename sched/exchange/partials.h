/* SPDX-License-Identifier: Apache-2.0 */
/* partials: finds the schedule of transfers of partial results, whose contents are known.
 *
 * The transfers of a packet at a node change and send its partial result. Receipts are in order of
 * execution; a send comes after the receipts whose contents it sends.
 *
 *     receives A   combines (A has nothing that the node has), or replaces (A has all that it has)
 *     sends S      the whole partial result, or all that was received
 *
 * Rounds must keep the order of a receipt before a send, strictly, and of a send before a receipt,
 * which may share a round. */
#ifndef ROUNDCAST_PARTIALS_H
#define ROUNDCAST_PARTIALS_H

#include "sched/schedule/schedule.h"

/* A transfer of a partial result. */
struct partials_move {
    struct transfer transfer; /* its packet is that of the schedule */
    uint64_t key;             /* transfers with lower keys get their rounds first */
    /* the order of execution: when the sender had the content, and when it counts at the
     * receiver */
    uint64_t sent, arrives;
};

struct partials {
    const char *name;  /* the file, for messages */
    const char *node;  /* what the file calls a node: "GPU" */
    const char *piece; /* what it calls a packet: "chunk" */
    size_t words;      /* of a set of nodes */
    size_t moves;
    const struct partials_move *move;
    const void *with; /* for the functions below */
    /* Returns the set of nodes whose contributions a transfer carries, a bit for each; valid until
     * the next call. */
    const uint64_t *(*content)(const void *with, size_t move);
    /* Returns the nodes that contribute to a packet, likewise. */
    const uint64_t *(*contributors)(const void *with, uint32_t packet);
    /* Returns the number by which the file names a packet. */
    uint64_t (*number)(const void *with, uint32_t packet);
};

/* Appends the transfers to a schedule with demands and without steps, in rounds of its model. E104;
 * E208 if a node sends something else than its whole partial result, or than all that it has
 * received, in every order of rounds. O(moves · (log moves + words) + Σ shared round²). */
bool partials_schedule(const struct partials *partials, struct schedule *schedule, struct err *err);

#endif
