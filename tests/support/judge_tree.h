/* SPDX-License-Identifier: Apache-2.0 */
/* judge_tree: a second judge of schedules in trees, which shares no code with verify.c, topology.c
 * or collective.h.
 *
 * It computes parents from k_1 … k_h and the sources and destinations of each packet of a
 * collective itself, and records for each node and packet the last step of arrival and of sending.
 */
#ifndef ROUNDCAST_JUDGE_TREE_H
#define ROUNDCAST_JUDGE_TREE_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* Returns the first violation in the schedule of a collective, or NULL. In a queue-free schedule
 * every router forwards in the next step; in an all-gather a router may receive a packet again. A
 * half-duplex lane carries one packet in a step, in either direction. */
const char *judge_tree(const struct schedule *s, enum collective_kind kind, uint32_t source,
                       bool queue_free);

#endif
