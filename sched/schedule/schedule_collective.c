/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_collective: finds the collective that the demands of a schedule form. */
#include "sched/schedule/schedule.h"

#include "sched/base/arena.h"

#include <stdlib.h>

/* Returns whether demand `which` is that of the collective. */
static bool is_demand(const struct schedule *schedule, const struct collective *collective,
                      uint32_t which)
{
    const struct collective_row *row = &collective_rows[collective->kind];
    const struct topology *topology = &schedule->topology;
    const struct demand *demand = &schedule->demand[which];
    uint32_t from, to;
    row->demand(schedule->nodes, which, &from, &to);
    if (demand->last_packet - demand->first_packet + 1 != collective->m ||
        demand->source != collective_move(topology, from, collective->source))
        return false;
    if (row->to_all)
        return demand->wanted_count == 0;
    return demand->wanted_count == 1 &&
           *demand->wanted == collective_move(topology, to, collective->source);
}

/* Returns the source that a collective of this kind has if demand 0 is its first one. */
static uint32_t source_of(const struct schedule *schedule, const struct collective_row *row)
{
    const struct demand *first = &schedule->demand[0];
    uint32_t n = schedule->nodes, from, to;
    if (row->inward)
        return first->wanted_count > 0 ? *first->wanted : 0;
    if (row->rooted)
        return first->source;
    row->demand(n, 0, &from, &to);
    return topology_joins_all(&schedule->topology) ? (first->source + n - from) % n : 0;
}

/* Copies the source and m from the first demand to the collective; returns whether the other
 * demands agree. */
static bool is_kind(const struct schedule *schedule, struct collective *collective)
{
    const struct collective_row *row = &collective_rows[collective->kind];
    if (row->counted || row->weighed || schedule->demand_count == 0 ||
        row->demands(schedule->nodes) != schedule->demand_count)
        return false;
    collective->source = source_of(schedule, row);
    collective->m = schedule->demand[0].last_packet;
    bool is = collective->source < schedule->nodes;
    for (uint32_t which = 0; is && which < schedule->demand_count; which++)
        is = is_demand(schedule, collective, which);
    return is;
}

/* Finds the collective of reductions to which all nodes contribute. */
static bool is_reduction(const struct schedule *schedule, struct collective *collective)
{
    const struct demand *first = &schedule->demand[0];
    bool is = true;
    collective->m = first->last_packet;
    collective->source = first->wanted_count > 0 ? *first->wanted : 0;
    for (size_t which = 0; is && which < schedule->demand_count; which++) {
        const struct demand *demand = &schedule->demand[which];
        is = demand->reduction != NULL && demand->reduction->contributor_count == 0;
    }
    if (!is || schedule->demand_count == 1) {
        collective->kind = first->wanted_count > 0             ? COLLECTIVE_REDUCE
                           : is && first->reduction->exclusive ? COLLECTIVE_EXCLUSIVE_SCAN
                           : is && first->reduction->prefix    ? COLLECTIVE_SCAN
                                                               : COLLECTIVE_ALL_REDUCE;
        return is;
    }
    collective->kind = COLLECTIVE_REDUCE_SCATTER;
    is = schedule->demand_count == schedule->nodes;
    for (uint32_t which = 0; is && which < schedule->nodes; which++) {
        const struct demand *demand = &schedule->demand[which];
        is = demand->last_packet - demand->first_packet + 1 == collective->m &&
             demand->wanted_count == 1 &&
             *demand->wanted == (which + collective->source) % schedule->nodes;
    }
    return is;
}

/* Returns whether each packet has exactly one receiver, which is not its source. */
static bool is_traffic(const struct schedule *schedule)
{
    bool is = schedule->demand_count > 0;
    for (size_t which = 0; is && which < schedule->demand_count; which++) {
        const struct demand *demand = &schedule->demand[which];
        is = demand->wanted_count == 1 && *demand->wanted != demand->source &&
             demand->control == NULL;
    }
    return is;
}

/* Counts the load of demands that are traffic. Returns false if there is no memory. */
static bool count_traffic(const struct schedule *schedule, struct collective *collective)
{
    uint64_t *sent, *received;
    uint32_t n = schedule->nodes;
    void *memory = arena_new((const struct arena_array[]){ARENA(sent, n), ARENA(received, n)}, 2);
    for (size_t which = 0; memory != NULL && which < schedule->demand_count; which++) {
        const struct demand *demand = &schedule->demand[which];
        uint32_t packets = demand->last_packet - demand->first_packet + 1;
        sent[demand->source] += packets;
        received[*demand->wanted] += packets;
    }
    collective->kind = COLLECTIVE_TRAFFIC;
    collective->m = 1;
    collective->source = 0;
    if (memory != NULL)
        collective->load = traffic_load_of(n, sent, received);
    free(memory);
    return memory != NULL;
}

/* Accepts any other demands of data packets. */
static bool is_demands(const struct schedule *schedule, struct collective *collective)
{
    collective->kind = COLLECTIVE_DEMANDS;
    collective->m = 1;
    collective->source = 0;
    collective->demands = schedule;
    collective->load = (struct traffic_load){.packets = schedule->packets};
    return schedule->packets > 0 && schedule_data_packets(schedule) == schedule->packets;
}

/* Finds the broadcast to nodes of several ports whose endpoints share a memory: each packet is
 * wanted at one endpoint of every node. */
static bool is_shared_broadcast(const struct schedule *schedule, struct collective *collective)
{
    const uint32_t shared = schedule->topology.shared, nodes = schedule_processors(schedule);
    bool is = schedule->demand_count > 0 && !schedule->has_reductions;
    for (size_t which = 0; is && which < schedule->demand_count; which++) {
        const struct demand *demand = &schedule->demand[which];
        is = demand->wanted_count == nodes && demand->source == schedule->demand[0].source;
        for (uint32_t node = 0; is && node < nodes; node++)
            is = demand->wanted[node] / shared == node;
    }
    if (is)
        *collective = (struct collective){.kind = COLLECTIVE_BROADCAST,
                                          .n = nodes,
                                          .m = schedule->packets,
                                          .source = schedule->demand[0].source / shared,
                                          .model = schedule->model,
                                          .lambda = schedule->lambda,
                                          .ports = shared};
    return is;
}

/* Finds a kind whose demands are those of the schedule. */
static bool find_kind(const struct schedule *schedule, struct collective *collective)
{
    bool found = false;
    for (unsigned kind = 0; !found && kind < COLLECTIVE_KINDS; kind++) {
        collective->kind = (enum collective_kind)kind;
        found = is_kind(schedule, collective);
    }
    return found;
}

bool schedule_collective(const struct schedule *schedule, struct collective *collective)
{
    if (schedule->topology.shared > 0)
        return is_shared_broadcast(schedule, collective);
    *collective =
        (struct collective){.n = schedule->nodes,
                            .m = schedule->packets,
                            .source = schedule->demand_count > 0 ? schedule->demand[0].source : 0,
                            .model = schedule->model,
                            .lambda = schedule->lambda,
                            .ports = schedule->ports,
                            .topology = &schedule->topology};
    if (schedule->has_reductions)
        return is_reduction(schedule, collective);
    bool complete = topology_joins_all(&schedule->topology);
    if (schedule_is_broadcast(schedule) || (complete && find_kind(schedule, collective)))
        return true;
    if (complete && is_traffic(schedule))
        return count_traffic(schedule, collective);
    return schedule->ports <= 1 && is_demands(schedule, collective);
}

bool schedule_find_collective(const struct schedule *schedule, struct collective *collective)
{
    bool found = schedule_collective(schedule, collective);
    if (topology_joins_all(&schedule->topology) || schedule->has_reductions ||
        schedule_is_broadcast(schedule) || schedule_data_packets(schedule) < schedule->packets)
        return found;
    struct collective named = *collective;
    named.demands = NULL;
    named.load = (struct traffic_load){.packets = 0};
    if (!find_kind(schedule, &named))
        return found;
    *collective = named;
    return true;
}
