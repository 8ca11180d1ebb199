/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/network/colour_walk.h"

#include <string.h>

/* The first edge of the first left pair, from `pair` on, that no walk has met: an even number,
 * `edges` or more if all have been met. A pair has been met when one of its two is of colour one.
 * Four pairs a step, the first in the lowest bytes: little-endian, as all machines that we build
 * for. */
static __attribute__((noinline)) uint32_t next_open(const uint8_t one[], uint32_t edge,
                                                    uint32_t edges)
{
    for (edge &= ~UINT32_C(7); edge < edges; edge += 8) {
        uint64_t met;
        memcpy(&met, one + edge, sizeof met);
        uint64_t open = ~(met | met >> 8) & UINT64_C(0x0001000100010001);
        if (open != 0)
            return edge + ((unsigned)__builtin_ctzll(open) >> 3);
    }
    return edges;
}

#define FEW 64 /* pairs on the left, for which a word remembers who has been met */

/* As below for few edges, with a bit of `open` for each left pair that no walk has met. Loops are
 * short, so that where they end is nothing that a branch predictor learns. */
static void walk_few(const uint32_t next[], uint32_t edges, uint32_t start, uint8_t one[])
{
    uint64_t open = edges < 2 * FEW ? (UINT64_C(1) << edges / 2) - 1 : UINT64_MAX;
    uint32_t edge = start, first = start;
    memset(one, 0, edges);
    for (uint32_t step = 0; step < edges / 2; step++) {
        one[edge] = 1;
        open &= ~(UINT64_C(1) << edge / 2);
        edge = next[edge];
        uint32_t closed = -(uint32_t)(edge == first);
        uint32_t other = 2 * (uint32_t)__builtin_ctzll(open | UINT64_C(1) << (FEW - 1));
        edge ^= (edge ^ other) & closed;
        first ^= (first ^ other) & closed;
    }
}

/* Each pair on the left gives one edge to colour one, so the walks take half as many steps as there
 * are edges, however many loops there are. */
void colour_walk(const uint32_t next[], uint32_t edges, uint32_t start, uint8_t one[])
{
    if (edges <= 2 * FEW) {
        walk_few(next, edges, start, one);
        return;
    }
    memset(one, 0, edges);
    memset(one + edges, 1, colour_walk_bytes(edges) - edges);
    uint32_t edge = start, first = start, open = 0;
    for (uint32_t step = 0; step < edges / 2; step++) {
        one[edge] = 1;
        edge = next[edge];
        if (__builtin_expect(edge == first, 0)) {
            open = next_open(one, open, edges);
            edge = first = open;
        }
    }
}
