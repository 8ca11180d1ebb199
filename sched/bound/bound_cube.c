/* SPDX-License-Identifier: Apache-2.0 */
/* bound_cube: lower bounds in an all-port hypercube of d dimensions: for broadcasts of K packets
 * from any sources (Stamoulis and Tsitsiklis, section 3.1), O(1), and for any demands. */
#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/bound/bound_rows.h"
#include "sched/schedule/schedule.h"

#include <stdlib.h>

#define CUBE "Stamoulis, Tsitsiklis,"

/* Returns whether there are any packets. */
static bool cube_has_packets(const struct collective *collective)
{
    return collective_packets(collective) > 0;
}

/* Returns d: the node opposite a source is d arcs away. */
static uint64_t cube_diameter(const struct collective *collective)
{
    return collective->topology->dimensions;
}

/* Returns ⌈(2^d - 1)K / (d 2^d)⌉: 2^d - 1 nodes receive each packet, over d 2^d arcs. */
static uint64_t cube_receipts(const struct collective *collective)
{
    uint64_t nodes = collective->topology->nodes, arcs = nodes * collective->topology->dimensions;
    return bits_divide_up((nodes - 1) * collective_packets(collective), arcs);
}

/* -- Any demands ------------------------------------------------------------------------------- */

static unsigned distance(uint32_t node, uint32_t other)
{
    return (unsigned)__builtin_popcount(node ^ other);
}

/* Returns the distance of the furthest node that wants a demand. */
static unsigned furthest(const struct schedule *demands, const struct demand *demand)
{
    unsigned most = demand->wanted_count == 0 ? demands->topology.dimensions : 0;
    for (uint32_t k = 0; k < demand->wanted_count; k++)
        most = (unsigned)bound_larger(most, distance(demand->source, demand->wanted[k]));
    return most;
}

/* In a hypercube: the distance of the furthest node that wants a packet. O(Σ wanted). */
static uint64_t ways_distance(const struct collective *collective)
{
    const struct schedule *demands = collective->demands;
    uint64_t most = 0;
    for (size_t d = 0; d < demands->demand_count; d++)
        most = bound_larger(most, furthest(demands, &demands->demand[d]));
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

/* In a hypercube: the packets that a node wants arrive over d arcs, after the distance of the
 * nearest source; the packets that only it has leave over d arcs, and the last of them has the
 * shortest remaining path. O(Σ wanted). */
static uint64_t ways_arcs(const struct collective *collective)
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
        most = bound_larger(most, in[node].near + bits_divide_up(in[node].packets, dimensions));
        most = bound_larger(most, out[node].near + bits_divide_up(out[node].packets, dimensions));
    }
    free(memory);
    return most;
}

/* In a hypercube: a packet crosses at least as many arcs as nodes want it, and at least the
 * distance of the furthest; there are d 2^d arcs. O(Σ wanted). */
static uint64_t ways_all(const struct collective *collective)
{
    const struct schedule *demands = collective->demands;
    uint64_t crossed = 0;
    for (size_t d = 0; d < demands->demand_count; d++) {
        const struct demand *demand = &demands->demand[d];
        crossed +=
            bound_larger(furthest(demands, demand), schedule_wanted_by_others(demands, demand)) *
            (demand->last_packet - demand->first_packet + UINT64_C(1));
    }
    return bits_divide_up(crossed, (uint64_t)demands->nodes * demands->topology.dimensions);
}

const struct bound bound_cube[] = {
    {"diameter", "d", CUBE " section 3.1", ALL_PORT, TO_ALL | REDUCTIONS | REDUCE_SCATTER,
     cube_has_packets, cube_diameter},
    {"receipts", "⌈(2^d-1)K/(d 2^d)⌉", CUBE " section 3.1", ALL_PORT,
     TO_ALL | REDUCTIONS | REDUCE_SCATTER, cube_has_packets, cube_receipts},
    {"distance", "max over packets of the arcs to the furthest", "an arc takes a round", ALL_PORT,
     DEMANDS, NULL, ways_distance},
    {"arcs", "max over nodes of a+⌈w/d⌉",
     "w packets into or out of a node, by d arcs; the nearest "
     "has a more to go",
     ALL_PORT, DEMANDS, NULL, ways_arcs},
    {"all-arcs", "⌈Σ max(wanted, distance) / (d 2^d)⌉", "arcs that packets cross at least",
     ALL_PORT, DEMANDS, NULL, ways_all},
    {0},
};
