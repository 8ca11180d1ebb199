/* SPDX-License-Identifier: Apache-2.0 */
/* tree-scatter: a packet from one leaf to each other leaf, the furthest first; n steps, or n + 1 if
 * k_1 = 2.
 *
 * The source sends one packet in each step, and each packet travels without waiting (drawn in
 * furthest_first.h). The source's link alone takes n - 1 steps, and before its nearest leaf can
 * receive there is one more, or two if that leaf is the only one at distance 2 (k_1 = 2, h ≥ 2):
 * optimal for any k_i. With c_1 = 1 a node sends one packet in a step whatever its ports, so the
 * multiport schedule is the same; a source with c_1 links sends up to c_1 packets. O(transfers + n
 * log n).
 *
 * Dimakopoulos and Dimopoulos, "Leaf Communications in Complete Trees", sections 2.2 (Theorem 2)
 * and 3.1. (A star of two leaves, h = 1, takes n steps: it has no leaf at distance 4.)
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/tree/furthest_first.h"
#include "sched/algorithms/tree/tree_any.h"

static uint64_t scatter_end(const struct collective *collective)
{
    if (collective->topology->any)
        return tree_any_end(collective);
    return furthest_first_end(collective);
}

static bool scatter_build(const struct collective *collective, struct schedule *schedule,
                          struct err *err)
{
    if (collective->topology->any)
        return tree_any_build(collective, schedule, err);
    return furthest_first_build(collective, false, schedule, err);
}

const struct algorithm algorithm_tree_scatter = {
    .name = "tree-scatter",
    .summary = "optimal: the source sends the furthest packets first, and no packet waits",
    .source = "Dimakopoulos, Dimopoulos, sections 2.2 and 3.1",
    .models = 1u << MODEL_SINGLE_PORT | 1u << MODEL_MULTIPORT,
    .topology = TOPOLOGY_TREE,
    .kind = COLLECTIVE_SCATTER,
    .accepts = tree_accepts,
    .end = scatter_end,
    .build = scatter_build,
};
