/* SPDX-License-Identifier: Apache-2.0 */
/* What algorithms achieve: plans and tunings, as the library offers them. */
#include "lib/inside.h"
#include "lib/plan.h"
#include "lib/price.h"
#include "lib/tune.h"

static void visit_rows(const struct plan *plan, struct rational lambda,
                       bool (*visit)(void *with, const struct roundcast_plan_row *row), void *with)
{
    bool more = true;
    for (size_t which = 0; more && which < plan->count; which++) {
        const struct plan_row *row = &plan->row[which];
        const bool known = row->end != ALGORITHM_UNKNOWN;
        const struct roundcast_plan_row shown = {
            .algorithm = row->algorithm->name,
            .model = model_name(row->model),
            .method = algorithm_method_name(row->algorithm, row->model, row->method),
            .degree = row->degree,
            .ticks = model_has_times(row->model) ? lambda.denominator : 1,
            .has_end = known,
            .end = known ? row->end : 0,
            .bound = row->bound,
            .bound_source = row->by != NULL ? row->by->source : NULL,
            .guarantee = row->guarantee.end,
            .guarantee_source = row->guarantee.source};
        more = visit(with, &shown);
    }
}

/* Rows of traffic for which a change of settings has a price: a row a method, in cycles. */
static bool plan_prices(const struct request *asked, const struct collective *collective,
                        bool (*visit)(void *with, const struct roundcast_plan_row *row), void *with,
                        struct err *err)
{
    struct price_row row[PRICE_METHODS];
    const uint32_t planes = asked->problem.planes;
    size_t count;
    if (!price_check(collective, err) ||
        !price_rows(collective, planes > 0 ? planes : 1, row, &count, err))
        return false;
    bool more = true;
    for (size_t which = 0; more && which < count; which++) {
        const struct roundcast_plan_row shown = {.algorithm = "traffic",
                                                 .model = model_name(collective->model),
                                                 .method = row[which].method->name,
                                                 .ticks = 1,
                                                 .has_end = row[which].found,
                                                 .end = row[which].makespan,
                                                 .bound = row[which].bound};
        more = visit(with, &shown);
    }
    return true;
}

/* Rows of all algorithms, in rounds or in ticks. */
static bool plan_ends(struct instance *instance,
                      bool (*visit)(void *with, const struct roundcast_plan_row *row), void *with,
                      struct err *err)
{
    struct plan plan = {0};
    bool planned = plan_of_instance(instance, &plan, err);
    if (planned)
        visit_rows(&plan, instance->collective.lambda, visit, with);
    plan_free(&plan);
    return planned;
}

bool roundcast_plan(const struct roundcast_request *request,
                    bool (*visit)(void *with, const struct roundcast_plan_row *row), void *with,
                    struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    struct instance instance;
    bool planned = inside_ask(request, problem_for_models, &asked, &instance, &err);
    if (planned)
        planned = instance.collective.priced || asked.problem.planes > 0
                      ? plan_prices(&asked, &instance.collective, visit, with, &err)
                      : plan_ends(&instance, visit, with, &err);
    instance_free(&instance);
    return planned || inside_fail(&err, error);
}

static void visit_cuts(const struct tune *tune,
                       bool (*visit)(void *with, const struct roundcast_tune_row *row), void *with)
{
    bool more = true;
    for (size_t which = 0; more && which < tune->count; which++) {
        const struct tune_row *row = &tune->row[which];
        const struct roundcast_tune_row shown = {.algorithm = row->algorithm->name,
                                                 .model = model_name(row->model),
                                                 .method =
                                                     row->method != NULL ? row->method->name : NULL,
                                                 .packets = row->packets,
                                                 .packet_bytes = row->packet_bytes,
                                                 .flits = row->flits,
                                                 .degree = row->degree,
                                                 .lambda = row->lambda.numerator,
                                                 .ticks = row->lambda.denominator,
                                                 .end = row->end,
                                                 .settings = row->settings,
                                                 .cycles = row->cycles,
                                                 .bound = tune->bound};
        more = visit(with, &shown);
    }
}

bool roundcast_tune(const struct roundcast_request *request, uint64_t bytes,
                    bool (*visit)(void *with, const struct roundcast_tune_row *row), void *with,
                    struct roundcast_error *error)
{
    struct err err = {0};
    struct request asked;
    struct tuning tuning = {0};
    bool tuned = inside_request(request, INSIDE_PROBLEM | INSIDE_MACHINE, &asked, &err) &&
                 tune_of_request(&asked, bytes, &tuning, &err);
    if (tuned)
        visit_cuts(&tuning.tune, visit, with);
    tuning_free(&tuning);
    return tuned || inside_fail(&err, error);
}
