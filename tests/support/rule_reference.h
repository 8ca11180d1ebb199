/* SPDX-License-Identifier: Apache-2.0 */
/* rule_reference: simulates routers without a timetable, packet by packet: the rule that schedules
 * with queues must follow. It represents a tree by its lists of children and capacities, shares no
 * code with topology.c or sched/algorithms/tree, and takes from a schedule only what its leaves
 * send and the destinations of packets.
 *
 *     branches of a router    0 … k-1 to its children, k to its parent; a FIFO each
 *     arrival     a packet is queued for each branch that it is for: towards its leaf, or, if it is
 *                 for all, for all branches but the one that it came from; those of one step by
 *                 child, then parent, by lane
 *     multiport   each branch sends as many of its oldest as it has lanes, the j-th oldest on lane
 *                 j
 *     single-port one packet on lane 0: the parent's oldest, else that of the next child that has
 *     one after the
 *                 child served last, child 0 first
 *
 * Self-timed routers do it with one_down in the single-port model and without it in the multiport
 * model.
 */
#ifndef ROUNDCAST_RULE_REFERENCE_H
#define ROUNDCAST_RULE_REFERENCE_H

#include "sched/schedule/schedule.h"

/* One packet on one link. */
struct rule_reference_hop {
    uint32_t step, source, destination, lane, packet;
};

struct rule_reference_fifo {
    uint32_t *packet;
    size_t head, tail, room; /* packet[head … tail-1] wait */
};

struct rule_reference {
    const struct schedule *asked; /* its routers' transfers are ignored */
    /* packets for one leaf each that go down wait in the FIFO of child 0 */
    bool one_down;
    uint32_t branches, lanes; /* the most of any router and branch */
    /* [node]: parent, UINT32_MAX for the root; child 0 of a router */
    uint32_t *parent, *child;
    uint32_t *level;                  /* [node] */
    uint32_t *served;                 /* [node]: the child served last */
    uint32_t *wanted;                 /* [packet]: the leaf that it is for; UINT32_MAX: all */
    struct rule_reference_fifo *fifo; /* [node][branch] */
    /* down, up: [lower node][lane]: the packet on a link in this step; 0: none */
    uint32_t *wire[2];
    struct rule_reference_hop *hop; /* what was sent, in the order of steps */
    size_t hops, room;
    /* [level]: the most that a FIFO still had after a router sent */
    size_t longest[TOPOLOGY_MAX_HEIGHT + 1];
};

/* Returns the transfers of a schedule as hops, with room for one more; the caller frees them. */
struct rule_reference_hop *rule_reference_hops(const struct schedule *schedule);

void rule_reference_free(struct rule_reference *r);

/* Runs the leaves by the schedule and the routers by the rule, until nothing moves. Free the result
 * with rule_reference_free. */
void rule_reference_run(struct rule_reference *r, const struct schedule *asked, bool one_down);

int rule_reference_compare(const void *left, const void *right);

/* Describes the first difference between a schedule and the run of its leaves by the rule, transfer
 * by transfer, lanes included; the order within a step is ignored. "" if there is none. */
const char *rule_reference_differs(const struct schedule *schedule, bool one_down, char text[160]);

#endif
