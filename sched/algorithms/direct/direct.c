/* SPDX-License-Identifier: Apache-2.0 */
/* direct: collectives in direct topologies (topology.h), by routes of the topology.
 *
 * A packet takes the route of the topology, in a torus along one dimension after the other, the
 * shorter way round in each (demand_routes.h), so that its links form a tree. Each link
 * (single-port: each node) sends first the packet with the most rounds left to go. A torus of sides
 * 4, 2, broadcast of one packet from node 0, multiport:
 *
 *     round 1   0→1 0→3 0→4
 *     round 2   1→2 1→5 3→7           2 + 1 = 3 rounds, the distance of node 6
 *     round 3   2→6
 *
 * The end is known only after building. One packet reaches all nodes after as many rounds as the
 * furthest node is away in the multiport model. O(hops · log hops) for each of several schedules
 * tried. Dimension order: W. Dally and C. Seitz, "Deadlock-free message routing in multiprocessor
 * interconnection networks", 1987.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/general/best.h"

#include <inttypes.h>
#include <stdlib.h>

static bool direct_accepts(const struct collective *collective, struct err *err)
{
    uint64_t packets = collective_packets(collective);
    return packets <= SCHEDULE_MAX_PACKETS ||
           err_set(err, ERR_RANGE, "%" PRIu64 " packets; expected 1 … %" PRIu32, packets,
                   SCHEDULE_MAX_PACKETS);
}

/* Checks the packets and rejects a source, because every node has packets. E102, E103. */
static bool direct_accepts_no_source(const struct collective *collective, struct err *err)
{
    if (collective->source != 0)
        return err_set(err, ERR_ALGORITHM,
                       "%s of a %s has no source, %" PRIu32 " is given; expected source 0",
                       collective_name(collective->kind), topology_row(collective->topology)->title,
                       collective->source);
    return direct_accepts(collective, err);
}

/* Returns true: the order of equally urgent packets is drawn. */
static bool direct_draws(unsigned method)
{
    (void)method;
    return true;
}

static uint64_t direct_end(const struct collective *collective)
{
    (void)collective;
    return ALGORITHM_UNKNOWN;
}

static bool direct_build(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    struct best best = {.end = UINT64_MAX};
    bool built = network_routes(collective, schedule, &best, err) &&
                 best_append(best.send, best.count, schedule, err);
    free(best.send);
    return built;
}

#define DIRECT(topo, title, of, accepted, text, from)                                        \
    {                                                                                        \
        .name = title, .summary = text, .source = from, .models = MODELS_OF_DIRECT(topo),    \
        .topology = TOPOLOGY_##topo, .kind = of, .draws = direct_draws, .accepts = accepted, \
        .end = direct_end, .build = direct_build,                                            \
    }

/* The algorithms of one topology. */
#define ALGORITHMS(topo, name, argument, help, routing, from, with)                                \
    const struct algorithm algorithm_##name##_broadcast =                                          \
        DIRECT(topo, #name "-broadcast", COLLECTIVE_BROADCAST, direct_accepts,                     \
               #name ": m packets of a node to all, " routing, from);                              \
    const struct algorithm algorithm_##name##_scatter =                                            \
        DIRECT(topo, #name "-scatter", COLLECTIVE_SCATTER, direct_accepts,                         \
               #name ": m packets of a node to each other one", from);                             \
    const struct algorithm algorithm_##name##_gather =                                             \
        DIRECT(topo, #name "-gather", COLLECTIVE_GATHER, direct_accepts,                           \
               #name ": m packets of each other node to one", from);                               \
    const struct algorithm algorithm_##name##_all_gather =                                         \
        DIRECT(topo, #name "-all-gather", COLLECTIVE_ALL_GATHER, direct_accepts_no_source,         \
               #name ": m packets of each node to all", from);                                     \
    const struct algorithm algorithm_##name##_total_exchange =                                     \
        DIRECT(topo, #name "-total-exchange", COLLECTIVE_TOTAL_EXCHANGE, direct_accepts_no_source, \
               #name ": m packets of each node to each other one", from);

TOPOLOGY_DIRECT_TABLE(ALGORITHMS, )
