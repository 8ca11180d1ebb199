/* SPDX-License-Identifier: Apache-2.0 */
/* demand_groups: the demands of a schedule in groups that share no nodes.
 *
 *     demand 1-4 0 2,5        packets that start at or are wanted by a node in common are
 *     demand 5   2 5          of one group: these two are of the nodes 0, 2, 5, …
 *     demand 6   1 3          … and this one is of 1 and 3
 *
 * In a complete graph the groups do not affect each other if nodes forward only packets that they
 * want. A packet that only its source wants is in no group.
 */
#ifndef ROUNDCAST_DEMAND_GROUPS_H
#define ROUNDCAST_DEMAND_GROUPS_H

#include "sched/schedule/schedule.h"

struct demand_group {
    uint32_t *node;          /* node[demands.nodes], ascending: what its nodes are called outside */
    uint32_t *packet;        /* packet[demands.packets]: the same of its packets, from 1 */
    size_t receipts;         /* that its nodes want */
    struct schedule demands; /* of nodes 0 …, packets 1 …, without steps; `*` where all want it */
};

struct demand_groups {
    size_t count;
    struct demand_group *group;
};

/* The groups of data, by their first nodes. Precondition: a complete graph, no control. `groups`
 * must be zero or freed. E104. O(nodes + Σ wanted · log nodes). */
bool demand_groups_new(const struct schedule *schedule, struct demand_groups *groups,
                       struct err *err);
void demand_groups_free(struct demand_groups *groups);

#endif
