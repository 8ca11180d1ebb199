#include "plan.h"

#include "bound.h"

#include <stdlib.h>

/* Add a row, and move it before those of its model that take more rounds. */
static void insert(struct plan *plan, const struct plan_row *row)
{
    size_t place = plan->count++;
    for (; place > 0; place--) {
        const struct plan_row *before = &plan->row[place - 1];
        if (before->model != row->model || before->rounds <= row->rounds)
            break;
        plan->row[place] = *before;
    }
    plan->row[place] = *row;
}

static void add_model(struct plan *plan, const struct collective *collective)
{
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        if (!algorithm_check(*entry, collective, NULL))
            continue;
        uint64_t rounds = algorithm_rounds(*entry, collective);
        uint64_t bound = bound_rounds(collective->model, collective->n, collective->m);
        struct plan_row row = {*entry, collective->model, rounds, bound, rounds - bound};
        insert(plan, &row);
    }
}

bool plan_make(uint32_t n, uint32_t m, const enum model *model, struct plan *plan, struct err *err)
{
    if (!schedule_check_range(n, m, 0, err))
        return false;
    size_t algorithms = 0;
    while (algorithm_table[algorithms] != NULL)
        algorithms++;
    *plan = (struct plan){.row = calloc(MODEL_COUNT * algorithms, sizeof *plan->row)};
    if (plan->row == NULL)
        return err_set(err, ERR_TOO_BIG, "no memory for a plan");
    for (unsigned candidate = 0; candidate < MODEL_COUNT; candidate++) {
        struct collective collective = {.n = n, .m = m, .model = (enum model)candidate};
        if (model == NULL || *model == collective.model)
            add_model(plan, &collective);
    }
    return true;
}

void plan_free(struct plan *plan)
{
    free(plan->row);
    *plan = (struct plan){0};
}
