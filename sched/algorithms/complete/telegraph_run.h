/* SPDX-License-Identifier: Apache-2.0 */
/* telegraph_run: one run of the telegraph algorithm; telegraph.c lists its rules. */
#ifndef ROUNDCAST_TELEGRAPH_RUN_H
#define ROUNDCAST_TELEGRAPH_RUN_H

#include "sched/algorithms/complete/telegraph_places.h"
#include "sched/algorithms/complete/telegraph_steady.h"
#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

struct telegraph_run {
    uint32_t n, m;
    uint64_t bound;                        /* number of rounds in which the run should end */
    uint64_t t;                            /* the current round */
    uint64_t left;                         /* receipts left */
    const struct telegraph_steady *steady; /* the rules of a steady run, or NULL */

    struct telegraph_places places;
    uint32_t brought;  /* packets 1 … brought have been introduced */
    void *memory;      /* storage of all arrays (arena.h) */
    uint32_t *holders; /* [packet]: number of its holders */
    uint32_t *open;    /* [brought]: packets, fewest holders first */
    uint32_t *at;      /* [packet]: its index in `open` */
    uint32_t *up_to;   /* [h]: number of packets with at most h holders, h = 1 … n-1 */
    uint32_t *senders, *receivers; /* scratch, [n] */

    struct schedule *schedule; /* NULL: only count the rounds */
    struct transfer *own;      /* [n]: the transfers of a round without a schedule */
    struct transfer *transfer; /* transfers of the round */
    uint32_t count;
};

/* Allocates a run for the n and m of a collective, n ≥ 2. E104. Free with telegraph_run_free. */
bool telegraph_run_init(struct telegraph_run *run, const struct collective *collective,
                        struct err *err);
void telegraph_run_free(struct telegraph_run *run);

/* Simulates all rounds and appends them to `schedule` unless it is NULL. If run->steady is set, the
 * run follows its rules (telegraph_steady.h) and ignores the seed. Otherwise ties are broken by
 * node number for seed 0, else in an order drawn from the seed. Returns the number of rounds, or 0
 * with E104 (only with a schedule). May be called repeatedly. */
uint64_t telegraph_run(struct telegraph_run *run, uint64_t seed, struct schedule *schedule,
                       struct err *err);

#endif
