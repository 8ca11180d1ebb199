/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/port_words.h"

#include "sched/shape/wiring.h"

/* Returns whether a router is at the node. Nodes of a hypercube that combine have none. */
static bool is_router(const struct topology *topology, uint32_t node)
{
    return topology_has_routers(topology) && node >= topology->nodes;
}

static unsigned level_of(const struct topology *topology, uint32_t node)
{
    return wiring_level(topology, wiring_router(topology, node));
}

uint32_t port_words_count(const struct topology *topology, uint32_t node)
{
    if (topology->dimensions > 0)
        return topology->dimensions + 1;
    return is_router(topology, node) ? topology->router_ports[level_of(topology, node)] : 1;
}

uint32_t port_words_index(const struct schedule *schedule, size_t transfer)
{
    const struct topology *topology = &schedule->topology;
    const uint32_t node = schedule->transfer[transfer].destination,
                   neighbour = schedule->transfer[transfer].source;
    if (topology->dimensions > 0)
        return topology_dimension(node, neighbour);
    return is_router(topology, node) ? wiring_port(topology, level_of(topology, node), node,
                                                   neighbour, schedule_lane(schedule, transfer))
                                     : 0;
}

/* Combines the words below a branch. */
static uint64_t combine_below(const uint64_t word[], uint32_t count, uint32_t branch,
                              void (*add)(uint64_t *to, uint64_t part))
{
    if (branch >= count)
        return word[branch - count];
    uint64_t below = combine_below(word, count, 2 * branch, add);
    const uint64_t other = combine_below(word, count, 2 * branch + 1, add);
    if (below == 0)
        return other;
    if (other != 0)
        add(&below, other);
    return below;
}

uint64_t port_words_combine(const uint64_t word[], uint32_t count,
                            void (*add)(uint64_t *to, uint64_t part))
{
    return combine_below(word, count, 1, add);
}
