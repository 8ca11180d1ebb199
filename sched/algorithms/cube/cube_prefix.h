/* SPDX-License-Identifier: Apache-2.0 */
/* cube_prefix: each node of a hypercube learns the ranks of its packets, and the roots of the trees
 * how many there are.
 *
 * a_x packets start at node x; they get the ranks r_x - a_x + 1 … r_x, where r_x = a_x + a_{x+1} +
 * … + a_{n-1}. For d = 2, sums as [from, to], in 2d + 1 slots by the folded tree:
 *
 *     slot 1   1 → 0: [1, 1]          3 → 2: [3, 3]      sums go to the lower half of each block
 *     slot 2   2 → 0: [2, 3]                             of 2, then of 4
 *     slot 3   0 → 2: [4, …] = 0                         what is right of the block goes to its
 *     slot 4   0 → 1: [2, 3]          2 → 3: [4, …] = 0  upper half
 *     slot 5   0 → 1 and 0 → 2: [0, 3] = K               to the roots of the trees
 *
 * or in d slots by exchange (recursive doubling), after which all nodes know K:
 *
 *     slot 1   0 → 1: [0, 0]   1 → 0: [1, 1]   2 → 3: [2, 2]   3 → 2: [3, 3]
 *     slot 2   0 → 2: [0, 1]   1 → 3: [0, 1]   2 → 0: [2, 3]   3 → 1: [2, 3]
 *
 * Partners swap the sums of their blocks; the lower adds the upper's to its ranks.
 *
 * Stamoulis and Tsitsiklis, section 3.2, phase 1; the folded tree of section 2.2. The exchange is
 * not theirs.
 */
#ifndef ROUNDCAST_CUBE_PREFIX_H
#define ROUNDCAST_CUBE_PREFIX_H

#include "sched/algorithms/cube/cube_way.h"
#include "sched/schedule/schedule.h"

/* 2d + 1, d, or 0 for none. */
uint64_t cube_prefix_slots(enum cube_prefix prefix, unsigned dimensions);

/* Append the steps, and add their packets of control behind the demands that there are, of whose
 * packets they are the sums: 2(2^d - 1) + 1 of the folded tree, d 2^d of the exchange. E102, E104.
 * O(packets).
 *
 * Each sum is a packet of control, whose value it is. It is made of sums that its node has got, and
 * of its own ones that have left it: what node 2 sends in slot 2 of the exchange, [2, 3], of [2, 2]
 * and [3, 3], sent and got in slot 1. */
bool cube_prefix_build(enum cube_prefix prefix, struct schedule *schedule, struct err *err);

#endif
