/* SPDX-License-Identifier: Apache-2.0 */
/* known: schedules of demands that are those of a collective, by the algorithms of that
 * collective. */
#ifndef ROUNDCAST_KNOWN_H
#define ROUNDCAST_KNOWN_H

#include "sched/algorithms/algorithm.h"

/* Builds the shortest schedule by the algorithms of `collective`, as schedule_collective reports it
 * for these demands, with the packet numbers of the demands. The schedule has no transfers if there
 * is no such algorithm. E104. */
bool known_schedule(const struct schedule *demands, const struct collective *collective,
                    struct schedule *schedule, struct err *err);

/* Builds the shortest schedule in a tree, hypercube or torus by the algorithms that have exactly
 * these demands and no control packets. E104. */
bool known_network(const struct schedule *demands, struct schedule *schedule, struct err *err);

#endif
