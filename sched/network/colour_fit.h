/* SPDX-License-Identifier: Apache-2.0 */
/* colour_fit: colours the edges of a bipartite multigraph with D colours, one edge after the other;
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
#ifndef ROUNDCAST_COLOUR_FIT_H
#define ROUNDCAST_COLOUR_FIT_H

#include "sched/base/err.h"

#include <stdint.h>

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
