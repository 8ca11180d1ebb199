/* SPDX-License-Identifier: Apache-2.0 */
/* bound_cube: lower bounds for broadcasts of K packets, from any sources, in an all-port hypercube
 * of d dimensions (Stamoulis and Tsitsiklis, section 3.1). O(1). */
#ifndef ROUNDCAST_BOUND_CUBE_H
#define ROUNDCAST_BOUND_CUBE_H

#include "sched/schedule/collective.h"

/* Returns whether there are any packets. */
bool bound_cube_has_packets(const struct collective *collective);

/* Returns d: the node opposite a source is d arcs away. */
uint64_t bound_cube_diameter(const struct collective *collective);

/* Returns ⌈(2^d - 1)K / (d 2^d)⌉: 2^d - 1 nodes receive each packet, over d 2^d arcs. */
uint64_t bound_cube_receipts(const struct collective *collective);

#endif
