/* SPDX-License-Identifier: Apache-2.0 */
/* network: the best schedule of any demands in a tree or hypercube: that of an algorithm with the
 * same demands, or a schedule in which packets follow their ways (network.c), some drawn at
 * random. */
#ifndef ROUNDCAST_NETWORK_H
#define ROUNDCAST_NETWORK_H

#include "sched/algorithms/general/best.h"
#include "sched/schedule/collective.h"

/* `best` must be empty. E104. */
bool network_schedule(const struct collective *collective, const struct schedule *demands,
                      struct best *best, struct err *err);

#endif
