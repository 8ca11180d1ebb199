/* SPDX-License-Identifier: Apache-2.0 */
/* rounds_graph: finds rounds for transfers that must precede each other.
 *
 * The nodes of the graph are transfers and points. An edge a → b is strict if b must be in a later
 * round than a, else b may also be in the round of a. A point is in no round of its own; it joins
 * edges. Transfers on a circle of edges that are not strict share a round, as the two transfers of
 * an exchange:
 *
 *     GPU 0 sends chunk 1 to GPU 1 before it combines that of GPU 1      t0 ≤ t1
 *     GPU 1 sends chunk 1 to GPU 0 before it combines that of GPU 0      t1 ≤ t0
 */
#ifndef ROUNDCAST_ROUNDS_GRAPH_H
#define ROUNDCAST_ROUNDS_GRAPH_H

#include "sched/exchange/rounds.h"

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
