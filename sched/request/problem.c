/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/request/problem.h"

#include "sched/base/text.h"
#include "sched/decompose/decompose.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "sched/request/machine_request.h"
#include "sched/request/problem_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void instance_free(struct instance *instance)
{
    traffic_free(&instance->traffic);
    schedule_free(&instance->demands);
    free(instance->sources);
    instance->sources = NULL;
}

/* Returns the model of the request. The field `ports` names a model of trees; it selects the
 * corresponding model of the topology, if the topology has such models. */
static enum model model_of(const struct problem *problem)
{
    const struct model_row *row = model_row(problem->model);
    return row->by_ports ? model_by_ports(problem_topology(problem), row->one_link, problem->model)
                         : problem->model;
}

/* Finds the algorithm with this name for the topology and the model of the request. */
static const struct algorithm *find_algorithm(const struct request *request, const char *name,
                                              struct err *err)
{
    static const enum model postal = MODEL_POSTAL;
    const struct problem *problem = &request->problem;
    const enum model *model = problem->lambda.denominator != 0 ? &postal : NULL;
    const enum model asked = model_of(problem);
    if (request_has(request, problem.model))
        model = &asked;
    return algorithm_find_on(name, problem_topology(problem), model, err);
}

const struct algorithm *problem_algorithm(const struct request *request, struct err *err)
{
    if (request->problem.algorithm != NULL)
        return find_algorithm(request, request->problem.algorithm, err);
    err_missing(err, "algorithm", "one of 'roundcast list'");
    return NULL;
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
                                               .model = model_of(problem),
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
        return asked->ports == 1 || !instance->has_model || model_row(asked->model)->ports ||
               err_set(err, ERR_OPTION,
                       "{ports}: a number is for the models send-receive, telephone and postal; "
                       "expected another {model}");
    if (has_other_model(instance))
        return err_set(err, ERR_OPTION,
                       "{ports}: traffic over several ports is for the model send-receive only; "
                       "expected no other");
    take_send_receive(instance);
    return true;
}

/* Reports the missing topology that the algorithm requires, else the missing number of nodes or
 * packets. Returns false. */
static bool reject_incomplete(const struct instance *instance, struct err *err)
{
    const struct algorithm *algorithm = instance->algorithm;
    const struct collective *asked = &instance->collective;
    const struct topology_row *row =
        topology_rows[algorithm != NULL ? algorithm->topology : TOPOLOGY_COMPLETE];
    if (asked->topology == NULL && row->joins != NULL)
        return field_reject(err, ERR_OPTION, row->field, " is required; %s runs on a %s",
                            algorithm->name, row->title);
    return asked->n == 0 ? err_missing(err, "nodes", "the number of nodes")
                         : err_missing(err, "packets", "the number of packets");
}

/* Checks the part of a request that does not depend on the algorithm. */
static bool check_collective(const struct request *request, struct instance *instance,
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
    if (asked->lambda.denominator != 0 && instance->has_model && !model_has_times(asked->model))
        return err_set(err, ERR_OPTION, "{lambda}: the model %s has no λ; expected {model} postal",
                       model_name(asked->model));
    return true;
}

static bool require_lambda(struct err *err)
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
    if (!check_collective(request, instance, err) ||
        !problem_no_cube_variant(request, "all algorithms", err))
        return false;
    /* some algorithms draw for demands and for given sources */
    bool drawn =
        draws(request, instance) || request->problem.demands != NULL || asked->sources != NULL;
    if (!problem_check_seed(request, drawn, err) || !check_all_algorithms(request, instance, err))
        return false;
    if (instance->has_model && model_has_times(asked->model) && asked->lambda.denominator == 0)
        return require_lambda(err);
    return machine_request_round(request, &instance->collective, err);
}

/* Finds the method with the requested name. */
static bool find_method(const struct request *request, struct instance *instance, struct err *err)
{
    const struct algorithm *algorithm = instance->algorithm;
    const char *method = request->problem.method;
    char names[200] = "", hint[TEXT_HINT];
    struct text_nearest nearest = {0};
    if (instance->collective.priced)
        return true; /* {method} then names the method of the decomposition */
    if (method == NULL)
        return problem_cube_method(request, algorithm, &instance->collective.method, err);
    for (unsigned which = 0; algorithm->methods != NULL && algorithm->methods[which] != NULL;
         which++) {
        if (strcmp(algorithm->methods[which], method) == 0) {
            instance->collective.method = which;
            return true;
        }
        text_append(names, sizeof names, " %s", algorithm->methods[which]);
        text_look(&nearest, method, algorithm->methods[which]);
    }
    if (collective_rows[algorithm->kind].weighed && !instance->unweighed)
        return err_set(err, ERR_OPTION, "{method}: for traffic requires {reconfigure}");
    return err_set(err, ERR_ALGORITHM, "{method}: '%.40s' of %s does not exist%s; expected%s",
                   method, algorithm->name, text_hint(&nearest, hint),
                   names[0] != '\0' ? names : " none");
}

/* Returns the model in which an algorithm runs: a model with times if λ is given and the algorithm
 * supports one. */
static enum model usual_model(const struct algorithm *algorithm, bool has_lambda)
{
    for (unsigned model = 0; has_lambda && model < MODEL_COUNT; model++)
        if (model_has_times((enum model)model) && algorithm->models >> model & 1)
            return (enum model)model;
    return algorithm_model(algorithm);
}

/* Checks that traffic is given to an algorithm for traffic or for any demands, and demands to one
 * for any demands, and that these algorithms have their input. */
static bool check_demand(const struct problem *problem, const struct instance *instance,
                         struct err *err)
{
    const struct algorithm *algorithm = instance->algorithm;
    bool matrix = problem_traffic_name(problem) != NULL, file = problem->demands != NULL;
    const struct collective_row *row = &collective_rows[algorithm->kind];
    if (file && !row->written)
        return err_set(err, ERR_OPTION, "{demands}: not for %s; expected the algorithm general",
                       algorithm->name);
    if (matrix && !row->weighed)
        return err_set(err, ERR_OPTION,
                       "{algorithm}: %s schedules no traffic; expected the algorithm traffic",
                       algorithm->name);
    if (!row->written && problem->exact)
        return err_set(err, ERR_OPTION, "{exact}: not for %s; expected the algorithm general",
                       algorithm->name);
    if (row->written && problem->reconfigure != NULL && !instance->priced_machine)
        return err_set(err, ERR_OPTION,
                       "{reconfigure}: %s holds no settings; expected the algorithm traffic",
                       algorithm->name);
    if (matrix || file || !row->weighed)
        return true;
    return row->written
               ? err_set(err, ERR_OPTION,
                         "{algorithm}: %s requires {demands}, {matrix}, {entries} or {pattern}",
                         algorithm->name)
               : err_set(err, ERR_OPTION,
                         "{algorithm}: %s requires {matrix}, {entries} or {pattern}",
                         algorithm->name);
}

/* Chooses the model if the request has none: that of a file of demands, or the algorithm's. */
static void choose_model(const struct request *request, struct instance *instance)
{
    struct collective *collective = &instance->collective;
    bool has_lambda = collective->lambda.denominator != 0;
    bool known =
        request->problem.demands != NULL && model_has_times(collective->model) == has_lambda;
    if (!instance->has_model && !known)
        collective->model = usual_model(instance->algorithm, has_lambda);
}

/* Finds the algorithm that a reduction reverses. */
static bool find_by(const struct request *request, struct instance *instance, struct err *err)
{
    instance->collective.by = find_algorithm(request, request->problem.by, err);
    return instance->collective.by != NULL;
}

/* Completes and checks the collective for instance->algorithm. */
static bool check_algorithm(const struct request *request, struct instance *instance,
                            bool needs_lambda, struct err *err)
{
    const struct algorithm *algorithm = instance->algorithm;
    const struct collective_row *row = &collective_rows[algorithm->kind];
    struct collective *collective = &instance->collective;
    instance->unweighed = row->written;
    if (!check_demand(&request->problem, instance, err) ||
        !check_collective(request, instance, err))
        return false;
    if (row->written && request->problem.demands == NULL &&
        !problem_demands_of_traffic(instance, err))
        return false;
    collective->kind = algorithm->kind;
    problem_cube_packets(request, collective);
    if (!find_method(request, instance, err))
        return false;
    choose_model(request, instance);
    if (request->problem.by != NULL && !find_by(request, instance, err))
        return false;
    bool timed = model_has_times(collective->model), given = collective->lambda.denominator != 0;
    if (given && !timed)
        return err_set(err, ERR_OPTION,
                       "{lambda}: %s does not run in the postal model; expected no λ",
                       algorithm->name);
    return !timed || given || !needs_lambda || require_lambda(err);
}

bool problem_for_schedule(const struct request *request, struct instance *instance, struct err *err)
{
    const struct algorithm *algorithm = problem_algorithm(request, err);
    instance->algorithm = algorithm;
    if (algorithm == NULL || !check_algorithm(request, instance, true, err))
        return false;
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
    if (instance->algorithm == NULL || !check_algorithm(request, instance, false, err))
        return false;
    struct collective *collective = &instance->collective;
    if (!check_stop(request, err) || !machine_request(request, compile, err) ||
        !compile_machine(compile, collective, machine, payload, err))
        return false;
    collective->cost.round = machine_row_cycles(machine, payload->flits);
    return true;
}
