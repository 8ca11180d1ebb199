/* SPDX-License-Identifier: Apache-2.0 */
/* cube-broadcast: packets from any nodes of a hypercube to all nodes, when no node knows the number
 * and the sources of the packets: K packets in exactly 2⌈K/d⌉ + 4d rounds, or 2⌈K/d⌉ + 3d - 1.
 *
 *     rounds                      phase
 *     1 … 2d + 1                  prefix: each node learns its packets' positions, the roots of
 *                                 the trees learn K
 *     then ⌈K/d⌉ + d - 1          gather: packet at position r goes to the root of tree (r-1) mod d
 *                                 + 1
 *     then ⌈K/d⌉ + d              spread: each root sends its packets to all, and then that it has
 *                                 no more
 *
 * d = 3, packets 1 at node 2 and 2 at node 5, with positions 2 and 1: after 7 rounds nodes 2 and 5
 * know their positions, and nodes 1, 2 and 4 know that K = 2; packet 1 belongs to tree 2 and is
 * already at its root, packet 2 climbs tree 1 from node 5 to its root 1 in round 8; in rounds 11 …
 * 14 each tree is a pipeline of one packet, or none, and the last packet.
 *
 * Sums, K and the last packets of the roots are control packets, numbered after 1 … K: first those
 * of the prefix (cube_variant.h), then one of each root, which carries the number of its packets. A
 * root derives its start from the clock, because all nodes know d and ⌈K/d⌉ follows from K. No
 * other node needs K. For d ≥ 5 the end is within a factor of 6 of the bound. O(transfers + 2^d).
 * cube_variant.h lists the methods.
 *
 * Stamoulis and Tsitsiklis, section 3.2. (The floors printed there are ceilings.)
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/cube/cube_draw.h"
#include "sched/algorithms/cube/cube_phases.h"
#include "sched/algorithms/cube/cube_sources.h"
#include "sched/algorithms/cube/cube_variant.h"

static bool broadcast_draws(unsigned method)
{
    return cube_variant_of(method).prefix == CUBE_PREFIX_NONE;
}

static uint64_t prefix_rounds(const struct collective *collective)
{
    return cube_prefix_rounds(cube_variant_of(collective->method).prefix,
                              collective->topology->dimensions);
}

static uint64_t spread_begins_after(const struct collective *collective)
{
    unsigned d = collective->topology->dimensions;
    return prefix_rounds(collective) + cube_phases_share(collective->m, d) + d - 1;
}

static uint64_t broadcast_end(const struct collective *collective)
{
    unsigned d = collective->topology->dimensions;
    enum cube_overlap overlap = cube_variant_of(collective->method).overlap;
    if (overlap == CUBE_DETECTED && collective->m == 0)
        return 2 * (uint64_t)d;
    if (overlap != CUBE_APART)
        return collective->m == 0 ? prefix_rounds(collective) : ALGORITHM_UNKNOWN;
    return spread_begins_after(collective) + cube_phases_share(collective->m, d) + d;
}

/* Fills the guarantee of an overlap (cube_variant.h), where N packets belong to the largest
 * tree. */
static bool overlap_guarantee(const struct collective *collective, struct cube_variant variant,
                              struct guarantee *guarantee)
{
    static const char *const formula[] = {[CUBE_PREFIX_TREE] = "2⌈K/d⌉+4d-1",
                                          [CUBE_PREFIX_EXCHANGE] = "2⌈K/d⌉+3d-2",
                                          [CUBE_PREFIX_NONE] = "2N+2d-2"};
    unsigned d = collective->topology->dimensions;
    uint64_t share = cube_phases_share(collective->m, d);
    if (variant.prefix == CUBE_PREFIX_NONE)
        share = cube_draw_most(d, collective->m, collective->seed);
    if (variant.overlap == CUBE_DETECTED)
        return guarantee_set(guarantee, 2 * share + 2 * d, "2N+2d",
                             "ours: section 3.2, ends detected");
    return guarantee_set(guarantee, prefix_rounds(collective) + 2 * share + 2 * d - 2,
                         formula[variant.prefix], "ours: section 3.2, gather first");
}

/* Fills the guarantee. The paper gives no bound for an overlap in which the spread has priority. */
static bool broadcast_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    struct cube_variant variant = cube_variant_of(collective->method);
    if (variant.overlap == CUBE_SPREAD_FIRST)
        return false;
    if (variant.overlap != CUBE_APART)
        return overlap_guarantee(collective, variant, guarantee);
    bool tree = variant.prefix == CUBE_PREFIX_TREE;
    return guarantee_set(guarantee, broadcast_end(collective), tree ? "2⌈K/d⌉+4d" : "2⌈K/d⌉+3d-1",
                         tree ? "Stamoulis, Tsitsiklis, section 3.2"
                              : "ours: section 3.2 with recursive doubling");
}

/* Requires a packet if a method has neither a prefix nor ends: the schedule would be empty. */
static bool broadcast_accepts(const struct collective *collective, struct err *err)
{
    bool counts = !broadcast_draws(collective->method);
    bool ends = cube_variant_of(collective->method).overlap == CUBE_DETECTED;
    return cube_accepts_no_source("cube-broadcast", collective, err) &&
           (counts || ends ||
            cube_accepts_packets("randomised cube-broadcast", collective, 1, SCHEDULE_MAX_PACKETS,
                                 err));
}

/* Builds the phases one after another. With `exchange` the prefix takes d rounds. All nodes then
 * know K and need no last packet; it is still sent, because the other phases are the same. */
static bool build_apart(const struct collective *collective, struct schedule *schedule,
                        struct err *err)
{
    unsigned d = collective->topology->dimensions;
    struct cube_climb climb = {0};
    uint32_t last = schedule->packets + 1;
    bool built = cube_phases_add_last(collective->m, schedule, err) &&
                 cube_climb_init(d, collective->m, collective->sources, NULL, &climb, err) &&
                 cube_gather(prefix_rounds(collective), &climb, schedule, err) &&
                 cube_spread(&climb.roots, last, spread_begins_after(collective), schedule, err);
    cube_climb_free(&climb);
    return built;
}

/* Builds the schedule with an overlap (cube_variant.h): a root forwards packets at once, or after
 * its own gather has ended. The schedule usually ends earlier; when exactly depends on the sources
 * and the trees. Without a prefix each packet draws its tree, and all nodes begin in round 1. */
static bool build_overlapped(const struct collective *collective, struct schedule *schedule,
                             struct err *err)
{
    struct cube_variant variant = cube_variant_of(collective->method);
    struct rng rng = cube_draw_rng(collective->seed);
    return cube_overlap_build(collective, variant.prefix == CUBE_PREFIX_NONE ? &rng : NULL,
                              variant.overlap, prefix_rounds(collective), schedule, err);
}

static bool broadcast_build(const struct collective *collective, struct schedule *schedule,
                            struct err *err)
{
    struct cube_variant variant = cube_variant_of(collective->method);
    return cube_phases_reserve(collective->m + collective->topology->dimensions, schedule, err) &&
           cube_prefix_build(variant.prefix, schedule, err) &&
           (variant.overlap == CUBE_APART ? build_apart(collective, schedule, err)
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
    .methods = (const char *const[]){CUBE_VARIANTS(METHOD_NAME) NULL},
    .draws = broadcast_draws,
    .accepts = broadcast_accepts,
    .end = broadcast_end,
    .guarantee = broadcast_guarantee,
    .build = broadcast_build,
};
