/* SPDX-License-Identifier: Apache-2.0 */
/* matching_small: optimal telephone broadcasts for small odd n, where matching_odd.h needs one more
 * round. A SAT solver found them; they are stored as data. They are all such cases for n ≤ 9 and m
 * ≤ 8 (docs/algorithms/complete.md).
 *
 * Source: ours.
 */
#ifndef ROUNDCAST_MATCHING_SMALL_H
#define ROUNDCAST_MATCHING_SMALL_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* Returns the number of rounds of the table's broadcast of m packets among n nodes; 0 if it has
 * none. */
uint64_t matching_small_end(const struct collective *collective);

/* Appends the rounds. Precondition: matching_small_end is not 0. E104. */
bool matching_small_build(const struct collective *collective, struct schedule *schedule,
                          struct err *err);

#endif
