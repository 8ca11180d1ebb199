/* SPDX-License-Identifier: Apache-2.0 */
/* cube-ranked: up to d packets, wherever they start in a hypercube of d dimensions, to all; d
 * slots.
 *
 * Each node knows the rank of its packet among them, which is the packet's number. Packet r crosses
 * dimension (r + k - 2) mod d + 1 in slot k, from all nodes that have it. d = 2, packets at nodes 1
 * and 3:
 *
 *     slot                  1               2
 *     packet 1, from 1      1: 1 0          2: 1 0 3 2
 *     packet 2, from 3      2: 3 1          1: 3 1 2 0
 *
 * Optimal: the node opposite a source is d arcs away. O(transfers).
 *
 * Stamoulis and Tsitsiklis, section 3.3.2, as corrected in cube_rotation.h.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/cube/cube_accepts.h"
#include "sched/algorithms/cube/cube_rotation.h"

static bool ranked_accepts(const struct collective *collective, struct err *err)
{
    return cube_accepts_no_source("cube-ranked", collective, err) &&
           cube_accepts_packets("cube-ranked", collective, 1, collective->topology->dimensions,
                                err);
}

const struct algorithm algorithm_cube_ranked = {
    .name = "cube-ranked",
    .summary = "optimal for up to d packets with known ranks: each crosses a different dimension",
    .source = "Stamoulis, Tsitsiklis, section 3.3.2, corrected",
    .models = 1u << MODEL_ALL_PORT,
    .topology = TOPOLOGY_HYPERCUBE,
    .kind = COLLECTIVE_SIMULTANEOUS,
    .accepts = ranked_accepts,
    .end = cube_rotation_end,
    .build = cube_rotation_build,
};
