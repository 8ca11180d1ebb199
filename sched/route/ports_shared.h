/* SPDX-License-Identifier: Apache-2.0 */
/* ports_shared: rewrites a schedule of n nodes with k ports as a schedule of k n endpoints with one
 * port, of which the k endpoints of a node share a memory.
 *
 *     n = 3, k = 2, packet 1 to two nodes           6 endpoints: node · 2 + port
 *     round 1    0→1 1    0→2 1                     round 1    0→2 1    1→4 1
 *
 * A transfer uses the first free port at each end. A packet is stored at the port that receives it,
 * and any port of the node may send it. */
#ifndef ROUNDCAST_PORTS_SHARED_H
#define ROUNDCAST_PORTS_SHARED_H

#include "sched/schedule/schedule.h"

/* Fills `single`, which must be zero or freed, with the same steps and packets, and with a demand
 * for each packet: it starts at port 0 of its source, and each node that wants it wants it at the
 * endpoint that receives it first. Precondition: a legal schedule of a complete graph without
 * reductions and control packets, on at most SCHEDULE_MAX_NODES endpoints. E104. O(transfers ·
 * ports + wanted · log wanted). Free it with schedule_free. */
bool ports_share(const struct schedule *several, struct schedule *single, struct err *err);

#endif
