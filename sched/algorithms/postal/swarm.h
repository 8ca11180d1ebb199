/* SPDX-License-Identifier: Apache-2.0 */
/* swarm: one run of postal-swarm; postal_swarm.c lists its rules. */
#ifndef ROUNDCAST_SWARM_H
#define ROUNDCAST_SWARM_H

#include "sched/base/rng.h"
#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* A node that can send or receive now. Nodes with a smaller key come first. */
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
    uint64_t left; /* receipts still to be sent */
    uint32_t next; /* the source has sent packets 0 … next-1 */

    void *memory;            /* storage of all arrays (arena.h) */
    size_t words;            /* words of a set of packets */
    uint64_t *held, *coming; /* [n][words]: packets that arrived; those and packets on the way */
    uint32_t *held_count, *coming_count, *holders; /* [n], [n]: their numbers; [m]: nodes sent it */
    uint64_t *sends_at, *receives_at;     /* [n]: the tick from which a node can send or receive */
    struct swarm_arrival *arrival;        /* [m(n-1)]: all arrivals, in order of time */
    size_t arrived, sent;                 /* number arrived, number sent */
    struct swarm_node *sender, *receiver; /* [n]: nodes that can send or receive now */
    uint32_t senders, receivers, matched;
    uint32_t *partner; /* [n]: the sender matched with a receiver; UINT32_MAX: none */
    uint32_t *looked;  /* [n]: number of the last search that considered a receiver */
    uint32_t search, looks;
};

/* Allocates a run. Precondition: n ≥ 2, λ ≥ 1. E104. */
bool swarm_init(struct swarm *swarm, const struct collective *collective, struct err *err);
void swarm_free(struct swarm *swarm);

/* Simulates a run and appends the transfers to `schedule` unless it is NULL. Ties are broken by the
 * seed. Returns the end in ticks, or 0 with E104 (only with a schedule). May be called repeatedly.
 * O(ticks · n log n + receipts · (m/64 + looks)). */
uint64_t swarm_run(struct swarm *swarm, uint64_t seed, struct schedule *schedule, struct err *err);

#endif
