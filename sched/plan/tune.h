/* SPDX-License-Identifier: Apache-2.0 */
/* tune: finds the algorithm, the number of packets and the flits per packet with which a message
 * reaches all nodes first. It also supports the other collectives of a complete graph, whose
 * demands share the message evenly, and the reductions of a hypercube.
 *
 * A message of B bytes is cut into m packets of F flits of W bits (payload.h): the fewer packets,
 * the longer they are. On a machine with L registers from endpoint to endpoint (docs/machine.md)
 *
 *     a round takes                F + L cycles        rounds on a barrier
 *     a unit of postal time takes  F cycles, λ = 1 + L/F
 *
 * so few packets mean long rounds, and many packets pay the latency L often. For example B = 9286,
 * W = 16, L = 9, 22 nodes, and the m - 1 + 5 rounds of `matching`:
 *
 *     m           1     8    16    32    43    64    96   4643
 *     F        4643   581   291   146   108    73    49      1
 *     cycles  23260  7080  6000  5580  5499  5576  5800  46470
 *
 * Only the smallest m for each F can be best, because no algorithm ends earlier with more packets:
 * about 2·√(flits of the message) values. For each algorithm the values are tried in the order of
 * the lower bound for any algorithm, until the bound exceeds the best result, so the result is the
 * same as if all values were tried. For a good algorithm few ends are computed; for a bad algorithm
 * all, which requires a cheap `end`. With several ports, an algorithm is skipped for a cut whose
 * packets use more than one port each, because no network runs that schedule. Packets are padded in
 * the postal model only, to a multiple of a divisor of L: that makes ticks longer and tables
 * shorter. */
#ifndef ROUNDCAST_TUNE_H
#define ROUNDCAST_TUNE_H

#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"
#include "sched/decompose/decompose.h"
#include "sched/machine/machine.h"

#define TUNE_MAX_BYTES (UINT64_C(1) << 30)

struct tune_request {
    uint64_t bytes;            /* bytes of the message, 1 … TUNE_MAX_BYTES */
    uint32_t nodes;            /* number of nodes, 2 … ports */
    uint32_t ports;            /* ports of a node, which need an endpoint each; 0 means 1 */
    enum collective_kind kind; /* a collective of a complete graph, or a reduction */
    /* a hypercube, whose machine is MACHINE_CUBE without routers; NULL: a complete graph */
    const struct topology *topology;
    /* ports, pipe, pad, width, and whether endpoints combine, which reductions require; capacities
     * are ignored */
    struct machine machine;
    /* The model for all algorithms; NULL: each algorithm runs in its own model, and in the postal
     * model if it supports that. */
    const enum model *model;
};

/* The best result of an algorithm. */
struct tune_row {
    const struct algorithm *algorithm;
    enum model model;
    unsigned variant; /* method of the algorithm, in a hypercube; else 0 */
    uint32_t packets; /* packets of each demand: m of the collective */
    uint32_t flits;
    uint32_t degree;        /* 0 if the algorithm has none */
    struct rational lambda; /* 1/1 in the round models */
    uint64_t end;           /* rounds, or ticks of 1/lambda.denominator */
    uint64_t cycles;        /* from the departure of the first flit until the last one is stored */

    /* For traffic only (tune.h); 0 and NULL otherwise. */
    uint32_t packet_bytes;
    uint64_t settings; /* number of settings with reconfiguration */
    const struct decompose_method *method;
};

struct tune {
    size_t count;
    struct tune_row *row; /* sorted by cycles; ties as in algorithm_table */

    /* Number of algorithms without a predicted end (ALGORITHM_UNKNOWN). Their rows follow the
     * `count` rows; only algorithm and model are set in them. */
    size_t unknown;

    /* A lower bound in cycles for any algorithm, cut and clock. If every flit is a packet of its
     * own, a machine is the postal model with λ = 1 + L, which Bar-Noy and Kipnis bound in Lemma
     * 8. */
    uint64_t bound;
};

/* Number of endpoints in a complete graph. */
static inline uint32_t tune_endpoints(const struct tune_request *request)
{
    return request->nodes * MAX(request->ports, 1);
}

/* Sets the default network: the smallest Beneš network with a power of two of ports and a port for
 * each endpoint, with registers after each stage. Precondition: at most SCHEDULE_MAX_NODES
 * endpoints. */
void tune_usual_network(struct tune_request *request);

/* Searches for the best row of each algorithm. E102 for bytes or nodes out of range; E401; E402 if
 * the network has too few ports, or no machine on it holds the message; E208 for an exclusive scan,
 * and for other collectives than reductions, in a hypercube; E103 if no algorithm broadcasts to
 * this many nodes in the model; E104. Free the result with tune_free. */
bool tune_search(const struct tune_request *request, struct tune *tune, struct err *err);

void tune_free(struct tune *tune);

/* Checks the requirements of all searches: bytes and nodes in range, and a network that passes all
 * rounds. `file` is the file that contains the bytes; NULL if they are a field of the request.
 * E102, E208, E401, E402. */
bool tune_check(const struct tune_request *request, const char *file, struct err *err);

/* Returns whether a search runs the algorithm in the model. */
bool tune_asks(const struct tune_request *request, const struct algorithm *algorithm,
               enum model model);

/* Adds a row, for which there is room, before those that take more cycles. */
void tune_insert(struct tune *tune, const struct tune_row *row);

/* Returns the cycles of a run with the end of the row, in rounds with a barrier or in ticks without
 * one. */
uint64_t tune_cycles(const struct machine *machine, const struct tune_row *row);

/* -- Traffic ----------------------------------------------------------------------------------- */

/* Finds the best size of the packets into which traffic is cut and, if changing a setting takes
 * time, the best method of finding its settings.
 *
 * A packet of F flits of W bits has ⌊F·W/8⌋ bytes of one entry. With L registers from endpoint to
 * endpoint (docs/machine.md) and R rounds, those of the busiest node,
 *
 *     rounds on a barrier take           R·(F + L) cycles
 *     units of the postal model          R·F + L
 *     R rounds, S changes of settings    R·(F + L) + S·price
 *
 * so entries of few bytes leave large packets partly empty, and small packets pay L often. Every F
 * is tried. If changes of settings have a price, each method is tried with the cuts that have the
 * lowest bounds. */

struct tune_demand {
    const char *name;            /* the name in messages: its file or its pattern */
    const struct traffic *bytes; /* traffic whose entries count bytes */
    uint32_t packet_bytes;       /* bytes of a packet; 0: any */
    bool priced;                 /* changing a setting takes time */
    uint64_t price;              /* that time in cycles; the model is then send-receive */
    uint64_t seed;               /* seed of the methods that draw */
};

/* Finds a row for each model, or for each method: the best cut, with the packets of all entries.
 * request->nodes and `kind` are those of the traffic, and `bytes` is the sum of all entries. The
 * errors are those of tune_search. Free it with tune_free. O(entries · cuts), plus the time of the
 * methods. */
bool tune_traffic(const struct tune_request *request, const struct tune_demand *demand,
                  struct tune *tune, struct err *err);

#endif
