/* SPDX-License-Identifier: Apache-2.0 */
/* packet_tracker: follows a schedule step by step and records where each packet is stored in the
 * routers.
 *
 * Packets are stored at an input of a router in the order of their arrival, so a packet is
 * identified by its input and its arrival number there, from 0. If a packet arrives again, the last
 * copy counts. The partial result of a packet that is combined consists of all copies that have
 * arrived since the last one that replaced it. The inputs of all routers are numbered router after
 * router, the ports of each as in wiring.h. A complete graph has no routers. */
#ifndef ROUNDCAST_PACKET_TRACKER_H
#define ROUNDCAST_PACKET_TRACKER_H

#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

struct packet_stay {
    uint32_t input;  /* counted over all routers */
    uint32_t number; /* number of earlier arrivals at the input */
    uint32_t step;   /* index of the step in which the packet arrived */
    uint32_t before; /* of a partial result: 1 + the index in older[] of its copy before; else 0 */
    bool came;
};

struct packet_tracker {
    const struct schedule *schedule;
    void *memory;      /* of all arrays (arena.h) */
    uint32_t *first;   /* first[routers + 1]: the first input of each router */
    uint32_t *arrived; /* arrived[inputs]: arrivals before the current step */
    size_t step;       /* index of the current step */
    /* read_step[inputs][MACHINE_MAX_READS]: 1 + the last step that used this read port */
    uint32_t *read_step;
    /* read[inputs][MACHINE_MAX_READS]: arrival number of the packet that was read */
    uint32_t *read;
    struct packet_stay *stay;  /* stay[routers][packets] */
    struct packet_stay *older; /* earlier copies of partial results */
    uint32_t older_count;
    /* [routers]: 1 + the last step in which the router combined a packet, and that packet */
    uint32_t *result_step, *result;
};

/* Prepares to follow a schedule, before its first step. Precondition: a legal schedule. E104. Free
 * it with packet_tracker_close. */
bool packet_tracker_open(struct packet_tracker *walk, const struct schedule *schedule,
                         struct err *err);
void packet_tracker_close(struct packet_tracker *walk);

/* Reports whether a router, not an endpoint, makes this transfer of this step. In a hypercube a
 * router makes it unless the packet starts at the node or arrived over the same dimension. */
bool packet_tracker_is_routed(const struct packet_tracker *walk, const struct transfer *transfer);

/* Returns where the router that makes a transfer of this step stores the packet. */
const struct packet_stay *packet_tracker_stay(const struct packet_tracker *walk,
                                              const struct transfer *transfer);

/* Returns the copy of a partial result that arrived before this one; NULL if there is none. */
const struct packet_stay *packet_tracker_before(const struct packet_tracker *walk,
                                                const struct packet_stay *stay);

/* Reports whether a router combines copies of the packet for transfer `index` of this step: it has
 * several, or the one that it has arrived at the port of the transfer, to which only a result is
 * sent. Precondition: the packet is routed. */
bool packet_tracker_combines(const struct packet_tracker *walk, size_t index);

/* Records that a router combines the packet of a transfer in this step. Returns false if it
 * combines another one. */
bool packet_tracker_result(struct packet_tracker *walk, const struct transfer *transfer);

/* Returns the read port of an input, 0 … MACHINE_MAX_READS - 1, that reads this packet in this
 * step; all copies use the same port. MACHINE_MAX_READS if no port is free. Packets that are
 * combined must be read before the others of the step, because they must have read port 0. */
uint32_t packet_tracker_read(struct packet_tracker *walk, const struct packet_stay *stay);

/* Returns the output port of the router that makes transfer `index`, among the ports of all
 * routers. */
uint32_t packet_tracker_output(const struct packet_tracker *walk, size_t index);

/* Records the arrival of this step's packets, and moves to the next step. */
void packet_tracker_next(struct packet_tracker *walk);

#endif
