/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/bound/bound_ways.h"

#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/schedule/demand_ways.h"

#include <stdlib.h>

/* A function, not a macro, so that each argument is computed only once. */
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

/* Packets over the arcs into or out of a node, and the fewest further links of any of them. */
struct arcs {
    uint64_t packets;
    unsigned near; /* links besides the first */
};

static void add_arcs(struct arcs *arcs, uint64_t packets, unsigned links)
{
    arcs->near = arcs->packets == 0 || links - 1 < arcs->near ? links - 1 : arcs->near;
    arcs->packets += packets;
}

static void count_demand(const struct schedule *demands, const struct demand *demand,
                         struct arcs in[], struct arcs out[])
{
    uint64_t packets = demand->last_packet - demand->first_packet + UINT64_C(1);
    uint32_t all = demand->wanted_count == 0 ? demands->nodes : demand->wanted_count;
    unsigned far = furthest(demands, demand);
    for (uint32_t k = 0; k < all; k++) {
        uint32_t node = demand->wanted_count == 0 ? k : demand->wanted[k];
        if (node != demand->source)
            add_arcs(&in[node], packets, distance(node, demand->source));
    }
    if (far > 0)
        add_arcs(&out[demand->source], packets, far);
}

uint64_t bound_ways_arcs(const struct collective *collective)
{
    const struct schedule *demands = collective->demands;
    unsigned dimensions = demands->topology.dimensions;
    struct arcs *in, *out;
    uint64_t most = 0;
    void *memory = arena_new(
        (const struct arena_array[]){ARENA(in, demands->nodes), ARENA(out, demands->nodes)}, 2);
    for (size_t d = 0; memory != NULL && d < demands->demand_count; d++)
        count_demand(demands, &demands->demand[d], in, out);
    for (uint32_t node = 0; memory != NULL && node < demands->nodes; node++) {
        most = larger(most, in[node].near + bits_divide_up(in[node].packets, dimensions));
        most = larger(most, out[node].near + bits_divide_up(out[node].packets, dimensions));
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
