/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/tune.h"

#include <inttypes.h>

/* Selects the network of the request, or the default one, with endpoints that combine if the
 * collective does. Precondition: nodes and kind are known. */
static void choose_network(const struct request *asked, struct tune_request *request)
{
    request->machine = asked->machine.machine;
    if (!request_has(asked, machine.machine.network))
        tune_usual_network(request);
    request->machine.combines = collective_rows[request->kind].combined;
}

/* Selects the nodes and the machine of the request's hypercube: that of {network}, or cube. */
static bool choose_hypercube(const struct request *asked, struct tuning *tuning, struct err *err)
{
    struct tune_request *request = &tuning->request;
    struct collective *collective = &tuning->instance.collective;
    *collective = (struct collective){.kind = request->kind, .n = asked->problem.nodes};
    if (!problem_cube(asked, &tuning->instance, err))
        return false;
    request->nodes = collective->n;
    request->topology = collective->topology;
    request->machine = asked->machine.machine;
    if (!request_has(asked, machine.machine.network))
        request->machine.kind = MACHINE_CUBE;
    request->machine.topology = *collective->topology;
    request->machine.combines = true;
    request->machine.reads = 1;
    topology_remove_routers(&request->machine.topology);
    return true;
}

static bool tune_message(const struct request *asked, uint64_t bytes, struct tuning *tuning,
                         struct err *err)
{
    const struct problem *problem = &asked->problem;
    struct tune_request *request = &tuning->request;
    if (!problem_traffic(asked, &tuning->instance, err) || !problem_check_seed(asked, false, err))
        return false;
    if (bytes == 0)
        return err_missing(err, "bytes", "the bytes of the message");
    if (problem->nodes == 0 && problem->dim == 0)
        return err_missing(err, "nodes", "the number of nodes");
    request->bytes = bytes;
    request->nodes = problem->nodes;
    request->kind = problem->collective;
    request->ports = problem->ports;
    if (problem->dim != 0)
        return choose_hypercube(asked, tuning, err) && tune_search(request, &tuning->tune, err);
    if ((uint64_t)request->nodes * request->ports > SCHEDULE_MAX_NODES)
        return err_set(err, ERR_RANGE, "{ports}: %" PRIu64 " in all; expected at most %" PRIu32,
                       (uint64_t)request->nodes * request->ports, SCHEDULE_MAX_NODES);
    choose_network(asked, request);
    return tune_search(request, &tuning->tune, err);
}

/* Checks that traffic is requested without the options of messages. */
static bool check_traffic(const struct request *asked, uint64_t bytes, struct err *err)
{
    if (asked->problem.ports > 0)
        return err_set(err, ERR_OPTION,
                       "{ports}: tune measures traffic over one port of a node; expected no number "
                       "with {matrix}, {entries} or {pattern}");
    if (asked->problem.dim != 0)
        return err_set(err, ERR_OPTION,
                       "{dim} cannot be used together with {matrix}, {entries} or {pattern}");
    if (bytes != 0)
        return err_set(err, ERR_OPTION,
                       "{bytes} cannot be used together with {matrix}, {entries} or {pattern}");
    if (request_has(asked, problem.collective))
        return err_set(err, ERR_OPTION,
                       "{collective} cannot be used together with {matrix}, {entries} or "
                       "{pattern}");
    return asked->problem.total == 0 ||
           err_set(err, ERR_OPTION, "{total}: tune reads traffic in bytes; expected no shares");
}

/* Reads traffic in bytes; tuning divides it into packets. */
static bool load_traffic(const struct request *asked, struct tuning *tuning, struct err *err)
{
    struct request in_bytes = *asked;
    const struct collective *collective = &tuning->instance.collective;
    const enum model *model = tuning->request.model;
    in_bytes.problem.packet_bytes = 1;
    tuning->instance.collective.n = asked->problem.nodes;
    if (!problem_traffic(&in_bytes, &tuning->instance, err) ||
        !problem_check_seed(asked, asked->problem.pattern != NULL || collective->priced, err))
        return false;
    if (collective->priced && model != NULL && !model_row(*model)->priced)
        return err_set(err, ERR_OPTION,
                       "{reconfigure}: settings are held in the model send-receive only; expected "
                       "no other");
    tuning->demand = (struct tune_demand){.name = problem_traffic_source(&asked->problem),
                                          .bytes = &tuning->instance.traffic,
                                          .packet_bytes = (uint32_t)asked->problem.packet_bytes,
                                          .priced = collective->priced,
                                          .price = collective->cost.change,
                                          .seed = asked->problem.seed};
    return true;
}

static bool tune_demand(const struct request *asked, struct tuning *tuning, struct err *err)
{
    const struct collective *collective = &tuning->instance.collective;
    if (!load_traffic(asked, tuning, err))
        return false;
    tuning->request.kind = COLLECTIVE_TRAFFIC;
    tuning->request.nodes = collective->n;
    tuning->request.bytes = collective->load.packets;
    choose_network(asked, &tuning->request);
    return tune_traffic(&tuning->request, &tuning->demand, &tuning->tune, err);
}

bool tune_of_request(const struct request *asked, uint64_t bytes, struct tuning *tuning,
                     struct err *err)
{
    *tuning = (struct tuning){.model = asked->problem.model,
                              .of_traffic = problem_traffic_name(&asked->problem) != NULL};
    if (request_has(asked, problem.model))
        tuning->request.model = &tuning->model;
    if (!tuning->of_traffic)
        return tune_message(asked, bytes, tuning, err);
    return check_traffic(asked, bytes, err) && tune_demand(asked, tuning, err);
}

void tuning_free(struct tuning *tuning)
{
    tune_free(&tuning->tune);
    instance_free(&tuning->instance);
}
