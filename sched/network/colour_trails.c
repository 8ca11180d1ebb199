/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/network/colour_trails.h"

#include <stdbool.h>

#define WALKERS 12
#define TRAILS 256 /* numbers of trails, from 1 */

/* From where a walker begins to where another has begun, or itself, so that trails make up whole
 * loops. Until all have been walked one[] has numbers of trails. */
struct trails {
    struct colour_pairs pairs;
    uint32_t met; /* pairs before this one have been met */
    unsigned count;
    uint8_t after[TRAILS]; /* the trail that begins where this one ends */
    uint8_t goes[TRAILS];  /* its colour; 0: not known yet, or no trail */
};

struct walker {
    uint32_t edge;
    uint8_t trail;
};

/* The first edge of the first pair that no trail has met. False if there is none. */
static bool find_open(struct trails *trails, const uint8_t one[], uint32_t *edge)
{
    const struct colour_pairs *pairs = &trails->pairs;
    for (; trails->met < pairs->count; trails->met++) {
        *edge = pairs->base + trails->met * pairs->step;
        if (!(one[*edge] | one[*edge + pairs->apart]))
            return true;
    }
    return false;
}

/* False if all pairs have been met, or there is no number. */
static bool begin_trail(struct trails *trails, uint8_t one[], struct walker *walker)
{
    walker->edge = trails->pairs.start;
    if (trails->count == TRAILS - 1 ||
        (trails->count > 0 && !find_open(trails, one, &walker->edge)))
        return false;
    walker->trail = (uint8_t)++trails->count;
    one[walker->edge] = walker->trail;
    return true;
}

/* Walk trails, many at a time, until all pairs have been met or numbers run out. */
static void walk_trails(struct trails *trails, const uint32_t next[], uint8_t one[])
{
    struct walker walker[WALKERS];
    unsigned walkers = 0;
    while (walkers < WALKERS && begin_trail(trails, one, &walker[walkers]))
        walkers++;
    while (walkers > 0)
        for (unsigned w = 0; w < walkers; w++) {
            const uint8_t trail = walker[w].trail;
            const uint32_t edge = next[walker[w].edge];
            const uint8_t met = one[edge];
            walker[w].edge = edge;
            if (__builtin_expect(met == 0, 1)) {
                one[edge] = trail;
                continue;
            }
            trails->after[trail] = met;
            if (!begin_trail(trails, one, &walker[w]))
                walker[w] = walker[--walkers];
        }
}

/* The loop of a trail, if it is one, gets a colour. */
static void colour_loop(struct trails *trails, uint8_t trail, uint8_t colour)
{
    for (; trail != 0 && trails->goes[trail] == 0; trail = trails->after[trail])
        trails->goes[trail] = colour;
}

/* Edges that no trail has met get the other colour than those beside them. */
static void colour_edges_met(struct trails *trails, uint8_t one[])
{
    const struct colour_pairs *pairs = &trails->pairs;
    const uint8_t *goes = trails->goes;
    for (uint32_t pair = 0; pair < pairs->count; pair++) {
        uint8_t *edge = one + pairs->base + pair * pairs->step, *beside = edge + pairs->apart;
        const uint8_t trail = *edge, other = *beside;
        if (__builtin_expect((trail | other) && !(goes[trail] | goes[other]), 0)) {
            colour_loop(trails, trail, 1);
            colour_loop(trails, other, 2);
        }
        *edge = (goes[trail] & 1) | goes[other] >> 1;
        *beside = (goes[other] & 1) | goes[trail] >> 1;
    }
}

void colour_trails(const uint32_t next[], uint8_t one[], struct colour_pairs pairs)
{
    struct trails trails = {.pairs = pairs};
    uint32_t edge;
    walk_trails(&trails, next, one);
    colour_loop(&trails, one[pairs.start], 1);
    colour_loop(&trails, one[pairs.start ^ pairs.apart], 2);
    colour_edges_met(&trails, one);
    if (trails.count < TRAILS - 1)
        return;
    /* Numbers ran out: other loops are walked one by one. */
    for (trails.met = 0; find_open(&trails, one, &edge);)
        for (; !one[edge]; edge = next[edge])
            one[edge] = 1;
}
