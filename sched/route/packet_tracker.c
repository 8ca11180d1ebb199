/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/packet_tracker.h"

#include "sched/base/arena.h"

#include <stdlib.h>
#include <string.h>

/* Returns the number of the router at a node; if the node has none, no router has this number. */
static uint32_t router_of(const struct packet_tracker *walk, uint32_t node)
{
    return wiring_router(&walk->schedule->topology, node);
}

static bool has_router(const struct packet_tracker *walk, uint32_t node)
{
    return router_of(walk, node) < walk->schedule->topology.routers;
}

static size_t count_inputs(const struct topology *topology)
{
    size_t inputs = 0;
    for (unsigned level = 1; level <= topology->router_levels; level++)
        inputs += (size_t)wiring_level_routers(topology, level) * topology->router_ports[level];
    return inputs;
}

/* Computes the first input of each router. Precondition: first[0] is set. */
static void number_inputs(const struct topology *topology, uint32_t first[])
{
    for (unsigned level = 1; level <= topology->router_levels; level++)
        for (uint32_t count = wiring_level_routers(topology, level); count > 0; count--, first++)
            first[1] = first[0] + topology->router_ports[level];
}

bool packet_tracker_open(struct packet_tracker *walk, const struct schedule *schedule,
                         struct err *err)
{
    const struct topology *topology = &schedule->topology;
    size_t routers = topology->routers, inputs = count_inputs(topology);
    *walk = (struct packet_tracker){.schedule = schedule};
    const struct arena_array arrays[] = {
        ARENA(walk->first, routers + 1),
        ARENA(walk->arrived, inputs),
        ARENA(walk->read_step, inputs * MACHINE_MAX_READS),
        ARENA(walk->read, inputs * MACHINE_MAX_READS),
        ARENA(walk->stay, routers * schedule->packets),
        ARENA(walk->result_step, routers),
        ARENA(walk->result, routers),
        ARENA(walk->older, schedule->has_reductions ? schedule->transfer_count : 0)};
    walk->memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (walk->memory == NULL)
        return err_no_memory(err, "%u packets in %zu routers", schedule->packets, routers);
    number_inputs(topology, walk->first);
    return true;
}

void packet_tracker_close(struct packet_tracker *walk)
{
    free(walk->memory);
}

static struct packet_stay *stay_of(const struct packet_tracker *walk, uint32_t node,
                                   uint32_t packet)
{
    return &walk->stay[(size_t)router_of(walk, node) * walk->schedule->packets + packet - 1];
}

/* Returns the port, counted over all routers, of the router at a node on a lane of the branch to
 * `neighbour`. */
static uint32_t port_of(const struct packet_tracker *walk, uint32_t router, uint32_t neighbour,
                        uint32_t lane)
{
    const struct topology *topology = &walk->schedule->topology;
    unsigned level = wiring_level(topology, router_of(walk, router));
    return walk->first[router_of(walk, router)] +
           wiring_port(topology, level, router, neighbour, lane);
}

bool packet_tracker_is_routed(const struct packet_tracker *walk, const struct transfer *transfer)
{
    if (!has_router(walk, transfer->source))
        return false;
    if (topology_has_routers(&walk->schedule->topology))
        return true;
    const struct packet_stay *stay = packet_tracker_stay(walk, transfer);
    return stay->came && stay->input != port_of(walk, transfer->source, transfer->destination, 0);
}

const struct packet_stay *packet_tracker_stay(const struct packet_tracker *walk,
                                              const struct transfer *transfer)
{
    return stay_of(walk, transfer->source, transfer->packet);
}

const struct packet_stay *packet_tracker_before(const struct packet_tracker *walk,
                                                const struct packet_stay *stay)
{
    return stay->before == 0 ? NULL : &walk->older[stay->before - 1];
}

bool packet_tracker_combines(const struct packet_tracker *walk, size_t index)
{
    const struct transfer *transfer = &walk->schedule->transfer[index];
    const struct packet_stay *stay = packet_tracker_stay(walk, transfer);
    return stay->before != 0 ||
           (walk->schedule->has_reductions &&
            schedule_demand_of(walk->schedule, transfer->packet)->reduction != NULL &&
            stay->input == packet_tracker_output(walk, index));
}

bool packet_tracker_result(struct packet_tracker *walk, const struct transfer *transfer)
{
    const uint32_t router = router_of(walk, transfer->source), now = (uint32_t)walk->step + 1;
    const bool taken = walk->result_step[router] == now;
    walk->result_step[router] = now;
    if (!taken)
        walk->result[router] = transfer->packet;
    return walk->result[router] == transfer->packet;
}

uint32_t packet_tracker_read(struct packet_tracker *walk, const struct packet_stay *stay)
{
    size_t first = (size_t)stay->input * MACHINE_MAX_READS;
    uint32_t now = (uint32_t)walk->step + 1;
    for (uint32_t read = 0; read < MACHINE_MAX_READS; read++) {
        bool taken = walk->read_step[first + read] == now;
        if (taken && walk->read[first + read] != stay->number)
            continue;
        walk->read_step[first + read] = now;
        walk->read[first + read] = stay->number;
        return read;
    }
    return MACHINE_MAX_READS;
}

uint32_t packet_tracker_output(const struct packet_tracker *walk, size_t index)
{
    const struct transfer *transfer = &walk->schedule->transfer[index];
    return port_of(walk, transfer->source, transfer->destination,
                   schedule_lane(walk->schedule, index));
}

/* Returns the `before` of the copy that transfer `index` delivers to a router. */
static uint32_t copy_before(struct packet_tracker *walk, size_t index,
                            const struct packet_stay *last)
{
    const struct schedule *schedule = walk->schedule;
    const struct demand *demand = schedule_demand_of(schedule, schedule->transfer[index].packet);
    if (!last->came || demand->reduction == NULL ||
        schedule_combining(schedule, index) & COMBINING_REPLACE)
        return 0;
    walk->older[walk->older_count++] = *last;
    return walk->older_count;
}

void packet_tracker_next(struct packet_tracker *walk)
{
    const struct schedule *schedule = walk->schedule;
    for (size_t t = schedule->step[walk->step].first; t < schedule_step_end(schedule, walk->step);
         t++) {
        const struct transfer *transfer = &schedule->transfer[t];
        if (!has_router(walk, transfer->destination))
            continue;
        uint32_t input =
            port_of(walk, transfer->destination, transfer->source, schedule_lane(schedule, t));
        struct packet_stay *stay = stay_of(walk, transfer->destination, transfer->packet);
        const uint32_t before = copy_before(walk, t, stay);
        *stay =
            (struct packet_stay){input, walk->arrived[input]++, (uint32_t)walk->step, before, true};
    }
    walk->step++;
}
