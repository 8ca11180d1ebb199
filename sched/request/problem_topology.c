/* SPDX-License-Identifier: Apache-2.0 */
/* problem_topology: which topology a problem selects, direct topologies (topology.h), and the rules
 * by which schedules are read. */
#include "sched/request/problem.h"

#include "sched/exchange/exchange.h"

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

/* Returns the model that applies if the request names none. */
static enum model default_model(const struct exchange_reading *how)
{
    unsigned model = 0;
    if (how->topology == NULL)
        return how->lambda.denominator != 0 ? MODEL_POSTAL : MODEL_SEND_RECEIVE;
    while (model_rows[model].topology != how->topology->kind || model_rows[model].one_link)
        model++;
    return (enum model)model;
}

bool problem_rules(const struct request *request, struct topology *topology,
                   struct exchange_reading *how, struct err *err)
{
    const struct problem *problem = &request->problem;
    const bool has_model = request_has(request, problem.model);
    struct instance instance = {0};
    const bool made = problem_one_topology(problem, err) && problem_tree(problem, &instance, err) &&
                      problem_cube(request, &instance, err) &&
                      problem_direct(problem, &instance, err);
    const bool complete = instance.collective.topology == NULL;
    *topology = instance.topology;
    instance_free(&instance);
    if (!made)
        return false;
    *how = (struct exchange_reading){.has_model = has_model || problem->lambda.denominator != 0,
                                     .topology = complete ? NULL : topology,
                                     .lambda = problem->lambda,
                                     .ports = problem->ports};
    how->model = has_model ? problem_model(problem) : default_model(how);
    return (how->lambda.denominator == 0 || problem_check_times(how->model, err)) &&
           (how->ports == 0 || problem_check_several_ports(how->model, err));
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
