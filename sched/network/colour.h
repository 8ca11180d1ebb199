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

#endif
