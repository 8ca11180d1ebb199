/* SPDX-License-Identifier: Apache-2.0 */
/* matching_odd_run: one run of the matching algorithm for odd n in the telephone model.
 *
 * matching_odd.h explains the construction. It leaves some choices open; a run uses one set of
 * choices.
 */
#ifndef ROUNDCAST_MATCHING_ODD_RUN_H
#define ROUNDCAST_MATCHING_ODD_RUN_H

#include "sched/algorithms/complete/holdings.h"
#include "sched/algorithms/complete/matching_roles.h"
#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* How members of Y and Z, which never idle in their roles, are made to idle. The node of T_{k-1}
 * that misses the fewest packets idles, so that misses are spread over all nodes. A member of Y or
 * Z that misses few packets is exchanged with a node of T_{k-1} that misses many. In the long run
 * this costs no rounds, because a node that lacks its nominal packet sends another useful packet
 * (the oldest). */
struct matching_odd_choice {
    uint32_t lead;  /* minimum difference in misses for an exchange; 0: never exchange */
    uint64_t start; /* first round with exchanges */
    bool last;      /* also in the last main round, if the node of T_{k-1} misses no fewer */
    uint32_t rest;  /* last main rounds in which node 0 rests if the idle node can replace it */
};

#define MATCHING_ODD_LEADS 3 /* leads are 0 … 3 */

struct matching_odd_run {
    uint32_t n, m;
    struct matching_roles roles; /* for E = n - 1 */
    uint32_t settled;            /* packets 1 … settled are due at all nodes */
    uint64_t t;                  /* the current round */
    uint32_t idle;               /* the node that idles, or idled in the previous round */

    /* [lead]: the last round of a run without exchanges in which this lead would exchange two
     * nodes; 0 if there is none */
    uint64_t apart[MATCHING_ODD_LEADS + 1];

    struct holdings holdings;
    void *memory;      /* storage of all arrays (arena.h) */
    uint32_t *missing; /* [node]: number of packets 1 … settled that it lacks */
    uint32_t *idled;   /* [node]: number of rounds in which it idled */
    uint32_t *role;    /* [position]: node */
    uint32_t *next;    /* roles of the next round; between rounds scratch for n nodes */
    bool *paired;      /* [node], in a final round */
    uint64_t *marks;   /* scratch, a bit for each node, all 0 */
    uint32_t *bucket;  /* scratch, [n + 1] */

    struct schedule *schedule; /* NULL: only count the rounds */
    struct transfer *scratch;  /* [n]: the transfers of a round without a schedule */
    struct transfer *transfer; /* transfers of the round */
    size_t count;
};

/* Prepares runs for n and m of a collective, n odd and ≥ 3. E104. Free with
 * matching_odd_run_free. */
bool matching_odd_run_init(struct matching_odd_run *run, const struct collective *collective,
                           struct err *err);
void matching_odd_run_free(struct matching_odd_run *run);

/* Simulates all rounds and appends them to `schedule` unless it is NULL. Returns their number, or 0
 * with E104 (only with a schedule). May be called repeatedly. m - 1 + ⌈log2(n - 1)⌉ main rounds of
 * O(n·(1 + m/64)), then up to ⌈m/2⌉ final rounds of O(i²·m/64), in which the i ≤ min(n, m) nodes
 * that lack a packet meet. */
uint64_t matching_odd_run(struct matching_odd_run *run, struct matching_odd_choice choice,
                          struct schedule *schedule, struct err *err);

/* After a run of lead 0, returns whether a run of this choice would also exchange no nodes, apart
 * from `last`, and so would be identical. */
bool matching_odd_is_none(const struct matching_odd_run *run, struct matching_odd_choice choice);

#endif
