/* SPDX-License-Identifier: Apache-2.0 */
/* route_needs: how large the buffers and queues of a tree's routers must be for a schedule.
 *
 * A packet is lost when the packet that comes `depth` arrivals later at its input is stored over
 * it, so the depth of a buffer is the longest way back from the last arrival to a packet that is
 * still to be sent. It is no less than the packets that wait there (buffers.h), and no more where
 * they leave in the order in which they came.
 */
#ifndef ROUNDCAST_ROUTE_NEEDS_H
#define ROUNDCAST_ROUTE_NEEDS_H

#include "sched/machine/machine.h"
#include "sched/schedule/schedule.h"

/* Indices are levels 1 … h. Each at least 1. */
struct route_needs {
    uint32_t depth[TOPOLOGY_MAX_HEIGHT + 1]; /* packets of an input's buffer */
    /* packets of a self-timed router's queue, including those that have just come */
    uint32_t queue[TOPOLOGY_MAX_HEIGHT + 1];
    uint32_t reads; /* different packets of one input that leave in one step */
};

/* Precondition: a legal schedule of a tree. E402 if one step reads more than MACHINE_MAX_READS
 * packets of an input, E104. O(transfers · log transfers), memory O(transfers + routers ·
 * packets). */
bool route_needs_of(const struct schedule *schedule, struct route_needs *needs, struct err *err);

/* The same of what a machine's routers do for a schedule: between self-timed ones packets may go
 * otherwise (fat_tree_auto.h). E208 if they do not keep it. */
bool route_needs_on(const struct machine *machine, const struct schedule *schedule,
                    struct route_needs *needs, struct err *err);

#endif
