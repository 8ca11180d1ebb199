/* SPDX-License-Identifier: Apache-2.0 */
/* draw: small collectives and schedules, as bytes decide. */
#ifndef ROUNDCAST_FUZZ_DRAW_H
#define ROUNDCAST_FUZZ_DRAW_H

#include "sched/algorithms/algorithm.h"
#include "tests/fuzz/fuzz.h"

#define DRAW_MOST_PACKETS 12

struct draw_asked {
    const struct algorithm *algorithm;
    struct collective collective; /* points to the others */
    struct topology topology;
    uint32_t sources[DRAW_MOST_PACKETS];
};

/* Draws a request for any algorithm. False if the algorithm does not support it. */
bool draw_collective(struct fuzz_bytes *bytes, struct draw_asked *asked);

/* Draws a schedule without an algorithm: arbitrary transfers in a complete graph, without those
 * that would break the model. Each packet is wanted by the nodes that receive it. False if there is
 * no receipt. */
bool draw_free(struct fuzz_bytes *bytes, enum model model, struct rational lambda,
               struct schedule *schedule);

/* Change a schedule of at least one transfer in one way: drop, double, move or redirect a transfer,
 * or change a demand or what a value is made of. What comes is one that a file could say, legal or
 * not. */
void draw_mutation(struct fuzz_bytes *bytes, struct schedule *schedule);

#endif
