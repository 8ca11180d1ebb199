/* SPDX-License-Identifier: Apache-2.0 */
/* operations: a schedule as each node, or each rank of MPI, sees it: its sends and receives in
 * order of time.
 *
 *     round 1   0 → 1            node 0   sends 0, sends 1
 *     round 2   0 → 2, 1 → 3     node 1   receives 0, sends 2      transfer 2 needs receipt 0
 */
#ifndef ROUNDCAST_OPERATIONS_H
#define ROUNDCAST_OPERATIONS_H

#include "sched/schedule/schedule.h"

#define OPERATIONS_NONE SIZE_MAX

struct operations {
    /* [all + 1]: the operations of a node are first[node] … first[node + 1] - 1 */
    size_t *first;
    /* [2 · transfers]: twice the index of a transfer, plus 1 if the node receives it. Ascending for
     * each node; if packets are combined, sends come before receipts in each round. */
    size_t *operation;
    /* [transfers]: the transfer that brought the packet to its sender; OPERATIONS_NONE if the
     * packet starts there, or is combined */
    size_t *needs;
    /* [transfers]: the first transfer that brings the packet to its receiver, often this one;
     * OPERATIONS_NONE if the packet is combined */
    size_t *came;
    void *memory; /* the memory of all arrays */
};

/* Finds the operations of a schedule in which every node sends only packets that it has. E104.
 * O(transfers + nodes + packets). Free it with operations_free. */
bool operations_new(const struct schedule *schedule, struct operations *operations,
                    struct err *err);

void operations_free(struct operations *operations);

/* Returns whether a node wants the packets of a demand. O(log wanted). */
bool demand_wants(const struct demand *demand, uint32_t node);

/* Returns whether a node contributes to the combined packets of a demand. O(log contributors). */
bool demand_contributes(const struct demand *demand, uint32_t node);

/* Returns the buffer in which a node has a packet, as plans for GPUs name it: 'i' where it starts,
 * 'o' where it is wanted, 's' where it is only passed on. O(log demands + log wanted). */
char operations_buffer(const struct schedule *schedule, uint32_t node, uint32_t packet);

/* Returns whether a node passes on packets that it does not want. O(its operations · log
 * demands). */
bool operations_pass_on(const struct schedule *schedule, const struct operations *operations,
                        uint32_t node);

/* --- Operations of MPI ranks -------------------------------------------------------------- */

/* The rows that each rank of MPI executes, so that all ranks together execute a schedule.
 *
 *     round 1   0 → 1          rank 1:  row 0   receives from 0, to place 0
 *     round 2   0 → 2, 1 → 3            row 1   sends to 3, from place 0, when row 0 has ended
 *
 * A rank has a place for each packet that starts there or that it wants, ascending by packet; it
 * keeps these packets. After them it has a place for each other receipt: of a packet that it only
 * passes on, or that it already has. */

/* Values of rank_row.needs that are not a row: */
#define RANKS_START UINT32_MAX         /* no receipt: the packet starts there */
#define RANKS_RECEIPT (UINT32_MAX - 1) /* the row is a receipt */

/* Number of tags that every MPI supports. */
#define RANKS_TAGS 32768

struct rank_row {
    uint32_t step;  /* step of the schedule, from 0 */
    uint32_t peer;  /* the peer rank */
    uint32_t tag;   /* number of earlier packets between the same ranks */
    uint32_t place; /* place of its packet */
    uint32_t needs; /* the row that receives the packet, or one of the values above */
};

struct ranks {
    const struct schedule *schedule; /* not owned */
    struct operations operations;
    /* of the rank of the last ranks_look */
    struct rank_row *row;
    uint32_t rows;
    uint32_t *packet; /* [places]: the packet of each place */
    uint32_t kept, places;
    /* [packets + 1]: the place of a packet, and the row that received it */
    uint32_t *place_of, *needs_of;
    uint32_t *sent, *received; /* [nodes]: number of packets to and from a peer */
    uint32_t most_rows;
    void *memory; /* the memory of all arrays */
};

/* Prepares a schedule in which every rank sends only packets that it has. E208 for trees and
 * control packets; E104, also for more than RANKS_TAGS packets from one rank to another.
 * O(transfers + nodes + packets). Free it with ranks_free. */
bool ranks_new(const struct schedule *schedule, struct ranks *ranks, struct err *err);

/* Finds the rows of a rank, in order of steps. O(packets + nodes + rows). */
void ranks_look(struct ranks *ranks, uint32_t rank);

void ranks_free(struct ranks *ranks);

#endif
