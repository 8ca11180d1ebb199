/* SPDX-License-Identifier: Apache-2.0 */
/* tune: which algorithm, how many packets, how many flits: what brings a message to all nodes
 * first, or does another collective of a complete graph, whose demands share the message evenly.
 *
 * A message of B bytes is cut into m packets of F flits of W bits (payload.h): the fewer, the
 * longer. On a machine with L registers from endpoint to endpoint (docs/machine.md)
 *
 *     a round takes                F + L cycles        rounds on a barrier
 *     a unit of postal time takes  F cycles, λ = 1 + L/F
 *
 * so that few packets mean long rounds, and many packets pay L often. B = 9286, W = 16, L = 9, 22
 * nodes, the m - 1 + 5 rounds of `matching`:
 *
 *     m           1     8    16    32    43    64    96   4643
 *     F        4643   581   291   146   108    73    49      1
 *     cycles  23260  7080  6000  5580  5499  5576  5800  46470
 *
 * Of all m only the smallest for each F can be best, as no algorithm ends earlier for more packets:
 * about 2·√(flits of the message) of them. For each algorithm they are tried in the order of what
 * any algorithm takes at least, until that is more than the best that has been found. So the result
 * is that of trying all, while of a good algorithm few ends are computed; of a bad one all, which
 * its `end` must be cheap enough for. Packets are padded in the postal model only, to a multiple of
 * a divisor of L: that makes ticks longer and tables shorter.
 */
#ifndef ROUNDCAST_TUNE_H
#define ROUNDCAST_TUNE_H

#include "sched/algorithms/algorithm.h"
#include "sched/machine/machine.h"

#define TUNE_MAX_BYTES (UINT64_C(1) << 30)

struct tune_request {
    uint64_t bytes;            /* of the message, 1 … TUNE_MAX_BYTES */
    uint32_t nodes;            /* 2 … ports */
    enum collective_kind kind; /* of a complete graph */
    struct machine machine;    /* ports, pipe, pad and width; capacities are not looked at */
    /* run all algorithms in it; NULL: each in its own, and in postal if it keeps that */
    const enum model *model;
};

/* The best that an algorithm can do. */
struct tune_row {
    const struct algorithm *algorithm;
    enum model model;
    uint32_t packets; /* of each demand: m of the collective */
    uint32_t flits;
    uint32_t degree;        /* 0 if the algorithm has none */
    struct rational lambda; /* 1/1 in the round models */
    uint64_t end;           /* rounds, or ticks of 1/lambda.denominator */
    uint64_t cycles;        /* from the first flit's leaving to the last one's being stored */

    /* Of traffic (tune_traffic.h); 0 and NULL in others. */
    uint32_t packet_bytes;
    uint64_t settings; /* that are held */
    const struct decompose_method *method;
};

struct tune {
    size_t count;
    struct tune_row *row; /* by cycles; ties as in algorithm_table */

    /* Algorithms left out as they say ALGORITHM_UNKNOWN: only algorithm and model are set. They
     * stand behind the `count` rows. */
    size_t unknown;

    /* Cycles that no algorithm, cut or clock beats: with every flit a packet of its own a machine
     * is the postal model with λ = 1 + L, and Bar-Noy and Kipnis, Lemma 8 bounds it. */
    uint64_t bound;
};

/* Set the network that is meant if none is named: the smallest Beneš network of a power of two of
 * ports that has one for each node, registers behind each stage. */
void tune_usual_network(struct tune_request *request);

/* Search. Errors: E102 for bytes or nodes out of range; E401; E402 if the network has too few
 * ports, or no machine on it holds the message; E103 if no algorithm broadcasts to so many nodes in
 * the model; E104. Free it with tune_free. */
bool tune_search(const struct tune_request *request, struct tune *tune, struct err *err);

void tune_free(struct tune *tune);

/* What other searches share: are the bytes, which messages call `what`, and nodes in range, and is
 * the network one that passes all? E102, E401, E402. Is the algorithm run in the model? Add a row,
 * for which there is room, and move it before those that take more cycles. */
bool tune_check(const struct tune_request *request, const char *what, struct err *err);
bool tune_asks(const struct tune_request *request, const struct algorithm *algorithm,
               enum model model);
void tune_insert(struct tune *tune, const struct tune_row *row);

/* The row's run in cycles by the row's end: rounds on a barrier or ticks without. */
uint64_t tune_cycles(const struct machine *machine, const struct tune_row *row);

#endif
