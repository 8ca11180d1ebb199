/* SPDX-License-Identifier: Apache-2.0 */
/* plan: what each algorithm would take, beside the least that any can take. */
#ifndef ROUNDCAST_PLAN_H
#define ROUNDCAST_PLAN_H

#include "sched/algorithms/algorithm.h"
#include "sched/bound/bound.h"

struct plan_row {
    const struct algorithm *algorithm;
    enum model model;
    unsigned method;        /* of the algorithm's, 0 if it has none */
    uint32_t degree;        /* the best one, 0 if the algorithm has none */
    uint64_t end;           /* of the schedule (schedule.h), or ALGORITHM_UNKNOWN */
    uint64_t bound;         /* of the collective in the model, by bound_end */
    const struct bound *by; /* the bound that it is, NULL for n = 1 */
};

struct plan {
    size_t count;
    struct plan_row *row; /* by model, within a model by end; ties as in algorithm_table */
};

/* Every algorithm that can do the collective, or on a tree or hypercube any collective: in
 * `model`, or in each model if NULL (the postal
 * model only if collective->lambda is given: its denominator is not 0). The collective's own model
 * is not looked at. With `build`, a schedule whose end cannot be predicted is built if that takes
 * about a second at most; how long it takes is estimated from what is asked for, so that the same
 * request always has the same plan. Errors: E102 for n or m out of range, or the postal model
 * without a λ; E104. */
bool plan_make(const struct collective *collective, const enum model *model, bool build,
               struct plan *plan, struct err *err);

void plan_free(struct plan *plan);

#endif
