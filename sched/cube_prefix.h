/* cube_prefix: each node of a hypercube learns the ranks of its packets, and the roots of the trees how many there are.
 *
 * a_x packets start at node x; they get the ranks r_x - a_x + 1 … r_x, where r_x = a_x + a_{x+1} + … + a_{n-1}. 2d + 1
 * slots, d = 2, sums as [from, to]:
 *
 *     slot 1   1 → 0: [1, 1]          3 → 2: [3, 3]        sums go to the lower half of each block of 2, then of 4
 *     slot 2   2 → 0: [2, 3]
 *     slot 3   0 → 2: [4, …] = 0                            what is right of the block goes to its upper half
 *     slot 4   0 → 1: [2, 3]          2 → 3: [4, …] = 0
 *     slot 5   0 → 1 and 0 → 2: [0, 3] = K                  to the roots of the trees
 *
 * Each sum is a packet of its own, of which a schedule tells who sends it when, not what is in it.
 *
 * Stamoulis and Tsitsiklis, section 3.2, phase 1; the folded tree of section 2.2.
 */
#ifndef ROUNDCAST_CUBE_PREFIX_H
#define ROUNDCAST_CUBE_PREFIX_H

#include "schedule.h"

/* 2d + 1. */
static inline uint64_t cube_prefix_slots(unsigned dimensions)
{
    return 2 * (uint64_t)dimensions + 1;
}

/* Append the 2d + 1 steps, and add their 2(2^d - 1) + 1 packets and demands behind those that there are. E102, E104.
 * O(2^d). */
bool cube_prefix_build(struct schedule *schedule, struct err *err);

#endif
