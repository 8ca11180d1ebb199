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
 * interleaved: the sendings of the levels 2 … h arrive one after another, level by level, without a
 * pause. For that, those of level l + 1 begin two steps before those of level l end. In such a step
 * one copy of a packet serves both levels, because in step t leaf u = t mod N_{l-1} sends at every
 * level l, and N_{l-1} divides N_l. The sendings of level 1, in which all leaves send, arrive in
 * the steps that are left. k = 3, 2:
 *
 *     step                 1     2     3     4     5     6
 *     levels that send     1, 2  1, 2  2
 *     u at level 2         1     2     0
 *     level that arrives         1     1     2     2     2
 *
 * If the branches of the levels 2 … h let w packets pass in a step, w sendings share it, and level
 * 1 takes the lanes that are left. The last step is that of flooding, which is optimal.
 */
#ifndef ROUNDCAST_TREE_QUEUE_FREE_H
#define ROUNDCAST_TREE_QUEUE_FREE_H

#include "sched/schedule/schedule.h"

/* Returns whether leaves can be interleaved: the narrowest branch of the path to level i is equally
 * wide for all i ≥ 2. O(h). */
bool tree_queue_free_interleaves(const struct topology *tree);

/* Returns the last step. O(h²). Precondition: if interleaved, tree_queue_free_interleaves. */
uint64_t tree_queue_free_end(const struct topology *tree, bool interleaved);

/* Appends the steps. O(transfers + end · h²). E104. Precondition: as tree_queue_free_end. */
bool tree_queue_free_build(const struct topology *tree, bool interleaved, struct schedule *schedule,
                           struct err *err);

#endif
