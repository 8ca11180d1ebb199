/* SPDX-License-Identifier: Apache-2.0 */
/* tree-gather: a packet from each leaf to one leaf, in n steps, or n + 1 if k_1 = 2.
 *
 * timed: the scatter reversed in time (furthest_first.h). Each leaf waits for its step; no router
 * has a queue.
 *
 * greedy: all leaves send in step 1, and the routers forward arrivals first come, first served
 * (tree_fifo.h). It needs no timetable, but queues, which grow with the capacities. k = 2, 3, one
 * lane; after each step, the queues of the routers and, last, the packets of leaf 0:
 *
 *     step       1     2     3      4     5     6     7
 *     1:1        2 3   3
 *     1:2        4 5   5
 *     2:0              2 4   4 3 5  3 5   5
 *     1:0        1           2      4     3     5
 *     leaf 0           1            2     4     3     5
 *
 * Both meet the lower bound for any k_i and capacities. O(transfers); greedy O(transfers · h).
 *
 * Dimakopoulos and Dimopoulos, "Leaf Communications in Complete Trees", sections 2.2 and 3.1. (The
 * greedy method is not in the paper.)
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/tree/furthest_first.h"
#include "sched/algorithms/tree/tree_any.h"
#include "sched/algorithms/tree/tree_fifo.h"

#include <stdlib.h>

enum { METHOD_TIMED, METHOD_GREEDY };

/* Returns the last step of both methods. The greedy method meets it for c_1 = 1: the router at
 * level i of the path to the destination sends down from step i + 1 on, and packets from level i +
 * 1 can follow from step i + 3 on. Its own subtree has packets for the two steps between, so that
 * it never pauses before it is done; only at level 1 with k_1 = 2 is there a single packet, and
 * nothing to send in step 3. With c_1 > 1 a router may pause, but only when it has sent every
 * packet that has arrived. */
static uint64_t gather_end(const struct collective *collective)
{
    if (collective->topology->any)
        return tree_any_end(collective);
    return furthest_first_end(collective);
}

static bool greedy_build(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    const struct topology *tree = collective->topology;
    if (!schedule_reserve(schedule, gather_end(collective), furthest_first_hops(collective), err))
        return false;
    struct tree_path *path = malloc((tree->nodes - 1) * sizeof *path);
    if (path == NULL)
        return err_no_memory(err, "the packets of %u nodes", tree->nodes);
    for (uint32_t leaf = 1; leaf < tree->nodes; leaf++)
        path[leaf - 1] = (struct tree_path){.from = topology_move(tree, leaf, collective->source),
                                            .to = collective->source};
    bool built = tree_fifo_build(tree, collective->model, tree->nodes - 1, path, schedule, err);
    free(path);
    return built;
}

static bool gather_build(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    if (collective->topology->any)
        return tree_any_build(collective, schedule, err);
    return collective->method == METHOD_GREEDY
               ? greedy_build(collective, schedule, err)
               : furthest_first_build(collective, true, schedule, err);
}

const struct algorithm algorithm_tree_gather = {
    .name = "tree-gather",
    .summary = "optimal: the scatter backwards, or all leaves at once and routers with queues",
    .source = "Dimakopoulos, Dimopoulos, sections 2.2 and 3.1",
    .models = 1u << MODEL_SINGLE_PORT | 1u << MODEL_MULTIPORT,
    .topology = TOPOLOGY_TREE,
    .kind = COLLECTIVE_GATHER,
    .methods = (const char *const[]){[METHOD_TIMED] = "timed", [METHOD_GREEDY] = "greedy", NULL},
    .accepts = tree_accepts_leaf,
    .end = gather_end,
    .build = gather_build,
};
