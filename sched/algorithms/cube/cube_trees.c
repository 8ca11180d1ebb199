/* SPDX-License-Identifier: Apache-2.0 */
/* cube-trees: m packets of one node to all nodes of a hypercube of d dimensions, in ⌈m/d⌉ + d
 * rounds: a stream of packets along each of d trees that share no arc.
 *
 * The source sends d packets in a round, one over each dimension, and the packet over dimension j
 * descends in tree T(j) (cube_tree.h, with the source as node 0): a node of depth a has it a + 1
 * rounds after. No arc is in two trees, and no tree needs the arcs out of the source, so that no
 * packet waits. d = 2, m = 4, source 0:
 *
 *     round 1   0→1 1   0→2 2
 *     round 2   0→1 3   0→2 4   1→3 1   2→3 2
 *     round 3   1→3 3   2→3 4   3→2 1   3→1 2
 *     round 4   3→2 3   3→1 4
 *
 * One round more than the bound ⌈m/d⌉ + d - 1, because the root of a tree is not the source. For
 * m ≤ d cube-single needs d rounds. O(transfers).
 *
 * Stamoulis and Tsitsiklis, section 2.3 (the trees, after Johnsson and Ho).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/cube/cube_sources.h"
#include "sched/algorithms/cube/cube_tree.h"
#include "sched/base/bits.h"

#include <stdlib.h>

/* The nodes of each tree but node 0, by depth: node[first[a]] … node[first[a + 1] - 1] of a tree
 * have depth a. They are as many in each tree. */
struct levels {
    uint32_t first[TOPOLOGY_MAX_DIMENSIONS + 2];
    uint32_t *node; /* node[d][2^d] */
};

static bool trees_accepts(const struct collective *collective, struct err *err)
{
    if (collective->sources != NULL)
        return err_set(err, ERR_ALGORITHM,
                       "{sources}: cube-trees has one source; expected {source} instead");
    return cube_accepts(collective, err);
}

static uint64_t trees_end(const struct collective *collective)
{
    const uint32_t d = collective->topology->dimensions;
    /* In one dimension the only tree is its root. */
    return bits_divide_up(collective->m, d) + (d > 1 ? d : 0);
}

static bool trees_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    return guarantee_set(guarantee, trees_end(collective), "⌈m/d⌉+d",
                         "ours: a stream along each tree of section 2.3");
}

/* Sorts the nodes of the trees by depth. E104. */
static bool sort_levels(const struct topology *cube, struct levels *levels, struct err *err)
{
    const unsigned d = cube->dimensions;
    *levels = (struct levels){.node = malloc((size_t)d * cube->nodes * sizeof *levels->node)};
    if (levels->node == NULL)
        return err_no_memory(err, "the nodes of %u trees", d);
    for (unsigned tree = 1; tree <= d; tree++) {
        uint32_t *node = &levels->node[(size_t)(tree - 1) * cube->nodes], count = 0;
        for (unsigned depth = 0; depth <= d; depth++) {
            levels->first[depth] = count;
            for (uint32_t x = 1; x < cube->nodes; x++)
                if (cube_tree_depth(tree, x) == depth)
                    node[count++] = x;
        }
        levels->first[d + 1] = count;
    }
    return true;
}

/* Writes the transfers of a round to the nodes of a tree. In round `round` the nodes of depth a
 * receive packet number round - a - 1 of the tree, from 0. Returns the place after the last one. */
static struct transfer *put_tree(const struct collective *collective, const struct levels *levels,
                                 unsigned tree, uint64_t round, struct transfer *to)
{
    const struct topology *cube = collective->topology;
    const unsigned d = cube->dimensions;
    const uint32_t *node = &levels->node[(size_t)(tree - 1) * cube->nodes];
    for (unsigned depth = 0; depth <= d && depth < round; depth++) {
        const uint64_t packet = (round - depth - 1) * d + tree;
        if (packet > collective->m)
            continue;
        for (uint32_t k = levels->first[depth]; k < levels->first[depth + 1]; k++) {
            const uint32_t parent = depth == 0 ? 0 : cube_tree_parent(tree, node[k]);
            *to++ = (struct transfer){parent ^ collective->source, node[k] ^ collective->source,
                                      (uint32_t)packet};
        }
    }
    return to;
}

static bool trees_build(const struct collective *collective, struct schedule *schedule,
                        struct err *err)
{
    const struct topology *cube = collective->topology;
    const uint64_t transfers = (uint64_t)(cube->nodes - 1) * collective->m;
    const size_t most = (size_t)cube->dimensions * cube->nodes;
    struct levels levels = {0};
    bool built = schedule_check_size(transfers, err) &&
                 schedule_reserve(schedule, trees_end(collective), transfers + most, err) &&
                 sort_levels(cube, &levels, err);
    for (uint64_t round = 1; built && round <= trees_end(collective); round++) {
        struct transfer *first = schedule_open_step(schedule, round, most, err), *to = first;
        built = first != NULL;
        for (unsigned tree = 1; built && tree <= cube->dimensions; tree++)
            to = put_tree(collective, &levels, tree, round, to);
        if (built)
            schedule_close_step(schedule, (size_t)(to - first));
    }
    free(levels.node);
    return built;
}

const struct algorithm algorithm_cube_trees = {
    .name = "cube-trees",
    .summary = "many packets of one node: a stream along each of d edge-disjoint trees",
    .source = "ours: the trees of Stamoulis, Tsitsiklis, section 2.3",
    .models = 1u << MODEL_ALL_PORT,
    .topology = TOPOLOGY_HYPERCUBE,
    .kind = COLLECTIVE_BROADCAST,
    .accepts = trees_accepts,
    .end = trees_end,
    .guarantee = trees_guarantee,
    .build = trees_build,
};
