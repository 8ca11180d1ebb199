/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/network/colour_match.h"

#include <string.h>

#define NOBODY UINT32_MAX

static void put_first(struct colour_edge row[], uint32_t which)
{
    struct colour_edge first = row[0];
    row[0] = row[which];
    row[which] = first;
}

/* Partners for all left vertices that find one at once; returns how many do not. */
static uint32_t match_greedily(const struct colour_match *work, uint32_t vertices, uint32_t degree,
                               struct colour_edge edge[])
{
    uint32_t open = 0;
    memset(work->partner, 0xff, vertices * sizeof work->partner[0]);
    for (uint32_t left = 0; left < vertices; left++) {
        struct colour_edge *row = edge + (size_t)left * degree;
        uint32_t which = 0;
        while (which < degree && work->partner[row[which].right] != NOBODY)
            which++;
        if (which == degree) {
            work->open[open++] = left;
            continue;
        }
        put_first(row, which);
        work->partner[row[0].right] = left;
    }
    return open;
}

/* Walk from a left vertex without a partner to a right one. A vertex that is passed again forgets
 * its earlier exit, and that erases the loop. */
static void walk(const struct colour_match *work, uint32_t degree, const struct colour_edge edge[],
                 uint32_t start, struct rng *rng)
{
    uint32_t left = start, taken = 0; /* the first edge of whoever has a partner leads to it */
    for (;;) {
        uint32_t which = taken + rng_below(rng, degree - taken);
        work->exit[left] = which;
        left = work->partner[edge[(size_t)left * degree + which].right];
        if (left == NOBODY)
            return;
        taken = 1;
    }
}

static void augment(const struct colour_match *work, uint32_t degree, struct colour_edge edge[],
                    uint32_t start)
{
    for (uint32_t left = start; left != NOBODY;) {
        struct colour_edge *row = edge + (size_t)left * degree;
        put_first(row, work->exit[left]);
        uint32_t before = work->partner[row[0].right];
        work->partner[row[0].right] = left;
        left = before;
    }
}

void colour_match(const struct colour_match *work, uint32_t vertices, uint32_t degree,
                  struct colour_edge edge[], struct rng *rng)
{
    uint32_t open = match_greedily(work, vertices, degree, edge);
    while (open > 0) {
        uint32_t drawn = rng_below(rng, open), start = work->open[drawn];
        work->open[drawn] = work->open[--open];
        walk(work, degree, edge, start, rng);
        augment(work, degree, edge, start);
    }
}
