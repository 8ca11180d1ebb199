/* SPDX-License-Identifier: Apache-2.0 */
/* known: demands that are those of a collective, for which there are algorithms. */
#ifndef ROUNDCAST_KNOWN_H
#define ROUNDCAST_KNOWN_H

#include "sched/algorithms/algorithm.h"

/* Builds the earliest schedule of the algorithms that schedule `collective`, as schedule_collective
 * reports it for these demands, and numbers its packets as they do. It has no transfers if there is
 * no such algorithm. E104. */
bool known_schedule(const struct schedule *demands, const struct collective *collective,
                    struct schedule *schedule, struct err *err);

/* Finds the shortest schedule for a tree or hypercube likewise, of the algorithms with exactly
 * these demands and without control packets. E104. */
bool known_network(const struct schedule *demands, struct schedule *schedule, struct err *err);

#endif
