/* SPDX-License-Identifier: Apache-2.0 */
/* cube-ranked: up to d packets from any nodes of a hypercube of d dimensions to all nodes, in d
 * rounds if each node knows the position of its packet, which is the packet's number.
 *
 * The packet of position r crosses dimension (r + k - 2) mod d + 1 in round k, from all nodes that
 * have it. d = 2, packets at nodes 1 and 3; in each round the dimension, and the nodes that then
 * have it:
 *
 *     round                 1               2
 *     packet 1, from 1      1: 1 0          2: 1 0 3 2
 *     packet 2, from 3      2: 3 1          1: 3 1 2 0
 *
 * Optimal: the node opposite a source is d arcs away. If the nodes do not know the positions, a
 * prefix computes them first (cube_variant.h): in 2d rounds by the folded tree, or in d rounds by
 * exchange, so that the schedule takes 3d or 2d rounds. No node needs the number of packets, so the
 * folded tree omits the round that sends it to the roots. The position of a packet of node x then
 * counts the packets from node x up. O(transfers + 2^d).
 *
 * Stamoulis and Tsitsiklis, section 3.3.2, as corrected in cube_translates.h. The exchange is ours.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/cube/cube_sources.h"
#include "sched/algorithms/cube/cube_translates.h"
#include "sched/algorithms/cube/cube_variant.h"

enum { METHOD_KNOWN, METHOD_TREE, METHOD_EXCHANGE };

static const enum cube_prefix prefix_of[] = {[METHOD_KNOWN] = CUBE_PREFIX_NONE,
                                             [METHOD_TREE] = CUBE_PREFIX_POSITIONS,
                                             [METHOD_EXCHANGE] = CUBE_PREFIX_EXCHANGE};

static uint64_t prefix_rounds(const struct collective *collective)
{
    return cube_prefix_rounds(prefix_of[collective->method], collective->topology->dimensions);
}

static bool ranked_accepts(const struct collective *collective, struct err *err)
{
    return cube_accepts_no_source("cube-ranked", collective, err) &&
           cube_accepts_packets("cube-ranked", collective, 1, collective->topology->dimensions,
                                err);
}

static uint64_t ranked_end(const struct collective *collective)
{
    return prefix_rounds(collective) + cube_rotation_end(collective);
}

static bool ranked_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    static const struct {
        unsigned times;
        const char *formula, *source;
    } of[] = {[METHOD_KNOWN] = {1, "d", "Stamoulis, Tsitsiklis, section 3.3.2"},
              [METHOD_TREE] = {3, "3d", "Stamoulis, Tsitsiklis, section 3.3.2"},
              [METHOD_EXCHANGE] = {2, "2d", "ours: section 3.3.2 with recursive doubling"}};
    unsigned method = collective->method;
    return guarantee_set(guarantee, (uint64_t)of[method].times * collective->topology->dimensions,
                         of[method].formula, of[method].source);
}

static bool ranked_build(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    enum cube_rotation_positions positions =
        collective->method == METHOD_KNOWN ? CUBE_POSITIONS_RISE : CUBE_POSITIONS_FALL;
    return cube_prefix_build(prefix_of[collective->method], schedule, err) &&
           cube_rotation_build(collective, prefix_rounds(collective), positions, schedule, err);
}

const struct algorithm algorithm_cube_ranked = {
    .name = "cube-ranked",
    .summary = "optimal for up to d packets with known ranks: each crosses a different dimension",
    .source = "Stamoulis, Tsitsiklis, section 3.3.2, corrected",
    .models = 1u << MODEL_ALL_PORT,
    .topology = TOPOLOGY_HYPERCUBE,
    .kind = COLLECTIVE_SIMULTANEOUS,
    .methods =
        (const char *const[]){
            [METHOD_KNOWN] = "known", [METHOD_TREE] = "tree", [METHOD_EXCHANGE] = "exchange", NULL},
    .accepts = ranked_accepts,
    .end = ranked_end,
    .guarantee = ranked_guarantee,
    .build = ranked_build,
};
