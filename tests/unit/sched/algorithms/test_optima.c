/* SPDX-License-Identifier: Apache-2.0 */
/* test_optima: no schedule meets the lower bound in the small cases for which the tables of optima
 * list a value above the bound.
 *
 * Cases: telephone, n = 7 with m = 3 and 4; postal, λ = 3/2, n = 4 with m = 4, 5 and 6, and λ =
 * 5/2, n = 3 with m = 5 and 6. A formula that every schedule satisfies, up to renaming packets and
 * nodes, is generated here from the rules of the model. CaDiCaL must refute it for the end that is
 * one less than the optimum, and a checker in this file must accept the refutation clause by clause
 * (reverse unit propagation). For the optimum the formula must be satisfiable. Counter-cases: the
 * checker rejects an empty refutation, and a refutation of another formula.
 */
#include "tests/support/cmocka_all.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A formula, and the state of the checker. Clauses are runs of literals that end with 0. */
struct formula {
    int variables;
    size_t length, room, count;
    int *literal;
};

static void put(struct formula *formula, int literal)
{
    if (formula->length == formula->room) {
        formula->room = 2 * formula->room + 1024;
        formula->literal = realloc(formula->literal, formula->room * sizeof *formula->literal);
        assert_non_null(formula->literal);
    }
    formula->literal[formula->length++] = literal;
    formula->count += literal == 0;
}

/* Adds a clause of the nonzero literals. */
static void clause(struct formula *formula, int one, int two, int three)
{
    const int literal[] = {one, two, three};
    for (unsigned which = 0; which < 3; which++)
        if (literal[which] != 0)
            put(formula, literal[which]);
    put(formula, 0);
}

static int new_variables(struct formula *formula, unsigned count)
{
    int first = formula->variables + 1;
    formula->variables += (int)count;
    return first;
}

/* The rules of a broadcast in time steps: in the telephone model steps are rounds, a packet arrives
 * after one, and two nodes that exchange are a pair. In the postal model steps are ticks, a packet
 * arrives after `latency`, and nodes are busy for `unit`. */
struct broadcast {
    int n, m, latency, unit, steps; /* steps in which something may be sent */
    bool pairs;
    int held, sent; /* first variables: held[node][packet][0 … steps + latency], sent[][][][] */
    int started, reached;
};

static int held(const struct broadcast *b, int node, int packet, int step)
{
    return b->held + (node * b->m + packet) * (b->steps + b->latency) + step;
}

static int sent(const struct broadcast *b, int from, int to, int packet, int step)
{
    return b->sent + ((from * b->n + to) * b->m + packet) * b->steps + step;
}

/* Allows at most one of the sends of steps in [step, step + unit) from or to a node, pair by
 * pair. */
static void add_port(struct formula *formula, const struct broadcast *b, int node, bool sends,
                     int step)
{
    for (int other = 0; other < b->n * b->m * b->unit; other++)
        for (int more = 0; more < other; more++) {
            const int which[] = {other, more};
            int variable[2];
            bool legal = true;
            for (int k = 0; k < 2; k++) {
                int peer = which[k] / b->m / b->unit, at = step + which[k] % b->unit;
                int packet = which[k] / b->unit % b->m;
                legal = legal && peer != node && at < b->steps;
                variable[k] =
                    sends ? sent(b, node, peer, packet, at) : sent(b, peer, node, packet, at);
            }
            /* pairs of both later steps belong to a later call */
            if (legal && (which[0] % b->unit == 0 || which[1] % b->unit == 0))
                clause(formula, -variable[0], -variable[1], 0);
        }
}

/* Requires that a node that sends to one node does not receive from another. */
static void add_pair(struct formula *formula, const struct broadcast *b, int node, int step)
{
    for (int to = 0; to < b->n; to++)
        for (int from = 0; from < b->n; from++)
            for (int p = 0; p < b->m * b->m && to != node && from != node && from != to; p++)
                clause(formula, -sent(b, node, to, p / b->m, step),
                       -sent(b, from, node, p % b->m, step), 0);
}

/* Requires that a packet is held from its arrival on, that only its holders send it, and that all
 * nodes hold it at the end. */
static void add_packet(struct formula *formula, const struct broadcast *b, int node, int packet)
{
    int end = b->steps + b->latency - 1;
    for (int step = 0; step <= end; step++) {
        if (node == 0 || step == 0) {
            clause(formula, node == 0 ? held(b, 0, packet, step) : -held(b, node, packet, 0), 0, 0);
            continue;
        }
        put(formula, -held(b, node, packet, step));
        put(formula, held(b, node, packet, step - 1));
        for (int from = 0; from < b->n; from++)
            if (from != node && step >= b->latency)
                put(formula, sent(b, from, node, packet, step - b->latency));
        put(formula, 0);
    }
    for (int to = 0; to < b->n; to++)
        for (int step = 0; step < b->steps && to != node; step++)
            clause(formula, -sent(b, node, to, packet, step), held(b, node, packet, step), 0);
    clause(formula, held(b, node, packet, end), 0, 0);
}

/* Packets are numbered as they leave the source: packet p + 1 is held by another node only if the
 * source sent packet p earlier. Nodes are numbered as they receive their first packet. */
static void add_order(struct formula *formula, const struct broadcast *b)
{
    int end = b->steps + b->latency;
    int first = new_variables(formula, (unsigned)(b->m * end)); /* some node but the source holds */
    int any = new_variables(formula, (unsigned)(b->n * end));   /* the node holds something */
    for (int step = 0; step < end; step++)
        for (int packet = 0; packet < b->m; packet++) {
            for (int node = 1; node < b->n; node++) {
                clause(formula, -held(b, node, packet, step), first + packet * end + step, 0);
                clause(formula, -held(b, node, packet, step), any + node * end + step, 0);
            }
            put(formula, -(first + packet * end + step));
            for (int node = 1; node < b->n; node++)
                put(formula, held(b, node, packet, step));
            put(formula, 0);
            int before = first + (packet - 1) * end + step - b->unit;
            if (packet > 0)
                clause(formula, -(first + packet * end + step), step >= b->unit ? before : 0, 0);
        }
    for (int step = 0; step < end; step++)
        for (int node = 1; node < b->n; node++) {
            put(formula, -(any + node * end + step));
            for (int packet = 0; packet < b->m; packet++)
                put(formula, held(b, node, packet, step));
            put(formula, 0);
            if (node > 1)
                clause(formula, -(any + node * end + step), any + (node - 1) * end + step, 0);
        }
}

/* Returns the formula of a broadcast that ends at `end`. */
static struct formula formula_of(struct broadcast b, int end)
{
    struct formula formula = {0};
    b.steps = end - b.latency + 1;
    b.held = new_variables(&formula, (unsigned)(b.n * b.m * (b.steps + b.latency)));
    b.sent = new_variables(&formula, (unsigned)(b.n * b.n * b.m * b.steps));
    for (int node = 0; node < b.n; node++) {
        for (int packet = 0; packet < b.m; packet++)
            add_packet(&formula, &b, node, packet);
        for (int step = 0; step < b.steps; step++) {
            add_port(&formula, &b, node, true, step);
            add_port(&formula, &b, node, false, step);
            if (b.pairs)
                add_pair(&formula, &b, node, step);
        }
    }
    add_order(&formula, &b);
    return formula;
}

/* Writes the formula and runs CaDiCaL. Returns its status: 10 satisfiable, 20 refuted. */
static int solve(const struct formula *formula, const char *folder)
{
    char name[100], command[400];
    snprintf(name, sizeof name, "%s/formula", folder);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fprintf(file, "p cnf %d %zu\n", formula->variables, formula->count);
    for (size_t k = 0; k < formula->length; k++)
        fprintf(file, formula->literal[k] == 0 ? "%d\n" : "%d ", formula->literal[k]);
    fclose(file);
    snprintf(command, sizeof command, "cadical -q --no-binary %s %s/proof >%s/out 2>&1", name,
             folder, folder);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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
    size_t *start;       /* [clauses] */
    size_t clause_count, clause_room;
};

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
        assert_true(checker->start != NULL && checker->watch_next != NULL);
    }
    size_t which = checker->clause_count++;
    checker->start[which] = start;
    const int *literal = checker->clauses->literal + start;
    for (size_t side = 0; side < 2 && literal[0] != 0 && literal[side] != 0; side++) {
        size_t *first = &checker->watch_first[list_of(literal[side])];
        checker->watch_next[2 * which + side] = *first;
        *first = 2 * which + side + 1;
    }
}

/* Moves the watch of a literal that is false. Returns false if the clause is false. */
static bool visit(struct checker *checker, size_t entry, size_t **from)
{
    int *literal = checker->clauses->literal + checker->start[entry / 2];
    size_t side = entry % 2, other = 1 - side;
    size_t next = checker->watch_next[entry];
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

/* Returns whether the proof in the folder refutes the formula. Deletions are ignored, which allows
 * more steps but no wrong one. */
static bool refutes(struct formula *formula, const char *folder)
{
    char name[100], word[32];
    size_t variables = (size_t)formula->variables + 1, length = formula->length;
    struct checker checker = {.clauses = formula,
                              .value = calloc(variables, 1),
                              .trail = calloc(variables, sizeof(int)),
                              .watch_first = calloc(2 * variables + 2, sizeof(size_t))};
    bool open = true, valid = true, deletes = false;
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
        if (!deletes)
            put(formula, literal);
        if (strcmp(word, "d") != 0 && literal == 0) {
            if (!deletes) {
                valid = follows(&checker, start);
                open = valid && learn(&checker, start);
            }
            deletes = false;
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
    return valid && !open;
}

static const struct {
    struct broadcast broadcast;
    int optimum;
} cases[] = {
    {{.n = 7, .m = 3, .latency = 1, .unit = 1, .pairs = true}, 6},
    {{.n = 7, .m = 4, .latency = 1, .unit = 1, .pairs = true}, 7},
    {{.n = 4, .m = 4, .latency = 3, .unit = 2}, 13},
    {{.n = 4, .m = 5, .latency = 3, .unit = 2}, 15},
    {{.n = 4, .m = 6, .latency = 3, .unit = 2}, 17},
    {{.n = 3, .m = 5, .latency = 5, .unit = 2}, 17},
    {{.n = 3, .m = 6, .latency = 5, .unit = 2}, 19},
};

static void make_folder(char folder[32])
{
    strcpy(folder, "/tmp/optima.XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static void remove_folder(const char *folder)
{
    static const char *const names[] = {"formula", "proof", "out"};
    char name[100];
    for (unsigned which = 0; which < 3; which++) {
        snprintf(name, sizeof name, "%s/%s", folder, names[which]);
        remove(name);
    }
    rmdir(folder);
}

static void test_proofs(void **state)
{
    (void)state;
    char folder[32];
    if (system("command -v cadical >/dev/null") != 0)
        skip();
    make_folder(folder);
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct formula met = formula_of(cases[which].broadcast, cases[which].optimum);
        struct formula unmet = formula_of(cases[which].broadcast, cases[which].optimum - 1);
        assert_int_equal(solve(&met, folder), 10);
        assert_int_equal(solve(&unmet, folder), 20);
        assert_true(refutes(&unmet, folder));
        assert_false(refutes(&met, folder)); /* the refutation of another formula */
        free(met.literal);
        free(unmet.literal);
    }
    remove_folder(folder);
}

/* A proof that claims a contradiction without steps. */
static void test_empty(void **state)
{
    (void)state;
    char folder[32], name[100];
    make_folder(folder);
    snprintf(name, sizeof name, "%s/proof", folder);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs("0\n", file);
    fclose(file);
    struct formula formula = formula_of(cases[0].broadcast, cases[0].optimum - 1);
    assert_false(refutes(&formula, folder));
    free(formula.literal);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proofs),
        cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
