/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/plan.h"

static bool make(const struct instance *instance, struct plan *plan, struct err *err)
{
    const struct collective *asked = &instance->collective;
    return plan_make(asked, instance->has_model ? &asked->model : NULL, true, plan, err);
}

bool plan_of_instance(struct instance *instance, struct plan *plan, struct err *err)
{
    const struct collective *asked = &instance->collective;
    if (!make(instance, plan, err))
        return false;
    if (plan->count == 0 && asked->kind == COLLECTIVE_TRAFFIC) {
        plan_free(plan);
        if (!problem_demands_of_traffic(instance, err) || !make(instance, plan, err))
            return false;
    }
    return plan->count > 0 || asked->degree == 0 ||
           err_set(err, ERR_OPTION,
                   "{degree}: no algorithm that applies has a degree; expected none");
}
