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

#include <string.h>

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

/* Methods of a reduction in a hypercube: each reverses the method of the same name. */
static const char *const methods[] = {"known", "optimal", NULL};

/* Returns the collective with the number of the method in the algorithm that is reversed. */
static struct collective with_method(const struct collective *collective)
{
    struct collective changed = *collective;
    const struct algorithm *by = collective->by;
    changed.method = 0;
    for (unsigned which = 0; by != NULL && by->methods != NULL && by->methods[which] != NULL;
         which++)
        if (strcmp(by->methods[which], methods[collective->method]) == 0)
            changed.method = which;
    return changed;
}

static bool cube_accepts_method(const struct collective *collective, struct err *err)
{
    const struct collective changed = with_method(collective);
    return reverse_accepts(&changed, err);
}

static uint64_t cube_end(const struct collective *collective)
{
    const struct collective changed = with_method(collective);
    return reverse_end(&changed);
}

static bool cube_build(const struct collective *collective, struct schedule *schedule,
                       struct err *err)
{
    const struct collective changed = with_method(collective);
    return reverse_build(&changed, schedule, err);
}

const struct algorithm algorithm_cube_reduce_scatter = {
    .name = "cube-reduce-scatter",
    .summary = "hypercube: a packet for each node, of all nodes, combined",
    .source = "an all-gather reversed",
    .models = 1u << MODEL_ALL_PORT,
    .topology = TOPOLOGY_HYPERCUBE,
    .kind = COLLECTIVE_REDUCE_SCATTER,
    .methods = methods,
    .best_by = reverse_best,
    .accepts = cube_accepts_method,
    .end = cube_end,
    .build = cube_build,
    .usual_models = 1u << MODEL_ALL_PORT,
};

#define DIRECT_REDUCE_SCATTER(enumerator, name, ...)                                          \
    const struct algorithm algorithm_##name##_reduce_scatter = REDUCE_SCATTER(                \
        #name "-reduce-scatter", 1u << MODEL_##enumerator##_MULTIPORT, TOPOLOGY_##enumerator, \
        #name ": m packets for each node, of all nodes, combined",                            \
        "backwards a node sends on all links on which it receives in the all-gather");
TOPOLOGY_DIRECT_TABLE(DIRECT_REDUCE_SCATTER, )
