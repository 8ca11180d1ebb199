/* SPDX-License-Identifier: Apache-2.0 */
/* cube_prefix: each node of a hypercube learns the positions of its packets, and the roots of the
 * trees learn the number of packets.
 *
 * a_x packets start at node x; their positions are r_x - a_x + 1 … r_x, where r_x = a_x + a_{x+1} +
 * … + a_{n-1}. For d = 2, with sums as [from, to], in 2d + 1 rounds by the folded tree:
 *
 *     round 1   1 → 0: [1, 1]          3 → 2: [3, 3]      sums go to the lower half of each block
 *     round 2   2 → 0: [2, 3]                             of 2, then of 4
 *     round 3   0 → 2: [4, …] = 0                         the sum right of the block goes to its
 *     round 4   0 → 1: [2, 3]          2 → 3: [4, …] = 0  upper half
 *     round 5   0 → 1 and 0 → 2: [0, 3] = K               to the roots of the trees
 *
 * or in d rounds by exchange (recursive doubling), after which all nodes know K:
 *
 *     round 1   0 → 1: [0, 0]   1 → 0: [1, 1]   2 → 3: [2, 2]   3 → 2: [3, 3]
 *     round 2   0 → 2: [0, 1]   1 → 3: [0, 1]   2 → 0: [2, 3]   3 → 1: [2, 3]
 *
 * Partners exchange the sums of their blocks; the lower partner adds the upper's sum to its
 * positions.
 *
 * Stamoulis and Tsitsiklis, section 3.2, phase 1; the folded tree of section 2.2. The exchange is
 * ours.
 */
#ifndef ROUNDCAST_CUBE_PREFIX_H
#define ROUNDCAST_CUBE_PREFIX_H

#include "sched/algorithms/cube/cube_variant.h"
#include "sched/schedule/schedule.h"

/* Returns the number of rounds: 2d + 1 for the folded tree, 2d without the round that sends K, d
 * for the exchange, 0 for no prefix. */
uint64_t cube_prefix_rounds(enum cube_prefix prefix, unsigned dimensions);

/* Appends the steps, and adds after the existing demands the control packets that sum their
 * packets: 2(2^d - 1) for the folded tree and one for K, d 2^d for the exchange. E102, E104.
 * O(packets).
 *
 * Each sum is a control packet with the sum as its value. It is composed of sums that its node has
 * received or sent: node 2 sends [2, 3] in round 2 of the exchange, composed of [2, 2], which it
 * sent in round 1, and [3, 3], which it received in round 1. */
bool cube_prefix_build(enum cube_prefix prefix, struct schedule *schedule, struct err *err);

#endif
