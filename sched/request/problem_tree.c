/* SPDX-License-Identifier: Apache-2.0 */
/* problem_tree: trees: {tree} or {parents}, {capacity}, {half-duplex}, and a router as the
 * {source}. */
#include "sched/request/problem.h"

#include <inttypes.h>

/* Checks a source that is a router of the tree. */
static bool check_router(const struct problem *problem, struct instance *instance, struct err *err)
{
    const struct topology *tree = &instance->topology;
    unsigned level = problem->source_level;
    if (level == 0)
        return true;
    if (level > tree->height || problem->source >= tree->first[level + 1] - tree->first[level])
        return err_set(err, ERR_RANGE,
                       "{source}: the tree has no router %u:%" PRIu32 "; expected one of its %u "
                       "levels, such as %u:0, the root",
                       level, problem->source, tree->height, tree->height);
    instance->collective.source = topology_node(tree, level, problem->source);
    return true;
}

bool problem_tree(const struct problem *problem, struct instance *instance, struct err *err)
{
    struct collective *asked = &instance->collective;
    bool none = problem->tree == NULL && problem->parents == NULL;
    if (problem->tree != NULL && problem->parents != NULL)
        return err_conflict(err, "tree", "parents");
    if (none && problem->source_level > 0)
        return err_set(err, ERR_OPTION, "{source}: %u:%" PRIu32 " is a router; expected {tree}",
                       problem->source_level, problem->source);
    if (none && problem->half_duplex)
        return err_requires(err, "half-duplex", "tree");
    if (none)
        return problem->capacity == NULL || err_requires(err, "capacity", "tree");
    const char *capacity = problem->capacity != NULL ? problem->capacity : "const";
    if (problem->parents != NULL
            ? !topology_parse_parents(problem->parents, capacity, &instance->topology, err)
            : !topology_parse_tree(problem->tree, capacity, &instance->topology, err))
        return false;
    instance->topology.half_duplex = problem->half_duplex;
    if (asked->n != 0 && asked->n != instance->topology.nodes)
        return err_set(err, ERR_RANGE,
                       "{nodes}: %" PRIu32 "; expected %" PRIu32 ", the leaves of the tree",
                       asked->n, instance->topology.nodes);
    asked->n = instance->topology.nodes;
    asked->m = asked->m == 0 ? 1 : asked->m;
    asked->topology = &instance->topology;
    return check_router(problem, instance, err);
}
