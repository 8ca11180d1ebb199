/* SPDX-License-Identifier: Apache-2.0 */
/* clauses: a formula for a SAT solver, and the solver's result. */
#ifndef ROUNDCAST_CLAUSES_H
#define ROUNDCAST_CLAUSES_H

#include "sched/base/err.h"

#include <stddef.h>

struct clauses {
    int32_t variables; /* variables are 1 … variables */
    size_t count;      /* clauses */
    size_t length, room;
    int32_t *literal; /* clause after clause: a variable, negative if negated; 0 ends a clause */
    bool full;        /* memory ran out */
};

/* Adds a clause of `count` literals. If memory runs out, clauses_solve reports it. Amortised
 * O(count). */
void clauses_add(struct clauses *clauses, const int32_t literal[], size_t count);

/* Adds clauses by which at most one of the literals holds. O(count²). */
void clauses_at_most_one(struct clauses *clauses, const int32_t literal[], size_t count);

void clauses_free(struct clauses *clauses);

/* Runs CaDiCaL and sets *can to whether all clauses can hold. If so, holds[variable] is a
 * satisfying assignment, for 1 … variables. E104, E202, E501 without CaDiCaL. */
bool clauses_solve(const struct clauses *clauses, bool *can, bool holds[], struct err *err);

#endif
