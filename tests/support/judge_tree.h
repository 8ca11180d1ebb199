/* SPDX-License-Identifier: Apache-2.0 */
/* judge_tree: a second judge of schedules in trees, that shares nothing with verify.c, topology.c
 * or collective.h.
 *
 * It climbs by parents that it makes itself from k_1 … k_h, knows by itself who has and who wants
 * each packet of a collective, and keeps for each node and packet the last step of arrival and of
 * sending.
 */
#ifndef ROUNDCAST_JUDGE_TREE_H
#define ROUNDCAST_JUDGE_TREE_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* What is wrong with a schedule of a collective; NULL: nothing. In a queue-free one every router
 * sends on in the very next step; that of a multinode broadcast may hear a packet again. */
const char *judge_tree(const struct schedule *s, enum collective_kind kind, uint32_t source,
                       bool queue_free);

#endif
