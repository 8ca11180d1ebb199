/* SPDX-License-Identifier: Apache-2.0 */
/* urgency: the priority of sending a packet now, for the list scheduler (list.h). */
#ifndef ROUNDCAST_URGENCY_H
#define ROUNDCAST_URGENCY_H

#include "sched/algorithms/general/list.h"

struct urgency {
    const struct needs *needs;
    int64_t *packet;   /* packet[packets]: by spread and sender; 0: no node wants it */
    int64_t *receiver; /* receiver[nodes] */
    uint64_t least;    /* lower bound on the remaining rounds */
    uint32_t *alone; /* alone[nodes][URGENCY_SPREADS]: packets that only this node has, by spread */
    uint64_t *source; /* source[nodes]: rounds that the node needs for them */
    void *memory;
};

#define URGENCY_SPREADS 25 /* ⌈log2(SCHEDULE_MAX_NODES)⌉ + 1 */

/* Upper bound of an urgency. */
#define URGENCY_MOST (INT64_C(1) << 34)

/* Allocates the counts for `needs`, which must outlive them. E104. Free with urgency_free. */
bool urgency_new(const struct needs *needs, struct urgency *urgency, struct err *err);
void urgency_free(struct urgency *urgency);

/* Recomputes the urgency of the packets in needs->look. O(packets in look + bundles + nodes). */
void urgency_count(struct urgency *urgency, struct list_rule rule, struct rng *rng);

#endif
