/* SPDX-License-Identifier: Apache-2.0 */
/* route_walk: walk through a schedule and know where in the routers each packet is.
 *
 * What arrives at an input of a router is stored there in the order in which it comes, so a packet
 * is found by its input and its arrival number there, from 0. If it comes again, the last copy
 * counts. Inputs of all routers are numbered one router after another, the ports of each as in
 * wiring.h. In a complete graph there are no routers.
 */
#ifndef ROUNDCAST_ROUTE_WALK_H
#define ROUNDCAST_ROUTE_WALK_H

#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

struct route_stay {
    uint32_t input;  /* of all routers */
    uint32_t number; /* arrivals there before it */
    uint32_t step;   /* index of the step in which it came */
    bool came;
};

struct route_walk {
    const struct schedule *schedule;
    void *memory;      /* of all arrays (arena.h) */
    uint32_t *first;   /* first[routers + 1]: each router's first input */
    uint32_t *arrived; /* arrived[inputs] before the step looked at */
    size_t step;       /* index of the step looked at */
    /* read_step[inputs][MACHINE_MAX_READS]: 1 + the last step with so many reads */
    uint32_t *read_step;
    /* read[inputs][MACHINE_MAX_READS]: arrival number of the packet that was read */
    uint32_t *read;
    struct route_stay *stay; /* stay[routers][packets] */
};

/* Precondition: a legal schedule. E104. Free it with route_walk_close. */
bool route_walk_open(struct route_walk *walk, const struct schedule *schedule, struct err *err);
void route_walk_close(struct route_walk *walk);

/* Does a router make this transfer of this step, not an endpoint? In a hypercube it does unless the
 * packet is its node's own, or came over the same dimension. */
bool route_walk_is_routed(const struct route_walk *walk, const struct transfer *transfer);

/* Where the router that makes a transfer of this step has its packet. */
const struct route_stay *route_walk_stay(const struct route_walk *walk,
                                         const struct transfer *transfer);

/* The read port of an input, 0 … MACHINE_MAX_READS - 1, that gives this packet in this step; the
 * same for all copies. MACHINE_MAX_READS if there is none left. */
uint32_t route_walk_read(struct route_walk *walk, const struct route_stay *stay);

/* The output port of the router that makes transfer `index`, among all routers' ports. */
uint32_t route_walk_output(const struct route_walk *walk, size_t index);

/* This step's packets arrive; on to the next one. */
void route_walk_next(struct route_walk *walk);

#endif
