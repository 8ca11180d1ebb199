/* SPDX-License-Identifier: Apache-2.0 */
/* tree_total_exchange_queues: the total exchange in the single-port model (Figure 5). Leaves send
 * the furthest packet first. */
#ifndef ROUNDCAST_TREE_TOTAL_EXCHANGE_QUEUES_H
#define ROUNDCAST_TREE_TOTAL_EXCHANGE_QUEUES_H

#include "sched/schedule/schedule.h"

/* Appends the steps of a total exchange. A router has two first-in, first-out queues: one for
 * packets that go up, which it serves first, and one for packets that go down. Packets that arrive
 * in one step are queued in the order children, left to right, then parent.
 *
 * O(transfers + steps · routers / 64), memory O(transfers). E104. */
bool tree_total_exchange_queues_build(const struct collective *collective,
                                      struct schedule *schedule, struct err *err);

#endif
