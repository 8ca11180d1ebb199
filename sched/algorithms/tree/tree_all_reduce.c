/* SPDX-License-Identifier: Apache-2.0 */
/* tree-all-reduce: m packets of all leaves, combined, to all leaves. Partial results climb to the
 * root, combined by the routers on their way, and results return. One packet takes 2h rounds in the
 * multiport model and h + Σ k_i in the single-port model. k = 2, 2, each link with its round:
 *
 *     level 2          2                     2
 *     level 1     2 ↗    ↖ 2            3 ↙    ↘ 3
 *                 1       1             1       1
 *     level 0  1 ↗ ↖ 1 1 ↗ ↖ 1       4 ↙ ↘ 4 4 ↙ ↘ 4
 *
 * Up it is a broadcast of the root in reverse, in which each node sends once, so that both models
 * have the same rounds. Down it is that broadcast. A tree given by parents turns at the router from
 * which both take the fewest rounds.
 *
 * With c lanes on the narrowest branch, further packets follow in ⌈m/c⌉ groups (tree_pipeline.h).
 * Results return at once in the multiport model, which adds ⌈m/c⌉ - 1 rounds. In the single-port
 * model a router below the root does not send results before it has sent its last partial result:
 * it sends those of m packets in rounds d + 1 … d + m, d links above the leaves, and results reach
 * it 2(h - d) rounds later than the first partial result reached it, or more. So results leave the
 * root m - 2 rounds later than they could. On half-duplex links the first results follow the last
 * partial results, ⌈m/c⌉ - 1 rounds later.
 *
 * Optimal are one packet, many packets in a tree of one level, and those of the multiport model.
 * The rounds of many packets in the single-port model exceed the bound by a number that does not
 * grow with m, if the root has not more children than other routers.
 *
 * O(transfers); of a tree given by parents O(nodes³).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/tree/tree_any.h"
#include "sched/algorithms/tree/tree_pipeline.h"
#include "sched/base/compare.h"

static uint32_t turning_router(const struct collective *collective)
{
    return tree_central_router(collective->topology, model_row(collective->model)->one_link);
}

/* Returns the broadcast of one packet from a router, or the one that is run in reverse. */
static struct collective broadcast_of(const struct collective *collective, uint32_t router,
                                      bool backwards)
{
    struct collective broadcast = *collective;
    broadcast.kind = COLLECTIVE_BROADCAST;
    broadcast.m = 1;
    broadcast.same_trees = false; /* checked for the all-reduce */
    broadcast.watch = (struct watch){0};
    broadcast.source = router;
    if (backwards)
        broadcast.model = model_by_ports(TOPOLOGY_TREE, false, collective->model);
    return broadcast;
}

/* Returns the rounds by which results leave the router later than the result of the first packet
 * is complete, which takes `up` rounds. */
static uint64_t rounds_of_waiting(const struct collective *collective, uint64_t up)
{
    const uint64_t groups = tree_pipeline_groups(collective);
    if (collective->topology->half_duplex)
        return groups - 1;
    return model_row(collective->model)->one_link && up > 1 ? MAX(groups, 2) - 2 : 0;
}

static uint64_t all_reduce_end(const struct collective *collective)
{
    const uint32_t router = turning_router(collective);
    const struct collective above = broadcast_of(collective, router, true);
    struct collective below = broadcast_of(collective, router, false);
    below.m = collective->m;
    const uint64_t up = algorithm_end(&algorithm_tree_broadcast, &above);
    return up + rounds_of_waiting(collective, up) +
           algorithm_end(&algorithm_tree_broadcast, &below);
}

static bool all_reduce_accepts(const struct collective *collective, struct err *err)
{
    static const char *const methods[] = {"", NULL};
    struct collective one = *collective;
    one.m = 1;
    return tree_accepts_no_source("tree-all-reduce", methods, &one, err);
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
    const struct tree_wave wave[] = {{&up, true, 0, 1},
                                     {&down, false, up.end + rounds_of_waiting(collective, up.end),
                                      tree_pipeline_interval(&below)}};
    built = built && tree_pipeline_append(collective, wave, 2, schedule, err);
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
