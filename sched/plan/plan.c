/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/plan/plan.h"

#include <stdlib.h>

/* Limits of the schedules that are built: the number of receipts, times the links that packets may
 * cross in a tree or hypercube, each examined several times; and the estimated time of a search. A
 * schedule at a limit takes about a second, as measured. */
#define BUILT_RECEIPTS (UINT64_C(1) << 21)
#define LOOKS 4
#define BUILT_NANOSECONDS UINT64_C(4500000000) /* the estimate is higher than the real time */

static uint64_t receipts_of(const struct schedule *demands)
{
    uint64_t receipts = 0;
    for (size_t which = 0; which < demands->demand_count; which++) {
        const struct demand *demand = &demands->demand[which];
        uint64_t nodes = demand->wanted_count > 0 ? demand->wanted_count : demands->nodes;
        receipts += (demand->last_packet - demand->first_packet + UINT64_C(1)) * nodes;
    }
    return receipts;
}

static bool is_built_soon(const struct collective *collective)
{
    const struct topology *topology = collective->topology;
    if (collective->demands == NULL)
        return collective_receipts(collective) <= BUILT_RECEIPTS;
    uint64_t links = 1;
    if (topology != NULL)
        links = LOOKS * (2 * topology->height + topology->arcs); /* one of the two summands is 0 */
    return receipts_of(collective->demands) <= BUILT_RECEIPTS / links;
}

/* Returns the end of the schedule, building it if no formula gives the end. Sets *no_memory if the
 * memory does not suffice to build it. */
static uint64_t end_of(const struct algorithm *algorithm, const struct collective *chosen,
                       bool build, bool *no_memory)
{
    uint64_t end = algorithm_end(algorithm, chosen);
    if (end != ALGORITHM_UNKNOWN || !build || !is_built_soon(chosen))
        return end;
    struct collective limited = *chosen;
    struct schedule schedule = {0};
    struct err err = {0};
    limited.most_nanoseconds = BUILT_NANOSECONDS;
    if (algorithm_build(algorithm, &limited, &schedule, &err))
        end = schedule.end;
    *no_memory = *no_memory || err.no_memory;
    schedule_free(&schedule);
    return end;
}

/* The content of a plan. */
enum content { GUARANTEES, PREDICTED_ENDS, BUILT_ENDS };

/* Adds a row and moves it before the rows of its model that take more rounds. */
static void insert(struct plan *plan, const struct plan_row *row)
{
    size_t place = plan->count++;
    for (; place > 0; place--) {
        const struct plan_row *before = &plan->row[place - 1];
        if (before->model != row->model || before->end <= row->end)
            break;
        plan->row[place] = *before;
    }
    plan->row[place] = *row;
}

static void add_row(struct plan *plan, const struct algorithm *algorithm,
                    const struct collective *collective, enum content content)
{
    if (!algorithm_check(algorithm, collective, NULL))
        return;
    struct collective chosen = algorithm_choose(algorithm, collective);
    struct plan_row row = {.algorithm = algorithm,
                           .model = chosen.model,
                           .method = chosen.method,
                           .degree = chosen.degree,
                           .end = ALGORITHM_UNKNOWN};
    row.guaranteed = algorithm_guarantee(algorithm, &chosen, &row.guarantee);
    if (content != GUARANTEES)
        row.end = end_of(algorithm, &chosen, content == BUILT_ENDS, &plan->no_memory);
    if (content == GUARANTEES && !row.guaranteed)
        return;
    row.by = bound_tightest(&chosen, &row.bound);
    insert(plan, &row);
}

static void add_model(struct plan *plan, const struct collective *collective, enum content content)
{
    bool one_kind = collective->topology == NULL || collective->demands != NULL;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        struct collective asked = *collective;
        if (one_kind && (*entry)->kind != collective->kind)
            continue;
        for (asked.method = 0; asked.method < algorithm_methods(*entry); asked.method++)
            add_row(plan, *entry, &asked, content);
    }
}

static bool make(const struct collective *collective, const enum model *model, enum content content,
                 struct plan *plan, struct err *err)
{
    if (!algorithm_check_range(collective, err))
        return false;
    if (model != NULL && model_has_times(*model) && collective->lambda.denominator == 0)
        return err_set(err, ERR_RANGE,
                       "λ is not given; expected that of the postal model, at least 1");
    size_t rows = 0;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        rows += MODEL_COUNT * algorithm_methods(*entry);
    *plan = (struct plan){.row = calloc(rows, sizeof *plan->row)};
    if (plan->row == NULL)
        return err_no_memory(err, "a plan");
    for (unsigned candidate = 0; candidate < MODEL_COUNT; candidate++) {
        struct collective asked = *collective;
        asked.model = (enum model)candidate;
        bool planned = model != NULL
                           ? *model == asked.model
                           : !model_has_times(asked.model) || asked.lambda.denominator != 0;
        if (planned)
            add_model(plan, &asked, content);
    }
    return true;
}

bool plan_make(const struct collective *collective, const enum model *model, bool build,
               struct plan *plan, struct err *err)
{
    return make(collective, model, build ? BUILT_ENDS : PREDICTED_ENDS, plan, err);
}

bool plan_guarantees(const struct collective *collective, const enum model *model,
                     struct plan *plan, struct err *err)
{
    return make(collective, model, GUARANTEES, plan, err);
}

void plan_free(struct plan *plan)
{
    free(plan->row);
    *plan = (struct plan){0};
}
