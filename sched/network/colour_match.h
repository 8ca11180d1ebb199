/* SPDX-License-Identifier: Apache-2.0 */
/* colour_match: a perfect matching of a regular bipartite multigraph, by random walks.
 *
 * A walk begins at a left vertex without a partner. It takes a random edge to the right (not the
 * one to the vertex's partner, if it has one); if the vertex there has a partner, it goes on from
 * that one, else it has found an augmenting path: what is left of the walk when its loops are
 * erased. Because the graph is regular such walks are short, about vertices / those still without a
 * partner, in expectation, so that all of them together are O(V log V) steps and the number of
 * edges does not matter (Goel, Kapralov and Khanna 2010, theorem 1).
 */
#ifndef ROUNDCAST_COLOUR_MATCH_H
#define ROUNDCAST_COLOUR_MATCH_H

#include "sched/base/rng.h"

#include <stdint.h>

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

#endif
