/* SPDX-License-Identifier: Apache-2.0 */
/* torus: collectives in a torus, by dimension-order routing.
 *
 * A packet is routed along one dimension after the other, the shorter way round in each
 * (demand_routes.h), so that its routes form a tree. Each link (single-port: each node) sends first
 * the packet with the most rounds left to go. k = 4, 2, broadcast of one packet from node 0,
 * multiport:
 *
 *     round 1   0→1 0→3 0→4
 *     round 2   1→2 1→5 3→7           2 + 1 = 3 rounds, the distance of node 6
 *     round 3   2→6
 *
 * The end is known only after building. One packet reaches all nodes after Σ⌊k_j/2⌋ rounds in the
 * multiport model. O(hops · log hops) for each of several schedules tried. Dimension order: W.
 * Dally and C. Seitz, "Deadlock-free message routing in multiprocessor interconnection networks",
 * 1987.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/general/best.h"

#include <inttypes.h>
#include <stdlib.h>

static bool torus_accepts(const struct collective *collective, struct err *err)
{
    uint64_t packets = collective_packets(collective);
    return packets <= SCHEDULE_MAX_PACKETS ||
           err_set(err, ERR_RANGE, "%" PRIu64 " packets; expected 1 … %" PRIu32, packets,
                   SCHEDULE_MAX_PACKETS);
}

/* Checks the packets and rejects a source, because every node has packets. E102, E103. */
static bool torus_accepts_no_source(const struct collective *collective, struct err *err)
{
    if (collective->source != 0)
        return err_set(err, ERR_ALGORITHM,
                       "%s of a torus has no source, %" PRIu32 " is given; expected source 0",
                       collective_name(collective->kind), collective->source);
    return torus_accepts(collective, err);
}

/* Returns true: the order of equally urgent packets is drawn. */
static bool torus_draws(unsigned method)
{
    (void)method;
    return true;
}

static uint64_t torus_end(const struct collective *collective)
{
    (void)collective;
    return ALGORITHM_UNKNOWN;
}

static bool torus_build(const struct collective *collective, struct schedule *schedule,
                        struct err *err)
{
    struct best best = {.end = UINT64_MAX};
    bool built = network_routes(collective, schedule, &best, err) &&
                 best_append(best.send, best.count, schedule, err);
    free(best.send);
    return built;
}

#define TORUS(title, of, accepted, text)                                                   \
    {                                                                                      \
        .name = title, .summary = text, .source = "Dally, Seitz: dimension order",         \
        .models = 1u << MODEL_TORUS_SINGLE_PORT | 1u << MODEL_TORUS_MULTIPORT,             \
        .topology = TOPOLOGY_TORUS, .kind = of, .draws = torus_draws, .accepts = accepted, \
        .end = torus_end, .build = torus_build,                                            \
    }

const struct algorithm algorithm_torus_broadcast =
    TORUS("torus-broadcast", COLLECTIVE_BROADCAST, torus_accepts,
          "torus: m packets of a node to all, along one dimension after the other");

const struct algorithm algorithm_torus_scatter =
    TORUS("torus-scatter", COLLECTIVE_SCATTER, torus_accepts,
          "torus: m packets of a node to each other one");

const struct algorithm algorithm_torus_gather = TORUS(
    "torus-gather", COLLECTIVE_GATHER, torus_accepts, "torus: m packets of each other node to one");

const struct algorithm algorithm_torus_all_gather =
    TORUS("torus-all-gather", COLLECTIVE_ALL_GATHER, torus_accepts_no_source,
          "torus: m packets of each node to all");

const struct algorithm algorithm_torus_total_exchange =
    TORUS("torus-total-exchange", COLLECTIVE_TOTAL_EXCHANGE, torus_accepts_no_source,
          "torus: m packets of each node to each other one");
