/* SPDX-License-Identifier: Apache-2.0 */
/* plan: the length of each algorithm's schedule, and the lower bound for all algorithms. */
#ifndef ROUNDCAST_PLAN_H
#define ROUNDCAST_PLAN_H

#include "sched/algorithms/algorithm.h"
#include "sched/bound/bound.h"

struct plan_row {
    const struct algorithm *algorithm;
    enum model model;
    unsigned method;            /* index of the method, 0 if the algorithm has none */
    uint32_t degree;            /* the best degree, 0 if the algorithm has none */
    uint64_t end;               /* end of the schedule (schedule.h), or ALGORITHM_UNKNOWN */
    uint64_t bound;             /* lower bound of the collective in the model, from bound_end */
    const struct bound *by;     /* the bound with this value, NULL for n = 1 */
    bool guaranteed;            /* a theorem guarantees the end */
    struct guarantee guarantee; /* that guarantee; zero without one */
};

struct plan {
    size_t count;
    struct plan_row *row; /* sorted by model, within a model by end; ties as in algorithm_table */
    bool no_memory;       /* an end is not known because there was no memory to build a schedule */
};

/* Lists every algorithm for the collective; on a tree or hypercube, every algorithm of the
 * topology. It uses `model`, or each model if NULL (the postal model only if collective->lambda is
 * given: its denominator is not 0). The model of the collective itself is ignored. With `build`, a
 * schedule whose end no formula predicts is built if that takes at most about a second; the time is
 * estimated from the request alone, so the same request always gives the same plan. E102 for n or m
 * out of range, or the postal model without a λ; E104. */
bool plan_make(const struct collective *collective, const enum model *model, bool build,
               struct plan *plan, struct err *err);

/* Lists only the rows that a theorem guarantees, in the order of algorithm_table and without ends.
 * Errors as plan_make. */
bool plan_guarantees(const struct collective *collective, const enum model *model,
                     struct plan *plan, struct err *err);

void plan_free(struct plan *plan);

#endif
