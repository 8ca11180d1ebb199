/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/refutation.h"

#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void formula_put(struct formula *formula, int literal)
{
    if (formula->length == formula->room) {
        formula->room = 2 * formula->room + 1024;
        formula->literal = realloc(formula->literal, formula->room * sizeof *formula->literal);
        assert_non_null(formula->literal);
    }
    formula->literal[formula->length++] = literal;
    formula->count += literal == 0;
}

void formula_clause(struct formula *formula, int one, int two, int three)
{
    const int literal[] = {one, two, three};
    for (unsigned which = 0; which < 3; which++)
        if (literal[which] != 0)
            formula_put(formula, literal[which]);
    formula_put(formula, 0);
}

int formula_variables(struct formula *formula, unsigned count)
{
    int first = formula->variables + 1;
    formula->variables += (int)count;
    return first;
}

/* Writes the formula and runs CaDiCaL with these options. Returns its status. */
static int solve(const struct formula *formula, const char *folder, const char *options,
                 bool proves)
{
    char name[100], proof[100] = "", command[400];
    snprintf(name, sizeof name, "%s/formula", folder);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fprintf(file, "p cnf %d %zu\n", formula->variables, formula->count);
    for (size_t k = 0; k < formula->length; k++)
        fprintf(file, formula->literal[k] == 0 ? "%d\n" : "%d ", formula->literal[k]);
    fclose(file);
    if (proves)
        snprintf(proof, sizeof proof, "%s/proof", folder);
    snprintf(command, sizeof command, "cadical -q %s %s %s >%s/out 2>&1", options, name, proof,
             folder);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int refutation_solve(const struct formula *formula, const char *folder)
{
    return solve(formula, folder, "--no-binary", true);
}

int refutation_satisfy(const struct formula *formula, const char *folder)
{
    return solve(formula, folder, "--sat", false);
}

void refutation_model(const char *folder, const struct formula *formula, bool value[])
{
    char name[48], line[200];
    snprintf(name, sizeof name, "%s/out", folder);
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        char *next = line + 1;
        for (long literal = strtol(next, &next, 10); line[0] == 'v' && literal != 0;
             literal = strtol(next, &next, 10))
            if (literal > 0 && literal <= formula->variables)
                value[literal] = true;
    }
    fclose(file);
}

/* The checker: `value[variable]` is 1, -1 or 0; `trail` has the true literals. All clauses are
 * propagated until nothing follows. */
struct checker {
    struct formula *clauses;
    int8_t *value;
    int *trail;
    size_t trail_count;
    size_t *watch_next;  /* [2 * clauses]: the next entry of a literal's list, 0 ends one */
    size_t *watch_first; /* [2 * variables + 2] */
    size_t *start;       /* [clauses]; GONE: it has been deleted */
    uint64_t *hash;      /* [clauses] */
    size_t *chain;       /* [clauses]: 1 + the next clause of the bucket; 0 ends it */
    size_t *bucket;      /* [BUCKETS] */
    size_t clause_count, clause_room;
};

#define BUCKETS ((size_t)1 << 18)
#define GONE SIZE_MAX

/* Returns the hash of a literal; the sum of those of its literals is the hash of a clause. */
static uint64_t hash_of(int literal)
{
    uint64_t hash = (uint64_t)literal * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
    return hash ^ hash >> 29;
}

static size_t list_of(int literal)
{
    return (size_t)(literal > 0 ? 2 * literal : -2 * literal + 1);
}

static int value_of(const struct checker *checker, int literal)
{
    return literal > 0 ? checker->value[literal] : -checker->value[-literal];
}

static bool assign(struct checker *checker, int literal)
{
    if (value_of(checker, literal) < 0)
        return false;
    if (value_of(checker, literal) == 0) {
        checker->value[abs(literal)] = literal > 0 ? 1 : -1;
        checker->trail[checker->trail_count++] = literal;
    }
    return true;
}

/* Adds the clause at `start` to the lists of its first two literals. */
static void watch(struct checker *checker, size_t start)
{
    if (checker->clause_count == checker->clause_room) {
        checker->clause_room = 2 * checker->clause_room + 1024;
        checker->start = realloc(checker->start, checker->clause_room * sizeof(size_t));
        checker->watch_next =
            realloc(checker->watch_next, 2 * checker->clause_room * sizeof(size_t));
        checker->hash = realloc(checker->hash, checker->clause_room * sizeof(uint64_t));
        checker->chain = realloc(checker->chain, checker->clause_room * sizeof(size_t));
        assert_true(checker->start != NULL && checker->watch_next != NULL &&
                    checker->hash != NULL && checker->chain != NULL);
    }
    size_t which = checker->clause_count++;
    checker->start[which] = start;
    checker->hash[which] = 0;
    const int *literal = checker->clauses->literal + start;
    for (size_t k = 0; literal[k] != 0; k++)
        checker->hash[which] += hash_of(literal[k]);
    size_t *bucket = &checker->bucket[checker->hash[which] % BUCKETS];
    checker->chain[which] = *bucket;
    *bucket = which + 1;
    for (size_t side = 0; side < 2 && literal[0] != 0 && literal[side] != 0; side++) {
        size_t *first = &checker->watch_first[list_of(literal[side])];
        checker->watch_next[2 * which + side] = *first;
        *first = 2 * which + side + 1;
    }
}

/* Deletes a clause with this hash. Fewer clauses can only make the checker reject more. */
static void delete_clause(struct checker *checker, uint64_t hash)
{
    size_t *from = &checker->bucket[hash % BUCKETS];
    while (*from != 0 && checker->hash[*from - 1] != hash)
        from = &checker->chain[*from - 1];
    if (*from == 0)
        return;
    checker->start[*from - 1] = GONE;
    *from = checker->chain[*from - 1];
}

/* Moves the watch of a literal that is false. Returns false if the clause is false. */
static bool visit(struct checker *checker, size_t entry, size_t **from)
{
    size_t side = entry % 2, other = 1 - side, start = checker->start[entry / 2];
    size_t next = checker->watch_next[entry];
    if (start == GONE) {
        **from = next;
        return true;
    }
    int *literal = checker->clauses->literal + start;
    if (literal[other] != 0 && value_of(checker, literal[other]) <= 0)
        for (size_t k = 2; literal[1] != 0 && literal[k] != 0; k++)
            if (value_of(checker, literal[k]) >= 0) {
                int moved = literal[k];
                literal[k] = literal[side];
                literal[side] = moved;
                **from = next;
                size_t *first = &checker->watch_first[list_of(moved)];
                checker->watch_next[entry] = *first;
                *first = entry + 1;
                return true;
            }
    *from = &checker->watch_next[entry];
    return literal[1] == 0 ? value_of(checker, literal[0]) > 0 : assign(checker, literal[other]);
}

/* Propagates the literals of the trail from `done` on. Returns false at a contradiction. */
static bool propagate(struct checker *checker, size_t done)
{
    for (; done < checker->trail_count; done++) {
        size_t *from = &checker->watch_first[list_of(-checker->trail[done])];
        while (*from != 0)
            if (!visit(checker, *from - 1, &from))
                return false;
    }
    return true;
}

/* Returns whether assuming that the clause at `start` is false leads to a contradiction; if so, the
 * clause is added. Literals that follow from single literals stay assigned. */
static bool follows(struct checker *checker, size_t start)
{
    const int *literal = checker->clauses->literal + start;
    size_t before = checker->trail_count;
    bool consistent = true;
    for (size_t k = 0; consistent && literal[k] != 0; k++)
        consistent = assign(checker, -literal[k]);
    consistent = consistent && propagate(checker, before);
    while (checker->trail_count > before)
        checker->value[abs(checker->trail[--checker->trail_count])] = 0;
    return !consistent;
}

/* Adds a clause, with literals that are not false first, and propagates it if only one is left.
 * Returns false if that is a contradiction. */
static bool learn(struct checker *checker, size_t start)
{
    int *literal = checker->clauses->literal + start;
    size_t free = 0, done = checker->trail_count;
    for (size_t k = 0; literal[k] != 0; k++)
        if (value_of(checker, literal[k]) >= 0) {
            int moved = literal[k];
            literal[k] = literal[free];
            literal[free++] = moved;
        }
    watch(checker, start);
    return free > 1 || (free == 1 && assign(checker, literal[0]) && propagate(checker, done));
}

bool refutation_holds(struct formula *formula, const char *folder)
{
    char name[100], word[32];
    size_t variables = (size_t)formula->variables + 1, length = formula->length;
    struct checker checker = {.clauses = formula,
                              .value = calloc(variables, 1),
                              .trail = calloc(variables, sizeof(int)),
                              .watch_first = calloc(2 * variables + 2, sizeof(size_t)),
                              .bucket = calloc(BUCKETS, sizeof(size_t))};
    bool open = true, valid = true, deletes = false;
    uint64_t hash = 0;
    assert_true(checker.value != NULL && checker.trail != NULL && checker.watch_first != NULL &&
                checker.bucket != NULL);
    for (size_t start = 0; start < length && open; start++) {
        open = learn(&checker, start);
        while (formula->literal[start] != 0)
            start++;
    }
    snprintf(name, sizeof name, "%s/proof", folder);
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    for (size_t start = formula->length; open && valid && fscanf(file, "%31s", word) == 1;) {
        int literal = atoi(word);
        deletes = deletes || strcmp(word, "d") == 0;
        if (strcmp(word, "d") == 0)
            continue;
        hash += literal != 0 ? hash_of(literal) : 0;
        if (!deletes)
            formula_put(formula, literal);
        if (literal == 0) {
            if (deletes) {
                delete_clause(&checker, hash);
            } else {
                valid = follows(&checker, start);
                open = valid && learn(&checker, start);
            }
            deletes = false;
            hash = 0;
            start = formula->length;
        }
    }
    fclose(file);
    formula->length = length;
    free(checker.value);
    free(checker.trail);
    free(checker.watch_first);
    free(checker.watch_next);
    free(checker.start);
    free(checker.hash);
    free(checker.chain);
    free(checker.bucket);
    return valid && !open;
}

void refutation_folder(char folder[32])
{
    strcpy(folder, "/tmp/optima.XXXXXX");
    assert_non_null(mkdtemp(folder));
}

void refutation_remove(const char *folder)
{
    static const char *const names[] = {"formula", "proof", "out"};
    char name[100];
    for (unsigned which = 0; which < 3; which++) {
        snprintf(name, sizeof name, "%s/%s", folder, names[which]);
        remove(name);
    }
    rmdir(folder);
}

bool refutation_is_possible(void)
{
    return system("command -v cadical >/dev/null") == 0;
}
