/* SPDX-License-Identifier: Apache-2.0 */
/* reduce: m packets of all nodes, combined, to the source: a reversed broadcast (reverse.h), in as
 * many rounds: m - 1 + ⌈log2 n⌉ in the send-receive model, and m - 1 + 2h in a tree of height h.
 *
 *     n = 4, m = 1, the binomial tree      round 1    2→0  3→1
 *                                          round 2    1→0
 *
 * O(transfers).
 */
#include "sched/algorithms/reduce/reverse.h"

#define REDUCE(where, kept, at, text)                                                             \
    {                                                                                             \
        .name = where, .summary = text,                                                           \
        .source = "a broadcast reversed: Bar-Noy, Kipnis, Schieber; Träff", .models = kept,       \
        .topology = at, .kind = COLLECTIVE_REDUCE, .best_by = reverse_best,                       \
        .accepts = reverse_accepts, .end = reverse_end, .several_ports = MODELS_OF_SEVERAL_PORTS, \
        .build = reverse_build,                                                                   \
    }

const struct algorithm algorithm_reduce =
    REDUCE("reduce", REVERSE_MODELS, TOPOLOGY_COMPLETE,
           "m packets of all nodes, combined, to the source: a reversed broadcast");

const struct algorithm algorithm_tree_reduce =
    REDUCE("tree-reduce", 1u << MODEL_SINGLE_PORT | 1u << MODEL_MULTIPORT, TOPOLOGY_TREE,
           "tree: m packets of all leaves, combined, to the source");

const struct algorithm algorithm_cube_reduce =
    REDUCE("cube-reduce", 1u << MODEL_ALL_PORT, TOPOLOGY_HYPERCUBE,
           "hypercube: m packets of all nodes, combined, to the source");

#define DIRECT_REDUCE(enumerator, name, ...)                                         \
    const struct algorithm algorithm_##name##_reduce =                               \
        REDUCE(#name "-reduce", MODELS_OF_DIRECT(enumerator), TOPOLOGY_##enumerator, \
               #name ": m packets of all nodes, combined, to the source");
TOPOLOGY_DIRECT_TABLE(DIRECT_REDUCE, )
