/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/request/problem.h"

#include "sched/decompose/decompose.h"
#include "sched/machine/machine_run.h"

#include <stdlib.h>

void instance_free(struct instance *instance)
{
    traffic_free(&instance->traffic);
    schedule_free(&instance->demands);
    free(instance->sources);
    instance->sources = NULL;
}

bool problem_check_seed(const struct request *request, bool draws, struct err *err)
{
    return draws || !request_has(request, problem.seed) ||
           err_set(
               err, ERR_OPTION,
               "{seed}: nothing is drawn; expected {pattern}, {random} or {randomised} with it");
}

/* Copies the fields that need no checks. */
static void begin(const struct request *request, struct instance *instance)
{
    const struct problem *problem = &request->problem;
    instance->has_model = request_has(request, problem.model);
    instance->collective = (struct collective){.n = problem->nodes,
                                               .m = problem->packets,
                                               .source = problem->source,
                                               .model = problem_model(problem),
                                               .kind = problem->collective,
                                               .lambda = problem->lambda,
                                               .degree = problem->degree,
                                               .seed = problem->seed,
                                               .exact = problem->exact,
                                               .stream = problem->stream,
                                               .same_trees = problem->order,
                                               .ports = problem->ports};
}

/* Returns whether the request is for a model other than send-receive, which settings and the ports
 * of traffic require. */
static bool has_other_model(const struct instance *instance)
{
    const struct collective *asked = &instance->collective;
    return (instance->has_model && !model_row(asked->model)->priced) ||
           asked->lambda.denominator != 0;
}

static void take_send_receive(struct instance *instance)
{
    instance->has_model = true;
    instance->collective.model = MODEL_SEND_RECEIVE;
}

/* Checks a request with a price: settings are held from round to round in the send-receive model
 * only. */
static bool check_priced(const struct problem *problem, struct instance *instance, struct err *err)
{
    struct collective *asked = &instance->collective;
    if (!asked->priced)
        return true;
    if (has_other_model(instance))
        return err_set(err, ERR_OPTION,
                       "{reconfigure}: settings are held in the model send-receive only; expected "
                       "no other");
    take_send_receive(instance);
    return problem->method == NULL ||
           (asked->decompose = decompose_find(problem->method, err)) != NULL;
}

/* Checks the number of ports, which requires a complete graph. With traffic the model is
 * send-receive; a broadcast and other collectives may also be postal. */
static bool check_ports(const struct problem *problem, struct instance *instance, struct err *err)
{
    struct collective *asked = &instance->collective;
    if (asked->ports == 0)
        return true;
    if (asked->priced)
        return err_set(err, ERR_OPTION,
                       "{ports}: a number cannot be used together with {reconfigure}");
    bool by_ports = asked->topology != NULL &&
                    model_by_ports(asked->topology->kind, true, MODEL_COUNT) != MODEL_COUNT;
    if (asked->topology != NULL)
        return err_set(err, ERR_OPTION,
                       "{ports}: a number is for complete graphs; expected %s on a %s",
                       by_ports ? "single or multi" : "none", topology_row(asked->topology)->title);
    if (problem->demands != NULL)
        return err_conflict(err, "ports", "demands");
    if (problem_traffic_name(problem) == NULL)
        return asked->ports == 1 || !instance->has_model ||
               problem_check_several_ports(asked->model, err);
    if (has_other_model(instance))
        return err_set(err, ERR_OPTION,
                       "{ports}: traffic over several ports is for the model send-receive only; "
                       "expected no other");
    take_send_receive(instance);
    return true;
}

/* Reports the missing topology that the algorithm requires, else the missing number of nodes or
 * packets. Precondition: the request has no topology, which would give both. Returns false. */
static bool reject_incomplete(const struct instance *instance, struct err *err)
{
    const struct algorithm *algorithm = instance->algorithm;
    const struct collective *asked = &instance->collective;
    const struct topology_row *row =
        topology_rows[algorithm != NULL ? algorithm->topology : TOPOLOGY_COMPLETE];
    if (row->joins != NULL)
        return field_reject(err, ERR_OPTION, row->field, " is required; %s runs on a %s",
                            algorithm->name, row->title);
    return asked->n == 0 ? err_missing(err, "nodes", "the number of nodes")
                         : err_missing(err, "packets", "the number of packets");
}

bool problem_check_collective(const struct request *request, struct instance *instance,
                              struct err *err)
{
    const struct problem *problem = &request->problem;
    const struct collective *asked = &instance->collective;
    begin(request, instance);
    if (!problem_one_topology(problem, err) || !problem_tree(problem, instance, err) ||
        !problem_cube(request, instance, err) || !problem_direct(problem, instance, err) ||
        !problem_traffic(request, instance, err) || !problem_demands(request, instance, err) ||
        !check_priced(problem, instance, err) || !check_ports(problem, instance, err))
        return false;
    if (asked->n == 0 || (asked->m == 0 && problem->dim == 0))
        return reject_incomplete(instance, err);
    if (problem->source_level == 0 && asked->source >= asked->n)
        return err_out_of_range(err, "source", asked->source, 0, asked->n - 1);
    return asked->lambda.denominator == 0 || !instance->has_model ||
           problem_check_times(asked->model, err);
}

bool problem_check_times(enum model model, struct err *err)
{
    return model_has_times(model) ||
           err_set(err, ERR_OPTION, "{lambda}: the model %s has no λ; expected {model} postal",
                   model_name(model));
}

bool problem_check_several_ports(enum model model, struct err *err)
{
    return model_row(model)->ports ||
           err_set(err, ERR_OPTION,
                   "{ports}: a number is for the models send-receive, telephone and postal; "
                   "expected another {model}");
}

bool problem_require_lambda(struct err *err)
{
    return err_missing(err, "lambda", "the λ of the postal model");
}

/* Returns whether something is drawn at random, independently of the algorithm. */
static bool draws(const struct request *request, const struct instance *instance)
{
    return request_has(request, problem.random) || request->problem.pattern != NULL ||
           instance->collective.priced;
}

/* Plans and bounds explain why they reject fields of schedules. */
static bool check_all_algorithms(const struct request *request, const struct instance *instance,
                                 struct err *err)
{
    const struct problem *problem = &request->problem;
    bool kind = request_has(request, problem.collective);
    if (kind && problem_traffic_name(problem) != NULL)
        return err_set(err, ERR_OPTION,
                       "{collective} cannot be used together with {matrix}, {entries} or "
                       "{pattern}");
    if (problem->exact)
        return err_set(err, ERR_OPTION,
                       "{exact}: requires an algorithm; 'roundcast schedule' and 'roundcast run' "
                       "accept it");
    if (problem->method != NULL)
        return err_set(err, ERR_OPTION,
                       "{method}: requires an algorithm; 'roundcast schedule' and 'roundcast run' "
                       "accept it");
    if (problem->by != NULL)
        return err_set(err, ERR_OPTION,
                       "{by}: requires an algorithm; 'roundcast schedule' accepts it");
    bool complete = instance->collective.topology == NULL;
    if (problem->order && complete && !collective_rows[problem->collective].combined)
        return err_set(err, ERR_OPTION,
                       "{order}: a %s combines no packets; expected {collective} reduce, "
                       "reduce-scatter, all-reduce, scan or exclusive-scan",
                       collective_name(problem->collective));
    if (kind && problem->demands != NULL)
        return err_conflict(err, "collective", "demands");
    char titles[TOPOLOGY_TITLES];
    return !kind || instance->collective.topology == NULL ||
           err_set(
               err, ERR_OPTION,
               "{collective}: all collectives of a %s are shown; expected a complete graph with "
               "it",
               topology_titles(titles));
}

bool problem_for_models(const struct request *request, struct instance *instance, struct err *err)
{
    const struct collective *asked = &instance->collective;
    if (!problem_check_collective(request, instance, err) ||
        !problem_no_cube_variant(request, "all algorithms", err))
        return false;
    /* some algorithms draw for demands and for given sources */
    bool drawn =
        draws(request, instance) || request->problem.demands != NULL || asked->sources != NULL;
    if (!problem_check_seed(request, drawn, err) || !check_all_algorithms(request, instance, err))
        return false;
    if (instance->has_model && model_has_times(asked->model) && asked->lambda.denominator == 0)
        return problem_require_lambda(err);
    return machine_request_round(request, &instance->collective, err);
}

bool problem_for_schedule(const struct request *request, struct instance *instance, struct err *err)
{
    instance->algorithm = problem_algorithm(request, err);
    if (instance->algorithm == NULL || !problem_check_algorithm(request, instance, true, err))
        return false;
    const struct algorithm *algorithm = instance->algorithm;
    struct collective *collective = &instance->collective;
    bool drawn = draws(request, instance) ||
                 (algorithm->draws != NULL && algorithm->draws(collective->method));
    return problem_check_seed(request, drawn, err) &&
           machine_request_round(request, collective, err);
}

/* Checks that the host can stop the run where the request asks for it. E101, E102. */
static bool check_stop(const struct request *request, struct err *err)
{
    uint32_t after = request->run.stop_after, packets = request->problem.packets;
    if (after == 0)
        return true;
    if (!request->problem.stream)
        return err_requires(err, "stop-after", "stream");
    if (!request->machine.machine.computed)
        return err_set(err, ERR_OPTION, "{stop-after} requires {programs} computed");
    return after <= packets || err_out_of_range(err, "stop-after", after, 1, packets);
}

bool problem_for_machine(const struct request *request, struct instance *instance,
                         struct compile_request *compile, struct machine *machine,
                         struct payload *payload, struct err *err)
{
    instance->algorithm = problem_algorithm(request, err);
    instance->priced_machine = true;
    if (instance->algorithm == NULL || !problem_check_algorithm(request, instance, false, err))
        return false;
    struct collective *collective = &instance->collective;
    if (!check_stop(request, err) || !machine_request(request, compile, err) ||
        !compile_machine(compile, collective, machine, payload, err))
        return false;
    collective->cost.round = machine_row_cycles(machine, payload->flits);
    return true;
}
