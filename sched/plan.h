/* plan: what each algorithm would take, beside the least that any can take. */
#ifndef ROUNDCAST_PLAN_H
#define ROUNDCAST_PLAN_H

#include "algorithm.h"

struct plan_row {
    const struct algorithm *algorithm;
    enum model model;
    uint64_t rounds;   /* of the algorithm, by its closed form */
    uint64_t bound;    /* of the model, by bound_rounds */
    uint64_t distance; /* rounds - bound */
};

struct plan {
    size_t count;
    struct plan_row *row; /* by model, within a model by rounds; ties as in algorithm_table */
};

/* Every algorithm that can broadcast m packets to n nodes: in `model`, or in each model if NULL.
 * No schedule is built. Errors: E102 for n or m out of range, E104. O(algorithms · log n). */
bool plan_make(uint32_t n, uint32_t m, const enum model *model, struct plan *plan, struct err *err);

void plan_free(struct plan *plan);

#endif
