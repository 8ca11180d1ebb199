/* SPDX-License-Identifier: Apache-2.0 */
/* problem_topology: which topology a problem selects, and direct topologies (topology.h). */
#include "sched/request/problem.h"

#include <inttypes.h>

/* Returns the field that selects this kind of topology, if it is given; else NULL. */
static const char *selector(const struct problem *problem, enum topology_kind kind)
{
    const char *const given[TOPOLOGY_KINDS] = {
        [TOPOLOGY_TREE] = problem->tree != NULL      ? "tree"
                          : problem->parents != NULL ? "parents"
                                                     : NULL,
        [TOPOLOGY_HYPERCUBE] = problem->dim != 0 ? "dim" : NULL,
    };
    return problem->direct[kind] != NULL ? topology_rows[kind]->field : given[kind];
}

enum topology_kind problem_topology(const struct problem *problem)
{
    for (unsigned kind = 0; kind < TOPOLOGY_KINDS; kind++)
        if (selector(problem, (enum topology_kind)kind) != NULL)
            return (enum topology_kind)kind;
    return TOPOLOGY_COMPLETE;
}

bool problem_one_topology(const struct problem *problem, struct err *err)
{
    const char *first = NULL;
    for (unsigned kind = 0; kind < TOPOLOGY_KINDS; kind++) {
        const char *other = selector(problem, (enum topology_kind)kind);
        if (first != NULL && other != NULL)
            return err_conflict(err, other, first);
        first = other != NULL ? other : first;
    }
    return true;
}

bool problem_direct(const struct problem *problem, struct instance *instance, struct err *err)
{
    const enum topology_kind kind = problem_topology(problem);
    struct collective *asked = &instance->collective;
    if (problem->direct[kind] == NULL)
        return true;
    if (!topology_parse_direct(kind, problem->direct[kind], &instance->topology, err))
        return false;
    if (asked->n != 0 && asked->n != instance->topology.nodes)
        return err_set(err, ERR_RANGE,
                       "{nodes}: %" PRIu32 "; expected %" PRIu32 ", the nodes of the %s", asked->n,
                       instance->topology.nodes, topology_rows[kind]->title);
    asked->n = instance->topology.nodes;
    asked->m = asked->m == 0 ? 1 : asked->m;
    asked->topology = &instance->topology;
    return true;
}
