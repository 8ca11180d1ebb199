/* SPDX-License-Identifier: Apache-2.0 */
/* passing: reports which rounds of a schedule an omega network passes, and where it blocks the
 * others. */
#ifndef ROUNDCAST_PASSING_H
#define ROUNDCAST_PASSING_H

#include "lib/roundcast/image.h"
#include "sched/base/err.h"
#include "sched/schedule/schedule.h"
#include "sched/shape/multistage.h"

/* Examines every round with transfers and calls routing->passing. Preconditions of split_schedule.
 * E104. O(rounds · ports · log ports). */
bool passing_report(const struct schedule *schedule, const struct multistage *net,
                    const struct roundcast_routing *routing, struct err *err);

#endif
