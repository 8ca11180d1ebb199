/* SPDX-License-Identifier: Apache-2.0 */
/* cube-single: up to d packets from one node to all nodes of a hypercube of d dimensions, in d
 * rounds.
 *
 * Packet r crosses dimension r, r + 1, …, d, 1, …, r - 1, one in each round, from all nodes that
 * have it. d = 3, source 0; in each round the dimension that a packet crosses, and the nodes that
 * then have it:
 *
 *     round      1            2               3
 *     packet 1   1: 0 1       2: 0 1 2 3      3: all
 *     packet 2   2: 0 2       3: 0 2 4 6      1: all
 *     packet 3   3: 0 4       1: 0 1 4 5      2: all
 *
 * Optimal: the node opposite the source is d arcs away. O(transfers).
 *
 * Stamoulis and Tsitsiklis, section 3.3.2, for a node that has all the packets, so that it knows
 * their positions.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/cube/cube_sources.h"
#include "sched/algorithms/cube/cube_translates.h"

static bool single_accepts(const struct collective *collective, struct err *err)
{
    if (collective->sources != NULL)
        return err_set(err, ERR_ALGORITHM,
                       "{sources}: cube-single has one source; expected {source} instead");
    return cube_accepts(collective, err) &&
           cube_accepts_packets("cube-single", collective, 1, collective->topology->dimensions,
                                err);
}

static bool single_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    return guarantee_set(guarantee, collective->topology->dimensions, "d",
                         "Stamoulis, Tsitsiklis, section 3.3.2");
}

static bool single_build(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    return cube_rotation_build(collective, 0, CUBE_POSITIONS_RISE, schedule, err);
}

const struct algorithm algorithm_cube_single = {
    .name = "cube-single",
    .summary = "optimal for up to d packets of one node: each crosses a different dimension",
    .source = "Stamoulis, Tsitsiklis, section 3.3.2, for one node",
    .models = 1u << MODEL_ALL_PORT,
    .topology = TOPOLOGY_HYPERCUBE,
    .kind = COLLECTIVE_BROADCAST,
    .usual_models = 1u << MODEL_ALL_PORT,
    .accepts = single_accepts,
    .end = cube_rotation_end,
    .guarantee = single_guarantee,
    .build = single_build,
};
