/* SPDX-License-Identifier: Apache-2.0 */
/* best: the best schedule of some demands that was found so far. */
#ifndef ROUNDCAST_BEST_H
#define ROUNDCAST_BEST_H

#include "sched/algorithms/general/list.h"

/* How much work may go into schedules that are drawn, about in steps of a processor, and how many
 * are drawn at most. */
#define BEST_WORK UINT64_C(400000000)
#define BEST_DRAWN 1000

#define BEST_BY 80

/* Frees `send` when it is no longer needed. */
struct best {
    uint64_t end;   /* UINT64_MAX: none was found */
    uint64_t bound; /* a schedule that ends there is not searched for any further */
    size_t count;
    struct list_send *send;
    char by[BEST_BY]; /* the algorithm that knows the demands; empty if it is not of one */
};

/* This one is better: keep a copy. E104. */
bool best_keep(struct best *best, uint64_t end, const struct list_send send[], size_t count,
               struct err *err);

/* Keeps the schedule of an algorithm likewise. E104. */
bool best_take(struct best *best, const struct schedule *schedule, struct err *err);

#endif
