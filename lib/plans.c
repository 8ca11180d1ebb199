/* SPDX-License-Identifier: Apache-2.0 */
/* Plans and tunings of the public library: the results that algorithms achieve. */
#include "lib/inside.h"
#include "lib/price.h"
#include "lib/tune.h"
#include "sched/machine/machine_network.h"

#include <stdlib.h>

/* --- plans ----------------------------------------------------------------------------------- */

struct roundcast_plan_row plan_row_shown(const struct plan_row *row, struct rational lambda)
{
    const bool known = row->end != ALGORITHM_UNKNOWN, times = model_has_times(row->model);
    return (struct roundcast_plan_row){
        .algorithm = row->algorithm->name,
        .model = model_name(row->model),
        .method = algorithm_method_name(row->algorithm, row->model, row->method),
        .degree = row->degree,
        .times = times,
        .ticks = times ? lambda.denominator : 1,
        .has_end = known,
        .end = known ? row->end : 0,
        .bound = row->bound,
        .bound_formula = row->by != NULL ? row->by->formula : NULL,
        .bound_source = row->by != NULL ? row->by->source : NULL,
        .guarantee = row->guarantee.end,
        .guarantee_formula = row->guarantee.formula,
        .guarantee_source = row->guarantee.source};
}

static struct roundcast_plan_row priced_row(const struct price_row *row, enum model model)
{
    return (struct roundcast_plan_row){.algorithm = "traffic",
                                       .model = model_name(model),
                                       .method = row->method->name,
                                       .summary = row->method->summary,
                                       .ticks = 1,
                                       .has_end = row->found,
                                       .end = row->makespan,
                                       .bound = row->bound,
                                       .price = {.makespan = row->makespan,
                                                 .bound = row->bound,
                                                 .rounds = row->rounds,
                                                 .settings = row->settings,
                                                 .round_cycles = row->cost.round,
                                                 .change_cycles = row->cost.change,
                                                 .planes = row->planes}};
}

/* Allocates `count` rows. */
static bool make_room(size_t count, struct roundcast_plan_table *table, struct err *err)
{
    table->row = malloc((count + 1) * sizeof *table->row);
    return table->row != NULL || err_no_memory(err, "a plan");
}

/* Fills the table with a row for each method, in cycles, for traffic whose changes of settings take
 * time. */
static bool plan_prices(const struct collective *collective, struct roundcast_plan_table *table,
                        struct err *err)
{
    struct price_row row[PRICE_METHODS];
    size_t count;
    if (!price_check(collective, err) || !price_rows(collective, table->planes, row, &count, err) ||
        !make_room(count, table, err))
        return false;
    for (; table->count < count; table->count++)
        table->row[table->count] = priced_row(&row[table->count], collective->model);
    return true;
}

/* Fills the table with the rows of all algorithms, in rounds or ticks. */
static bool plan_ends(struct instance *instance, struct roundcast_plan_table *table,
                      struct err *err)
{
    struct plan plan = {0};
    const struct rational *lambda = &instance->collective.lambda;
    bool planned = plan_of_instance(instance, &plan, err) && make_room(plan.count, table, err);
    for (; planned && table->count < plan.count; table->count++)
        table->row[table->count] = plan_row_shown(&plan.row[table->count], *lambda);
    plan_free(&plan);
    return planned;
}

/* Fills in the members common to all rows. Call it after planning, which may turn traffic into
 * demands. */
static void describe_plan(const struct collective *asked, struct roundcast_plan_table *table)
{
    const bool weighed = collective_rows[asked->kind].weighed;
    table->nodes = asked->n;
    table->packets = weighed ? asked->load.packets : asked->m;
    table->topology = asked->topology != NULL;
    table->unplaced = asked->topology != NULL && asked->topology->dimensions > 0 &&
                      asked->sources == NULL && asked->demands == NULL;
    table->round_cycles = asked->cost.round;
    table->change_cycles = asked->cost.change;
}

bool roundcast_plan_all(const struct roundcast_request *request, struct roundcast_plan_table *table,
                        struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    struct instance instance;
    struct roundcast_plan_table made = {0};
    bool planned = inside_ask(request, problem_for_models, &asked, &instance, &err);
    made.priced = instance.collective.priced || asked.problem.planes > 0;
    made.planes = asked.problem.planes > 0 ? asked.problem.planes : 1;
    if (planned)
        planned = made.priced ? plan_prices(&instance.collective, &made, &err)
                              : plan_ends(&instance, &made, &err);
    describe_plan(&instance.collective, &made);
    instance_free(&instance);
    if (!planned) {
        roundcast_plan_table_free(&made);
        return inside_fail(&err, error);
    }
    *table = made;
    return true;
}

void roundcast_plan_table_free(struct roundcast_plan_table *table)
{
    free(table->row);
    *table = (struct roundcast_plan_table){0};
}

bool roundcast_plan(const struct roundcast_request *request,
                    bool (*visit)(void *with, const struct roundcast_plan_row *row), void *with,
                    struct roundcast_error *error)
{
    struct roundcast_plan_table table;
    if (!roundcast_plan_all(request, &table, error))
        return false;
    bool more = true;
    for (size_t which = 0; more && which < table.count; which++)
        more = visit(with, &table.row[which]);
    roundcast_plan_table_free(&table);
    return true;
}

/* --- tunings --------------------------------------------------------------------------------- */

static struct roundcast_tune_row cut_of(const struct tune_row *row, uint64_t bound)
{
    return (struct roundcast_tune_row){.algorithm = row->algorithm->name,
                                       .model = model_name(row->model),
                                       .method = row->method != NULL ? row->method->name : NULL,
                                       .usual = row->model == algorithm_model(row->algorithm),
                                       .times = model_has_times(row->model),
                                       .packets = row->packets,
                                       .packet_bytes = row->packet_bytes,
                                       .flits = row->flits,
                                       .degree = row->degree,
                                       .lambda = row->lambda.numerator,
                                       .ticks = row->lambda.denominator,
                                       .end = row->end,
                                       .settings = row->settings,
                                       .cycles = row->cycles,
                                       .bound = bound};
}

static bool take_cuts(const struct tuning *tuning, struct roundcast_tune_table *table,
                      struct err *err)
{
    const struct tune_request *request = &tuning->request;
    const struct tune *tune = &tuning->tune;
    const size_t rows = tune->count + tune->unknown;
    const bool traffic = tuning->of_traffic;
    *table = (struct roundcast_tune_table){
        .bytes = request->bytes,
        .nodes = request->nodes,
        .ports = request->ports,
        .collective = collective_name(request->kind),
        .demands = traffic ? 0 : collective_demands(request->kind, request->nodes),
        .traffic = traffic,
        .priced = traffic && tuning->demand.priced,
        .change_cycles = tuning->demand.price,
        .seed = tuning->demand.seed,
        .latency = machine_latency(&request->machine),
        .width = request->machine.width,
        .bound = tune->bound,
        .count = tune->count,
        .unknown = tune->unknown,
        .row = malloc((rows + 1) * sizeof *table->row)};
    _Static_assert(sizeof table->network == MACHINE_NETWORK_TEXT, "a network is kept whole");
    machine_network_text(&request->machine, table->network);
    for (size_t which = 0; table->row != NULL && which < rows; which++)
        table->row[which] = cut_of(&tune->row[which], tune->bound);
    return table->row != NULL || err_no_memory(err, "a tuning");
}

bool roundcast_tune_all(const struct roundcast_request *request, uint64_t bytes,
                        struct roundcast_tune_table *table, struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    struct tuning tuning = {0};
    struct roundcast_tune_table made;
    bool tuned = inside_request(request, INSIDE_PROBLEM | INSIDE_MACHINE, &asked, &err) &&
                 tune_of_request(&asked, bytes, &tuning, &err) && take_cuts(&tuning, &made, &err);
    tuning_free(&tuning);
    if (!tuned)
        return inside_fail(&err, error);
    *table = made;
    return true;
}

void roundcast_tune_table_free(struct roundcast_tune_table *table)
{
    free(table->row);
    *table = (struct roundcast_tune_table){0};
}

bool roundcast_tune(const struct roundcast_request *request, uint64_t bytes,
                    bool (*visit)(void *with, const struct roundcast_tune_row *row), void *with,
                    struct roundcast_error *error)
{
    struct roundcast_tune_table table;
    if (!roundcast_tune_all(request, bytes, &table, error))
        return false;
    bool more = true;
    for (size_t which = 0; more && which < table.count; which++)
        more = visit(with, &table.row[which]);
    roundcast_tune_table_free(&table);
    return true;
}

static bool make(const struct instance *instance, struct plan *plan, struct err *err)
{
    const struct collective *asked = &instance->collective;
    return plan_make(asked, instance->has_model ? &asked->model : NULL, true, plan, err);
}

bool plan_of_instance(struct instance *instance, struct plan *plan, struct err *err)
{
    const struct collective *asked = &instance->collective;
    const struct collective_row *row = &collective_rows[asked->kind];
    if (!make(instance, plan, err))
        return false;
    if (plan->count == 0 && row->weighed && !row->written) {
        plan_free(plan);
        if (!problem_demands_of_traffic(instance, err) || !make(instance, plan, err))
            return false;
    }
    return plan->count > 0 || asked->degree == 0 ||
           err_set(err, ERR_OPTION,
                   "{degree}: no algorithm that applies has a degree; expected none");
}
