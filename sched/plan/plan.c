/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/plan/plan.h"

#include <stdlib.h>

/* Add a row, and move it before those of its model that take more rounds. */
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
                    const struct collective *collective)
{
    if (!algorithm_check(algorithm, collective, NULL))
        return;
    struct collective chosen = algorithm_choose(algorithm, collective);
    struct plan_row row = {.algorithm = algorithm,
                           .model = chosen.model,
                           .method = chosen.method,
                           .degree = chosen.degree,
                           .end = algorithm_end(algorithm, &chosen)};
    row.by = bound_tightest(&chosen, &row.bound);
    insert(plan, &row);
}

static void add_model(struct plan *plan, const struct collective *collective)
{
    bool one_kind = collective->topology == NULL || collective->demands != NULL;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        struct collective asked = *collective;
        if (one_kind && (*entry)->kind != collective->kind)
            continue;
        for (asked.method = 0; asked.method < algorithm_methods(*entry); asked.method++)
            add_row(plan, *entry, &asked);
    }
}

bool plan_make(const struct collective *collective, const enum model *model, struct plan *plan,
               struct err *err)
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
            add_model(plan, &asked);
    }
    return true;
}

void plan_free(struct plan *plan)
{
    free(plan->row);
    *plan = (struct plan){0};
}
