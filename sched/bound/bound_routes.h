/* SPDX-License-Identifier: Apache-2.0 */
/* bound_routes: a bound for any demands in a tree, in which the path of a packet is fixed. */
#ifndef ROUNDCAST_BOUND_ROUTES_H
#define ROUNDCAST_BOUND_ROUTES_H

#include "sched/schedule/collective.h"

/* Returns a bound for collective->demands: for each port, and for all its packets with at least k
 * links after the port, or before it, the first packet arrives after some links, all packets use
 * the port one after another, and the last one has k links left. 0 if there is no memory.
 * O(Σ links · log). */
uint64_t bound_routes(const struct collective *collective);

#endif
