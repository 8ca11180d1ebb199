/* SPDX-License-Identifier: Apache-2.0 */
/* test_optima: no schedule meets the lower bound in the small cases for which the tables of optima
 * list a value above the bound.
 *
 * Cases: telephone, n = 7 with m = 3 and 4; postal, λ = 3/2, n = 4 with m = 4, 5 and 6, and λ =
 * 5/2, n = 3 with m = 5 and 6. A formula that every schedule satisfies, up to renaming packets and
 * nodes, is generated here from the rules of the model. CaDiCaL must refute it for the end that is
 * one less than the optimum, and a checker (tests/support/refutation.h) must accept the refutation
 * clause by clause (reverse unit propagation). For the optimum the formula must be satisfiable.
 * Counter-cases: the checker rejects an empty refutation, and a refutation of another formula.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/refutation.h"

#include <stdio.h>
#include <stdlib.h>

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
                formula_clause(formula, -variable[0], -variable[1], 0);
        }
}

/* Requires that a node that sends to one node does not receive from another. */
static void add_pair(struct formula *formula, const struct broadcast *b, int node, int step)
{
    for (int to = 0; to < b->n; to++)
        for (int from = 0; from < b->n; from++)
            for (int p = 0; p < b->m * b->m && to != node && from != node && from != to; p++)
                formula_clause(formula, -sent(b, node, to, p / b->m, step),
                               -sent(b, from, node, p % b->m, step), 0);
}

/* Requires that a packet is held from its arrival on, that only its holders send it, and that all
 * nodes hold it at the end. */
static void add_packet(struct formula *formula, const struct broadcast *b, int node, int packet)
{
    int end = b->steps + b->latency - 1;
    for (int step = 0; step <= end; step++) {
        if (node == 0 || step == 0) {
            formula_clause(formula,
                           node == 0 ? held(b, 0, packet, step) : -held(b, node, packet, 0), 0, 0);
            continue;
        }
        formula_put(formula, -held(b, node, packet, step));
        formula_put(formula, held(b, node, packet, step - 1));
        for (int from = 0; from < b->n; from++)
            if (from != node && step >= b->latency)
                formula_put(formula, sent(b, from, node, packet, step - b->latency));
        formula_put(formula, 0);
    }
    for (int to = 0; to < b->n; to++)
        for (int step = 0; step < b->steps && to != node; step++)
            formula_clause(formula, -sent(b, node, to, packet, step), held(b, node, packet, step),
                           0);
    formula_clause(formula, held(b, node, packet, end), 0, 0);
}

/* Packets are numbered as they leave the source: packet p + 1 is held by another node only if the
 * source sent packet p earlier. Nodes are numbered as they receive their first packet. */
static void add_order(struct formula *formula, const struct broadcast *b)
{
    int end = b->steps + b->latency;
    int first =
        formula_variables(formula, (unsigned)(b->m * end)); /* some node but the source holds */
    int any = formula_variables(formula, (unsigned)(b->n * end)); /* the node holds something */
    for (int step = 0; step < end; step++)
        for (int packet = 0; packet < b->m; packet++) {
            for (int node = 1; node < b->n; node++) {
                formula_clause(formula, -held(b, node, packet, step), first + packet * end + step,
                               0);
                formula_clause(formula, -held(b, node, packet, step), any + node * end + step, 0);
            }
            formula_put(formula, -(first + packet * end + step));
            for (int node = 1; node < b->n; node++)
                formula_put(formula, held(b, node, packet, step));
            formula_put(formula, 0);
            int before = first + (packet - 1) * end + step - b->unit;
            if (packet > 0)
                formula_clause(formula, -(first + packet * end + step),
                               step >= b->unit ? before : 0, 0);
        }
    for (int step = 0; step < end; step++)
        for (int node = 1; node < b->n; node++) {
            formula_put(formula, -(any + node * end + step));
            for (int packet = 0; packet < b->m; packet++)
                formula_put(formula, held(b, node, packet, step));
            formula_put(formula, 0);
            if (node > 1)
                formula_clause(formula, -(any + node * end + step), any + (node - 1) * end + step,
                               0);
        }
}

/* Returns the formula of a broadcast that ends at `end`. */
static struct formula formula_of(struct broadcast b, int end)
{
    struct formula formula = {0};
    b.steps = end - b.latency + 1;
    b.held = formula_variables(&formula, (unsigned)(b.n * b.m * (b.steps + b.latency)));
    b.sent = formula_variables(&formula, (unsigned)(b.n * b.n * b.m * b.steps));
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

static void test_proofs(void **state)
{
    (void)state;
    char folder[32];
    if (!refutation_is_possible())
        skip();
    refutation_folder(folder);
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct formula met = formula_of(cases[which].broadcast, cases[which].optimum);
        struct formula unmet = formula_of(cases[which].broadcast, cases[which].optimum - 1);
        assert_int_equal(refutation_solve(&met, folder), 10);
        assert_int_equal(refutation_solve(&unmet, folder), 20);
        assert_true(refutation_holds(&unmet, folder));
        assert_false(refutation_holds(&met, folder)); /* the refutation of another formula */
        free(met.literal);
        free(unmet.literal);
    }
    refutation_remove(folder);
}

/* A proof that claims a contradiction without steps. */
static void test_empty(void **state)
{
    (void)state;
    char folder[32], name[100];
    refutation_folder(folder);
    snprintf(name, sizeof name, "%s/proof", folder);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs("0\n", file);
    fclose(file);
    struct formula formula = formula_of(cases[0].broadcast, cases[0].optimum - 1);
    assert_false(refutation_holds(&formula, folder));
    free(formula.literal);
    refutation_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proofs),
        cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
