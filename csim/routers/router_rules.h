/* SPDX-License-Identifier: Apache-2.0 */
/* router_rules: the rule by which self-timed routers send; rtl/routers/rc_router_auto.sv. All
 * collectives use the same rule. It is applied once per row, when the last flits of the row have
 * arrived, to the packets whose headers arrived:
 *
 *     queue   Each packet that has arrived is queued for its branches: a multicast packet for all
 *             branches, to children and parent, except the branch it came from; a unicast packet
 *             for the branch towards its destination. The packets of a row are queued in the order
 *             of their input ports. In a single-port run all unicast packets to children wait in
 *             one queue, that of child 0.
 *     serve   In the next row each branch sends its oldest packets, the j-th on lane j. In a
 *             single-port run the router sends one packet, on lane 0: to the parent if there is one
 *             waiting for it, else from the next nonempty queue of a child, in turn.
 *
 * The destination is in the header, flit 1 of the packet: {multicast, destination}. No packet is
 * sent back over its incoming branch. The flag `overflow` reports a packet that was not queued
 * because the queue was full, a packet that is sent although another has overwritten it, and a row
 * in which an input must supply more different packets than it has read ports. The router then
 * sends the same words as the hardware (rules_read).
 */
#ifndef ROUNDCAST_ROUTER_RULES_H
#define ROUNDCAST_ROUTER_RULES_H

#include "csim/routers/router_level.h"

/* A packet in a queue: its arrival number at an input, from 0, and the branch over which it
 * leaves. */
struct router_packet {
    uint32_t input, arrival, branch;
};

/* A packet taken from a queue: its input, its slot there, and its output port. */
struct router_taken {
    uint32_t input, slot, output;
};

struct router_rules {
    uint32_t children, branches; /* of a router: its children, then its parent */
    uint32_t room;               /* packets of a queue */
    uint32_t below;              /* endpoints below a child */
    size_t queues;               /* queues of all routers */

    struct router_packet *queue; /* queue[routers][branches][room], a ring each */
    /* [routers][branches]: the oldest packet of the queue, and its number of packets */
    uint32_t *head, *count;
    uint32_t *header;     /* [lanes]: flit 1 of the arriving row; valid if there is one */
    uint32_t *arrived;    /* [lanes]: number of packets that have arrived */
    uint32_t *next_child; /* [routers]: the child that is served first */
    /* [ports][reads]: slots that a router's inputs supply in the row; [ports]: their number */
    uint32_t *given, *given_count;
    struct router_taken *taken; /* [branches]: for one lane of each branch of a router */
    uint32_t taken_count;
    bool sends; /* a router sends in the next row */
    bool lacks; /* a packet cannot be supplied, because read ports are too few */
};

/* Allocates the queues. False if there is no memory. */
bool router_rules_new(struct router_level *level, struct csim_module *module);

/* Empties the queues; nothing is sent. */
void router_rules_clear(struct router_level *level);

/* Reads the headers: flit 1 of a row is on the lanes. O(lanes). */
void router_rules_headers(struct router_level *level, const uint32_t *lanes);

/* Completes a row: the packets whose last flit is valid in last[lanes] are in their buffers. Queues
 * those that have headers, advances the slots, and aims the outputs at what they send in the next
 * row. O(ports of the level). */
void router_rules_apply(struct router_level *level, const uint32_t *last);

/* Begins the row that was aimed. A router that sends from an empty slot raises its flag. Returns
 * whether any router sends. */
bool router_rules_aim(struct router_level *level);

#endif
