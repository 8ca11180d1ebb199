/* SPDX-License-Identifier: Apache-2.0 */
/* tree-all-reduce: m packets of all leaves, combined, to all leaves. Partial results climb to the
 * root, combined by the routers on their way, and results return. That takes 2h + ⌈m/c⌉ - 1 rounds
 * in the multiport model, with c lanes on the narrowest branch, and h + Σ k_i for one packet in the
 * single-port model. k = 2, 2, each link with its round:
 *
 *     level 2          2                     2
 *     level 1     2 ↗    ↖ 2            3 ↙    ↘ 3
 *                 1       1             1       1
 *     level 0  1 ↗ ↖ 1 1 ↗ ↖ 1       4 ↙ ↘ 4 4 ↙ ↘ 4
 *
 * Up it is a broadcast of the root in reverse, in which each node sends once, so that both models
 * have the same rounds. Down it is that broadcast. A tree given by parents turns at the router from
 * which both take the fewest rounds. The multiport schedule is optimal: each leaf needs the
 * contribution of a leaf 2h branches away, and a branch between them carries m packets.
 *
 * O(transfers); of a tree given by parents O(nodes³).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/tree/tree_any.h"
#include "sched/algorithms/tree/tree_pipeline.h"
#include "sched/bound/bound.h"

#include <inttypes.h>

/* Returns the router at which an all-reduce turns. */
static uint32_t turning_router(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    const bool one_link = model_row(collective->model)->one_link;
    if (!tree->any)
        return topology_node(tree, tree->height, 0);
    uint64_t least = UINT64_MAX;
    uint32_t best = tree->nodes;
    for (uint32_t router = tree->nodes; router < tree->all; router++) {
        const uint64_t rounds = bound_any_hanging(tree, router, router, false) +
                                bound_any_hanging(tree, router, router, one_link);
        best = rounds < least ? router : best;
        least = rounds < least ? rounds : least;
    }
    return best;
}

/* Returns the broadcast of one packet from a router, or the one that is run in reverse. */
static struct collective broadcast_of(const struct collective *collective, uint32_t router,
                                      bool backwards)
{
    struct collective broadcast = *collective;
    broadcast.kind = COLLECTIVE_BROADCAST;
    broadcast.m = 1;
    broadcast.by = NULL;
    broadcast.same_trees = false;
    broadcast.watch = (struct watch){0};
    broadcast.source = router;
    if (backwards)
        broadcast.model = model_by_ports(TOPOLOGY_TREE, false, collective->model);
    return broadcast;
}

static uint64_t all_reduce_end(const struct collective *collective)
{
    const uint32_t router = turning_router(collective);
    const struct collective up = broadcast_of(collective, router, true),
                            down = broadcast_of(collective, router, false);
    return algorithm_end(&algorithm_tree_broadcast, &up) +
           algorithm_end(&algorithm_tree_broadcast, &down) + tree_pipeline_later(collective);
}

static bool all_reduce_accepts(const struct collective *collective, struct err *err)
{
    static const char *const methods[] = {"", NULL};
    struct collective one = *collective;
    one.m = 1;
    if (collective->m > 1 && collective->topology->half_duplex)
        return err_set(err, ERR_ALGORITHM,
                       "{packets}: %" PRIu32 " with {half-duplex}, in which results return after "
                       "all partial results; expected 1, or full-duplex links",
                       collective->m);
    return tree_pipeline_accepts(collective, err) &&
           tree_accepts_no_source("tree-all-reduce", methods, &one, err);
}

static bool all_reduce_build(const struct collective *collective, struct schedule *schedule,
                             struct err *err)
{
    const uint32_t router = turning_router(collective);
    const struct collective above = broadcast_of(collective, router, true),
                            below = broadcast_of(collective, router, false);
    struct schedule up = {0}, down = {0};
    bool built = algorithm_build(&algorithm_tree_broadcast, &above, &up, err) &&
                 algorithm_build(&algorithm_tree_broadcast, &below, &down, err);
    const struct tree_wave wave[] = {{&up, true, 0}, {&down, false, up.end}};
    built = built && tree_pipeline_append(schedule, wave, 2, collective->m, err);
    schedule_free(&up);
    schedule_free(&down);
    return built;
}

const struct algorithm algorithm_tree_all_reduce = {
    .name = "tree-all-reduce",
    .summary = "m packets of all leaves, combined up to the root, and back to all; optimal "
               "multiport",
    .source = "a broadcast of the root reversed, then the broadcast",
    .models = 1u << MODEL_SINGLE_PORT | 1u << MODEL_MULTIPORT,
    .topology = TOPOLOGY_TREE,
    .kind = COLLECTIVE_ALL_REDUCE,
    .usual_models = 1u << MODEL_SINGLE_PORT | 1u << MODEL_MULTIPORT,
    .accepts = all_reduce_accepts,
    .same_trees = SCHEDULE_MAX_PORTS,
    .end = all_reduce_end,
    .build = all_reduce_build,
};
