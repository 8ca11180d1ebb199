/* SPDX-License-Identifier: Apache-2.0 */
/* exact: a schedule of demands in the fewest possible rounds, by a SAT solver (CaDiCaL).
 *
 *     variables   has(p, v, t)      node v has packet p after round t
 *                 sends(p, u, v, t) u sends p to v in round t
 *                 meet(u, v, t)     telephone model: u and v are a pair in round t
 *     clauses     a node has only packets that it had before or receives; it sends packets that it
 *                 had before; ports by the model; at the end every node has the packets it wants
 *
 * Any node may forward packets that it does not want. The solver searches for a schedule of each
 * number of rounds, from the lower bound on, until it finds one.
 */
#ifndef ROUNDCAST_EXACT_H
#define ROUNDCAST_EXACT_H

#include "sched/algorithms/general/list.h"

/* Maximum number of variables passed to the solver. */
#define EXACT_MAX_VARIABLES 20000

/* Finds the sends of a schedule of the fewest rounds: *count sends in *send, which the caller
 * frees, without repeated or useless sends. On entry *rounds is the end of a known schedule; on
 * return it is the fewest rounds. If no schedule is shorter, *send is NULL. No schedule is shorter
 * than `least`. Precondition: a model with rounds. E102 for more than EXACT_MAX_VARIABLES
 * variables, E104, E202, E501 without the solver. Exponential. */
bool exact_find(const struct schedule *demands, uint64_t least, uint64_t *rounds,
                struct list_send **send, size_t *count, struct err *err);

#endif
