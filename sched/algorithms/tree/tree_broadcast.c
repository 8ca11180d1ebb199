/* SPDX-License-Identifier: Apache-2.0 */
/* tree-broadcast: packets from a leaf to all leaves. One packet takes h - 1 + Σ k_i steps
 * single-port and 2h steps multiport; from a router of level l, h - l - 1 + Σ k_i (from the root
 * Σ k_i) and 2h - l steps. Further packets follow it (tree_pipeline.h), which adds (m - 1)p steps
 * single-port, where p is the most copies of a packet that a node sends: k_i, for the root k_h - 1.
 *
 * In the single-port model a node sends one copy in a step. A router that receives the packet from
 * below sends it to its parent first and then to its other children, left to right; a router that
 * receives it from above sends it to its children, left to right. k = 2, 3; each node's number is
 * the step in which it receives:
 *
 *     level 2                  2
 *     level 1         1        3        4           2 - 1 + (2 + 3) = 6 steps
 *     level 0        src 3    4 5      5 6
 *
 * The root has the packet after h steps, its last child k_h - 1 steps later, and each level below
 * adds k_i steps. Routers on the way up serve their own subtrees while the packet is still on its
 * way to the root. In the multiport model all copies leave at once, and the furthest leaf is 2h
 * links away; one lane of each branch is used. Both are optimal for any k_i and capacities, also
 * for many packets, except from a router between the leaves and the root that sends more copies
 * than all others. O(transfers): every node except the source receives each packet once.
 *
 * Dimakopoulos and Dimopoulos, "Leaf Communications in Complete Trees", sections 2.1 (Theorem 1)
 * and 3.1. (Its Table 2 has 2h - 1 for the multiport model: that is the last step if the first is
 * number 0.)
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/tree/tree_any.h"
#include "sched/algorithms/tree/tree_pipeline.h"

#include <stdlib.h>

/* Returns the step in which the first packet has arrived everywhere. */
static uint64_t first_end(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    if (tree->any)
        return tree_any_end(collective);
    unsigned from = topology_level(tree, collective->source);
    if (!model_row(collective->model)->one_link)
        return 2 * (uint64_t)tree->height - from;
    uint64_t end = from < tree->height ? tree->height - from - 1 : 0;
    for (unsigned level = 1; level <= tree->height; level++)
        end += tree->children[level];
    return end;
}

static uint64_t broadcast_end(const struct collective *collective)
{
    return first_end(collective) + tree_pipeline_later(collective);
}

#define NO_NODE UINT32_MAX

/* Returns the node of a level on the path from the source to the root; NO_NODE below the source. */
static uint32_t path_node(const struct collective *collective, unsigned level)
{
    const struct topology *tree = collective->topology;
    return level < topology_level(tree, collective->source)
               ? NO_NODE
               : topology_ancestor(tree, collective->source, level);
}

/* Returns the step in which a node that is not on that path receives from its parent, which
 * received in `parent_step` and serves its children in order. A parent on the path first serves its
 * own parent, if there is one, and skips the child on the path, which has the packet. */
static uint32_t step_below(const struct collective *collective, unsigned level, uint32_t node,
                           uint32_t parent_step)
{
    const struct topology *tree = collective->topology;
    uint32_t k = tree->children[level + 1], place = topology_index(tree, level, node) % k;
    if (!model_row(collective->model)->one_link)
        return parent_step + 1;
    if (topology_parent(tree, level, node) != path_node(collective, level + 1))
        return parent_step + 1 + place;
    bool skipped = path_node(collective, level) < node;
    return parent_step + (level + 1 < tree->height) + 1 + place - skipped;
}

/* Sets step[node] to the step in which each node receives; 0 for the source. */
static void find_steps(const struct collective *collective, uint32_t *step)
{
    const struct topology *tree = collective->topology;
    unsigned from = topology_level(tree, collective->source);
    for (unsigned level = tree->height + 1; level-- > 0;)
        for (uint32_t node = tree->first[level]; node < tree->first[level + 1]; node++)
            step[node] =
                node == path_node(collective, level)
                    ? level - from
                    : step_below(collective, level, node, step[topology_parent(tree, level, node)]);
}

/* Sorts the nodes by step: those of step t are order[start[t] … start[t + 1] - 1]. A counting sort.
 * Precondition: start[0 … end + 1] is zero. */
static void sort_by_step(uint32_t nodes, uint64_t end, const uint32_t step[], uint32_t *start,
                         uint32_t *order)
{
    for (uint32_t node = 0; node < nodes; node++)
        start[step[node]]++;
    for (uint64_t t = 1; t <= end + 1; t++)
        start[t] += start[t - 1];
    for (uint32_t node = nodes; node-- > 0;)
        order[--start[step[node]]] = node;
}

/* Returns the node that sends the packet to a node other than the source: on the path its child,
 * else its parent. */
static uint32_t sender_of(const struct collective *collective, uint32_t node)
{
    const struct topology *tree = collective->topology;
    unsigned level = topology_level(tree, node);
    bool rises = node == path_node(collective, level);
    return rises ? path_node(collective, level - 1) : topology_parent(tree, level, node);
}

static bool append_steps(const struct collective *collective, uint64_t end, const uint32_t start[],
                         const uint32_t order[], struct schedule *schedule, struct err *err)
{
    for (uint64_t t = 1; t <= end; t++) {
        if (schedule_open_step(schedule, t, 1, err) == NULL)
            return false;
        for (uint32_t index = start[t]; index < start[t + 1]; index++) {
            uint32_t node = order[index];
            if (!schedule_append_lane(
                    schedule, (struct transfer){sender_of(collective, node), node, 1}, 0, err))
                return false;
        }
        schedule_close_step(schedule, 0);
    }
    return true;
}

/* Repeats the broadcast of one packet. */
static bool broadcast_build_packets(const struct collective *collective, struct schedule *schedule,
                                    struct err *err)
{
    struct collective one = *collective;
    struct schedule first = {0};
    one.m = 1;
    one.watch = (struct watch){0}; /* all packets are watched */
    const struct tree_wave wave = {.broadcast = &first,
                                   .interval = tree_pipeline_interval(collective)};
    const bool built = algorithm_build(&algorithm_tree_broadcast, &one, &first, err) &&
                       tree_pipeline_append(collective, &wave, 1, schedule, err);
    schedule_free(&first);
    return built;
}

static bool broadcast_build(const struct collective *collective, struct schedule *schedule,
                            struct err *err)
{
    if (collective->m > 1)
        return broadcast_build_packets(collective, schedule, err);
    if (collective->topology->any)
        return tree_any_build(collective, schedule, err);
    const struct topology *tree = collective->topology;
    uint64_t end = broadcast_end(collective);
    if (!schedule_reserve(schedule, end, tree->all, err))
        return false;
    uint32_t *step = malloc(tree->all * sizeof *step), *order = malloc(tree->all * sizeof *order);
    uint32_t *start = calloc(end + 2, sizeof *start);
    bool built = step != NULL && order != NULL && start != NULL;
    if (built) {
        find_steps(collective, step);
        sort_by_step(tree->all, end, step, start, order);
        built = append_steps(collective, end, start, order, schedule, err);
    } else {
        err_no_memory(err, "the steps of %u nodes", tree->all);
    }
    free(step);
    free(order);
    free(start);
    return built;
}

const struct algorithm algorithm_tree_broadcast = {
    .name = "tree-broadcast",
    .summary = "optimal: routers send to their parent first, then to their children",
    .source = "Dimakopoulos, Dimopoulos, sections 2.1 and 3.1",
    .models = 1u << MODEL_SINGLE_PORT | 1u << MODEL_MULTIPORT,
    .topology = TOPOLOGY_TREE,
    .kind = COLLECTIVE_BROADCAST,
    .accepts = tree_accepts_packets,
    .same_trees = SCHEDULE_MAX_PORTS,
    .end = broadcast_end,
    .build = broadcast_build,
};
