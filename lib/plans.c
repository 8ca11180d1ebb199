/* SPDX-License-Identifier: Apache-2.0 */
/* Plans and tunings of the public library: the results that algorithms achieve. */
#include "lib/inside.h"
#include "lib/tune.h"
#include "sched/base/bits.h"
#include "sched/base/tool.h"
#include "sched/bound/bound.h"
#include "sched/decompose/decompose.h"
#include "sched/machine/machine_network.h"
#include "sched/schedule/collective.h"

#include <stdlib.h>

/* -- The price of reconfigurations ------------------------------------------------------------- */

/* The makespan of traffic with reconfiguration, method by method. */

#define PRICE_METHODS 16

/* The cycles of a decomposition or a schedule on a machine. */
struct price_row {
    const struct decompose_method *method; /* NULL: the method is not known */
    bool found;                            /* false: not run, as it would take too long */
    uint64_t makespan;                     /* cycles */
    uint64_t bound;                        /* lower bound of the makespan of any schedule, in
                                            * cycles */
    uint64_t rounds, settings;
    struct traffic_cost cost; /* in cycles */
    uint32_t planes;          /* 0: one */
};

#define SMALL 64 /* number of nodes up to which each method takes a few seconds at most */

/* Checks that a plan may have prices: changes of settings take time, and no degree is requested.
 * E101. */
static bool price_check(const struct collective *asked, struct err *err)
{
    if (!asked->priced)
        return err_set(err, ERR_OPTION,
                       "{planes} requires {reconfigure}; expected the cycles of a change of "
                       "settings, which may be 0");
    return asked->degree == 0 ||
           err_set(err, ERR_OPTION,
                   "{degree}: no algorithm that applies has a degree; expected none");
}

/* Computes the makespan of the method of row[at] and sorts the row in: rows with a makespan come
 * first, in ascending order. */
static bool find_row(const struct collective *asked, struct price_row row[], size_t at,
                     struct err *err)
{
    struct price_row found = row[at];
    found.found = true;
    struct decomposition made = {0};
    struct planes planes = {0};
    if (!decompose(found.method, asked->traffic, asked->cost, asked->seed, &made, err))
        return false;
    found.rounds = decomposition_rounds(&made);
    bool shared = planes_share(&made, asked->cost, found.planes, &planes, err);
    found.settings = planes.count;
    found.makespan = planes.makespan;
    planes_free(&planes);
    decomposition_free(&made);
    if (!shared)
        return false;
    for (; at > 0 && (!row[at - 1].found || row[at - 1].makespan > found.makespan); at--)
        row[at] = row[at - 1];
    row[at] = found;
    return true;
}

/* Fills a row for each method, by asked->cost on `planes` networks side by side
 * (sched/decompose/decompose.h), 1 or more: first methods that were run, by ascending makespan;
 * then methods that were not run because they would take long: for more than 64 nodes, those after
 * a method that meets the bound, and those for smaller traffic. A method that needs a solver has a
 * row only if the solver is installed and the traffic is small. The bound of all settings on all
 * planes is that of one plane. E104. */
static bool price_rows(const struct collective *asked, uint32_t planes,
                       struct price_row row[PRICE_METHODS], size_t *count, struct err *err)
{
    uint64_t bound = bits_divide_up(bound_end(asked), planes);
    *count = 0;
    for (const struct decompose_method *const *each = decompose_methods; *each != NULL; each++) {
        bool solved = (*each)->solver != NULL;
        if (solved && (!(*each)->fits(asked->traffic) || !tool_found((*each)->solver)))
            continue;
        size_t at = (*count)++;
        row[at] = (struct price_row){
            .method = *each, .bound = bound, .cost = asked->cost, .planes = planes};
        bool met = asked->n > SMALL && row[0].found && row[0].makespan == bound;
        if (!met && (*each)->fits(asked->traffic) && !find_row(asked, row, at, err))
            return false;
    }
    return true;
}

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

/* Returns the name of the method of a row; NULL if it has none. */
static const char *cut_method(const struct tuning *tuning, const struct tune_row *row)
{
    if (row->method != NULL)
        return row->method->name;
    return tuning->request.topology != NULL
               ? algorithm_method_name(row->algorithm, row->model, row->variant)
               : NULL;
}

static struct roundcast_tune_row cut_of(const struct tuning *tuning, const struct tune_row *row)
{
    return (struct roundcast_tune_row){.algorithm = row->algorithm->name,
                                       .model = model_name(row->model),
                                       .method = cut_method(tuning, row),
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
                                       .bound = tuning->tune.bound};
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
        .dimensions = request->topology != NULL ? request->topology->dimensions : 0,
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
        table->row[which] = cut_of(tuning, &tune->row[which]);
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
