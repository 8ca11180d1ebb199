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

/* What is asked of any algorithm. False if the algorithm does not do it. */
bool draw_collective(struct fuzz_bytes *bytes, struct draw_asked *asked);

/* A schedule of no algorithm: transfers in a complete graph as they come, but for those that would
 * break the model, each packet wanted by those that get it. False if nobody gets anything. */
bool draw_free(struct fuzz_bytes *bytes, enum model model, struct rational lambda,
               struct schedule *schedule);

/* Change a schedule of at least one transfer in one way: drop, double, move or redirect a transfer,
 * or change a demand or what a value is made of. What comes is one that a file could say, legal or
 * not. */
void draw_mutation(struct fuzz_bytes *bytes, struct schedule *schedule);

#endif
