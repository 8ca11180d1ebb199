#include "furthest_first.h"

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

/* The node after `hop` hops of the path from leaf 0 to a leaf that it meets at level `meet`. */
static uint32_t node_on_path(const struct topology *tree, uint32_t leaf, unsigned meet, unsigned hop)
{
    if (hop <= meet)
        return topology_node(tree, hop, 0);
    unsigned level = 2 * meet - hop;
    return topology_node(tree, level, leaf / tree->leaves[level]);
}

/* Step t of the scatter: the packets on their way are those of the last 2h steps. The same hops backwards are
 * step end + 1 - t of the gather. */
static bool append_step(const struct topology *tree, uint64_t t, bool gather, struct schedule *schedule,
                        struct err *err)
{
    uint64_t n = tree->nodes, oldest = t > 2 * tree->height ? t - 2 * tree->height + 1 : 1;
    for (uint64_t sent = oldest; sent <= t && sent < n; sent++) {
        uint32_t leaf = (uint32_t)(n - sent);
        unsigned meet = topology_meet(tree, 0, leaf), hop = (unsigned)(t - sent);
        if (hop >= 2 * meet)
            continue;
        uint32_t from = node_on_path(tree, leaf, meet, hop), to = node_on_path(tree, leaf, meet, hop + 1);
        struct transfer transfer = {gather ? to : from, gather ? from : to, leaf};
        if (!schedule_append_lane(schedule, transfer, 0, err))
            return false;
    }
    return true;
}

bool furthest_first_build(const struct topology *tree, bool gather, struct schedule *schedule,
                          struct err *err)
{
    uint64_t end = furthest_first_end(tree);
    if (!schedule_reserve(schedule, end, furthest_first_hops(tree), err))
        return false;
    for (uint64_t t = 1; t <= end; t++) {
        if (schedule_open_step(schedule, t, 1, err) == NULL ||
            !append_step(tree, gather ? end + 1 - t : t, gather, schedule, err))
            return false;
        schedule_close_step(schedule, 0);
    }
    return true;
}
