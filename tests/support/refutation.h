/* SPDX-License-Identifier: Apache-2.0 */
/* refutation: formulas, a SAT solver that refutes them, and a checker of its refutations that
 * shares no code with the solver: each clause must follow by unit propagation from the formula and
 * the clauses before it (reverse unit propagation), and the last one must be a contradiction. */
#ifndef ROUNDCAST_TESTS_REFUTATION_H
#define ROUNDCAST_TESTS_REFUTATION_H

#include <stdbool.h>
#include <stddef.h>

/* A formula. Clauses are runs of literals that end with 0. Free `literal`. */
struct formula {
    int variables;
    size_t length, room, count;
    int *literal;
};

/* Appends a literal to the current clause; 0 ends the clause. */
void formula_put(struct formula *formula, int literal);

/* Adds a clause of the nonzero literals. */
void formula_clause(struct formula *formula, int one, int two, int three);

/* Adds variables and returns the first. */
int formula_variables(struct formula *formula, unsigned count);

/* Returns whether the solver CaDiCaL is installed. */
bool refutation_is_possible(void);

/* Creates and removes the folder of a formula and its proof. */
void refutation_folder(char folder[32]);
void refutation_remove(const char *folder);

/* Writes the formula and runs CaDiCaL. Returns its status: 10 satisfiable, 20 refuted. */
int refutation_solve(const struct formula *formula, const char *folder);

/* As refutation_solve, but faster if the formula can be satisfied, and without a proof to check. */
int refutation_satisfy(const struct formula *formula, const char *folder);

/* Reads the assignment of a formula that CaDiCaL has just satisfied: value[variables + 1]. */
void refutation_model(const char *folder, const struct formula *formula, bool value[]);

/* Returns whether the proof in the folder refutes the formula. */
bool refutation_holds(struct formula *formula, const char *folder);

#endif
