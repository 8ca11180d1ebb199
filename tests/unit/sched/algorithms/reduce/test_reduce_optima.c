/* SPDX-License-Identifier: Apache-2.0 */
/* test_reduce_optima: the atlas of optima of all-reduces (docs/algorithms/optima.md).
 *
 * Where the table lists an optimum above the bound, a formula that every schedule of one round less
 * satisfies, up to renaming packets and nodes, is generated here. It allows more than the format of
 * schedules: a node stores all that it receives, and combines any of it that has no common
 * contribution for each packet that it sends, and for its results. CaDiCaL must refute the formula,
 * and a checker (tests/support/refutation.h) must accept the refutation. For the optimum the
 * formula must be satisfiable. The larger proofs are rebuilt only if every case is tested.
 * blocks-all-reduce must take the rounds of the table, and the table must not be below the bound.
 * Counter-case: with one packet less the refuted formula is satisfiable.
 * tags: long
 */
#include "sched/algorithms/algorithm.h"
#include "sched/bound/bound.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/refutation.h"
#include "tests/support/running.h"

#include <stdlib.h>

#define MOST 8

/* The variables of an all-reduce in rounds 1 … rounds. Those of a receipt or a sending of `node` in
 * a round have the index at(reduce, node, round). */
struct reduce {
    int n, m, rounds;
    int has;  /* [receipts][n] the receipt has the contribution of a node */
    int puts; /* [sendings][n] the sending has it */
    int from; /* [receipts][n] the sender */
    int gets; /* [receipts][m] the packet that is received */
    int send; /* [sendings][m] the packet that is sent */
    int uses; /* [sendings][rounds] the sending includes the receipt of an earlier round */
    int own;  /* [sendings] the sending includes the node's own contribution */
    int ends; /* [n][m][rounds] the result includes the receipt */
    int mine; /* [n][m] the result includes the node's own contribution */
};

static int at(const struct reduce *r, int node, int round)
{
    return node * r->rounds + round - 1;
}

static int has(const struct reduce *r, int node, int round, int contributor)
{
    return r->has + at(r, node, round) * r->n + contributor;
}

static int puts_in(const struct reduce *r, int node, int round, int contributor)
{
    return r->puts + at(r, node, round) * r->n + contributor;
}

static int from(const struct reduce *r, int node, int round, int sender)
{
    return r->from + at(r, node, round) * r->n + sender;
}

static int gets(const struct reduce *r, int node, int round, int packet)
{
    return r->gets + at(r, node, round) * r->m + packet;
}

static int sends(const struct reduce *r, int node, int round, int packet)
{
    return r->send + at(r, node, round) * r->m + packet;
}

static int uses(const struct reduce *r, int node, int round, int earlier)
{
    return r->uses + at(r, node, round) * r->rounds + earlier - 1;
}

static int ends(const struct reduce *r, int node, int packet, int round)
{
    return r->ends + (node * r->m + packet) * r->rounds + round - 1;
}

/* Allows at most one of `count` variables that are `step` apart. */
static void at_most_one(struct formula *formula, int first, int count, int step)
{
    for (int one = 1; one < count; one++)
        for (int other = 0; other < one; other++)
            formula_clause(formula, -(first + one * step), -(first + other * step), 0);
}

/* A node receives at most one packet in a round, sends one to at most one node, and what is
 * received is what was sent. */
static void add_ports(struct formula *formula, const struct reduce *r, int node, int round)
{
    at_most_one(formula, from(r, node, round, 0), r->n, 1);
    at_most_one(formula, from(r, 0, round, node), r->n, r->rounds * r->n);
    at_most_one(formula, gets(r, node, round, 0), r->m, 1);
    at_most_one(formula, sends(r, node, round, 0), r->m, 1);
    formula_clause(formula, -from(r, node, round, node), 0, 0);
    for (int packet = 0; packet < r->m; packet++) {
        formula_put(formula, -gets(r, node, round, packet));
        for (int sender = 0; sender < r->n; sender++)
            formula_put(formula, from(r, node, round, sender));
        formula_put(formula, 0);
    }
    for (int sender = 0; sender < r->n; sender++) {
        int link = from(r, node, round, sender);
        for (int packet = 0; packet < r->m; packet++) {
            int in = gets(r, node, round, packet), out = sends(r, sender, round, packet);
            formula_clause(formula, -link, -out, in);
            formula_clause(formula, -link, out, -in);
        }
        for (int who = 0; who < r->n; who++) {
            int in = has(r, node, round, who), out = puts_in(r, sender, round, who);
            formula_clause(formula, -link, -out, in);
            formula_clause(formula, -link, out, -in);
        }
        formula_put(formula, -link);
        for (int packet = 0; packet < r->m; packet++)
            formula_put(formula, sends(r, sender, round, packet));
        formula_put(formula, 0);
    }
}

/* Defines a union of receipts of rounds 1 … last, of which `used` is the first variable, and of the
 * node's own contribution: no two of them share a contribution, and `whole`, the first variable of
 * the union, has exactly theirs; 0: it has all contributions. */
static void add_union(struct formula *formula, const struct reduce *r, int node, int last, int used,
                      int own, int whole)
{
    for (int who = 0; who < r->n; who++) {
        int first = formula_variables(formula, (unsigned)last); /* used, and has the contribution */
        for (int round = 1; round <= last; round++) {
            int one = used + round - 1, in = has(r, node, round, who), both = first + round - 1;
            formula_clause(formula, -both, one, 0);
            formula_clause(formula, -both, in, 0);
            formula_clause(formula, -one, -in, both);
            if (whole != 0)
                formula_clause(formula, -both, whole + who, 0);
            if (who == node)
                formula_clause(formula, -both, -own, 0);
        }
        at_most_one(formula, first, last, 1);
        if (who == node && whole != 0)
            formula_clause(formula, -own, whole + who, 0);
        if (whole != 0)
            formula_put(formula, -(whole + who));
        for (int round = 1; round <= last; round++)
            formula_put(formula, first + round - 1);
        if (who == node)
            formula_put(formula, own);
        formula_put(formula, 0);
    }
}

/* What a node sends is a union of receipts of the same packet. */
static void add_sending(struct formula *formula, const struct reduce *r, int node, int round)
{
    add_union(formula, r, node, round - 1, uses(r, node, round, 1), r->own + at(r, node, round),
              puts_in(r, node, round, 0));
    for (int earlier = 1; earlier < round; earlier++) {
        int used = uses(r, node, round, earlier);
        for (int packet = 0; packet < r->m; packet++)
            formula_clause(formula, -used, -sends(r, node, round, packet),
                           gets(r, node, earlier, packet));
        formula_put(formula, -used);
        for (int packet = 0; packet < r->m; packet++)
            formula_put(formula, sends(r, node, round, packet));
        formula_put(formula, 0);
    }
}

static void add_result(struct formula *formula, const struct reduce *r, int node, int packet)
{
    add_union(formula, r, node, r->rounds, ends(r, node, packet, 1), r->mine + node * r->m + packet,
              0);
    for (int round = 1; round <= r->rounds; round++)
        formula_clause(formula, -ends(r, node, packet, round), gets(r, node, round, packet), 0);
}

/* A receipt of round t has at most 2^(t-1) contributions, which follows from the rules. */
static void add_doubling(struct formula *formula, const struct reduce *r, int node, int round)
{
    for (unsigned set = 0; set < 1u << r->n; set++) {
        if (__builtin_popcount(set) != (1 << (round - 1)) + 1)
            continue;
        for (int who = 0; who < r->n; who++)
            if (set >> who & 1)
                formula_put(formula, -has(r, node, round, who));
        formula_put(formula, 0);
    }
}

/* Packet 0 is received in round 1, and packet p + 1 only if packet p is. Nodes are numbered by the
 * packet that they receive in round 1, those that receive none last. */
static void add_order(struct formula *formula, const struct reduce *r)
{
    formula_clause(formula, gets(r, 0, 1, 0), 0, 0);
    for (int node = 0; node + 1 < r->n; node++)
        for (int packet = 0; packet < r->m; packet++) {
            formula_put(formula, -gets(r, node + 1, 1, packet));
            for (int other = 0; other <= packet; other++)
                formula_put(formula, gets(r, node, 1, other));
            formula_put(formula, 0);
        }
    for (int packet = 1; packet + 1 < r->m; packet++)
        for (int node = 0; node < r->n; node++) {
            formula_put(formula, -gets(r, node, 1, packet + 1));
            for (int other = 0; other < r->n; other++)
                formula_put(formula, gets(r, other, 1, packet));
            formula_put(formula, 0);
        }
}

static struct formula formula_of(int n, int m, int rounds)
{
    struct formula formula = {0};
    unsigned events = (unsigned)(n * rounds);
    struct reduce r = {.n = n, .m = m, .rounds = rounds};
    r.has = formula_variables(&formula, events * (unsigned)n);
    r.puts = formula_variables(&formula, events * (unsigned)n);
    r.from = formula_variables(&formula, events * (unsigned)n);
    r.gets = formula_variables(&formula, events * (unsigned)m);
    r.send = formula_variables(&formula, events * (unsigned)m);
    r.uses = formula_variables(&formula, events * (unsigned)rounds);
    r.own = formula_variables(&formula, events);
    r.ends = formula_variables(&formula, events * (unsigned)m);
    r.mine = formula_variables(&formula, (unsigned)(n * m));
    for (int node = 0; node < n; node++) {
        for (int round = 1; round <= rounds; round++) {
            add_ports(&formula, &r, node, round);
            add_sending(&formula, &r, node, round);
            if ((1 << (round - 1)) < n)
                add_doubling(&formula, &r, node, round);
        }
        for (int packet = 0; packet < m; packet++)
            add_result(&formula, &r, node, packet);
    }
    add_order(&formula, &r);
    return formula;
}

/* The rounds of blocks-all-reduce; optima except where the text says so. */
static const unsigned rounds_of[MOST - 1][MOST] = {
    {1, 2, 3, 4, 5, 6, 7, 8},    {2, 4, 4, 6, 7, 8, 10, 11},  {2, 3, 5, 6, 8, 9, 11, 12},
    {3, 4, 6, 7, 8, 10, 12, 14}, {3, 4, 5, 7, 9, 10, 12, 14}, {3, 5, 6, 8, 11, 12, 12, 15},
    {3, 4, 6, 7, 10, 11, 13, 14}};

/* Optima that are one round above the bound. */
static const struct {
    int n, m, optimum;
} above[] = {{3, 2, 4}, {5, 3, 6}, {7, 2, 5}};

static void test_table(void **state)
{
    (void)state;
    const struct algorithm *blocks = algorithm_find("blocks-all-reduce", NULL);
    for (uint32_t n = 2; n <= MOST; n++)
        for (uint32_t m = 1; m <= MOST; m++) {
            struct collective asked = {
                .n = n, .m = m, .model = MODEL_SEND_RECEIVE, .kind = COLLECTIVE_ALL_REDUCE};
            running("n=%u m=%u", n, m);
            assert_int_equal(algorithm_end(blocks, &asked), rounds_of[n - 2][m - 1]);
            assert_true(bound_end(&asked) <= rounds_of[n - 2][m - 1]);
        }
    for (size_t which = 0; which < sizeof above / sizeof *above; which++)
        assert_int_equal(above[which].optimum, rounds_of[above[which].n - 2][above[which].m - 1]);
}

static void test_proofs(void **state)
{
    (void)state;
    char folder[32];
    if (!refutation_is_possible())
        skip();
    refutation_folder(folder);
    for (size_t which = 0; which < sizeof above / sizeof *above; which++) {
        int n = above[which].n, m = above[which].m, optimum = above[which].optimum;
        if (n > 3 && !running_exhaustive())
            continue; /* half a minute each */
        struct formula met = formula_of(n, m, optimum), unmet = formula_of(n, m, optimum - 1);
        struct formula fewer = formula_of(n, m - 1, optimum - 1);
        running("n=%d m=%d", n, m);
        assert_int_equal(refutation_solve(&met, folder), 10);
        assert_int_equal(refutation_solve(&fewer, folder), 10);
        assert_int_equal(refutation_solve(&unmet, folder), 20);
        assert_true(refutation_holds(&unmet, folder));
        assert_false(refutation_holds(&met, folder)); /* the refutation of another formula */
        free(met.literal);
        free(fewer.literal);
        free(unmet.literal);
    }
    refutation_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_proofs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
