/* SPDX-License-Identifier: Apache-2.0 */
/* rounds: finds rounds under send-receive, telephone or telegraph for a sequence of transfers: each
 * transfer gets the first round in which its sender and its receiver are free.
 *
 * Transfers in the order of a legal schedule get rounds no later than in that schedule: the
 * transfers before them use none of their nodes in that round. List scheduling; R. L. Graham 1966.
 */
#ifndef ROUNDCAST_ROUNDS_H
#define ROUNDCAST_ROUNDS_H

#include "sched/schedule/schedule.h"

/* A bit for each round in which a node is busy. */
struct busy {
    uint64_t *word;
    size_t words;
};

/* The partner of a node in each round, one more than its number; 0: none. */
struct partners {
    uint32_t *of;
    size_t room;
};

struct placed {
    uint64_t round;
    struct transfer transfer;
    uint8_t combining; /* enum combining */
};

struct rounds {
    uint32_t nodes;
    enum model model;
    struct busy *sends, *receives; /* [nodes] */
    struct partners *partners;     /* [nodes], for the telephone model only */
    struct placed *placed;
    size_t count, room;
};

/* Checks that rounds can be found under this model. E103. */
bool rounds_have(enum model model, struct err *err);

/* Initialises rounds without transfers. Precondition: rounds_have accepts the model. E104. */
bool rounds_begin(struct rounds *rounds, uint32_t nodes, enum model model, struct err *err);

/* Places a transfer between two nodes in the first free round from `ready` on. `ready` is 1, or the
 * round after one in which a transfer was placed. E104. O(rounds / 64) under send-receive, else
 * O(rounds). */
bool rounds_place(struct rounds *rounds, struct transfer transfer, uint64_t ready, uint64_t *round,
                  struct err *err);

/* Returns whether transfers can share a round under the model. O(count²). */
bool rounds_can_join(const struct rounds *rounds, const struct transfer transfer[], size_t count);

/* Places transfers in one round, the first from `ready` on in which all their nodes are free.
 * Precondition: they can share a round. E104. */
bool rounds_place_together(struct rounds *rounds, const struct transfer transfer[], size_t count,
                           uint64_t ready, uint64_t *round, struct err *err);

/* Removes the transfers of packet 0, and the rounds that have no others. No more transfers can be
 * placed then. E104. O(transfers). */
bool rounds_omit(struct rounds *rounds, struct err *err);

/* Appends all transfers to a schedule without steps, in order of rounds. E104. O(transfers +
 * rounds). */
bool rounds_finish(const struct rounds *rounds, struct schedule *schedule, struct err *err);

void rounds_free(struct rounds *rounds);

/* -- Transfers that precede each other --------------------------------------------------------- */

/* Finds rounds for transfers that must precede each other.
 *
 * The nodes of the graph are transfers and points. An edge a → b is strict if b must be in a later
 * round than a, else b may also be in the round of a. A point is in no round of its own; it joins
 * edges. Transfers on a circle of edges that are not strict share a round, as the two transfers of
 * an exchange:
 *
 *     GPU 0 sends chunk 1 to GPU 1 before it combines that of GPU 1      t0 ≤ t1
 *     GPU 1 sends chunk 1 to GPU 0 before it combines that of GPU 0      t1 ≤ t0
 */

struct rounds_edge {
    size_t from, to;
    bool strict;
};

struct rounds_graph {
    size_t transfers;                /* nodes 0 … transfers - 1 */
    const struct transfer *transfer; /* [transfers] not owned */
    const uint8_t *combining;        /* [transfers] enum combining; not owned */
    const uint64_t *key; /* [transfers] transfers with lower keys come first; not owned */
    size_t nodes;        /* transfers, then points */
    size_t edges, room;
    struct rounds_edge *edge;
};

/* Returns a new point. */
size_t rounds_graph_point(struct rounds_graph *graph);

/* Adds an edge. E104. */
bool rounds_graph_edge(struct rounds_graph *graph, size_t from, size_t to, bool strict,
                       struct err *err);

/* Places all transfers. If some transfers must share a round and cannot, *conflict is one of them;
 * else SIZE_MAX with E104. O(edges + nodes · log nodes + Σ circle²). */
bool rounds_graph_place(const struct rounds_graph *graph, struct rounds *rounds, size_t *conflict,
                        struct err *err);

void rounds_graph_free(struct rounds_graph *graph);

#endif
