/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/bound/bound_tree.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"

bool bound_tree_is_even(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    bool even = !tree->any && tree->height >= 2 && tree->capacity[1] == 1;
    for (unsigned level = 2; level <= tree->height; level++)
        even = even && tree->children[level] == tree->children[1];
    return even;
}

static unsigned source_level(const struct collective *collective)
{
    return topology_level(collective->topology, collective->source);
}

uint64_t bound_tree_broadcast(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    unsigned from = source_level(collective);
    uint64_t steps = from < tree->height ? tree->height - from - 1 : 0;
    for (unsigned level = 1; level <= tree->height; level++)
        steps += tree->children[level];
    return steps;
}

uint64_t bound_tree_path(const struct collective *collective)
{
    return 2 * (uint64_t)collective->topology->height - source_level(collective);
}

/* Of the packets for leaves that meet the source at a level above its own, or for the leaves below
 * it: those that cross the narrowest branch of the path up, and those that enter one subtree. */
static uint64_t scatter_level(const struct collective *collective, unsigned from, unsigned level)
{
    const struct topology *tree = collective->topology;
    uint64_t outside = tree->nodes - tree->leaves[level - 1], lanes = UINT64_MAX;
    for (unsigned above = from + 1; above <= level; above++)
        lanes = MIN(lanes, tree->capacity[above]);
    uint64_t up = level > from ? bits_divide_up(outside, lanes) : 0;
    uint64_t down = bits_divide_up(tree->leaves[level - 1], topology_flow(tree, level));
    return MAX(up, down) + 2 * level - from - 1;
}

uint64_t bound_tree_scatter(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    unsigned from = source_level(collective);
    uint64_t most = 0;
    if (from == 0)
        return bound_tree_link(collective);
    if (model_row(collective->model)->one_link)
        return tree->nodes + from - 1;
    for (unsigned level = from; level <= tree->height; level++) {
        uint64_t steps = scatter_level(collective, from, level);
        most = MAX(most, steps);
    }
    return most;
}

uint64_t bound_tree_link(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    bool one_link = model_row(collective->model)->one_link;
    uint64_t most = 0;
    for (unsigned level = 1; level <= tree->height; level++) {
        uint64_t outside = tree->nodes - tree->leaves[level - 1];
        uint64_t lanes = one_link ? 1 : topology_narrowest(tree, level);
        most = MAX(most, bits_divide_up(outside, lanes) + 2 * level - 1);
    }
    return most;
}

uint64_t bound_tree_all_gather(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t n = tree->nodes, below = 0, most = 0;
    for (unsigned level = 1; level <= tree->height; level++) {
        uint64_t k = tree->children[level];
        most = MAX(most, level + (level < tree->height ? k : k - 1) * n + below);
        below += k;
    }
    return most;
}

uint64_t bound_tree_total_exchange(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t n = tree->nodes;
    unsigned h = tree->height;
    uint64_t most = n * (n - tree->leaves[h - 1]) + 2 * h - 1;
    for (unsigned level = 1; level < h; level++)
        most = MAX(most,
                   tree->leaves[level] * (2 * n - tree->leaves[level] - tree->leaves[level - 1]) +
                       2 * level - 1);
    return most;
}

uint64_t bound_tree_cut(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t n = tree->nodes, most = 0;
    for (unsigned level = 1; level <= tree->height; level++) {
        uint64_t inside = tree->leaves[level - 1];
        uint64_t steps = bits_divide_up(inside * (n - inside), topology_flow(tree, level));
        most = MAX(most, steps + 2 * level - 1);
    }
    return most;
}

bool bound_tree_is_half_duplex(const struct collective *collective)
{
    return collective->topology->half_duplex && !collective->topology->any;
}

/* Returns the steps of the branches of a level that `packets` cross in both directions. */
static uint64_t both_ways(const struct collective *collective, unsigned level, uint64_t packets)
{
    uint32_t lanes = collective->topology->capacity[level];
    if (model_row(collective->model)->one_link)
        lanes = MIN(lanes, 2);
    return bits_divide_up(packets, lanes) + 2 * level - 2;
}

uint64_t bound_tree_both_ways_all_gather(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t most = 0;
    for (unsigned level = 1; level <= tree->height; level++) {
        uint64_t steps = both_ways(collective, level, tree->nodes);
        most = MAX(most, steps);
    }
    return most;
}

uint64_t bound_tree_both_ways_exchange(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t n = tree->nodes, most = 0;
    for (unsigned level = 1; level <= tree->height; level++) {
        uint64_t inside = tree->leaves[level - 1];
        uint64_t steps = both_ways(collective, level, 2 * inside * (n - inside));
        most = MAX(most, steps);
    }
    return most;
}

/* Returns whether a schedule of T > 2h steps leaves room for the receptions, for every i. */
static bool is_late_enough(const struct topology *tree, uint64_t t)
{
    uint64_t n = tree->nodes;
    for (unsigned level = 1; level < tree->height; level++) {
        uint64_t delay = 2 * (uint64_t)(tree->height - level);
        uint64_t misses = (t - 2) / delay;
        if (n - n / tree->leaves[level] > misses * (t - n))
            return false;
    }
    return true;
}

uint64_t bound_tree_delay(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint64_t t = tree->nodes;
    while (!is_late_enough(tree, t))
        t++;
    return t;
}
