/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/general/clauses.h"

#include "sched/base/memory.h"
#include "sched/base/tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/wait.h>

/* Exit statuses of SAT solvers. */
#define CAN 10
#define CANNOT 20

static void append(struct clauses *clauses, int32_t literal)
{
    int32_t *larger =
        memory_grow(clauses->literal, clauses->length + 1, &clauses->room, sizeof *larger);
    if (larger == NULL) {
        clauses->full = true;
        return;
    }
    clauses->literal = larger;
    clauses->literal[clauses->length++] = literal;
}

void clauses_add(struct clauses *clauses, const int32_t literal[], size_t count)
{
    for (size_t k = 0; k < count; k++)
        append(clauses, literal[k]);
    append(clauses, 0);
    clauses->count++;
}

void clauses_at_most_one(struct clauses *clauses, const int32_t literal[], size_t count)
{
    for (size_t one = 0; one < count; one++)
        for (size_t other = 0; other < one; other++)
            clauses_add(clauses, (int32_t[]){-literal[one], -literal[other]}, 2);
}

void clauses_free(struct clauses *clauses)
{
    free(clauses->literal);
    *clauses = (struct clauses){0};
}

/* Prints the clauses in the DIMACS format. */
static void print(const struct clauses *clauses, FILE *to)
{
    fprintf(to, "p cnf %" PRId32 " %zu\n", clauses->variables, clauses->count);
    for (size_t k = 0; k < clauses->length; k++)
        fprintf(to, clauses->literal[k] != 0 ? "%" PRId32 " " : "%" PRId32 "\n",
                clauses->literal[k]);
}

/* Reads lines `v 1 -2 … 0` of the solver: the literals that hold. */
static void read_values(FILE *from, int32_t variables, bool holds[])
{
    char word[16];
    rewind(from);
    while (fscanf(from, "%15s", word) == 1) {
        long value = strtol(word, NULL, 10);
        if (value != 0 && labs(value) <= variables)
            holds[labs(value)] = value > 0;
    }
}

bool clauses_solve(const struct clauses *clauses, bool *can, bool holds[], struct err *err)
{
    char name[] = "cadical", quiet[] = "-q", *arguments[] = {name, quiet, NULL};
    int status = 0;
    if (clauses->full)
        return err_no_memory(err, "%zu clauses", clauses->count);
    FILE *formula = filter_input(err), *model = formula != NULL ? filter_input(err) : NULL;
    bool solved = model != NULL;
    if (solved) {
        print(clauses, formula);
        solved =
            filter_rewind(formula, err) && tool_run(arguments, fileno(formula), fileno(model),
                                                    "CaDiCaL (the package cadical)", &status, err);
    }
    int answer = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (solved && answer != CAN && answer != CANNOT)
        solved = err_set(err, ERR_TOOL, "cadical: failed; expected an answer");
    *can = answer == CAN;
    if (solved && *can)
        read_values(model, clauses->variables, holds);
    if (model != NULL)
        fclose(model);
    if (formula != NULL)
        fclose(formula);
    return solved;
}
