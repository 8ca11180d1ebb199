/* SPDX-License-Identifier: Apache-2.0 */
/* plan: plans the requested problem. */
#ifndef ROUNDCAST_LIB_PLAN_H
#define ROUNDCAST_LIB_PLAN_H

#include "lib/roundcast.h"
#include "sched/plan/plan.h"
#include "sched/request/problem.h"

/* Plans the problem of problem_for_models in its model, or in every model if none was requested.
 * Traffic in a model whose algorithms for traffic do not apply is planned as general demands. E101
 * for a degree that no algorithm has, and the errors of plan_make. Free the plan, also after an
 * error; it must be zero before. */
bool plan_of_instance(struct instance *instance, struct plan *plan, struct err *err);

/* Converts a row to the row of the public library. */
struct roundcast_plan_row plan_row_shown(const struct plan_row *row, struct rational lambda);

#endif
