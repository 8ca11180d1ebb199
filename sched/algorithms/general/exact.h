/* SPDX-License-Identifier: Apache-2.0 */
/* exact: a schedule of demands in the fewest rounds that there are, by a SAT solver (CaDiCaL).
 *
 *     variables   has(p, v, t)      node v has packet p after round t
 *                 sends(p, u, v, t) u sends p to v in round t
 *                 meet(u, v, t)     by telephone: u and v are a pair in round t
 *     clauses     what a node has it had before or is sent; it sends what it had before; ports
 *                 by the model; in the end everybody has what it wants
 *
 * Any node may forward packets that it does not want. The solver searches a schedule for each
 * number of rounds from the lower bound on, until it finds one.
 */
#ifndef ROUNDCAST_EXACT_H
#define ROUNDCAST_EXACT_H

#include "sched/algorithms/general/list.h"

/* The most variables that the solver is given. */
#define EXACT_MAX_VARIABLES 20000

/* The sends of a schedule of the fewest rounds, in *send, count of them, which the caller frees,
 * none twice and none for nothing. *rounds is the end of a schedule that is known, and becomes the
 * fewest; if no schedule has fewer, *send is NULL. None has fewer than `least`. A model with
 * rounds. E102 for more variables, E104, E202, E501 without the solver. Exponential. */
bool exact_find(const struct schedule *demands, uint64_t least, uint64_t *rounds,
                struct list_send **send, size_t *count, struct err *err);

#endif
