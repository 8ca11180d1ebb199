/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_arrays: growth of the arrays of a schedule, for the files that fill them. */
#ifndef ROUNDCAST_SCHEDULE_ARRAYS_H
#define ROUNDCAST_SCHEDULE_ARRAYS_H

#include "sched/base/err.h"

#include <stddef.h>

struct schedule; /* schedule.h */

/* An array with `count` entries of `entry` bytes that needs `more` entries. */
struct schedule_growth {
    size_t entry, count, more;
    bool amortise; /* the room at least doubles, as far as memory allows */
};

/* Grows *array, which has room for *room entries. E104. Amortised O(1) for an entry. */
bool schedule_grow(void **array, size_t *room, struct schedule_growth by, struct err *err);

/* Frees the demands of a schedule. */
void schedule_free_demands(struct schedule *schedule);

#endif
