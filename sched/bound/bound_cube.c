/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/bound/bound_cube.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"

#include <stdlib.h>

#define MAX_DIMENSIONS 16 /* for arrivals */

bool bound_cube_has_packets(const struct collective *collective)
{
    return collective_packets(collective) > 0;
}

bool bound_cube_has_sources(const struct collective *collective)
{
    return collective->sources != NULL && collective->m > 0 &&
           collective->topology->dimensions <= MAX_DIMENSIONS;
}

uint64_t bound_cube_diameter(const struct collective *collective)
{
    return collective->topology->dimensions;
}

static uint64_t receipts(uint64_t nodes, unsigned d, uint64_t packets)
{
    return bits_divide_up((nodes - 1) * packets, nodes * d);
}

uint64_t bound_cube_receipts(const struct collective *collective)
{
    const struct topology *cube = collective->topology;
    return receipts(cube->nodes, cube->dimensions, collective_packets(collective));
}

uint64_t bound_cube_over_arcs(const uint32_t packets[], unsigned d)
{
    uint64_t most = 0, count = 0;
    for (unsigned a = d; a > 0; a--) {
        count += packets[a];
        uint64_t slots = count > 0 ? a - 1 + bits_divide_up(count, d) : 0;
        most = MAX(most, slots);
    }
    return most;
}

/* Two rows of neighbours over a dimension: the packets of the one are an arc farther from the
 * other. */
static void join(uint32_t one[], uint32_t other[], unsigned d)
{
    for (unsigned a = d; a > 0; a--) {
        uint32_t before = one[a - 1];
        one[a] += other[a - 1];
        other[a] += before;
    }
}

/* packets[node · (d + 1) + a] become the packets that start a arcs away from the node, those that
 * differ from it in other dimensions than those so far left out. */
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
        uint64_t slots = bound_cube_over_arcs(&packets[node * row], cube->dimensions);
        most = MAX(most, slots);
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
