/* SPDX-License-Identifier: Apache-2.0 */
/* transfers_packets: the packets of a list of transfers: their routes, the nodes that want them,
 * their numbers and their demands. */
#ifndef ROUNDCAST_TRANSFERS_PACKETS_H
#define ROUNDCAST_TRANSFERS_PACKETS_H

#include "sched/exchange/transfers.h"

/* The route of a packet. */
struct packet_route {
    uint32_t source;
    uint32_t receivers; /* processors other than the source that receive it */
    uint32_t end;       /* the last processor that receives it and does not send it; NONE */
    bool path;          /* a path: each node forwards it once, and receives it once */
    uint32_t wanted;    /* 0: all nodes want it; 1: `end`; 2: all receivers */
    uint32_t number;    /* in the schedule */
};

enum { WANTED_BY_ALL, WANTED_BY_END, WANTED_BY_RECEIVERS };

struct packet_maker {
    const struct transfers *list;
    const struct exchange_reading *how;
    uint32_t nodes, all;                   /* processors; and routers, which have higher numbers */
    const struct collective_row *expected; /* NULL: none */
    size_t *order;                         /* [count]: the transfers, by time */
    size_t *of;                            /* [count]: those of each packet, by time */
    size_t *first;                         /* [labels + 1]: where those of a packet begin */
    uint64_t *round;            /* [count]: of the transfers, by their place in the list */
    struct packet_route *route; /* [labels] */
    uint32_t *by_number;        /* [labels]: the labels, by their numbers in the schedule */
    uint32_t *stamp;            /* [all]: 1 + the last packet that the node received */
    uint32_t *sent;             /* [all]: 1 + the last packet that the node sent */
    uint32_t *wanted;           /* [nodes]: a list of nodes */
    void *memory;
};

/* Finds the route of each packet and the nodes that want it, and numbers the packets: in the order
 * of the collective that they form, else by source. Preconditions: list, how, nodes and expected
 * are set, and the transfers are sorted: order, of, first. E104. O(transfers + nodes + labels · log
 * labels). */
bool transfers_packets_find(struct packet_maker *maker, struct err *err);

/* Numbers the packets by their labels, which must be those of the given demands: E205. */
bool transfers_packets_take(struct packet_maker *maker, struct err *err);

/* Adds the demands of the packets that were found. E104; E204 for a reduction that is not one. */
bool transfers_packets_demand(struct packet_maker *maker, struct schedule *schedule,
                              struct err *err);

#endif
