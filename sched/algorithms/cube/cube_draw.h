/* SPDX-License-Identifier: Apache-2.0 */
/* cube_draw: the random trees of cube-broadcast, one of T(1) … T(d) for each packet, and how many
 * packets the largest tree gets. */
#ifndef ROUNDCAST_CUBE_DRAW_H
#define ROUNDCAST_CUBE_DRAW_H

#include "sched/base/rng.h"

/* Returns the random generator of the trees. It is separate from that of the sources, which is
 * seeded with the same seed. */
struct rng cube_draw_rng(uint64_t seed);

/* Draws the tree, 1 … d, of the next packet. */
unsigned cube_draw_tree(unsigned d, struct rng *rng);

/* Returns N, the largest number of packets of a tree if `count` packets draw their trees. The
 * methods with an overlap have bounds in N (cube_variant.h). O(count). */
uint32_t cube_draw_most(unsigned d, uint32_t count, uint64_t seed);

/* Returns an upper bound of the probability that a tree gets `most` packets or more, at most 1:
 * with C = most·d/count, the probability is at most 2d(e/C)^(C·count/d). O(1). Precondition:
 * count ≥ 1, most ≥ 1.
 *
 * Stamoulis and Tsitsiklis, section 3.2, inequality (1). */
double cube_draw_tail(unsigned d, uint32_t count, uint32_t most);

/* Returns the least N, at most `count`, that cube_draw_tail bounds by `probability`; 0 if there is
 * none. O(count). */
uint32_t cube_draw_unlikely(unsigned d, uint32_t count, double probability);

#endif
