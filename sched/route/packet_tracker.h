/* SPDX-License-Identifier: Apache-2.0 */
/* packet_tracker: follows a schedule step by step and records where in the routers each packet is.
 *
 * Packets are stored at an input of a router in the order of their arrival, so a packet is
 * identified by its input and its arrival number there, from 0. If it comes again, the last copy
 * counts. Inputs of all routers are numbered router after router, the ports of each as in wiring.h.
 * In a complete graph there are no routers.
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

/* Reports whether a router, not an endpoint, makes this transfer of this step. In a hypercube it is
 * a router unless the packet is its node's own, or came over the same dimension. */
bool packet_tracker_is_routed(const struct packet_tracker *walk, const struct transfer *transfer);

/* Returns where the router that makes a transfer of this step has its packet. */
const struct packet_stay *packet_tracker_stay(const struct packet_tracker *walk,
                                              const struct transfer *transfer);

/* Returns the read port of an input, 0 … MACHINE_MAX_READS - 1, that gives this packet in this
 * step; all copies use the same port. MACHINE_MAX_READS if none is left. */
uint32_t packet_tracker_read(struct packet_tracker *walk, const struct packet_stay *stay);

/* Returns the output port of the router that makes transfer `index`, among the ports of all
 * routers. */
uint32_t packet_tracker_output(const struct packet_tracker *walk, size_t index);

/* Lets the packets of this step arrive, and moves to the next step. */
void packet_tracker_next(struct packet_tracker *walk);

#endif
