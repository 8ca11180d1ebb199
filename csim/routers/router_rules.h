/* SPDX-License-Identifier: Apache-2.0 */
/* router_rules: what self-timed routers send; rtl/routers/rc_router_auto.sv. There is one rule for
 * all collectives, and it is applied once a row, when the last flits of the row have come, to the
 * packets whose headers have:
 *
 *     queue   Each packet that has arrived is queued for every branch that it is for: a multicast
 *             for all branches, to children and parent, but the one it came from; another for the
 *             branch towards its destination. Those of a row are queued by the number of their
 *             input port. In a single-port run all packets for one leaf each that go to children
 *             wait in one queue, that of child 0.
 *     serve   In the next row each branch sends its oldest packets, the j-th on lane j. In a
 *             single-port run the router sends one packet, on lane 0: to the parent if there is one
 *             for it, else from the next child's queue, in turn, that has one.
 *
 * The header says it, in flit 1 of the packet: {multicast, destination}. None is sent back where it
 * came from. The flag `overflow` tells of a packet that was not queued as the queue was full, of
 * one that is sent although another has come over it, and of a row in which an input is to give
 * more different packets than it has read ports. What goes out then is what goes out of the
 * hardware (rules_read).
 */
#ifndef ROUNDCAST_ROUTER_RULES_H
#define ROUNDCAST_ROUTER_RULES_H

#include "csim/routers/router_level.h"

/* A packet in a queue: the number of its arrival, from 0, at an input, and the branch that it is to
 * leave by. */
struct router_packet {
    uint32_t input, arrival, branch;
};

/* A packet that is taken from a queue: its input, its slot there, and the port that it leaves
 * by. */
struct router_taken {
    uint32_t input, slot, output;
};

struct router_rules {
    uint32_t children, branches; /* of a router: its children, then its parent */
    uint32_t room;               /* packets of a queue */
    uint32_t below;              /* leaves below a child */
    size_t queues;               /* of all routers */

    struct router_packet *queue; /* queue[routers][branches][room], a ring each */
    /* [routers][branches]: the oldest packet of it; how many there are */
    uint32_t *head, *count;
    uint32_t *header;  /* [lanes]: flit 1 of the row that comes; valid if there is one */
    uint32_t *arrived; /* [lanes]: packets that have come */
    uint32_t *turn;    /* [routers]: the child that is asked first */
    /* [ports][reads]: slots that a router's inputs give in the row; [ports] */
    uint32_t *given, *given_count;
    struct router_taken *taken; /* [branches]: for one lane of each branch of a router */
    uint32_t taken_count;
    bool sends; /* some router sends in the next row */
    bool lacks; /* some is to send what is in no slot, as read ports are too few */
};

/* Queues. False if there is no memory. */
bool router_rules_new(struct router_level *level, struct csim_module *module);

/* Nothing is queued, nothing is sent. */
void router_rules_clear(struct router_level *level);

/* Flit 1 of a row is on the lanes. O(lanes). */
void router_rules_headers(struct router_level *level, const uint32_t *lanes);

/* A row is complete: the packets whose last flit is valid in last[lanes] are in their buffers.
 * Queue those that have headers, advance the slots, aim the outputs at what they send in the next
 * row. O(ports of the level). */
void router_rules_apply(struct router_level *level, const uint32_t *last);

/* Begin the row that was aimed. A router that sends from a slot to which nothing has come raises
 * its flag. Does any router send? */
bool router_rules_aim(struct router_level *level);

#endif
