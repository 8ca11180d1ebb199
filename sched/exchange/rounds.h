/* SPDX-License-Identifier: Apache-2.0 */
/* rounds: finds the rounds, or times, of a sequence of transfers: each transfer gets the first
 * round in which the model permits it, in addition to those before it.
 *
 * Transfers in the order of a legal schedule get rounds no later than in that schedule: the
 * transfers before them use none of their nodes in that round. List scheduling; R. L. Graham 1966.
 */
#ifndef ROUNDCAST_ROUNDS_H
#define ROUNDCAST_ROUNDS_H

#include "sched/exchange/calendar.h"
#include "sched/schedule/schedule.h"

/* The rules of a schedule. */
struct rounds_rules {
    const struct topology *topology;
    enum model model;
    struct rational lambda; /* of a model with times */
    uint32_t ports;
};

/* A transfer in its round, or at its tick. */
struct placed {
    uint64_t round;
    struct transfer transfer;
    uint32_t lane;     /* in a tree */
    uint32_t joins;    /* the packet, if the network can combine it at the receiver; else 0 */
    uint8_t combining; /* enum combining */
};

struct rounds {
    uint32_t nodes;
    struct topology topology;
    enum model model;
    uint32_t ports;
    /* ticks that a packet takes, and that it occupies a port; 1 in a model of rounds */
    uint32_t takes, lasts;
    /* [nodes] under send-receive and telegraph with one port; else NULL */
    struct busy *sends, *receives;
    /* [calendars] of the other models (rounds_rules.c); else NULL */
    struct calendar *calendar;
    size_t calendars;
    struct placed *placed;
    size_t count, room;
    uint64_t latest; /* the latest round in which a transfer was placed */
};

/* Returns the first round or tick. */
static inline uint32_t rounds_origin(const struct rounds *rounds)
{
    return !model_has_times(rounds->model);
}

/* Checks that rounds can be found under this model for nodes with one port that are all joined.
 * E103. */
bool rounds_have(enum model model, struct err *err);

/* Initialises rounds without transfers. Precondition: the model is one of the topology. E104. */
bool rounds_begin_rules(struct rounds *rounds, const struct rounds_rules *rules, struct err *err);

/* Initialises rounds of nodes with one port that are all joined. Precondition: rounds_have accepts
 * the model. E104. */
bool rounds_begin(struct rounds *rounds, uint32_t nodes, enum model model, struct err *err);

/* Places a transfer between two nodes in the first round from `ready` on in which the model permits
 * it. E104. O(rounds / 64) under send-receive and telegraph with one port, else O(rounds). */
bool rounds_place(struct rounds *rounds, struct transfer transfer, uint64_t ready, uint64_t *round,
                  struct err *err);

/* Places transfers as far apart as the members `round` of wanted[0 … count - 1] are: from the first
 * round from `ready` on in which the model permits all of them. *together: there is such a round.
 * E104. O(rounds · count). */
bool rounds_place_together(struct rounds *rounds, const struct placed wanted[], size_t count,
                           uint64_t ready, uint64_t *round, bool *together, struct err *err);

/* Removes the transfers of packet 0, and the rounds that have no others. No more transfers can be
 * placed then. E104. O(transfers). */
bool rounds_omit(struct rounds *rounds, struct err *err);

/* Appends all transfers to a schedule without steps, in order of rounds. E104. O(transfers +
 * rounds); in a model with times O(transfers · log transfers). */
bool rounds_finish(const struct rounds *rounds, struct schedule *schedule, struct err *err);

void rounds_free(struct rounds *rounds);

/* -- The rules of models (rounds_rules.c) ------------------------------------------------------ */

/* Allocate and free the calendars of all ports and links. */
bool rounds_rules_begin(struct rounds *rounds);
void rounds_rules_free(struct rounds *rounds);

/* Returns the first round from `ready` on in which the model permits the transfer. */
uint64_t rounds_rules_first(const struct rounds *rounds, const struct placed *wanted,
                            uint64_t ready);

/* Occupies the ports and links of a transfer in its round, and chooses its lane; and releases
 * them. Returns false without memory. */
bool rounds_rules_take(struct rounds *rounds, struct placed *wanted);
void rounds_rules_release(struct rounds *rounds, const struct placed *wanted);

/* -- Transfers that precede each other --------------------------------------------------------- */

/* Finds rounds for transfers that must precede each other.
 *
 * The nodes of the graph are transfers and points. An edge a → b with a lag of x requires that b is
 * at least x rounds, or ticks, after a. A point is in no round of its own; it joins edges. The
 * transfers on a circle of edges without lag share a round, or stay as far apart as they were, as
 * the two transfers of an exchange:
 *
 *     GPU 0 sends chunk 1 to GPU 1 before it combines that of GPU 1      t0 ≤ t1
 *     GPU 1 sends chunk 1 to GPU 0 before it combines that of GPU 0      t1 ≤ t0
 */

struct rounds_edge {
    size_t from, to;
    uint32_t lag;
};

struct rounds_graph {
    size_t transfers;                /* nodes 0 … transfers - 1 */
    const struct transfer *transfer; /* [transfers] not owned */
    const uint8_t *combining;        /* [transfers] enum combining; not owned */
    const uint32_t *joins;           /* [transfers] as struct placed; NULL: all 0; not owned */
    const uint64_t *key; /* [transfers] transfers with lower keys come first; not owned */
    /* the transfers on a circle keep the differences of their keys, which are times at which the
     * edges hold; false: they share a round */
    bool apart;
    size_t nodes; /* transfers, then points */
    size_t edges, room;
    struct rounds_edge *edge;
};

/* Returns a new point. */
size_t rounds_graph_point(struct rounds_graph *graph);

/* Adds an edge. One with a lag begins or ends at a transfer. E104. */
bool rounds_graph_edge(struct rounds_graph *graph, size_t from, size_t to, uint32_t lag,
                       struct err *err);

/* Places all transfers. If some transfers must share a round and cannot, *conflict is one of them;
 * else SIZE_MAX with E104. O(edges + nodes · log nodes + Σ circle²), and the search of rounds. */
bool rounds_graph_place(const struct rounds_graph *graph, struct rounds *rounds, size_t *conflict,
                        struct err *err);

void rounds_graph_free(struct rounds_graph *graph);

#endif
