/* SPDX-License-Identifier: Apache-2.0 */
/* colour: colours the edges of a regular bipartite multigraph of degree D with D colours, so that
 * no two edges of a vertex have the same colour (König 1916).
 *
 * Even degree: an Euler split (colour_walk.h) into two graphs of half the degree. Odd degree: a
 * perfect matching (colour_match) gets a colour of its own. This is repeated down to degree 1. All
 * graphs of one depth have the same degree; a split takes O(E) for a depth, and the matchings, at
 * most D / degree of them, O(V log V) each.
 */
#ifndef ROUNDCAST_COLOUR_H
#define ROUNDCAST_COLOUR_H

#include "sched/base/err.h"
#include "sched/base/rng.h"

#include <stdint.h>

/* Working memory; opaque, reused from call to call, one per thread. */
struct colour;

/* Creates working memory for graphs of up to `vertices` on each side and up to `edges`. E104. */
struct colour *colour_new(uint32_t vertices, uint32_t edges, struct err *err);
void colour_free(struct colour *work);

/* Colours the edges of a graph with the colours 0 … degree-1. Each left vertex has `degree` edges;
 * edge i leads to right vertex right[left][i]. Precondition: each right vertex has `degree` edges,
 * too. Equal graphs get equal colours on every processor, whatever was coloured before.
 *     right[vertices][degree], colour[vertices][degree]
 * Expected O(edges · (log degree + log vertices)), O(edges · log degree) if the degree is a power
 * of two; no allocation. */
void colour_edges(struct colour *work, uint32_t vertices, uint32_t degree, const uint32_t right[],
                  uint32_t colour[]);

/* --- Perfect matchings -------------------------------------------------------------------- */

/* A perfect matching of a regular bipartite multigraph, by random walks.
 *
 * A walk begins at a left vertex without a partner. It takes a random edge to the right, but not
 * the edge to the vertex's partner. If the right vertex has a partner, the walk goes on from that
 * partner; else it has found an augmenting path: the walk without its loops. Because the graph is
 * regular, such walks are short, in expectation about vertices / vertices without a partner, so
 * that all of them together take O(V log V) steps, independent of the number of edges (Goel,
 * Kapralov and Khanna 2010, theorem 1).
 */

/* An edge, with a number that the caller chooses; its place in the array gives its left vertex. */
struct colour_edge {
    uint32_t right, id;
};

/* Working memory for `vertices` on each side:
 *     partner[vertices]    the left partner of each right vertex
 *     exit[vertices]       the edge by which each left vertex was left last
 *     open[vertices]       left vertices without a partner */
struct colour_match {
    uint32_t *partner, *exit, *open;
};

/* Reorders edge[vertices][degree], each row the edges of a left vertex, so that the first edges of
 * all rows are a perfect matching. Preconditions: each right vertex has `degree` edges, too; degree
 * ≥ 1 (a graph that is not regular may have no matching, and walks that do not end). Equal graphs
 * and equal states of rng get equal matchings. Expected O(vertices · log vertices), and at worst
 * O(edges) for a first, greedy pass. */
void colour_match(const struct colour_match *work, uint32_t vertices, uint32_t degree,
                  struct colour_edge edge[], struct rng *rng);

/* --- Any bipartite multigraph, edge by edge ----------------------------------------------- */

/* Colours the edges of a bipartite multigraph with D colours, one edge after the other; D is the
 * maximum number of edges of a vertex (König 1916).
 *
 * An edge gets a colour that is free at both of its vertices. The search begins at a random colour,
 * so the free colours of two vertices are independent: if a fraction p of the colours is free at
 * each, D p² colours are free at both. In a random graph the busiest vertex has about 4 √D edges
 * more than the others; then p is never below 4 / √D, and nearly all edges find a colour. If the
 * edge from a to z finds none, it gets a colour α that is free at a. To free α at z, α is exchanged
 * with a colour β that is free at z, along the path of both colours from z:
 *
 *     z -α- b -β- y -α- c      becomes      z -β- b -α- y -β- c
 *
 * Now α is free at z. It is still free at a: the path reaches left vertices by α, and therefore
 * never reaches a.
 *
 * If there are few vertices with many edges between each two, the search for the next edge of a
 * pair continues where the previous one ended, so that no colour is tried again in vain.
 *
 * Finding a path examines all vertices. For a graph in which many edges need an exchange, such as a
 * regular graph with more vertices than colours, colour_edges is faster.
 */

#define COLOUR_FIT_NONE UINT32_MAX

/* Colours a graph whose left vertices have up to `degree` edges each. Edge i leads to right vertex
 * right[left][i]; if that is COLOUR_FIT_NONE, the edge does not exist and its colour is not set.
 * Preconditions: no right vertex has more than `degree` edges; vertices · degree < 2^32. Equal
 * graphs get equal colours.
 *     right[vertices][degree], colour[vertices][degree]
 * *fits becomes false, and the colours are incomplete, if too many exchanges or searches are
 * needed: O(vertices · degree) in the worst case. E104. */
bool colour_fit(uint32_t vertices, uint32_t degree, const uint32_t right[], uint32_t colour[],
                bool *fits, struct err *err);

#endif
