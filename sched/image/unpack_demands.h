/* SPDX-License-Identifier: Apache-2.0 */
/* unpack_demands: what the packets of an image are for, as the head of a schedule tells it: who has
 * each at the start, and who receives it. */
#ifndef ROUNDCAST_UNPACK_DEMANDS_H
#define ROUNDCAST_UNPACK_DEMANDS_H

#include "sched/image/unpack.h"
#include "sched/schedule/schedule.h"

/* The head of the schedule that an image runs, and its end: topology, model, λ and demands, without
 * steps. Nodes are the ports up to the last that sends, receives or holds something. A packet
 * starts where the image stores it, or else where it is sent first; it is wanted where a program
 * expects it, and if that is nowhere, where it starts. Unpacks each row. E104. Free it with
 * schedule_free. O(rows · (ports · stages) + receipts · log receipts). */
bool unpack_demands(struct unpacked *unpacked, struct schedule *schedule, struct err *err);

#endif
