/* SPDX-License-Identifier: Apache-2.0 */
/* reduce-scatter: m packets for each node, combined from all nodes: a reversed all-gather
 * (reverse.h), in as many rounds: m(n-1) in the send-receive model.
 *
 *     n = 3, m = 1, packet x + 1 for node x      round 1    0→1 2   1→2 3   2→0 1
 *                                                round 2    0→2 3   1→0 1   2→1 2
 *
 * O(transfers).
 */
#include "sched/algorithms/reduce/reverse.h"

#define REDUCE_SCATTER(where, kept, at, text, reason)                                           \
    {                                                                                           \
        .because = reason, .name = where, .summary = text, .source = "an all-gather reversed",  \
        .models = kept, .topology = at, .kind = COLLECTIVE_REDUCE_SCATTER,                      \
        .best_by = reverse_best, .accepts = reverse_accepts, .end = reverse_end,                \
        .several_ports = MODELS_OF_SEVERAL_PORTS, .build = reverse_build, .usual_models = kept, \
    }

const struct algorithm algorithm_reduce_scatter =
    REDUCE_SCATTER("reduce-scatter", REVERSE_MODELS, TOPOLOGY_COMPLETE,
                   "m packets for each node, of all nodes, combined", NULL);

const struct algorithm algorithm_tree_reduce_scatter =
    REDUCE_SCATTER("tree-reduce-scatter", 1u << MODEL_MULTIPORT, TOPOLOGY_TREE,
                   "tree: a packet for each leaf, of all leaves, combined",
                   "backwards a node sends on all links on which it receives in the all-gather");

const struct algorithm algorithm_cube_reduce_scatter =
    REDUCE_SCATTER("cube-reduce-scatter", 1u << MODEL_ALL_PORT, TOPOLOGY_HYPERCUBE,
                   "hypercube: a packet for each node, of all nodes, combined", NULL);

#define DIRECT_REDUCE_SCATTER(enumerator, name, ...)                                          \
    const struct algorithm algorithm_##name##_reduce_scatter = REDUCE_SCATTER(                \
        #name "-reduce-scatter", 1u << MODEL_##enumerator##_MULTIPORT, TOPOLOGY_##enumerator, \
        #name ": m packets for each node, of all nodes, combined",                            \
        "backwards a node sends on all links on which it receives in the all-gather");
TOPOLOGY_DIRECT_TABLE(DIRECT_REDUCE_SCATTER, )
