/* SPDX-License-Identifier: Apache-2.0 */
/* draw: draws small collectives and schedules from bytes. */
#ifndef ROUNDCAST_FUZZ_DRAW_H
#define ROUNDCAST_FUZZ_DRAW_H

#include "sched/algorithms/algorithm.h"
#include "tests/fuzz/fuzz.h"

#define DRAW_MOST_PACKETS 12

struct draw_asked {
    const struct algorithm *algorithm;
    struct collective collective; /* points to the other members */
    struct topology topology;
    uint32_t sources[DRAW_MOST_PACKETS];
};

/* Draws a request for any algorithm. False if the algorithm does not support it. */
bool draw_collective(struct fuzz_bytes *bytes, struct draw_asked *asked);

/* Draws a schedule without an algorithm: arbitrary transfers in a complete graph, without those
 * that would break the model. The demand of each packet is the set of nodes that receive it. False
 * if there is no receipt. */
bool draw_free(struct fuzz_bytes *bytes, enum model model, struct rational lambda,
               struct schedule *schedule);

/* Changes a schedule of at least one transfer in one way: drops, doubles, moves or redirects a
 * transfer, or changes a demand or the parts of a value. The result, legal or not, is a schedule
 * that a file can express. */
void draw_mutation(struct fuzz_bytes *bytes, struct schedule *schedule);

#endif
