/* SPDX-License-Identifier: Apache-2.0 */
/* cube-all-gather: a packet from each node of a hypercube of d dimensions to all nodes.
 *
 * All packets climb to the roots of d edge-disjoint trees; each tree has at most ⌈2^d/d⌉ of them.
 * From the roots they go to all nodes (cube_phases.h). The tree of each packet is known beforehand,
 * so that no phase has to compute it. d = 2, the trees 1 → 0 3 → 2 and 2 → 0 3 → 1; the packet of
 * node x is x + 1:
 *
 *     round           tree 1, root 1                    tree 2, root 2
 *     1               4: 3 → 1                          1: 0 → 2
 *     2, 3            for the longest way there is: ⌈4/2⌉ + 2 - 1 rounds
 *     4               2: 1 → 0 3                        3: 2 → 0 3
 *     5               4: 1 → 0 3, 2: 3 → 2              1: 2 → 0 3, 3: 3 → 1
 *     6               4: 3 → 2                          1: 3 → 1
 *
 * known: the roots stop after their last packet; 2⌈2^d/d⌉ + 2d - 2 rounds. termination: each root
 * then sends one more packet that marks the end, as in the paper, which takes one more round. No
 * node needs it, because all nodes know the number of packets. optimal: no roots; each packet has a
 * tree of its own, and the rounds are the fewest possible, ⌈(2^d - 1)/d⌉ (cube_translates.h).
 * O(transfers).
 *
 * Stamoulis and Tsitsiklis, section 3.2; optimal: Bertsekas and others, which they cite as [1].
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/cube/cube_phases.h"
#include "sched/algorithms/cube/cube_sources.h"
#include "sched/algorithms/cube/cube_translates.h"

#include <stdlib.h>

enum { METHOD_KNOWN, METHOD_TERMINATION, METHOD_OPTIMAL };

/* Returns the number of rounds of the gather, used or not. */
static uint64_t gather_rounds(const struct topology *cube)
{
    return cube_phases_share(cube->nodes, cube->dimensions) + cube->dimensions - 1;
}

static uint64_t multinode_end(const struct collective *collective)
{
    if (collective->method == METHOD_OPTIMAL)
        return cube_translates_rounds(collective->topology->dimensions);
    return 2 * gather_rounds(collective->topology) + (collective->method == METHOD_TERMINATION);
}

static bool multinode_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    static const struct {
        const char *formula, *source;
    } of[] = {
        [METHOD_KNOWN] = {"2⌈2^d/d⌉+2d-2",
                          "Stamoulis, Tsitsiklis, section 3.2, without last packets"},
        [METHOD_TERMINATION] = {"2⌈2^d/d⌉+2d-1", "Stamoulis, Tsitsiklis, section 3.2"},
        [METHOD_OPTIMAL] = {"⌈(2^d-1)/d⌉", "Bertsekas and others, cited by Stamoulis, Tsitsiklis"}};
    return guarantee_set(guarantee, multinode_end(collective), of[collective->method].formula,
                         of[collective->method].source);
}

static bool multinode_accepts(const struct collective *collective, struct err *err)
{
    if (collective->sources != NULL || collective->m != 1)
        return err_set(err, ERR_ALGORITHM,
                       "cube-all-gather has a packet at each node; expected no {packets}, "
                       "{sources} or {random}");
    return cube_accepts_no_source("cube-all-gather", collective, err);
}

static bool optimal_build(const struct topology *cube, struct schedule *schedule, struct err *err)
{
    if (!schedule_reserve(schedule, cube_translates_rounds(cube->dimensions),
                          (size_t)cube->nodes * (cube->nodes - 1), err))
        return false;
    struct cube_start *start = malloc(cube->nodes * sizeof *start);
    if (start == NULL)
        return err_no_memory(err, "%u packets", cube->nodes);
    for (uint32_t node = 0; node < cube->nodes; node++)
        start[node] = (struct cube_start){node + 1, node};
    bool built = cube_translates_build(start, cube->nodes, 0, schedule, err);
    free(start);
    return built;
}

static bool multinode_build(const struct collective *collective, struct schedule *schedule,
                            struct err *err)
{
    const struct topology *cube = collective->topology;
    if (collective->method == METHOD_OPTIMAL)
        return optimal_build(cube, schedule, err);
    if (!cube_phases_reserve(cube->nodes, schedule, err))
        return false;
    uint32_t *source = malloc(cube->nodes * sizeof *source), last = 0;
    if (source == NULL)
        return err_no_memory(err, "%u packets", cube->nodes);
    for (uint32_t node = 0; node < cube->nodes; node++)
        source[node] = node;
    bool built = true;
    if (collective->method == METHOD_TERMINATION) {
        last = schedule->packets + 1;
        built = cube_phases_add_last(cube->nodes, schedule, err);
    }
    struct cube_climb climb = {0};
    built = built && cube_climb_init(cube->dimensions, cube->nodes, source, NULL, &climb, err) &&
            cube_gather(0, &climb, schedule, err) &&
            cube_spread(&climb.roots, last, gather_rounds(cube), schedule, err);
    cube_climb_free(&climb);
    free(source);
    return built;
}

const struct algorithm algorithm_cube_all_gather = {
    .name = "cube-all-gather",
    .alias = "cube-multinode",
    .summary =
        "a packet of each node: to the roots of d edge-disjoint trees, and from there to all",
    .source = "Stamoulis, Tsitsiklis, section 3.2; optimal: Bertsekas and others, cited there",
    .models = 1u << MODEL_ALL_PORT,
    .topology = TOPOLOGY_HYPERCUBE,
    .kind = COLLECTIVE_ALL_GATHER,
    .methods = (const char *const[]){[METHOD_KNOWN] = "known",
                                     [METHOD_TERMINATION] = "termination",
                                     [METHOD_OPTIMAL] = "optimal",
                                     NULL},
    .accepts = multinode_accepts,
    .same_trees = SCHEDULE_MAX_PORTS,
    .end = multinode_end,
    .guarantee = multinode_guarantee,
    .build = multinode_build,
};
