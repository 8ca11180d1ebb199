/* SPDX-License-Identifier: Apache-2.0 */
/* tree_flood: each router sends every packet on every branch except the branch it came from. */
#ifndef ROUNDCAST_TREE_FLOOD_H
#define ROUNDCAST_TREE_FLOOD_H

#include "sched/schedule/schedule.h"

/* Appends the steps of an all-gather of one packet per leaf. Each branch has a queue, first in,
 * first out; packets that arrive in one step are queued in the order children, left to right, then
 * parent.
 *
 * multiport      c packets per step from every queue whose branch has c lanes
 * single-port    one packet from the queue to the parent, else from those to the children in turn
 *
 * O(transfers + steps · routers / 64), memory O(n · routers), no more than the schedule's n(n +
 * routers - 1) transfers. E104. */
bool tree_flood_build(const struct collective *collective, struct schedule *schedule,
                      struct err *err);

#endif
