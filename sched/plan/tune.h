/* SPDX-License-Identifier: Apache-2.0 */
/* tune: finds the algorithm, the number of packets and the flits with which a message reaches all
 * nodes first. The same holds for another collective of a complete graph, whose demands share the
 * message evenly.
 *
 * A message of B bytes is cut into m packets of F flits of W bits (payload.h): the fewer packets,
 * the longer they are. On a machine with L registers from endpoint to endpoint (docs/machine.md)
 *
 *     a round takes                F + L cycles        rounds on a barrier
 *     a unit of postal time takes  F cycles, λ = 1 + L/F
 *
 * so few packets mean long rounds, and many packets pay L often. B = 9286, W = 16, L = 9, 22 nodes,
 * the m - 1 + 5 rounds of `matching`:
 *
 *     m           1     8    16    32    43    64    96   4643
 *     F        4643   581   291   146   108    73    49      1
 *     cycles  23260  7080  6000  5580  5499  5576  5800  46470
 *
 * Only the smallest m for each F can be best, because no algorithm ends earlier with more packets:
 * about 2·√(flits of the message) values. For each algorithm they are tried in the order of the
 * lower bound for any algorithm, until the bound exceeds the best result. So the result is that of
 * trying all values. For a good algorithm few ends are computed; for a bad one all, which requires
 * a cheap `end`. With several ports an algorithm is left out for a cut whose packets do not keep to
 * a port each, because no network runs that schedule. Packets are padded in the postal model only,
 * to a multiple of a divisor of L: that makes ticks longer and tables shorter.
 */
#ifndef ROUNDCAST_TUNE_H
#define ROUNDCAST_TUNE_H

#include "sched/algorithms/algorithm.h"
#include "sched/machine/machine.h"

#define TUNE_MAX_BYTES (UINT64_C(1) << 30)

struct tune_request {
    uint64_t bytes;            /* of the message, 1 … TUNE_MAX_BYTES */
    uint32_t nodes;            /* 2 … ports */
    uint32_t ports;            /* of a node, an endpoint each; 0 or 1: one */
    enum collective_kind kind; /* a collective of a complete graph */
    struct machine machine;    /* ports, pipe, pad and width; capacities are ignored */
    /* Runs all algorithms in it; NULL: each in its own model, and in postal if it supports that. */
    const enum model *model;
};

/* The best result of an algorithm. */
struct tune_row {
    const struct algorithm *algorithm;
    enum model model;
    uint32_t packets; /* of each demand: m of the collective */
    uint32_t flits;
    uint32_t degree;        /* 0 if the algorithm has none */
    struct rational lambda; /* 1/1 in the round models */
    uint64_t end;           /* rounds, or ticks of 1/lambda.denominator */
    uint64_t cycles;        /* from the departure of the first flit until the last one is stored */

    /* For traffic only (tune_traffic.h); otherwise 0 and NULL. */
    uint32_t packet_bytes;
    uint64_t settings; /* number of settings with reconfiguration */
    const struct decompose_method *method;
};

struct tune {
    size_t count;
    struct tune_row *row; /* sorted by cycles; ties as in algorithm_table */

    /* Algorithms without a predicted end (ALGORITHM_UNKNOWN): only algorithm and model are set.
     * They follow the `count` rows. */
    size_t unknown;

    /* A lower bound in cycles for any algorithm, cut and clock: with every flit a packet of its own
     * a machine is the postal model with λ = 1 + L, and Bar-Noy and Kipnis, Lemma 8, bounds it. */
    uint64_t bound;
};

/* Sets the default network: the smallest Beneš network with a power of two of ports that has a port
 * for each endpoint, with registers after each stage. Precondition: no more endpoints than
 * SCHEDULE_MAX_NODES. */
void tune_usual_network(struct tune_request *request);

/* Searches for the best row of each algorithm. E102 for bytes or nodes out of range; E401; E402 if
 * the network has too few ports, or no machine on it holds the message; E103 if no algorithm
 * broadcasts to this many nodes in the model; E104. Free the result with tune_free. */
bool tune_search(const struct tune_request *request, struct tune *tune, struct err *err);

void tune_free(struct tune *tune);

/* Checks what all searches require: bytes and nodes in range, and a network that passes all rounds.
 * `file` is where the bytes come from, NULL if they are a field of the request. E102, E401,
 * E402. */
bool tune_check(const struct tune_request *request, const char *file, struct err *err);

/* Returns whether a search runs the algorithm in the model. */
bool tune_asks(const struct tune_request *request, const struct algorithm *algorithm,
               enum model model);

/* Adds a row, for which there is room, before those that take more cycles. */
void tune_insert(struct tune *tune, const struct tune_row *row);

/* Returns the cycles of a run from the end of its row, in rounds with a barrier or in ticks
 * without. */
uint64_t tune_cycles(const struct machine *machine, const struct tune_row *row);

#endif
