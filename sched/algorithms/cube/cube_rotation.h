/* SPDX-License-Identifier: Apache-2.0 */
/* cube_rotation: up to d broadcasts in a hypercube of d dimensions in d rounds, for any sources. */
#ifndef ROUNDCAST_CUBE_ROTATION_H
#define ROUNDCAST_CUBE_ROTATION_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* Returns a word of d bits, rotated left by `by` < d bits. */
static inline uint32_t cube_rotate(uint32_t word, unsigned by, unsigned d)
{
    return (word << by | word >> (d - by)) & ((UINT32_C(1) << d) - 1);
}

/* Returns the number of rounds: d. */
uint64_t cube_rotation_end(const struct collective *collective);

/* Positions of the packets of a rotation: packet p has position p, or position m + 1 - p, which a
 * prefix computes (cube_climb.h). */
enum cube_rotation_positions { CUBE_POSITIONS_RISE, CUBE_POSITIONS_FALL };

/* Appends the d steps after round `after` for packets 1 … m, m ≤ d, from collective->sources, or
 * all from collective->source if sources is NULL. The packet of position r crosses dimension (r + k
 * - 2) mod d + 1 in step k, from every node that has it, so no two packets ever cross the same
 * dimension in one step. E104. O(m 2^d).
 *
 * Stamoulis and Tsitsiklis, "An efficient algorithm for multiple simultaneous broadcasts in the
 * hypercube", section 3.3.2. (The paper prints the order of the dimensions as r mod d + 1, (r + 1)
 * mod d + 1, …, which is one off from the rounds and misses nodes.) */
bool cube_rotation_build(const struct collective *collective, uint64_t after,
                         enum cube_rotation_positions positions, struct schedule *schedule,
                         struct err *err);

#endif
