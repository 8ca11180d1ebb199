/* SPDX-License-Identifier: Apache-2.0 */
/* hypercube_to_rounds: rewrites the schedule of a hypercube as one of a complete graph, for
 * machines whose networks pass one permutation at a time.
 *
 * The arcs of a dimension are a permutation of the nodes, so that slot t becomes the d rounds
 * (t-1)·d + 1 … t·d of the model send-receive, one for each dimension in turn. Nodes, packets and
 * demands stay as they are; rounds of dimensions that nobody uses pass nothing. The end is that of
 * the last dimension used, at most d times the slots.
 */
#ifndef ROUNDCAST_HYPERCUBE_TO_ROUNDS_H
#define ROUNDCAST_HYPERCUBE_TO_ROUNDS_H

#include "sched/schedule/schedule.h"

/* Precondition: a legal schedule of a hypercube; `complete` is zero or freed. E104. O(d · slots + d
 * · transfers). Free it with schedule_free. */
bool hypercube_to_rounds(const struct schedule *cube, struct schedule *complete, struct err *err);

#endif
