/* SPDX-License-Identifier: Apache-2.0 */
/* swarm: one run of postal-swarm; postal_swarm.c lists its rules. */
#ifndef ROUNDCAST_SWARM_H
#define ROUNDCAST_SWARM_H

#include "sched/base/rng.h"
#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* A node that can send or receive now. The smaller key comes first. */
struct swarm_node {
    uint64_t key;
    uint32_t node;
};

/* A packet that arrives at a node. */
struct swarm_arrival {
    uint64_t tick;
    uint32_t node, packet; /* packets from 0 */
};

struct swarm {
    uint32_t n, m;
    uint64_t latency, unit; /* ticks */
    struct rng rng;
    bool pausing;  /* some senders wait at random, which can be better for fractional λ */
    uint64_t left; /* receipts that are still to be sent */
    uint32_t next; /* the source has sent packets 0 … next-1 */

    void *memory;            /* of all arrays (arena.h) */
    size_t words;            /* of a set of packets */
    uint64_t *held, *coming; /* [n][words]: packets that arrived; those and others on the way */
    uint32_t *held_count, *coming_count, *holders; /* [n], [n], [m]: nodes they are sent to */
    uint64_t *sends_at, *receives_at;     /* [n]: the tick at which a node can do so again */
    struct swarm_arrival *arrival;        /* [m(n-1)]: all, in order of time */
    size_t arrived, sent;                 /* of these */
    struct swarm_node *sender, *receiver; /* [n]: of this tick */
    uint32_t senders, receivers, matched;
    uint32_t *partner; /* [n]: the sender of a receiver; SWARM_NONE */
    uint32_t *looked;  /* [n]: the number of the search that looked at a receiver last */
    uint32_t search, looks;
};

/* Makes room for a run. Precondition: n ≥ 2, λ ≥ 1. E104. */
bool swarm_init(struct swarm *swarm, const struct collective *collective, struct err *err);
void swarm_free(struct swarm *swarm);

/* Runs and appends the transfers to `schedule`, unless it is NULL. Equals are ordered by the seed.
 * Returns the end in ticks; 0 with E104, only with a schedule. May be called again.
 * O(ticks · n log n + receipts · (m/64 + looks)). */
uint64_t swarm_run(struct swarm *swarm, uint64_t seed, struct schedule *schedule, struct err *err);

#endif
