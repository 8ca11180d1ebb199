/* SPDX-License-Identifier: Apache-2.0 */

/* colour_walk: colours the edges of a bipartite multigraph with two colours, so that every vertex
 * has equally many edges of each: Euler splitting. Used by Beneš networks of any size and by Clos
 * networks.
 *
 * All degrees are even, and the edges of a vertex are paired as mates. Mates get different colours:
 * from an edge of colour one, go to its mate on the right, which gets colour two, and on to the
 * left mate of that edge, which gets colour one again, until the loop closes. All loops are even,
 * as the sides alternate. Edges are numbered so that mates on the left are e and e ^ 1; mates on
 * the right are an input. Six edges, of vertices of degree 2:
 *
 *     left vertex            0      1      2
 *     edges                  0 1    2 3    4 5
 *     mates on the right     0-3    1-4    2-5
 *     loops                  0, 3 | 2, 5 | 4, 1 |, then 0 again: colour one 0 2 4, colour two 1 3 5
 */
#ifndef ROUNDCAST_COLOUR_WALK_H
#define ROUNDCAST_COLOUR_WALK_H

#include <stdint.h>

#define COLOUR_WALKERS 4 /* maximum number of graphs that are walked side by side */

/* Number of bytes of one[] for a graph. */
static inline uint32_t colour_walk_bytes(uint32_t edges)
{
    return (edges + 7) & ~UINT32_C(7);
}

/* A graph whose edges are base, base + 1, …; base is a multiple of 8. */
struct colour_graph {
    uint32_t base, edges, start;
};

/* Sets one[e] to 1 for edges of colour one and to 0 for edges of colour two. Edge `start` of a
 * graph has colour one, and so has, in every other loop, the first edge of the first left pair that
 * the walk meets.
 *     next[base + edges]                      the edge after each edge on a walk: the left mate of
 *                                             its mate on the right
 *     one[base + colour_walk_bytes(edges)]
 * count: 1, 2 or COLOUR_WALKERS graphs, whose numbers of edges differ by at most 2; walking several
 * together is faster than one after the other. O(edges). Euler's partition of a graph; as a
 * splitting: Gabow (1976). */
void colour_walk(const uint32_t next[], uint8_t one[], const struct colour_graph graph[],
                 unsigned count);

/* --- One large graph, walked by many at once ---------------------------------------------- */

/* The loops of one large graph, walked by many walkers at once.
 *
 * A walk of a graph that does not fit in the nearer caches waits for memory at each step. Therefore
 * many walkers share its loops: each follows its trail until it meets another trail or its own, and
 * then begins a new one. When all pairs have been met, the trails of each loop are known, and so
 * are their directions.
 */

/* Minimum number of edges for which this is faster than a walk. */
#define COLOUR_TRAILS_EDGES (UINT32_C(1) << 17)

/* The left pairs: pair i consists of edge e = base + i · step and edge e ^ apart = e + apart. Edge
 * `start` has colour one, and so has, in every other loop, the first edge of its first pair. */
struct colour_pairs {
    uint32_t base, count, step, apart, start;
};

/* Sets one[edge] to 1 for edges of colour one and leaves it 0 for edges of colour two; next[edge]
 * is the edge after each edge on a walk. Precondition: one[] is 0. O(edges). */
void colour_trails(const uint32_t next[], uint8_t one[], struct colour_pairs pairs);

#endif
