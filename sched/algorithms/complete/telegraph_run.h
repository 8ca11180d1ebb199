/* SPDX-License-Identifier: Apache-2.0 */
/* telegraph_run: one run of the telegraph algorithm; telegraph.c tells its rules. */
#ifndef ROUNDCAST_TELEGRAPH_RUN_H
#define ROUNDCAST_TELEGRAPH_RUN_H

#include "sched/algorithms/complete/holdings.h"
#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

struct telegraph_run {
    uint32_t n, m;
    uint64_t bound; /* the rounds in which it ought to end */
    uint64_t t;     /* the round */
    uint64_t left;  /* receipts that are still to come */

    struct holdings holdings; /* node 0 holds what it has brought out */
    struct holdings columns;  /* the same by packet: who holds it, node v as v + 1 */
    uint32_t brought;         /* packets 1 … brought */
    void *memory;             /* of all arrays (arena.h) */
    uint32_t *held;           /* [node]: how many packets; node 0 has m */
    uint32_t *holders;        /* [packet]: how many nodes */
    uint32_t *open;           /* [brought]: packets, those with fewest holders first */
    uint32_t *place;          /* [packet]: where it is in `open` */
    uint32_t *up_to;          /* [h]: how many packets have no more than h holders, h = 1 … n-1 */
    uint32_t *order;          /* [n - 1]: nodes 1 … n-1, the order in which equals are taken */

    /* The nodes that do nothing in this round yet: node 0 if it is one, then by packets, fewest
     * first; a ring through `n`, which stands before the first and behind the last. */
    uint32_t free_count;
    uint32_t *next, *before;       /* [n + 1] */
    uint32_t *rank;                /* [node]: the place in which it was when all were free */
    uint32_t *sorted;              /* scratch, [n] */
    uint32_t *senders, *receivers; /* scratch, [n] */
    uint32_t *bucket;              /* scratch, [m + 2] */
    /* bits of the nodes that are free, and of those of them that are behind */
    uint64_t *idle, *late;

    struct schedule *schedule; /* NULL: count the rounds only */
    struct transfer *own;      /* [n]: where the transfers go then */
    struct transfer *transfer; /* of the round */
    uint32_t count;
};

/* For the n, m of a collective, n ≥ 2. Errors: E104. Free it with telegraph_run_free. */
bool telegraph_run_init(struct telegraph_run *run, const struct collective *collective,
                        struct err *err);
void telegraph_run_free(struct telegraph_run *run);

/* Play all rounds; append them to `schedule` unless it is NULL. Equals go by number for seed 0,
 * else in an order drawn from the seed. Returns the rounds, 0 with E104 (only with a schedule). May
 * be called again. */
uint64_t telegraph_run(struct telegraph_run *run, uint64_t seed, struct schedule *schedule,
                       struct err *err);

#endif
