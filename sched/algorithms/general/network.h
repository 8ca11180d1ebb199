/* SPDX-License-Identifier: Apache-2.0 */
/* network: the best schedule of any demands in a tree, hypercube or torus: by an algorithm with the
 * same demands, or with packets that follow their routes (network.c), some of them random. */
#ifndef ROUNDCAST_NETWORK_H
#define ROUNDCAST_NETWORK_H

#include "sched/algorithms/general/best.h"
#include "sched/schedule/collective.h"

/* Finds the better of both. `best` must be empty. E104. */
bool network_schedule(const struct collective *collective, const struct schedule *demands,
                      struct best *best, struct err *err);

/* Finds schedules in which packets follow their routes, and keeps one in *best if it ends earlier
 * than the best so far. E104. */
bool network_routes(const struct collective *collective, const struct schedule *demands,
                    struct best *best, struct err *err);

#endif
