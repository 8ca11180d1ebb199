/* SPDX-License-Identifier: Apache-2.0 */
/* Lower bounds in an all-port hypercube of d dimensions: for broadcasts of K packets from any
 * sources (Stamoulis and Tsitsiklis, section 3.1), O(1), from given sources, and for any demands.
 */
#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "sched/bound/bound_rows.h"
#include "sched/schedule/schedule.h"

#include <stdlib.h>

#define CUBE "Stamoulis, Tsitsiklis,"
#define SIMULTANEOUS (1u << COLLECTIVE_SIMULTANEOUS)
#define MAX_DIMENSIONS 16 /* for bound_cube_arrivals */

/* Returns whether the collective has any packets. */
static bool cube_has_packets(const struct collective *collective)
{
    return collective_packets(collective) > 0;
}

/* Returns d: the node opposite a source is d arcs away. */
static uint64_t cube_diameter(const struct collective *collective)
{
    return collective->topology->dimensions;
}

static uint64_t receipts(uint64_t nodes, unsigned d, uint64_t packets)
{
    return bits_divide_up((nodes - 1) * packets, nodes * d);
}

/* Returns ⌈(2^d - 1)K / (d 2^d)⌉: 2^d - 1 nodes receive each packet, over d 2^d arcs. */
static uint64_t cube_receipts(const struct collective *collective)
{
    const struct topology *cube = collective->topology;
    return receipts(cube->nodes, cube->dimensions, collective_packets(collective));
}

/* Returns d - 1 + ⌈m/d⌉ for m packets from a node, to a node, or combined for all nodes: at the
 * node opposite the source, or of what is combined, each packet arrives in round d or later with
 * what started there, and d packets arrive in a round. */
static uint64_t cube_opposite(const struct collective *collective)
{
    const unsigned d = collective->topology->dimensions;
    return d - 1 + bits_divide_up(collective->m, d);
}

/* Returns ⌈2(2^d - 1)m / (d 2^d)⌉. */
static uint64_t cube_transfers(const struct collective *collective)
{
    const struct topology *cube = collective->topology;
    return receipts(cube->nodes, cube->dimensions, 2 * (uint64_t)collective->m);
}

/* -- Given sources ----------------------------------------------------------------------------- */

/* Returns whether the sources are known, and d small enough for bound_cube_arrivals. */
static bool cube_has_sources(const struct collective *collective)
{
    return collective->sources != NULL && collective->m > 0 &&
           collective->topology->dimensions <= MAX_DIMENSIONS;
}

uint64_t bound_cube_over_arcs(const uint32_t packets[], unsigned d)
{
    uint64_t most = 0, count = 0;
    for (unsigned a = d; a > 0; a--) {
        count += packets[a];
        uint64_t rounds = count > 0 ? a - 1 + bits_divide_up(count, d) : 0;
        most = MAX(most, rounds);
    }
    return most;
}

/* Joins two rows of neighbours over a dimension: the packets of one node are an arc farther from
 * the other node. */
static void join(uint32_t one[], uint32_t other[], unsigned d)
{
    for (unsigned a = d; a > 0; a--) {
        uint32_t before = one[a - 1];
        one[a] += other[a - 1];
        other[a] += before;
    }
}

/* On entry packets[node · (d + 1)] counts the packets that start at a node. On return packets[node
 * · (d + 1) + a] counts the packets that start a arcs away from the node. */
static void count_by_distance(const struct topology *cube, uint32_t packets[])
{
    size_t row = cube->dimensions + (size_t)1;
    for (unsigned dimension = 1; dimension <= cube->dimensions; dimension++)
        for (uint32_t node = 0; node < cube->nodes; node++) {
            uint32_t other = topology_across(node, dimension);
            if (node < other)
                join(&packets[node * row], &packets[other * row], cube->dimensions);
        }
}

uint64_t bound_cube_arrivals(const struct collective *collective)
{
    const struct topology *cube = collective->topology;
    size_t row = cube->dimensions + (size_t)1;
    uint32_t *packets = calloc(cube->nodes * row, sizeof *packets);
    uint64_t most = 0;
    if (packets == NULL)
        return 0;
    for (uint32_t p = 0; p < collective->m; p++)
        packets[collective->sources[p] * row]++;
    count_by_distance(cube, packets);
    for (uint32_t node = 0; node < cube->nodes; node++) {
        uint64_t rounds = bound_cube_over_arcs(&packets[node * row], cube->dimensions);
        most = MAX(most, rounds);
    }
    free(packets);
    return most;
}

uint64_t bound_cube_departures(const struct collective *collective)
{
    unsigned d = collective->topology->dimensions;
    uint32_t most = 0;
    for (uint32_t p = 0, run = 0; p < collective->m; p++) {
        bool same = p > 0 && collective->sources[p] == collective->sources[p - 1];
        run = same ? run + 1 : 1;
        most = MAX(most, run);
    }
    return d - 1 + bits_divide_up(most, d);
}

uint64_t bound_cube_worst(unsigned d, uint32_t packets)
{
    uint32_t far[TOPOLOGY_MAX_DIMENSIONS + 1] = {0}, left = packets;
    uint64_t at_distance = 1, any = receipts(UINT64_C(1) << d, d, packets); /* C(d, a) */
    for (unsigned a = d; a > 0 && left > 0; a--) {
        far[a] = (uint32_t)MIN(at_distance, left);
        left -= far[a];
        at_distance = at_distance * a / (d - a + 1);
    }
    uint64_t arrivals = bound_cube_over_arcs(far, d), least = MAX(any, d);
    return MAX(least, arrivals);
}

/* -- Any demands ------------------------------------------------------------------------------- */

static unsigned distance(uint32_t node, uint32_t other)
{
    return (unsigned)__builtin_popcount(node ^ other);
}

/* Returns the distance of the furthest node that wants the packets of a demand. */
static unsigned furthest(const struct schedule *demands, const struct demand *demand)
{
    unsigned most = demand->wanted_count == 0 ? demands->topology.dimensions : 0;
    for (uint32_t k = 0; k < demand->wanted_count; k++)
        most = (unsigned)bound_larger(most, distance(demand->source, demand->wanted[k]));
    return most;
}

/* Returns, in a hypercube, the distance of the furthest node that wants a packet. O(Σ wanted). */
static uint64_t demands_distance(const struct collective *collective)
{
    const struct schedule *demands = collective->demands;
    uint64_t most = 0;
    for (size_t d = 0; d < demands->demand_count; d++)
        most = bound_larger(most, furthest(demands, &demands->demand[d]));
    return most;
}

/* Counts the packets of a demand at the nodes that receive it, in in[], and, by the furthest of
 * these nodes, at its source, in out[]. Both are indexed by node · (d + 1) + arcs. */
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

/* Returns a bound in a hypercube. The packets that a node wants arrive over d arcs, those with at
 * least a arcs to go in round a or later. The packets that only one node has leave over d arcs, and
 * the last of those with at least a arcs to go has a - 1 arcs left (bound_cube_over_arcs). O(Σ
 * wanted + d 2^d). */
static uint64_t demands_arcs(const struct collective *collective)
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
        most = bound_larger(most, bound_cube_over_arcs(&in[node * row], d));
        most = bound_larger(most, bound_cube_over_arcs(&out[node * row], d));
    }
    free(memory);
    return most;
}

/* Returns a bound in a hypercube. A packet crosses at least as many arcs as nodes want it, and at
 * least the distance of the furthest; there are d 2^d arcs. O(Σ wanted). */
static uint64_t demands_all(const struct collective *collective)
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

const struct bound bound_hypercube[] = {
    {"diameter", "d", CUBE " section 3.1", ALL_PORT, TO_ALL | REDUCTIONS | REDUCE_SCATTER,
     cube_has_packets, cube_diameter},
    {"receipts", "⌈(2^d-1)K/(d 2^d)⌉", CUBE " section 3.1", ALL_PORT,
     TO_ALL | REDUCTIONS | REDUCE_SCATTER, cube_has_packets, cube_receipts},
    {"opposite", "d-1+⌈m/d⌉", "m packets arrive d arcs away, by d arcs", ALL_PORT,
     BROADCAST | REDUCE | ALL_REDUCE, cube_has_packets, cube_opposite},
    {"both-ways", "⌈2(2^d-1)m/(d 2^d)⌉",
     "a packet takes 2(n-1) transfers: Harary, Schwenk, the communication problem", ALL_PORT,
     ALL_REDUCE, cube_has_packets, cube_transfers},
    {"arrivals", "max over nodes and a of a-1+⌈w/d⌉",
     "w packets start at least a arcs away from a node, which has d arcs", ALL_PORT, SIMULTANEOUS,
     cube_has_sources, bound_cube_arrivals},
    {"departures", "max over nodes of d-1+⌈w/d⌉",
     "w packets of a node leave it over d arcs, and the last has d-1 arcs to go", ALL_PORT,
     SIMULTANEOUS, cube_has_sources, bound_cube_departures},
    {"distance", "max over packets of the arcs to the furthest", "an arc takes a round", ALL_PORT,
     DEMANDS, NULL, demands_distance},
    {"arcs", "max over nodes and a of a-1+⌈w/d⌉",
     "w packets into or out of a node, by d arcs, with at least a arcs to go altogether", ALL_PORT,
     DEMANDS, NULL, demands_arcs},
    {"all-arcs", "⌈Σ max(wanted, distance) / (d 2^d)⌉", "arcs that packets cross at least",
     ALL_PORT, DEMANDS, NULL, demands_all},
    {0},
};
