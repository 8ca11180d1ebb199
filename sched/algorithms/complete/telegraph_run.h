/* SPDX-License-Identifier: Apache-2.0 */
/* telegraph_run: one run of the telegraph algorithm; telegraph.c lists its rules. */
#ifndef ROUNDCAST_TELEGRAPH_RUN_H
#define ROUNDCAST_TELEGRAPH_RUN_H

#include "sched/algorithms/complete/telegraph_places.h"
#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

struct telegraph_run {
    uint32_t n, m;
    uint64_t bound; /* number of rounds in which the run should end */
    uint64_t t;     /* the round */
    uint64_t left;  /* receipts that are still to come */

    struct telegraph_places places;
    uint32_t brought;  /* packets 1 … brought */
    void *memory;      /* of all arrays (arena.h) */
    uint32_t *holders; /* [packet]: how many nodes */
    uint32_t *open;    /* [brought]: packets, those with fewest holders first */
    uint32_t *at;      /* [packet]: where it is in `open` */
    uint32_t *up_to;   /* [h]: how many packets have no more than h holders, h = 1 … n-1 */
    uint32_t *senders, *receivers; /* scratch, [n] */

    struct schedule *schedule; /* NULL: count the rounds only */
    struct transfer *own;      /* [n]: where the transfers go then */
    struct transfer *transfer; /* of the round */
    uint32_t count;
};

/* For the n, m of a collective, n ≥ 2. Errors: E104. Free it with telegraph_run_free. */
bool telegraph_run_init(struct telegraph_run *run, const struct collective *collective,
                        struct err *err);
void telegraph_run_free(struct telegraph_run *run);

/* Plays all rounds; appends them to `schedule` unless it is NULL. Equals are ordered by number for
 * seed 0, else in an order drawn from the seed. Returns the rounds, 0 with E104 (only with a
 * schedule). May be called again. */
uint64_t telegraph_run(struct telegraph_run *run, uint64_t seed, struct schedule *schedule,
                       struct err *err);

#endif
