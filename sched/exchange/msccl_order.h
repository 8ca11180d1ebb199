/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_order: does a program for GPUs come to its end, whichever block goes first?
 *
 * A connection holds a fixed number of sends, one for each chunk at worst; a send waits for room,
 * a receipt for its send. Blocks have no choices, so that this is a network of processes in the
 * sense of Kahn: if one order of execution comes to the end, then every order does, and with more
 * room, too (G. Kahn 1974; T. M. Parks 1995). One order is tried.
 */
#ifndef ROUNDCAST_MSCCL_ORDER_H
#define ROUNDCAST_MSCCL_ORDER_H

#include "sched/exchange/msccl_links.h"

/* Puts all steps into order[steps], in an order in which they may end. E104; E206, which names a
 * step of the circle, if the program stops before its end. O(steps + chunks that are sent). */
bool msccl_order_find(const char *name, const struct msccl *msccl, const struct msccl_links *links,
                      size_t order[], struct err *err);

#endif
