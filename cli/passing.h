/* SPDX-License-Identifier: Apache-2.0 */
/* passing: which rounds of a schedule an omega network passes. */
#ifndef ROUNDCAST_PASSING_H
#define ROUNDCAST_PASSING_H

#include "sched/base/err.h"
#include "sched/schedule/schedule.h"
#include "sched/shape/multistage.h"

#include <jansson.h>
#include <stdio.h>

/* A line for each round that is blocked, with its first conflict and the passes that it needs, and
 * how many pass. Preconditions of split_schedule. E104. */
bool passing_print(FILE *to, const struct schedule *schedule, const struct multistage *net,
                   struct err *err);

/* Returns the results as an array with an object for each round; NULL with an error. */
json_t *passing_json(const struct schedule *schedule, const struct multistage *net,
                     struct err *err);

#endif
