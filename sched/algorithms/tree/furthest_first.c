/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/tree/furthest_first.h"

uint64_t furthest_first_end(const struct topology *tree)
{
    return (uint64_t)tree->nodes + (tree->height >= 2 && tree->children[1] == 2);
}

uint64_t furthest_first_hops(const struct topology *tree)
{
    uint64_t hops = 0;
    for (unsigned level = 1; level <= tree->height; level++)
        hops += 2 * (uint64_t)level * (tree->leaves[level] - tree->leaves[level - 1]);
    return hops;
}

/* The node after `hop` hops of the path from the source to a leaf that it meets at level `meet`. */
static uint32_t node_on_path(const struct topology *tree, uint32_t source, uint32_t leaf,
                             unsigned meet, unsigned hop)
{
    unsigned level = hop <= meet ? hop : 2 * meet - hop;
    return topology_node(tree, level, (hop <= meet ? source : leaf) / tree->leaves[level]);
}

/* Step t of the scatter: the packets on their way are those of the last 2h steps. The same hops
 * backwards are step end + 1 - t of the gather. */
static bool append_step(const struct collective *collective, uint64_t t, bool gather,
                        struct schedule *schedule, struct err *err)
{
    const struct topology *tree = collective->topology;
    uint64_t n = tree->nodes, oldest = t > 2 * tree->height ? t - 2 * tree->height + 1 : 1;
    for (uint64_t sent = oldest; sent <= t && sent < n; sent++) {
        uint32_t packet = (uint32_t)(n - sent), source = collective->source;
        unsigned meet = topology_meet(tree, 0, packet), hop = (unsigned)(t - sent);
        if (hop >= 2 * meet)
            continue;
        uint32_t leaf = topology_move(tree, packet, source);
        uint32_t from = node_on_path(tree, source, leaf, meet, hop);
        uint32_t to = node_on_path(tree, source, leaf, meet, hop + 1);
        struct transfer transfer = {gather ? to : from, gather ? from : to, packet};
        if (!schedule_append_lane(schedule, transfer, 0, err))
            return false;
    }
    return true;
}

bool furthest_first_build(const struct collective *collective, bool gather,
                          struct schedule *schedule, struct err *err)
{
    const struct topology *tree = collective->topology;
    uint64_t end = furthest_first_end(tree);
    if (!schedule_reserve(schedule, end, furthest_first_hops(tree), err))
        return false;
    for (uint64_t t = 1; t <= end; t++) {
        if (schedule_open_step(schedule, t, 1, err) == NULL ||
            !append_step(collective, gather ? end + 1 - t : t, gather, schedule, err))
            return false;
        schedule_close_step(schedule, 0);
    }
    return true;
}
