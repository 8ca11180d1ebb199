/* SPDX-License-Identifier: Apache-2.0 */
/* bound_cube: the least that broadcasts take in a hypercube of d dimensions with all ports
 * (Stamoulis and Tsitsiklis, section 3.1). K packets, wherever they start; O(1). */
#ifndef ROUNDCAST_BOUND_CUBE_H
#define ROUNDCAST_BOUND_CUBE_H

#include "sched/schedule/collective.h"

/* Are there packets? */
bool bound_cube_has_packets(const struct collective *collective);

/* d: the node opposite a source is d arcs away. */
uint64_t bound_cube_diameter(const struct collective *collective);

/* ⌈(2^d - 1)K / (d 2^d)⌉: 2^d - 1 nodes receive each packet, over d 2^d arcs. */
uint64_t bound_cube_receipts(const struct collective *collective);

#endif
