/* SPDX-License-Identifier: Apache-2.0 */
/* grid: topologies whose processors are the points of a grid of sides k_1, k_2, …
 *
 * The number of a node is a mixed-radix number whose lowest digit is the coordinate along dimension
 * 1. Links join nodes that differ along one dimension; the topology's own file states which. */
#ifndef ROUNDCAST_GRID_H
#define ROUNDCAST_GRID_H

#include "sched/shape/topology.h"

/* Makes a grid of sides side[0 … axes - 1]. A node has at most two links along a dimension, one if
 * the side is 2. E102 naming the dimension and the legal range. */
bool grid_make(enum topology_kind kind, unsigned axes, const uint32_t side[],
               struct topology *topology, struct err *err);

/* Reads and writes `4 4 8`, the sides in a schedule file (topology_row.read, topology_row.text). */
bool grid_read(enum topology_kind kind, struct scan *scan, struct topology *topology,
               struct err *err);
const char *grid_text(const struct topology *grid, char text[TOPOLOGY_TEXT]);

/* Returns the coordinate of a node along dimension j = 1 …. O(j). */
uint32_t grid_place(const struct topology *grid, uint32_t node, unsigned dimension);

/* Returns the node at another coordinate, `place`, along a dimension. O(j). */
uint32_t grid_at(const struct topology *grid, uint32_t node, unsigned dimension, uint32_t place);

/* Returns the only dimension along which two nodes differ; 0 if there is none, or more than one.
 * O(dimensions). */
unsigned grid_dimension(const struct topology *grid, uint32_t node, uint32_t other);

/* Returns the first dimension, counted cyclically from packet mod dimensions + 1, along which two
 * different nodes differ: packets of one node use different links. O(dimensions). */
unsigned grid_first_dimension(const struct topology *grid, uint32_t packet, uint32_t node,
                              uint32_t other);

/* Returns the index of the link between two neighbours (topology_row.arc): links are numbered by
 * dimension; along a dimension, the forward link is first. O(dimensions). */
uint32_t grid_arc(const struct topology *grid, unsigned dimension, bool forward);

/* Description of the field for messages (topology_row.numbers). */
#define GRID_NUMBERS "the nodes along dimension 1, 2, … such as 4,4"

/* Which nodes a link joins, for messages (topology_row.joined). */
#define GRID_JOINED "nodes that differ by 1 along one dimension"

#endif
