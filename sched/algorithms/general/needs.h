/* SPDX-License-Identifier: Apache-2.0 */
/* needs: the nodes that have each packet and the nodes that still lack it, while a schedule is
 * being found.
 *
 *     node[first[p] …]    has[p] nodes that can send it | nodes that it is under way to, up to
 *                         sent[p] | nodes that may get it, up to first[p + 1]
 *
 * Packets are counted from 0 here. A node that may get a packet either wants it or is its helper: a
 * node that can pass it on.
 *
 * If several packets have the same source and receivers and none of them has been sent yet, it is
 * enough to look at the first: a source sends one packet at a time, and it may as well be that one.
 * If they are bundled, the others wait, and at most NEEDS_OPEN packets of a bundle are under way to
 * some of their nodes and not to all, so that a round looks at no more than these.
 */
#ifndef ROUNDCAST_NEEDS_H
#define ROUNDCAST_NEEDS_H

#include "sched/schedule/schedule.h"

#define NEEDS_OPEN 64

/* Packets next … end-1 wait. */
struct needs_bundle {
    uint32_t next, end;
    uint32_t open;  /* so many are looked at, */
    bool has_fresh; /* and one of them was not sent yet */
};

struct needs {
    uint32_t nodes, packets;
    uint64_t lambda, unit; /* ticks that a packet takes, that its sender is busy */
    size_t receipts;       /* that are wanted and to be sent */
    size_t *first;         /* first[packets + 1] */
    uint32_t *node;        /* node[first[packets]], … */
    bool *helps;           /* … and whether it is a helper */
    uint32_t *has, *sent;  /* [packets] */
    uint32_t *left;        /* left[packets]: nodes that want it, and are still to be sent it */
    uint32_t *wants;       /* wants[nodes]: packets that it is still to be sent */
    uint32_t *look;        /* look[look_count]: the packets to be looked at */
    uint32_t look_count;
    struct needs_bundle *bundle; /* bundle[bundle_count] */
    uint32_t bundle_count;       /* 0 if they are not bundled */
    uint32_t *bundle_of;         /* bundle_of[packets] */
    void *memory;
};

/* At the start only sources have something. With `help`, all nodes are helpers of packets that they
 * do not want. Precondition: no control. E104. O(Σ wanted), with helpers O(nodes · packets). */
bool needs_new(const struct schedule *demands, bool help, bool bundled, struct needs *needs,
               struct err *err);
void needs_free(struct needs *needs);

/* Restores the initial state after a schedule was found. O(Σ wanted). */
void needs_reset(struct needs *needs);

/* Stops looking at packets that have been sent to all their receivers, and opens the next ones of
 * their bundles. O(packets looked at + bundles). */
void needs_look(struct needs *needs);

/* A node that may get the packet is sent it. Returns whether it is a helper. O(nodes that may get
 * it). */
bool needs_send(struct needs *needs, uint32_t packet, uint32_t to);

/* It has come. Packets come to a node in the order in which they were sent. O(nodes that it is
 * under way to). */
void needs_come(struct needs *needs, uint32_t packet, uint32_t to);

#endif
