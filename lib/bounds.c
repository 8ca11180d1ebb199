/* SPDX-License-Identifier: Apache-2.0 */
/* Lower bounds, and the exact functions on which the papers' bounds are based. */
#include "lib/inside.h"
#include "sched/algorithms/cube/cube_draw.h"
#include "sched/algorithms/cube/cube_translates.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "sched/numbers/fibonacci.h"
#include "sched/numbers/postal.h"
#include "sched/request/problem.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Tables of λ end here, because numbers in JSON must be below 2^63. */
#define LARGE (UINT64_C(1) << 62)

#define UNLIKELY 0.01 /* the probability that has its own row */
#define TREES "Bruck, Cypher, Ho,"
#define POSTAL "Bar-Noy, Kipnis,"

_Static_assert(ROUNDCAST_TIME_MAX == RATIONAL_MAX, "times have one range");

bool roundcast_bound(const struct roundcast_request *request, uint64_t *end,
                     struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    struct instance instance;
    bool known = inside_ask(request, problem_for_schedule, &asked, &instance, &err) &&
                 algorithm_check(instance.algorithm, &instance.collective, &err);
    if (known) {
        const struct collective chosen = algorithm_choose(instance.algorithm, &instance.collective);
        *end = bound_end(&chosen);
    }
    instance_free(&instance);
    return known || inside_fail(&err, error);
}

bool roundcast_time_parse(const char *text, struct roundcast_time *time)
{
    struct rational read;
    if (!rational_parse(text, &read))
        return false;
    *time = (struct roundcast_time){read.numerator, read.denominator};
    return true;
}

/* --- functions ------------------------------------------------------------------------------- */

/* Adds a function and its guarantee: for F a number of nodes, rounded up; for f a time, rounded
 * down to whole ticks; none without a source. */
static void add(struct roundcast_bound_table *table, struct roundcast_function function,
                double guarantee, const char *source)
{
    struct guarantee most = {0};
    if (source != NULL && function.name == 'F')
        most.end = guarantee < (double)LARGE ? (uint64_t)ceil(guarantee * (1 - 1e-9)) : LARGE;
    else if (source != NULL &&
             !guarantee_set_real(&most, guarantee, function.value_ticks, NULL, NULL))
        source = NULL;
    function.guarantee = most.end;
    function.guarantee_source = source;
    function.large = function.name == 'F' && function.value >= LARGE;
    function.value = function.name == 'F' ? MIN(function.value, LARGE) : function.value;
    table->function[table->function_count++] = function;
}

/* Adds F_d and f_d of the generalised Fibonacci trees. */
static bool add_trees(const struct collective *asked, const struct roundcast_time *time,
                      struct roundcast_bound_table *table, struct err *err)
{
    const uint32_t d = asked->degree;
    if (time != NULL && time->denominator > 1)
        return err_set(err, ERR_RANGE,
                       "{time}: %" PRIu32 "/%" PRIu32 "; expected a whole number for F_%" PRIu32,
                       time->numerator, time->denominator, d);
    if (time != NULL)
        add(table,
            (struct roundcast_function){.name = 'F',
                                        .subscript = d,
                                        .subscript_ticks = 1,
                                        .argument = time->numerator,
                                        .argument_ticks = 1,
                                        .value = fibonacci_size(d, time->numerator),
                                        .value_ticks = 1},
            fibonacci_size_least(d, time->numerator),
            d > 1 && time->numerator >= d + UINT64_C(2) ? TREES " Theorem 3.7" : NULL);
    if (asked->n > 0)
        add(table,
            (struct roundcast_function){.name = 'f',
                                        .subscript = d,
                                        .subscript_ticks = 1,
                                        .argument = asked->n,
                                        .argument_ticks = 1,
                                        .value = fibonacci_index(d, asked->n),
                                        .value_ticks = 1},
            d > 1 ? fibonacci_index_most(d, asked->n) : 0, d > 1 ? TREES " Theorem 3.9" : NULL);
    return true;
}

/* Adds F_λ and f_λ of the postal model. F_λ is constant between ticks. */
static bool add_postal(const struct collective *asked, const struct roundcast_time *time,
                       struct roundcast_bound_table *table, struct err *err)
{
    const uint32_t a = asked->lambda.numerator, b = asked->lambda.denominator;
    struct postal postal;
    if (!postal_init(&postal, a, b, LARGE, err))
        return false;
    if (time != NULL)
        add(table,
            (struct roundcast_function){
                .name = 'F',
                .subscript = a,
                .subscript_ticks = b,
                .argument = time->numerator,
                .argument_ticks = time->denominator,
                .value = postal_size(&postal, (uint64_t)time->numerator * b / time->denominator),
                .value_ticks = 1},
            postal_size_least(asked->lambda, (struct rational){time->numerator, time->denominator}),
            POSTAL " Theorem 7 (1)");
    if (asked->n > 0)
        add(table,
            (struct roundcast_function){.name = 'f',
                                        .subscript = a,
                                        .subscript_ticks = b,
                                        .argument = asked->n,
                                        .argument_ticks = 1,
                                        .value = postal_index(&postal, asked->n),
                                        .value_ticks = b},
            postal_index_most(asked->lambda, asked->n), POSTAL " Theorem 7 (2)");
    postal_free(&postal);
    return true;
}

static bool find_functions(const struct collective *asked, const struct roundcast_time *time,
                           struct roundcast_bound_table *table, struct err *err)
{
    const bool trees = asked->degree != 0, postal = asked->lambda.denominator != 0;
    if (time != NULL && !trees && !postal)
        return err_set(err, ERR_OPTION, "{time} requires {degree} or {lambda}");
    return (!trees || add_trees(asked, time, table, err)) &&
           (!postal || add_postal(asked, time, table, err));
}

/* --- sources and guarantees ------------------------------------------------------------------- */

/* Sets the bounds of the fewest rounds for the worst K ≤ 2^d different sources. The upper one is
 * the least guarantee of the algorithms whose nodes know only their own packets. */
static void find_worst(unsigned d, uint32_t packets, struct roundcast_sources *sources)
{
    const struct {
        uint64_t rounds;
        const char *source;
    } known[] = {
        {cube_translates_rounds(d), "ours: cube-reserved"},
        {d + packets - UINT64_C(1), "Stamoulis, Tsitsiklis, section 3.3.1: cube-unbalanced"},
        {2 * bits_divide_up(packets, d) + 3 * d - 2,
         "ours: cube-broadcast, method exchange-gather"}};
    sources->worst_least = bound_cube_worst(d, packets);
    sources->worst_most = UINT64_MAX;
    for (size_t which = 0; which < sizeof known / sizeof *known; which++)
        if (known[which].rounds < sources->worst_most) {
            sources->worst_most = known[which].rounds;
            sources->worst_source = known[which].source;
        }
}

/* Computes the fewest rounds for the worst sources, and the probabilities of the largest random
 * tree if the sources are given. */
static void find_sources(const struct collective *asked, struct roundcast_bound_table *table)
{
    table->has_sources = asked->topology != NULL && asked->topology->dimensions > 0 &&
                         asked->demands == NULL && asked->m > 0;
    if (!table->has_sources)
        return;
    const unsigned d = asked->topology->dimensions;
    struct roundcast_sources *sources = &table->sources;
    *sources = (struct roundcast_sources){.dimensions = d, .packets = asked->m};
    if (asked->m <= asked->n)
        find_worst(d, asked->m, sources);
    if (asked->sources == NULL)
        return;
    uint32_t unlikely = cube_draw_unlikely(d, asked->m, UNLIKELY);
    sources->largest = cube_draw_most(d, asked->m, asked->seed);
    sources->largest_tail = cube_draw_tail(d, asked->m, sources->largest);
    sources->unlikely = unlikely > sources->largest ? unlikely : 0;
    if (sources->unlikely != 0)
        sources->unlikely_tail = cube_draw_tail(d, asked->m, unlikely);
}

/* Lists what theorems guarantee for the algorithms that apply, each with its best degree. */
static bool find_guarantees(const struct instance *instance, struct roundcast_bound_table *table,
                            struct err *err)
{
    struct collective asked = instance->collective;
    struct plan plan = {0};
    asked.degree = 0; /* a given degree is for the functions, not for the algorithms */
    bool found = plan_guarantees(&asked, instance->has_model ? &asked.model : NULL, &plan, err);
    if (found) {
        table->guarantee = malloc((plan.count + 1) * sizeof *table->guarantee);
        found = table->guarantee != NULL || err_no_memory(err, "the guarantees");
    }
    for (; found && table->guarantee_count < plan.count; table->guarantee_count++)
        table->guarantee[table->guarantee_count] =
            plan_row_shown(&plan.row[table->guarantee_count], asked.lambda);
    plan_free(&plan);
    return found;
}

/* --- bounds ---------------------------------------------------------------------------------- */

/* Returns whether bounds of this model are requested. Models with times require a λ. */
static bool is_asked(const struct instance *instance, enum model model)
{
    if (instance->has_model)
        return instance->collective.model == model;
    return !model_has_times(model) || instance->collective.lambda.denominator != 0;
}

static bool add_row(struct roundcast_bound_table *table, struct roundcast_bound_row row,
                    struct err *err)
{
    struct roundcast_bound_row *larger =
        realloc(table->row, (table->count + 1) * sizeof *table->row);
    if (larger == NULL)
        return err_no_memory(err, "the bounds");
    table->row = larger;
    table->row[table->count++] = row;
    return true;
}

static bool add_bounds(const struct collective *asked, struct roundcast_bound_table *table,
                       struct err *err)
{
    const uint64_t most = bound_end(asked);
    const bool times = model_has_times(asked->model);
    bool added = true;
    const struct bound *bound;
    for (size_t which = 0; added && (bound = bound_at(which)) != NULL; which++) {
        if (!bound_applies(bound, asked))
            continue;
        const uint64_t end = bound->value(asked);
        added = add_row(table,
                        (struct roundcast_bound_row){.model = model_name(asked->model),
                                                     .collective = collective_name(asked->kind),
                                                     .name = bound->name,
                                                     .formula = bound->formula,
                                                     .source = bound->source,
                                                     .times = times,
                                                     .ticks = times ? asked->lambda.denominator : 1,
                                                     .end = end,
                                                     .tightest = end == most},
                        err);
    }
    return added;
}

/* Adds the bounds of all requested models, one by one. On a topology, adds those of all its
 * collectives; a requested number of packets applies to broadcasts. */
static bool add_all(const struct instance *instance, struct roundcast_bound_table *table,
                    struct err *err)
{
    const struct collective *of = &instance->collective;
    bool added = true;
    for (unsigned model = 0; added && model < MODEL_COUNT; model++)
        for (unsigned kind = 0; added && kind < COLLECTIVE_KINDS; kind++) {
            struct collective asked = *of;
            if (!is_asked(instance, (enum model)model) || (!table->several && kind != asked.kind))
                continue;
            asked.model = (enum model)model;
            asked.kind = (enum collective_kind)kind;
            if (table->several && !collective_rows[kind].counted)
                asked.m = 1;
            added = add_bounds(&asked, table, err);
        }
    return added;
}

/* Finds the problem of a request. A request for F(T) alone has none, only a degree and λ. */
static bool find_problem(const struct roundcast_request *from, bool functions_only,
                         struct request *asked, struct instance *instance, struct err *err)
{
    if (!functions_only)
        return inside_ask(from, problem_for_models, asked, instance, err);
    *instance = (struct instance){0};
    if (!inside_request(from, INSIDE_PROBLEM, asked, err))
        return false;
    instance->collective =
        (struct collective){.degree = asked->problem.degree, .lambda = asked->problem.lambda};
    return machine_request_round(asked, &instance->collective, err);
}

bool roundcast_bounds(const struct roundcast_request *request, const struct roundcast_time *time,
                      struct roundcast_bound_table *table, struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    struct instance instance;
    struct roundcast_bound_table made = {0};
    const struct collective *collective = &instance.collective;
    made.functions_only = time != NULL && request->nodes == 0 && request->packets == 0 &&
                          !roundcast_has_topology(request);
    bool found = find_problem(request, made.functions_only, &asked, &instance, &err) &&
                 find_functions(collective, time, &made, &err);
    made.nodes = collective->n;
    made.packets = collective->m;
    made.several = collective->topology != NULL && collective->demands == NULL;
    made.priced = collective->priced;
    made.round_cycles = collective->cost.round;
    made.change_cycles = collective->cost.change;
    if (found && !made.functions_only) {
        find_sources(collective, &made);
        found = add_all(&instance, &made, &err) && find_guarantees(&instance, &made, &err);
    }
    instance_free(&instance);
    if (!found) {
        roundcast_bound_table_free(&made);
        return inside_fail(&err, error);
    }
    *table = made;
    return true;
}

void roundcast_bound_table_free(struct roundcast_bound_table *table)
{
    free(table->row);
    free(table->guarantee);
    *table = (struct roundcast_bound_table){0};
}
