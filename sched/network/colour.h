/* SPDX-License-Identifier: Apache-2.0 */
/* colour: colours the edges of a regular bipartite multigraph of degree D with D colours, so that
 * no two edges of a vertex have the same (König 1916).
 *
 * Of even degree: an Euler split (colour_walk) into two graphs of half the degree. Of odd degree: a
 * perfect matching (colour_match) gets a colour of its own. So on to degree 1. All graphs of one
 * depth have the same degree; a split takes O(E) for a depth, and the matchings, of which there are
 * D / degree at most, O(V log V) each.
 */
#ifndef ROUNDCAST_COLOUR_H
#define ROUNDCAST_COLOUR_H

#include "sched/base/err.h"
#include "sched/base/rng.h"

#include <stdint.h>

/* Working memory; opaque, reused from call to call, one per thread. */
struct colour;

/* For graphs of up to `vertices` on each side and up to `edges`. E104. */
struct colour *colour_new(uint32_t vertices, uint32_t edges, struct err *err);
void colour_free(struct colour *work);

/* Colour the edges of a graph whose left vertices each have `degree` edges, of which edge i leads
 * to right vertex right[left][i], with the colours 0 … degree-1. Precondition: each right vertex
 * has `degree` edges, too. Equal graphs get equal colours, on every processor and whatever was
 * coloured before.
 *     right[vertices][degree], colour[vertices][degree]
 * Expected O(edges · (log degree + log vertices)), O(edges · log degree) if the degree is a power
 * of two; no allocation. */
void colour_edges(struct colour *work, uint32_t vertices, uint32_t degree, const uint32_t right[],
                  uint32_t colour[]);

/* --- Perfect matchings -------------------------------------------------------------------- */

/* colour_match: a perfect matching of a regular bipartite multigraph, by random walks.
 *
 * A walk begins at a left vertex without a partner. It takes a random edge to the right (not the
 * one to the vertex's partner, if it has one); if the vertex there has a partner, it goes on from
 * that one, else it has found an augmenting path: what is left of the walk when its loops are
 * erased. Because the graph is regular such walks are short, about vertices / those still without a
 * partner, in expectation, so that all of them together are O(V log V) steps and the number of
 * edges does not matter (Goel, Kapralov and Khanna 2010, theorem 1).
 */

/* An edge of whatever the caller calls `id`; its left vertex is told by where it stands. */
struct colour_edge {
    uint32_t right, id;
};

/* Working memory for `vertices` on each side:
 *     partner[vertices]    the left partner of each right vertex
 *     exit[vertices]       which of its edges each left vertex was last left by
 *     open[vertices]       left vertices without a partner */
struct colour_match {
    uint32_t *partner, *exit, *open;
};

/* Reorder edge[vertices][degree], each row the edges of a left vertex, so that the first ones of
 * all rows are a perfect matching. Precondition: regular, each right vertex has `degree` edges,
 * too; degree ≥ 1 (a graph that is not regular may have no matching, and walks without end). Equal
 * graphs and equal states of rng get equal matchings. Expected O(vertices · log vertices), and
 * O(edges) at worst for a first, greedy pass. */
void colour_match(const struct colour_match *work, uint32_t vertices, uint32_t degree,
                  struct colour_edge edge[], struct rng *rng);

/* --- Rounds that fit capacities ----------------------------------------------------------- */

/* Colours the edges of a bipartite multigraph with D colours, one edge after the other;
 * D is the most edges of a vertex (König 1916).
 *
 * An edge gets a colour that is free at both of its vertices. The search for one begins at a place
 * that is drawn. So what is free at a vertex tells nothing of what is free at another: if a part p
 * of the colours is free at each, D p² of them are at both. Of a drawn graph the busiest vertex has
 * some 4 √D edges more than the others; then p is never below 4 / √D, and nearly all edges find
 * one. An edge that does not, from a to z, takes a colour α that is free at a, and swaps it with a
 * colour β that is free at z, along the path of both colours from z:
 *
 *     z -α- b -β- y -α- c      becomes      z -β- b -α- y -β- c
 *
 * Now α is free at z. It still is at a: the path comes to the left by α, and so never to a.
 *
 * If there are few vertices, with many edges between each two, the search for another edge of a
 * pair goes on where the last one ended, so that nothing is looked at in vain again and again.
 *
 * For a path all vertices are looked at. Of a graph of which many edges have to swap, such as a
 * regular one with more vertices than colours, colour.h does better.
 */

#define COLOUR_FIT_NONE UINT32_MAX

/* Colour a graph whose left vertices have up to `degree` edges, of which edge i leads to right
 * vertex right[left][i], or is none if that is COLOUR_FIT_NONE. The colours of none are not set.
 * Precondition: no right vertex has more than `degree` edges; vertices · degree < 2^32. Equal
 * graphs get equal colours.
 *     right[vertices][degree], colour[vertices][degree]
 * *fits becomes false, and colours are left unfinished, if that takes too many swaps or searches:
 * O(vertices · degree) at worst. E104. */
bool colour_fit(uint32_t vertices, uint32_t degree, const uint32_t right[], uint32_t colour[],
                bool *fits, struct err *err);

#endif
