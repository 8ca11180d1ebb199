/* SPDX-License-Identifier: Apache-2.0 */
/* The problems that schedules solve: their collectives, the algorithms for them, and whether two
 * schedules, or a schedule and a request, have the same problem. */
#include "lib/inside.h"
#include "lib/roundcast/judge.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "sched/exchange/recognise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Finds simultaneous broadcasts in a hypercube: all data packets are for all nodes. E104. */
static bool find_sources(const struct schedule *schedule, struct inside_problem *problem,
                         struct err *err)
{
    const uint32_t packets = schedule_data_packets(schedule);
    bool all = schedule->topology.dimensions > 0 && !schedule->has_reductions;
    for (size_t which = 0; all && which < schedule->demand_count; which++) {
        const struct demand *demand = &schedule->demand[which];
        all = demand->control != NULL ||
              (demand->wanted_count == 0 &&
               (which == 0 || schedule->demand[which - 1].source <= demand->source));
    }
    if (!all)
        return false;
    problem->sources = malloc((packets + (size_t)1) * sizeof *problem->sources);
    if (problem->sources == NULL)
        return err_no_memory(err, "the sources of %" PRIu32 " packets", packets);
    for (uint32_t packet = 1; packet <= packets; packet++)
        problem->sources[packet - 1] = schedule_demand_of(schedule, packet)->source;
    problem->collective = (struct collective){.kind = COLLECTIVE_SIMULTANEOUS,
                                              .n = schedule->nodes,
                                              .m = packets,
                                              .model = schedule->model,
                                              .ports = 1,
                                              .topology = &schedule->topology,
                                              .sources = problem->sources};
    return true;
}

bool inside_problem_of(const struct schedule *schedule, struct inside_problem *problem,
                       struct err *err)
{
    struct collective *collective = &problem->collective;
    *problem = (struct inside_problem){.sources = NULL};
    bool found = schedule_find_collective(schedule, collective);
    if (!found || collective->demands != NULL) {
        const struct collective demands = *collective;
        if (find_sources(schedule, problem, err))
            return true;
        if (err->code != ERR_NONE)
            return false;
        *collective = demands;
    }
    if (found && topology_joins_all(&schedule->topology))
        collective->topology = NULL;
    if (!model_has_times(schedule->model))
        collective->lambda = (struct rational){0};
    return found;
}

void inside_problem_free(struct inside_problem *problem)
{
    free(problem->sources);
    *problem = (struct inside_problem){.sources = NULL};
}

struct collective inside_any_demands(const struct schedule *schedule,
                                     const struct collective *collective)
{
    struct collective any = *collective;
    any.kind = COLLECTIVE_DEMANDS;
    any.m = 1;
    any.demands = schedule;
    any.sources = NULL;
    any.load = (struct traffic_load){.packets = schedule->packets};
    return any;
}

bool inside_is_any(const struct schedule *schedule, const struct collective *collective)
{
    return (collective->topology != NULL || collective_rows[collective->kind].weighed) &&
           !collective_rows[collective->kind].combined && collective->demands == NULL &&
           schedule->ports <= 1 && schedule_data_packets(schedule) == schedule->packets;
}

/* --- comparisons ------------------------------------------------------------------------------ */

/* Returns whether the same broadcasts in a hypercube are asked for: `sources` are NULL if none are.
 */
static bool are_same_sources(const struct collective *one, const struct collective *other)
{
    return one->sources != NULL && other->sources != NULL && one->n == other->n &&
           one->m == other->m &&
           (one->m == 0 ||
            memcmp(one->sources, other->sources, one->m * sizeof *one->sources) == 0);
}

/* Returns whether two schedules broadcast from the same sources, whatever their control packets
 * are. E104. */
static bool have_same_sources(const struct schedule *schedule, const struct schedule *other,
                              struct err *err)
{
    struct inside_problem one, two = {.sources = NULL};
    const bool same = inside_problem_of(schedule, &one, err) &&
                      inside_problem_of(other, &two, err) &&
                      are_same_sources(&one.collective, &two.collective);
    inside_problem_free(&one);
    inside_problem_free(&two);
    return same;
}

/* Compares the demands, whatever the model is. E104, E313. */
static bool have_same_demands(const struct roundcast_schedule *schedule,
                              const struct schedule *demands, struct err *err)
{
    struct schedule like = *demands; /* shares the arrays of the demands */
    like.model = schedule->schedule.model;
    like.lambda = schedule->schedule.lambda;
    like.ports = schedule->schedule.ports;
    return have_same_sources(&schedule->schedule, demands, err) ||
           (err->code == ERR_NONE &&
            recognise_demands(schedule->name, &schedule->schedule, &like, err));
}

/* Checks that λ, if the model has times, and the ports are those of a problem. `lambda` NULL: any.
 * E313. */
static bool have_same_rules(const struct roundcast_schedule *schedule,
                            const struct rational *lambda, uint32_t ports, struct err *err)
{
    const struct schedule *it = &schedule->schedule;
    if (model_has_times(it->model) && lambda != NULL && !rational_equal(it->lambda, *lambda))
        return err_set(err, ERR_OTHER_DEMANDS, "{lambda}: %s has another λ; expected the same",
                       schedule->name);
    return MAX(it->ports, 1) == MAX(ports, 1) ||
           err_set(err, ERR_OTHER_DEMANDS,
                   "{ports}: nodes of %s have %" PRIu32 "; expected %" PRIu32, schedule->name,
                   MAX(it->ports, 1), MAX(ports, 1));
}

bool roundcast_solves_as(const struct roundcast_schedule *schedule,
                         const struct roundcast_schedule *other, struct roundcast_error *error)
{
    struct err err = {0};
    const struct schedule *it = &other->schedule;
    return (have_same_rules(schedule, model_has_times(it->model) ? &it->lambda : NULL, it->ports,
                            &err) &&
            have_same_demands(schedule, it, &err)) ||
           inside_fail(&err, error);
}

/* Returns whether the collective of a schedule is the one of a request. On a topology the request
 * is for all kinds. E104. */
static bool is_collective(const struct schedule *schedule, const struct collective *asked,
                          struct err *err)
{
    struct inside_problem found;
    bool known = inside_problem_of(schedule, &found, err);
    const struct collective *own = &found.collective;
    const struct collective_row *row = &collective_rows[own->kind];
    bool same = known && own->n == asked->n && !row->weighed &&
                (asked->topology != NULL || own->kind == asked->kind) && own->m == asked->m &&
                (!row->rooted || own->source == asked->source) &&
                (own->sources == NULL) == (asked->sources == NULL) &&
                (own->sources == NULL || are_same_sources(own, asked));
    inside_problem_free(&found);
    return same;
}

/* Checks that a schedule solves the problem of an instance. E104, E313. */
static bool is_problem(const struct roundcast_schedule *schedule, struct instance *instance,
                       struct err *err)
{
    const struct collective *asked = &instance->collective;
    const struct topology *topology = &schedule->schedule.topology;
    bool joined = asked->topology != NULL ? topology_equal(asked->topology, topology)
                                          : topology_joins_all(topology) && topology->shared == 0;
    if (!joined)
        return err_set(err, ERR_OTHER_DEMANDS, "%s: another topology; expected that of the request",
                       schedule->name);
    if (!have_same_rules(schedule, &asked->lambda, asked->ports, err) ||
        (asked->traffic != NULL && !problem_demands_of_traffic(instance, err)))
        return false;
    if (asked->demands != NULL)
        return have_same_demands(schedule, asked->demands, err);
    return is_collective(&schedule->schedule, asked, err) ||
           (err->code == ERR_NONE &&
            err_set(err, ERR_OTHER_DEMANDS,
                    "%s: another collective, source or number of nodes or packets; expected those "
                    "of the request",
                    schedule->name));
}

bool roundcast_solves(const struct roundcast_schedule *schedule,
                      const struct roundcast_request *request, struct roundcast_error *error)
{
    struct request asked;
    struct instance instance;
    struct err err = {0};
    bool solves = inside_ask(request, problem_for_models, &asked, &instance, &err) &&
                  is_problem(schedule, &instance, &err);
    instance_free(&instance);
    return solves || inside_fail(&err, error);
}

bool roundcast_request_of(const struct roundcast_schedule *schedule,
                          struct roundcast_request *request)
{
    const struct schedule *it = &schedule->schedule;
    struct collective found;
    if (!topology_joins_all(&it->topology) || it->topology.shared > 0 ||
        !schedule_collective(it, &found) || collective_rows[found.kind].weighed)
        return false;
    request->collective = collective_name(found.kind);
    request->nodes = found.n;
    request->packets = found.m;
    request->source = collective_rows[found.kind].rooted ? found.source : 0;
    request->model = model_name(it->model);
    request->ports = it->ports > 1 ? schedule->ports : NULL;
    request->lambda = model_has_times(it->model) ? schedule->lambda : NULL;
    return true;
}

/* --- plans ------------------------------------------------------------------------------------ */

/* Adds the rows of the algorithms for one kind of collective. E103 for a model of another topology;
 * E104. */
static bool add_rows(const struct collective *collective, const enum model *model,
                     struct roundcast_plan_table *table, struct err *err)
{
    struct plan plan = {0};
    bool planned = plan_make(collective, model, true, &plan, err);
    struct roundcast_plan_row *larger =
        planned ? realloc(table->row, (table->count + plan.count + 1) * sizeof *larger) : NULL;
    if (planned && larger == NULL)
        planned = err_no_memory(err, "a plan");
    if (larger != NULL)
        table->row = larger;
    for (size_t k = 0; planned && k < plan.count; k++)
        if (plan.row[k].algorithm->kind == collective->kind) {
            const struct roundcast_plan_row row = plan_row_shown(&plan.row[k], collective->lambda);
            inside_insert_row(&row, table);
        }
    plan_free(&plan);
    return planned;
}

/* Reads the members of a request that apply to any problem. E101, E103. */
static bool read_request(const struct roundcast_request *request, const struct schedule *schedule,
                         struct collective *collective, bool *has_model, struct err *err)
{
    struct request asked = request_default();
    if (!inside_request(request, INSIDE_PROBLEM, &asked, err))
        return false;
    const struct problem *problem = &asked.problem;
    const enum topology_kind kind = schedule->topology.kind;
    *has_model = request_has(&asked, problem.model);
    collective->degree = problem->degree;
    collective->same_trees = problem->order;
    collective->stream = problem->stream;
    if (*has_model)
        collective->model = model_on(kind, problem->model);
    if (collective->lambda.denominator == 0)
        collective->lambda = problem->lambda;
    return !*has_model || model_check_topology(collective->model, kind, err);
}

static bool plan_for(const struct roundcast_schedule *schedule,
                     const struct roundcast_request *request, struct roundcast_plan_table *table,
                     struct err *err)
{
    struct inside_problem problem;
    const struct schedule *it = &schedule->schedule;
    struct collective *collective = &problem.collective;
    bool has_model = false, planned = inside_problem_of(it, &problem, err);
    if (!planned && err->code == ERR_NONE)
        err_set(err, ERR_UNSUPPORTED,
                "%s: its demands are those of no algorithm; expected data packets, or reductions "
                "to which all nodes contribute, of nodes with a memory of their own",
                schedule->name);
    planned = planned && read_request(request, it, collective, &has_model, err) &&
              add_rows(collective, has_model ? &collective->model : NULL, table, err);
    if (planned && inside_is_any(it, collective)) {
        const struct collective any = inside_any_demands(it, collective);
        planned = add_rows(&any, has_model ? &any.model : NULL, table, err);
    }
    if (planned && table->count == 0 && collective->degree > 0)
        planned = err_set(err, ERR_OPTION,
                          "{degree}: no algorithm that applies has a degree; expected none");
    table->nodes = collective->n;
    table->packets = collective_rows[collective->kind].weighed ? it->packets : collective->m;
    table->topology = collective->topology != NULL;
    table->planes = 1;
    inside_problem_free(&problem);
    return planned;
}

bool roundcast_plan_for(const struct roundcast_schedule *schedule,
                        const struct roundcast_request *request, struct roundcast_plan_table *table,
                        struct roundcast_error *error)
{
    struct err err = {0};
    struct roundcast_plan_table made = {0};
    if (!plan_for(schedule, request, &made, &err)) {
        roundcast_plan_table_free(&made);
        return inside_fail(&err, error);
    }
    *table = made;
    return true;
}

/* Returns the place of a model in the table of models. */
static enum model order_of(const char *name)
{
    enum model model = MODEL_COUNT;
    model_parse(name, &model);
    return model;
}

void inside_insert_row(const struct roundcast_plan_row *row, struct roundcast_plan_table *table)
{
    size_t place = table->count++;
    for (; place > 0; place--) {
        const struct roundcast_plan_row *before = &table->row[place - 1];
        const enum model one = order_of(before->model), other = order_of(row->model);
        const bool no_later = before->has_end && (!row->has_end || before->end <= row->end);
        if (one < other || (one == other && no_later))
            break;
        table->row[place] = *before;
    }
    table->row[place] = *row;
}

bool roundcast_plan_add(const struct roundcast_schedule *schedule, const char *name,
                        struct roundcast_plan_table *table, struct roundcast_error *error)
{
    struct err err = {0};
    struct inside_problem problem;
    const struct schedule *it = &schedule->schedule;
    const struct roundcast_schedule_info info = inside_describe(it);
    struct roundcast_plan_row row = {.algorithm = name,
                                     .model = info.model,
                                     .times = info.times,
                                     .ticks = info.ticks,
                                     .has_end = true,
                                     .end = info.end};
    struct roundcast_plan_row *larger = realloc(table->row, (table->count + 1) * sizeof *larger);
    if (larger == NULL) {
        err_no_memory(&err, "a plan");
        return inside_fail(&err, error);
    }
    table->row = larger;
    const bool known = inside_problem_of(it, &problem, &err);
    const struct bound *by =
        known && it->nodes > 1 ? bound_tightest(&problem.collective, &row.bound) : NULL;
    row.bound_formula = by != NULL ? by->formula : NULL;
    row.bound_source = by != NULL ? by->source : NULL;
    inside_problem_free(&problem);
    if (err.code != ERR_NONE)
        return inside_fail(&err, error);
    inside_insert_row(&row, table);
    return true;
}
