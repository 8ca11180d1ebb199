/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/bound/bound_ways.h"

#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/bound/bound_cube.h"
#include "sched/schedule/demand_ways.h"

#include <stdlib.h>

/* As a function, so that each argument is computed only once. */
static uint64_t larger(uint64_t one, uint64_t other)
{
    return MAX(one, other);
}

/* -- Trees ------------------------------------------------------------------------------------- */

/* Compares by port, then by descending number of links after it. */
static int compare_after(const void *left, const void *right)
{
    const struct demand_way *a = left, *b = right;
    return compare_then(COMPARE(a->port, b->port), COMPARE(b->after, a->after));
}

/* Compares by port, then by descending number of links before it. */
static int compare_before(const void *left, const void *right)
{
    const struct demand_way *a = left, *b = right;
    return compare_then(COMPARE(a->port, b->port), COMPARE(b->before, a->before));
}

/* Returns the most rounds that a port needs for some prefix of its packets, in the order of the
 * comparison. */
static uint64_t busiest(struct demand_ways *ways, int (*compare)(const void *, const void *))
{
    uint64_t most = 0, count = 0, before = 0, after = 0;
    qsort(ways->way, ways->count, sizeof *ways->way, compare);
    for (uint32_t w = 0; w < ways->count; w++) {
        const struct demand_way *way = &ways->way[w];
        bool first = w == 0 || way->port != way[-1].port;
        count = first ? 1 : count + 1;
        before = first || way->before < before ? way->before : before;
        after = first || way->after < after ? way->after : after;
        uint64_t turns = bits_divide_up(count, ways->width[way->port]);
        most = larger(most, before + turns + after - 1);
    }
    return most;
}

uint64_t bound_ways_tree(const struct collective *collective)
{
    struct schedule as_asked = *collective->demands;
    struct demand_ways ways;
    as_asked.model = collective->model;
    if (!demand_ways_new(&as_asked, DEMAND_WAYS_SHORTEST, NULL, &ways, NULL))
        return 0;
    uint64_t most = larger(busiest(&ways, compare_after), busiest(&ways, compare_before));
    demand_ways_free(&ways);
    return most;
}

/* -- Hypercubes -------------------------------------------------------------------------------- */

static unsigned distance(uint32_t node, uint32_t other)
{
    return (unsigned)__builtin_popcount(node ^ other);
}

/* Returns the distance of the furthest node that wants a demand. */
static unsigned furthest(const struct schedule *demands, const struct demand *demand)
{
    unsigned most = demand->wanted_count == 0 ? demands->topology.dimensions : 0;
    for (uint32_t k = 0; k < demand->wanted_count; k++)
        most = (unsigned)larger(most, distance(demand->source, demand->wanted[k]));
    return most;
}

uint64_t bound_ways_distance(const struct collective *collective)
{
    const struct schedule *demands = collective->demands;
    uint64_t most = 0;
    for (size_t d = 0; d < demands->demand_count; d++)
        most = larger(most, furthest(demands, &demands->demand[d]));
    return most;
}

/* Counts a demand at the nodes that receive it and, by the furthest of them, at its source; both
 * arrays are [node · (d + 1) + arcs]. */
static void count_demand(const struct schedule *demands, const struct demand *demand, uint32_t in[],
                         uint32_t out[])
{
    size_t row = demands->topology.dimensions + (size_t)1;
    uint32_t packets = demand->last_packet - demand->first_packet + 1;
    uint32_t all = demand->wanted_count == 0 ? demands->nodes : demand->wanted_count;
    for (uint32_t k = 0; k < all; k++) {
        uint32_t node = demand->wanted_count == 0 ? k : demand->wanted[k];
        in[node * row + distance(node, demand->source)] += packets;
    }
    out[demand->source * row + furthest(demands, demand)] += packets;
}

uint64_t bound_ways_arcs(const struct collective *collective)
{
    const struct schedule *demands = collective->demands;
    unsigned d = demands->topology.dimensions;
    size_t row = d + (size_t)1;
    uint32_t *in, *out;
    uint64_t most = 0;
    void *memory = arena_new((const struct arena_array[]){ARENA(in, demands->nodes * row),
                                                          ARENA(out, demands->nodes * row)},
                             2);
    for (size_t which = 0; memory != NULL && which < demands->demand_count; which++)
        count_demand(demands, &demands->demand[which], in, out);
    for (size_t node = 0; memory != NULL && node < demands->nodes; node++) {
        most = larger(most, bound_cube_over_arcs(&in[node * row], d));
        most = larger(most, bound_cube_over_arcs(&out[node * row], d));
    }
    free(memory);
    return most;
}

uint64_t bound_ways_all(const struct collective *collective)
{
    const struct schedule *demands = collective->demands;
    uint64_t crossed = 0;
    for (size_t d = 0; d < demands->demand_count; d++) {
        const struct demand *demand = &demands->demand[d];
        crossed += larger(furthest(demands, demand), schedule_wanted_by_others(demands, demand)) *
                   (demand->last_packet - demand->first_packet + UINT64_C(1));
    }
    return bits_divide_up(crossed, (uint64_t)demands->nodes * demands->topology.dimensions);
}
