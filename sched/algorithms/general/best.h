/* SPDX-License-Identifier: Apache-2.0 */
/* best: the shortest schedule found so far for given demands. */
#ifndef ROUNDCAST_BEST_H
#define ROUNDCAST_BEST_H

#include "sched/algorithms/general/list.h"

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

#endif
