/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/bound/bound_links.h"

#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/schedule/schedule.h"

#include <stdlib.h>

static uint32_t degree_of(const struct collective *collective, uint32_t node)
{
    return topology_row(collective->topology)->degree(collective->topology, node);
}

uint64_t bound_links_sends(const struct collective *collective, uint32_t node)
{
    return model_row(collective->model)->one_link ? 1 : degree_of(collective, node);
}

/* Returns the distance of the furthest node that wants the packets of a demand. O(wanted ·
 * dimensions). */
static uint64_t furthest(const struct schedule *demands, const struct demand *demand)
{
    uint32_t all = demand->wanted_count == 0 ? demands->nodes : demand->wanted_count;
    const struct topology_row *row = topology_row(&demands->topology);
    uint64_t far = 0;
    for (uint32_t k = 0; k < all; k++) {
        uint32_t node = demand->wanted_count == 0 ? k : demand->wanted[k];
        uint32_t links = row->distance(&demands->topology, demand->source, node);
        far = MAX(far, links);
    }
    return far;
}

uint64_t bound_links_distance(const struct collective *collective)
{
    const struct schedule *demands = collective->demands;
    uint64_t most = 0;
    for (size_t d = 0; d < demands->demand_count; d++) {
        uint64_t far = furthest(demands, &demands->demand[d]);
        most = MAX(most, far);
    }
    return most;
}

uint64_t bound_links_arcs(const struct collective *collective)
{
    const struct schedule *demands = collective->demands;
    uint64_t *in, *out, most = 0;
    void *memory = arena_new(
        (const struct arena_array[]){ARENA(in, demands->nodes), ARENA(out, demands->nodes)}, 2);
    for (size_t d = 0; memory != NULL && d < demands->demand_count; d++) {
        const struct demand *demand = &demands->demand[d];
        uint64_t packets = demand->last_packet - demand->first_packet + UINT64_C(1);
        uint32_t all = demand->wanted_count == 0 ? demands->nodes : demand->wanted_count;
        for (uint32_t k = 0; k < all; k++) {
            uint32_t node = demand->wanted_count == 0 ? k : demand->wanted[k];
            in[node] += node != demand->source ? packets : 0;
        }
        out[demand->source] += schedule_wanted_by_others(demands, demand) > 0 ? packets : 0;
    }
    for (uint32_t node = 0; memory != NULL && node < demands->nodes; node++) {
        uint64_t receives = bits_divide_up(in[node], degree_of(collective, node));
        uint64_t sends = bits_divide_up(out[node], bound_links_sends(collective, node));
        most = MAX(most, MAX(receives, sends));
    }
    free(memory);
    return most;
}

uint64_t bound_links_all(const struct collective *collective)
{
    const struct schedule *demands = collective->demands;
    uint64_t crossed = 0, sends = 0;
    for (size_t d = 0; d < demands->demand_count; d++) {
        const struct demand *demand = &demands->demand[d];
        uint64_t wanted = schedule_wanted_by_others(demands, demand);
        uint64_t far = furthest(demands, demand);
        crossed += MAX(far, wanted) * (demand->last_packet - demand->first_packet + UINT64_C(1));
    }
    for (uint32_t node = 0; node < demands->nodes; node++)
        sends += bound_links_sends(collective, node);
    return bits_divide_up(crossed, sends);
}
