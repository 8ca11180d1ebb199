/* SPDX-License-Identifier: Apache-2.0 */
/* packet_tracker: follows a schedule step by step and knows where in the routers each packet is.
 *
 * What arrives at an input of a router is stored there in the order in which it comes, so a packet
 * is found by its input and its arrival number there, from 0. If it comes again, the last copy
 * counts. Inputs of all routers are numbered one router after another, the ports of each as in
 * wiring.h. In a complete graph there are no routers.
 */
#ifndef ROUNDCAST_PACKET_TRACKER_H
#define ROUNDCAST_PACKET_TRACKER_H

#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

struct packet_stay {
    uint32_t input;  /* of all routers */
    uint32_t number; /* arrivals there before it */
    uint32_t step;   /* index of the step in which it came */
    bool came;
};

struct packet_tracker {
    const struct schedule *schedule;
    void *memory;      /* of all arrays (arena.h) */
    uint32_t *first;   /* first[routers + 1]: each router's first input */
    uint32_t *arrived; /* arrived[inputs] before the step looked at */
    size_t step;       /* index of the step looked at */
    /* read_step[inputs][MACHINE_MAX_READS]: 1 + the last step with so many reads */
    uint32_t *read_step;
    /* read[inputs][MACHINE_MAX_READS]: arrival number of the packet that was read */
    uint32_t *read;
    struct packet_stay *stay; /* stay[routers][packets] */
};

/* Precondition: a legal schedule. E104. Free it with packet_tracker_close. */
bool packet_tracker_open(struct packet_tracker *walk, const struct schedule *schedule,
                         struct err *err);
void packet_tracker_close(struct packet_tracker *walk);

/* Does a router make this transfer of this step, not an endpoint? In a hypercube it does unless the
 * packet is its node's own, or came over the same dimension. */
bool packet_tracker_is_routed(const struct packet_tracker *walk, const struct transfer *transfer);

/* Where the router that makes a transfer of this step has its packet. */
const struct packet_stay *packet_tracker_stay(const struct packet_tracker *walk,
                                              const struct transfer *transfer);

/* The read port of an input, 0 … MACHINE_MAX_READS - 1, that gives this packet in this step; the
 * same for all copies. MACHINE_MAX_READS if there is none left. */
uint32_t packet_tracker_read(struct packet_tracker *walk, const struct packet_stay *stay);

/* The output port of the router that makes transfer `index`, among all routers' ports. */
uint32_t packet_tracker_output(const struct packet_tracker *walk, size_t index);

/* This step's packets arrive; on to the next one. */
void packet_tracker_next(struct packet_tracker *walk);

#endif
