/* SPDX-License-Identifier: Apache-2.0 */

/* colour_walk: two colours for the edges of a bipartite multigraph, so that every vertex has as
 * many of one as of the other: Euler splitting. The common ground of Beneš networks, of any size,
 * and of Clos networks.
 *
 * All degrees are even, and the edges of a vertex are taken two by two, as mates. Mates get
 * different colours: from an edge of colour one, go to its mate on the right, which gets colour
 * two, and on to that one's mate on the left, which gets colour one again, until the loop closes.
 * All loops are even, as sides alternate. Edges are numbered so that mates on the left are e and e
 * ^ 1; mates on the right are given. Six edges, of vertices of degree 2:
 *
 *     left vertex            0      1      2
 *     edges                  0 1    2 3    4 5
 *     mates on the right     0-3    1-4    2-5
 *     loops                  0, 3 | 2, 5 | 4, 1 |, then 0 again: colour one 0 2 4, colour two 1 3 5
 */
#ifndef ROUNDCAST_COLOUR_WALK_H
#define ROUNDCAST_COLOUR_WALK_H

#include <stdint.h>

#define COLOUR_WALKERS 4 /* graphs, at most, that are walked side by side */

/* Bytes of one[] for a graph's edges. */
static inline uint32_t colour_walk_bytes(uint32_t edges)
{
    return (edges + 7) & ~UINT32_C(7);
}

/* A graph whose edges are base, base + 1, …; base is a multiple of 8. */
struct colour_graph {
    uint32_t base, edges, start;
};

/* one[e] becomes 1 for edges of colour one and 0 for those of colour two. A graph's edge `start` is
 * of colour one, and of every other loop the first edge of the first left pair that it meets.
 *     next[base + edges]                      where a walk goes from each edge: the left mate of
 *                                             its mate on the right
 *     one[base + colour_walk_bytes(edges)]
 * count: 1, 2 or COLOUR_WALKERS graphs, whose edges differ by 2 at most; several are faster than
 * one after the other. O(edges). Euler's partition of a graph; as a splitting: Gabow (1976). */
void colour_walk(const uint32_t next[], uint8_t one[], const struct colour_graph graph[],
                 unsigned count);

/* --- One large graph, walked by many at once ---------------------------------------------- */

/* colour_trails: the loops of one large graph (colour_walk.h), walked by many at once.
 *
 * A graph that does not fit in the nearer caches has a walk wait for memory at each step. So many
 * walkers share its loops: each follows its trail until it meets another or its own, and begins the
 * next one. When all pairs have been met the trails of a loop are known, and so where they go.
 */

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
