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

static void link_edges(const uint32_t mates[], uint32_t edges, uint32_t next[])
{
    for (uint32_t at = 0; at < edges; at += 2) {
        next[mates[at]] = mates[at + 1] ^ 1;
        next[mates[at + 1]] = mates[at] ^ 1;
    }
}

/* Each pair on the left gives one edge to colour one, so the walks take half as many steps as there
 * are edges, however many loops there are. */
void colour_walk_links(const uint32_t next[], uint32_t edges, uint32_t start, uint8_t one[])
{
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

void colour_walk(const uint32_t mates[], uint32_t edges, uint32_t start, uint32_t next[],
                 uint8_t one[])
{
    link_edges(mates, edges, next);
    colour_walk_links(next, edges, start, one);
}
