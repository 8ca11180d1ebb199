/* SPDX-License-Identifier: Apache-2.0 */
/* reduce-broadcast: m packets of all nodes, combined, to all nodes: a reversed broadcast, then the
 * broadcast (reverse.h); 2(m - 1 + ⌈log2 n⌉) rounds in the send-receive model.
 *
 *     n = 4, m = 1      round 1    2→0  3→1          partial results are combined
 *                       round 2    1→0
 *                       round 3    0→1               results replace partial results
 *                       round 4    0→2  1→3
 *
 * Trees have an all-reduce of their own (../tree/tree_all_reduce.c). In hypercubes
 * ../cube/cube_blocks.c takes fewer rounds for every number of packets. O(transfers).
 */
#include "sched/algorithms/reduce/reverse.h"

#define ALL_REDUCE(where, former, kept, at, usual, text)                             \
    {                                                                                \
        .name = where, .alias = former, .summary = text,                             \
        .source = "a broadcast reversed, then the broadcast: Träff", .models = kept, \
        .topology = at, .kind = COLLECTIVE_ALL_REDUCE, .best_by = reverse_best,      \
        .accepts = reverse_accepts, .end = reverse_end_twice,                        \
        .several_ports = MODELS_OF_SEVERAL_PORTS, .build = reverse_build_twice,      \
        .usual_models = usual,                                                       \
    }

const struct algorithm algorithm_reduce_broadcast =
    ALL_REDUCE("reduce-broadcast", "all-reduce", REVERSE_MODELS, TOPOLOGY_COMPLETE, REVERSE_MODELS,
               "m packets of all nodes, combined, to all: reduce, then broadcast");

const struct algorithm algorithm_cube_all_reduce =
    ALL_REDUCE("cube-all-reduce", NULL, 1u << MODEL_ALL_PORT, TOPOLOGY_HYPERCUBE, 0,
               "hypercube: m packets of all nodes, combined, to all: reduce, then broadcast");

#define DIRECT_ALL_REDUCE(enumerator, name, ...)                                                   \
    const struct algorithm algorithm_##name##_all_reduce =                                         \
        ALL_REDUCE(#name "-all-reduce", NULL, MODELS_OF_DIRECT(enumerator), TOPOLOGY_##enumerator, \
                   MODELS_OF_DIRECT(enumerator),                                                   \
                   #name ": m packets of all nodes, combined, to all: reduce, then broadcast");
TOPOLOGY_DIRECT_TABLE(DIRECT_ALL_REDUCE, )
