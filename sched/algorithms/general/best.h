/* SPDX-License-Identifier: Apache-2.0 */
/* best: the shortest schedule found so far for given demands. */
#ifndef ROUNDCAST_BEST_H
#define ROUNDCAST_BEST_H

#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/general/list.h"
#include "sched/schedule/collective.h"

/* Limits for randomly drawn schedules: their total work, in units of about one processor
 * instruction, and their number. */
#define BEST_WORK UINT64_C(400000000)
#define BEST_DRAWN 1000

#define BEST_BY 80

/* The caller frees `send`. */
struct best {
    uint64_t end;   /* UINT64_MAX: no schedule was found */
    uint64_t bound; /* lower bound; the search stops at a schedule that ends there */
    size_t count;
    struct list_send *send;
    char by[BEST_BY]; /* the algorithm that built it; empty for a list schedule */
};

/* Replaces the kept schedule by a copy of a list schedule, which must be better. E104. */
bool best_keep(struct best *best, uint64_t end, const struct list_send send[], size_t count,
               struct err *err);

/* Replaces the kept schedule by a copy of the transfers of a schedule that an algorithm built.
 * E104. */
bool best_take(struct best *best, const struct schedule *schedule, struct err *err);

/* Sorts the sends by time and appends them to a schedule. E104. O(count · log count). */
bool best_append(struct list_send send[], size_t count, struct schedule *schedule, struct err *err);

/* -- Methods that improve the shortest schedule ------------------------------------------------ */

/* A schedule of demands in the fewest possible rounds, by a SAT solver (CaDiCaL).
 *
 *     variables   has(p, v, t)      node v has packet p after round t
 *                 sends(p, u, v, t) u sends p to v in round t
 *                 meet(u, v, t)     telephone model: u and v are a pair in round t
 *     clauses     a node has only packets that it had before or receives; it sends packets that it
 *                 had before; ports by the model; at the end every node has the packets it wants
 *
 * Any node may forward packets that it does not want. The solver searches for a schedule of each
 * number of rounds, from the lower bound on, until it finds one. */

/* Maximum number of variables passed to the solver. */
#define EXACT_MAX_VARIABLES 20000

/* Finds the sends of a schedule of the fewest rounds: *count sends in *send, which the caller
 * frees, without repeated or useless sends. On entry *rounds is the end of a known schedule; on
 * return it is the fewest rounds. If no schedule is shorter, *send is NULL. No schedule is shorter
 * than `least`. Precondition: a model with rounds. E102 for more than EXACT_MAX_VARIABLES
 * variables, E104, E202, E501 without the solver. Exponential. */
bool exact_find(const struct schedule *demands, uint64_t least, uint64_t *rounds,
                struct list_send **send, size_t *count, struct err *err);

/* Schedules of demands that are those of a collective, by the algorithms of that collective. */

/* Builds the shortest schedule by the algorithms of `collective`, as schedule_collective reports it
 * for these demands, with the packet numbers of the demands. The schedule has no transfers if there
 * is no such algorithm. E104. */
bool known_schedule(const struct schedule *demands, const struct collective *collective,
                    struct schedule *schedule, struct err *err);

/* Builds the shortest schedule on a topology other than the complete graph by the algorithms that
 * have exactly these demands and no control packets. E104. */
bool known_network(const struct schedule *demands, struct schedule *schedule, struct err *err);

/* The best schedule of any demands on a topology other than the complete graph: by an algorithm
 * with the same demands, or with packets that follow their routes (network.c), some of them
 * random. */

/* Finds the better of both. `best` must be empty. E104. */
bool network_schedule(const struct collective *collective, const struct schedule *demands,
                      struct best *best, struct err *err);

/* Finds schedules in which packets follow their routes, and keeps one in *best if it ends earlier
 * than the best so far. E104. */
bool network_routes(const struct collective *collective, const struct schedule *demands,
                    struct best *best, struct err *err);

#endif
