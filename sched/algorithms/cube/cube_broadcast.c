/* SPDX-License-Identifier: Apache-2.0 */
/* cube-broadcast: packets of any nodes of a hypercube to all nodes, if no node knows the number and
 * the sources of the packets: K packets in exactly 2⌈K/d⌉ + 4d slots, or 2⌈K/d⌉ + 3d - 1.
 *
 *     slots                       phase
 *     1 … 2d + 1                  prefix: each node learns the ranks of its packets, the roots of
 *                                 the trees learn K
 *     then ⌈K/d⌉ + d - 1          gather: the packet of rank r goes to the root of tree (r-1) mod d
 *                                 + 1
 *     then ⌈K/d⌉ + d              spread: each root sends its packets to all, and then that it has
 *                                 no more
 *
 * d = 3, packets 1 at node 2 and 2 at node 5, of ranks 2 and 1: after 7 slots nodes 2 and 5 know
 * their ranks and 1, 2, 4 that K = 2; packet 1 is of tree 2 and there already, packet 2 climbs tree
 * 1 from 5 to its root 1 in slot 8; in slots 11 … 14 each tree is a pipeline of one packet, or
 * none, and the last.
 *
 * Sums, K and the last packets of the roots are control packets, numbered after 1 … K: first those
 * of the prefix (cube_prefix.h), then one of each root, which carries the number of its packets. A
 * root knows by its clock when to begin, as all nodes know d, and ⌈K/d⌉ follows from K. No other
 * node needs K. For d ≥ 5, within a factor of 6 of the bound. O(transfers + 2^d). The methods are
 * in cube_way.h.
 *
 * Stamoulis and Tsitsiklis, section 3.2. (What reads as floors there are ceilings.)
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/cube/cube_accepts.h"
#include "sched/algorithms/cube/cube_overlap.h"
#include "sched/algorithms/cube/cube_phases.h"
#include "sched/algorithms/cube/cube_prefix.h"

/* The drawing of trees has its own generator, separate from that of the sources, which uses the
 * same seed. */
#define SEED_OF_TREES 1000

static bool broadcast_draws(unsigned method)
{
    return cube_way_of(method).prefix == CUBE_PREFIX_NONE;
}

static uint64_t prefix_slots(const struct collective *collective)
{
    return cube_prefix_slots(cube_way_of(collective->method).prefix,
                             collective->topology->dimensions);
}

static uint64_t spread_begins_after(const struct collective *collective)
{
    unsigned d = collective->topology->dimensions;
    return prefix_slots(collective) + cube_phases_share(collective->m, d) + d - 1;
}

static uint64_t broadcast_end(const struct collective *collective)
{
    unsigned d = collective->topology->dimensions;
    if (cube_way_of(collective->method).overlap != CUBE_APART)
        return collective->m == 0 ? prefix_slots(collective) : ALGORITHM_UNKNOWN;
    return spread_begins_after(collective) + cube_phases_share(collective->m, d) + d;
}

/* Without a prefix and without packets the schedule is empty. */
static bool broadcast_accepts(const struct collective *collective, struct err *err)
{
    bool ranked = !broadcast_draws(collective->method);
    return cube_accepts_no_source("cube-broadcast", collective, err) &&
           (ranked || cube_accepts_packets("randomised cube-broadcast", collective, 1,
                                           SCHEDULE_MAX_PACKETS, err));
}

/* The usual way. With `exchange` the prefix takes d slots. All nodes then know K and need no last
 * packet, which is still sent: the other phases are the same. */
static bool build_apart(const struct collective *collective, struct schedule *schedule,
                        struct err *err)
{
    unsigned d = collective->topology->dimensions;
    struct cube_climb climb = {0};
    uint32_t last = schedule->packets + 1;
    bool built = cube_phases_add_last(collective->m, schedule, err) &&
                 cube_climb_init(d, collective->m, collective->sources, NULL, &climb, err) &&
                 cube_gather(prefix_slots(collective), &climb, schedule, err) &&
                 cube_spread(&climb.roots, last, spread_begins_after(collective), schedule, err);
    cube_climb_free(&climb);
    return built;
}

/* Builds the schedule with an overlap (cube_overlap.h): the roots forward packets at once. It ends
 * earlier, but only the sources determine when, and there are no last packets. Without a prefix
 * each packet draws its tree, and all nodes begin in slot 1. */
static bool build_overlapped(const struct collective *collective, struct schedule *schedule,
                             struct err *err)
{
    struct cube_way way = cube_way_of(collective->method);
    struct rng rng = {collective->seed + SEED_OF_TREES};
    return cube_overlap_build(collective, way.prefix == CUBE_PREFIX_NONE ? &rng : NULL,
                              way.overlap == CUBE_GATHER_FIRST, prefix_slots(collective), schedule,
                              err);
}

static bool broadcast_build(const struct collective *collective, struct schedule *schedule,
                            struct err *err)
{
    struct cube_way way = cube_way_of(collective->method);
    return cube_phases_reserve(collective->m + collective->topology->dimensions, schedule, err) &&
           cube_prefix_build(way.prefix, schedule, err) &&
           (way.overlap == CUBE_APART ? build_apart(collective, schedule, err)
                                      : build_overlapped(collective, schedule, err));
}

#define METHOD_NAME(name, prefix, overlap) name,

const struct algorithm algorithm_cube_broadcast = {
    .name = "cube-broadcast",
    .summary = "any packets of any nodes without global knowledge: d edge-disjoint trees",
    .source = "Stamoulis, Tsitsiklis, section 3.2",
    .models = 1u << MODEL_ALL_PORT,
    .usual_models = 1u << MODEL_ALL_PORT,
    .topology = TOPOLOGY_HYPERCUBE,
    .kind = COLLECTIVE_SIMULTANEOUS,
    .methods = (const char *const[]){CUBE_WAYS(METHOD_NAME) NULL},
    .draws = broadcast_draws,
    .accepts = broadcast_accepts,
    .end = broadcast_end,
    .build = broadcast_build,
};
