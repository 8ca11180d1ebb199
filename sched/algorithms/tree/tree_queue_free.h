/* SPDX-License-Identifier: Apache-2.0 */
/* tree_queue_free: the all-gather of a tree in which routers forward arriving packets at once.
 *
 * A *sending* of level l permutes the children of all routers of level l: leaf u below every child
 * sends, and the whole subtree of the child `shift` places further receives. N_l - N_{l-1} sendings
 * of level l, one for each u and shift, bring all packets to all leaves. A packet that is sent in
 * step t arrives in step t + 2l - 1. Leaves send their packets again for each level and shift; only
 * in this algorithm do routers receive a packet again. Leaves do not. Two methods order the
 * sendings:
 *
 * phases: level by level, one sending after another (tree_phases.h): n + 2h - 2 steps.
 *
 * interleaved: the sendings of level l arrive in the steps after those of level l - 1, without a
 * pause. For that, those of level l begin two steps before those of level l - 1 end. In such a step
 * one copy of a packet serves both levels, because in step t leaf u = t mod N_{l-1} sends at every
 * level l, and N_{l-1} divides N_l. k = 3, 2, the steps of levels 1 and 2:
 *
 *     step               1     2     3     4     5     6
 *     levels that send   1, 2  1, 2  2
 *     u at level 2       1     2     0
 *     level that arrives       1     1     2     2     2
 *
 * n steps, or n + 1 if k_1 = 2 and h ≥ 2: optimal, because leaves receive in every step except
 * those in which no packet can arrive.
 */
#ifndef ROUNDCAST_TREE_QUEUE_FREE_H
#define ROUNDCAST_TREE_QUEUE_FREE_H

#include "sched/schedule/schedule.h"

/* Returns the last step. O(h). Precondition: if interleaved, c_1 = 1. */
uint64_t tree_queue_free_end(const struct topology *tree, bool interleaved);

/* Appends the steps. O(transfers + end · h²). E104. Precondition: as tree_queue_free_end. */
bool tree_queue_free_build(const struct topology *tree, bool interleaved, struct schedule *schedule,
                           struct err *err);

#endif
