/* SPDX-License-Identifier: Apache-2.0 */
/* colour_trails: the loops of one large graph (colour_walk.h), walked by many at once.
 *
 * A graph that does not fit in the nearer caches has a walk wait for memory at each step. So many
 * walkers share its loops: each follows its trail until it meets another or its own, and begins the
 * next one. When all pairs have been met the trails of a loop are known, and so where they go.
 */
#ifndef ROUNDCAST_COLOUR_TRAILS_H
#define ROUNDCAST_COLOUR_TRAILS_H

#include <stdint.h>

/* From so many edges on this is faster than a walk. */
#define COLOUR_TRAILS_EDGES (UINT32_C(1) << 17)

/* Pairs on the left: pair i is edge e = base + i · step and edge e ^ apart = e + apart. Edge
 * `start` is of colour one, and of every other loop the first edge of its first pair. */
struct colour_pairs {
    uint32_t base, count, step, apart, start;
};

/* one[edge] becomes 1 for edges of colour one and stays 0 for those of colour two; next[edge] is
 * where a walk goes. Precondition: one[] is 0. O(edges). */
void colour_trails(const uint32_t next[], uint8_t one[], struct colour_pairs pairs);

#endif
