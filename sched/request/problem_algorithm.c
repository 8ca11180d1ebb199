/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the algorithm, the method and the model of a request, and checks what the algorithm
 * requires. */
#include "sched/request/problem.h"

#include "sched/base/text.h"

#include <string.h>

enum model problem_model(const struct problem *problem)
{
    return model_on(problem_topology(problem), problem->model);
}

/* Finds the algorithm with this name for the topology and the model of the request, one that
 * reverses another algorithm if `reverses`. */
static const struct algorithm *find_algorithm(const struct request *request, const char *name,
                                              bool reverses, struct err *err)
{
    static const enum model postal = MODEL_POSTAL;
    const struct problem *problem = &request->problem;
    const enum model *model = problem->lambda.denominator != 0 ? &postal : NULL;
    const enum model asked = problem_model(problem);
    if (request_has(request, problem.model))
        model = &asked;
    return algorithm_find_on(name, problem_topology(problem), model, reverses, err);
}

const struct algorithm *problem_algorithm(const struct request *request, struct err *err)
{
    if (request->problem.algorithm != NULL)
        return find_algorithm(request, request->problem.algorithm, request->problem.by != NULL,
                              err);
    err_missing(err, "algorithm", "one of 'roundcast list'");
    return NULL;
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

/* Returns whether the name of the request is that of a collective and of no algorithm of complete
 * graphs, such as all-reduce, and nothing else selects one. */
static bool names_no_algorithm(const struct problem *problem, const struct instance *instance)
{
    enum collective_kind kind;
    return instance->collective.topology == NULL && collective_parse(problem->algorithm, &kind) &&
           strcmp(collective_name(kind), instance->algorithm->name) != 0 && problem->by == NULL &&
           problem->method == NULL && !problem->order;
}

/* Selects the algorithm that ends first, of those of the collective; the one found by name, if none
 * is earlier. Machines do not execute an algorithm that mixes results. E104. O(algorithms). */
static bool choose_earliest(struct instance *instance, struct err *err)
{
    const struct collective *collective = &instance->collective;
    const struct algorithm *usual = instance->algorithm;
    struct err ignored = {0};
    uint64_t least = ALGORITHM_UNKNOWN;
    if (algorithm_check(usual, collective, &ignored))
        least = algorithm_end(usual, collective);
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        if (*entry == usual || (*entry)->kind != usual->kind ||
            (*entry)->topology != usual->topology ||
            (instance->priced_machine && (*entry)->mixes) ||
            !algorithm_check(*entry, collective, &ignored))
            continue;
        const uint64_t end = algorithm_end(*entry, collective);
        if (end == ALGORITHM_UNKNOWN) /* it is known if there is memory */
            return err_no_memory(err, "the rounds of %s", (*entry)->name);
        if (end < least) {
            least = end;
            instance->algorithm = *entry;
        }
    }
    return true;
}

/* Finds the algorithm that a reduction reverses. */
static bool find_by(const struct request *request, struct instance *instance, struct err *err)
{
    instance->collective.by = find_algorithm(request, request->problem.by, false, err);
    return instance->collective.by != NULL;
}

bool problem_check_algorithm(const struct request *request, struct instance *instance,
                             bool needs_lambda, struct err *err)
{
    const struct algorithm *algorithm = instance->algorithm;
    const struct collective_row *row = &collective_rows[algorithm->kind];
    struct collective *collective = &instance->collective;
    instance->unweighed = row->written;
    if (!check_demand(&request->problem, instance, err) ||
        !problem_check_collective(request, instance, err))
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
    if (timed && !given)
        return !needs_lambda || problem_require_lambda(err);
    return !names_no_algorithm(&request->problem, instance) || choose_earliest(instance, err);
}
