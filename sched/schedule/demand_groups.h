/* SPDX-License-Identifier: Apache-2.0 */
/* demand_groups: splits the demands of a schedule into groups that share no nodes.
 *
 *     demand 1-4 0 2,5        these two demands have node 2 in common, so they form one group,
 *     demand 5   2 5          with the nodes 0, 2 and 5
 *     demand 6   1 3          this demand is a group of its own, with the nodes 1 and 3
 *
 * In a complete graph the groups do not affect each other if nodes forward only packets that they
 * want. A packet that only its source wants is in no group. */
#ifndef ROUNDCAST_DEMAND_GROUPS_H
#define ROUNDCAST_DEMAND_GROUPS_H

#include "sched/schedule/schedule.h"

struct demand_group {
    /* node[demands.nodes], ascending: the number of each node in the schedule */
    uint32_t *node;
    /* packet[demands.packets]: the number of each packet in the schedule, from 1 */
    uint32_t *packet;
    size_t receipts; /* number of receipts that the nodes of the group want */
    /* nodes 0 …, packets 1 …, without steps; `*` where all nodes of the group want a packet */
    struct schedule demands;
};

struct demand_groups {
    size_t count;
    struct demand_group *group;
};

/* Splits the demands of data packets into groups, ordered by their first nodes. Preconditions: a
 * complete graph, no control packets; `groups` is zero or freed. E104. O(nodes + Σ wanted · log
 * nodes). */
bool demand_groups_new(const struct schedule *schedule, struct demand_groups *groups,
                       struct err *err);
void demand_groups_free(struct demand_groups *groups);

#endif
