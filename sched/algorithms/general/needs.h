/* SPDX-License-Identifier: Apache-2.0 */
/* needs: the nodes that have each packet and the nodes that still lack it, while a schedule is
 * being constructed.
 *
 *     node[first[p] …]    has[p] nodes that can send it | nodes to which it is under way, up to
 *                         sent[p] | nodes that may receive it, up to first[p + 1]
 *
 * Packets are counted from 0 here. A node that may receive a packet either wants it or is a helper:
 * a node that can forward it.
 *
 * If several packets have the same source and receivers and none of them has been sent yet, it is
 * enough to consider the first: a source sends one packet at a time, and any of them is as good. If
 * packets are bundled, the others wait, and at most NEEDS_OPEN packets of a bundle are under way to
 * some but not all of their nodes, so that a round considers no more than these.
 */
#ifndef ROUNDCAST_NEEDS_H
#define ROUNDCAST_NEEDS_H

#include "sched/schedule/schedule.h"

#define NEEDS_OPEN 64

/* A bundle; packets next … end-1 wait. */
struct needs_bundle {
    uint32_t next, end;
    uint32_t open;  /* number of its packets that are considered */
    bool has_fresh; /* whether one of those has not been sent yet */
};

struct needs {
    uint32_t nodes, packets;
    uint64_t lambda, unit; /* ticks that a packet travels, and that its sender is busy */
    size_t receipts;       /* wanted receipts that are still to be sent */
    size_t *first;         /* first[packets + 1] */
    uint32_t *node;        /* node[first[packets]]: the nodes of each packet */
    bool *helps;           /* [first[packets]]: whether the node is a helper */
    uint32_t *has, *sent;  /* [packets] */
    uint32_t *left;        /* left[packets]: nodes to which it is still to be sent */
    uint32_t *wants;       /* wants[nodes]: packets still to be sent to it */
    uint32_t *look;        /* look[look_count]: the packets to be considered */
    uint32_t look_count;
    struct needs_bundle *bundle; /* bundle[bundle_count] */
    uint32_t bundle_count;       /* 0 if packets are not bundled */
    uint32_t *bundle_of;         /* bundle_of[packets] */
    void *memory;
};

/* Initializes the needs: only sources have packets. With `help`, all nodes are helpers for packets
 * that they do not want. Precondition: no control packets. E104. O(Σ wanted), with helpers O(nodes
 * · packets). */
bool needs_new(const struct schedule *demands, bool help, bool bundled, struct needs *needs,
               struct err *err);
void needs_free(struct needs *needs);

/* Restores the initial state after a schedule has been found. O(Σ wanted). */
void needs_reset(struct needs *needs);

/* Drops the packets that have been sent to all their receivers and opens the next packets of their
 * bundles. O(packets considered + bundles). */
void needs_look(struct needs *needs);

/* Records that a packet is sent to a node that may receive it. Returns whether the node is a
 * helper. O(nodes that may receive it). */
bool needs_send(struct needs *needs, uint32_t packet, uint32_t to);

/* Records the arrival of a packet at a node. Copies of a packet arrive in the order in which they
 * were sent. O(nodes to which it is under way). */
void needs_come(struct needs *needs, uint32_t packet, uint32_t to);

#endif
