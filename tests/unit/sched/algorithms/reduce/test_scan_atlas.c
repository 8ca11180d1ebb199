/* SPDX-License-Identifier: Apache-2.0 */
/* test_scan_atlas: the atlas of optima of scans (docs/algorithms/optima.md).
 *
 * The schedules are those in the format of files, send-receive, one port, in which no node receives
 * the contribution of a higher node and none is replaced: the partial result of node x then has the
 * contributions low … x, and a receipt is that of node low - 1, or what node low has received. A
 * formula states that T rounds are enough. For the optimum CaDiCaL must satisfy it; the schedule is
 * read from its answer, written as text, read, and verified as a scan. If the optimum is above the
 * bound, the formula of one round less must be refuted, and a checker (tests/support/refutation.h)
 * must accept the refutation. Counter-cases: the refutation of another formula is rejected, and a
 * schedule without its last transfer is no scan. The larger ones are solved only if every case is
 * tested. Both algorithms of the product need as many rounds or more.
 * tags: long
 */
#include "sched/algorithms/algorithm.h"
#include "sched/bound/bound.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/refutation.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define MOST 8

/* The fewest rounds that are known. */
static const unsigned rounds_of[MOST - 1][MOST] = {
    {1, 2, 3, 4, 5, 6, 7, 8},    {2, 3, 4, 5, 6, 7, 8, 9},   {2, 3, 5, 6, 7, 8, 9, 10},
    {3, 4, 5, 6, 7, 8, 10, 11},  {3, 4, 5, 7, 8, 9, 10, 12}, {3, 4, 6, 7, 8, 10, 12, 13},
    {3, 4, 6, 7, 9, 11, 13, 14},
};

/* Pairs of n and m, as n · 10 + m, whose number is above the bound and not proved. */
static const int open[] = {58, 68, 76, 77, 78, 85, 86, 87, 88};

/* The variables of a scan in rounds 1 … rounds. */
struct scan {
    int n, m, rounds;
    int low;      /* [rounds + 1][n][m][n] the partial result begins at this node */
    int whole;    /* [rounds][n][m][n] the node receives the partial result of this lower node */
    int received; /* [rounds][n][m][n] it receives what this lower node has received */
};

static int index_of(const struct scan *s, int round, int node, int packet, int other)
{
    return ((round * s->n + node) * s->m + packet) * s->n + other;
}

static int low(const struct scan *s, int round, int node, int packet, int first)
{
    return s->low + index_of(s, round, node, packet, first);
}

/* A receipt in a round from 1. */
static int receipt(const struct scan *s, int kind, int round, int node, int packet, int sender)
{
    return kind + index_of(s, round - 1, node, packet, sender);
}

/* Allows at most one of the variables. */
static void at_most_one(struct formula *formula, const int variable[], int count)
{
    for (int one = 1; one < count; one++)
        for (int other = 0; other < one; other++)
            formula_clause(formula, -variable[one], -variable[other], 0);
}

/* A partial result begins at exactly one node, up to its own: at first at its own, in the end at
 * node 0. */
static void add_state(struct formula *formula, const struct scan *s, int round, int node,
                      int packet)
{
    int first[MOST];
    for (int k = 0; k < s->n; k++) {
        first[k] = low(s, round, node, packet, k);
        formula_put(formula, first[k]);
    }
    formula_put(formula, 0);
    for (int k = node + 1; k < s->n; k++)
        formula_clause(formula, -first[k], 0, 0);
    at_most_one(formula, first, s->n);
    if (round == 0)
        formula_clause(formula, first[node], 0, 0);
    if (round == s->rounds)
        formula_clause(formula, first[0], 0, 0);
}

/* A receipt continues the partial result below it; without one it stays as it is. */
static void add_receipts(struct formula *formula, const struct scan *s, int round, int node,
                         int packet)
{
    for (int sender = 0; sender < s->n; sender++) {
        const int whole = receipt(s, s->whole, round, node, packet, sender);
        const int received = receipt(s, s->received, round, node, packet, sender);
        if (sender >= node) {
            formula_clause(formula, -whole, 0, 0);
            formula_clause(formula, -received, 0, 0);
            continue;
        }
        formula_clause(formula, -whole, low(s, round - 1, node, packet, sender + 1), 0);
        formula_clause(formula, -received, low(s, round - 1, node, packet, sender), 0);
        formula_clause(formula, -received, -low(s, round - 1, sender, packet, sender), 0);
        for (int first = 0; first <= sender; first++) {
            const int before = low(s, round - 1, sender, packet, first);
            formula_clause(formula, -whole, -before, low(s, round, node, packet, first));
            formula_clause(formula, -received, -before, low(s, round, node, packet, first));
        }
    }
    for (int first = 0; first <= node; first++) {
        for (int sender = 0; sender < node; sender++) {
            formula_put(formula, receipt(s, s->whole, round, node, packet, sender));
            formula_put(formula, receipt(s, s->received, round, node, packet, sender));
        }
        formula_put(formula, -low(s, round - 1, node, packet, first));
        formula_put(formula, low(s, round, node, packet, first));
        formula_put(formula, 0);
    }
}

/* A node receives at most one packet in a round (`sends`: sends one). */
static void add_port(struct formula *formula, const struct scan *s, int round, int node, bool sends)
{
    int variable[2 * MOST * MOST], count = 0;
    for (int packet = 0; packet < s->m; packet++)
        for (int other = 0; other < s->n; other++) {
            const int to = sends ? other : node, by = sends ? node : other;
            variable[count++] = receipt(s, s->whole, round, to, packet, by);
            variable[count++] = receipt(s, s->received, round, to, packet, by);
        }
    at_most_one(formula, variable, count);
}

/* Packets are interchangeable: node 1 has the results of lower packets first. */
static void add_order(struct formula *formula, const struct scan *s)
{
    for (int packet = 0; packet + 1 < s->m; packet++)
        for (int round = 1; round <= s->rounds; round++)
            formula_clause(formula, -low(s, round, 1, packet + 1, 0), low(s, round, 1, packet, 0),
                           0);
}

static struct formula formula_of(int n, int m, int rounds, struct scan *s)
{
    struct formula formula = {0};
    const unsigned size = (unsigned)(n * m * n);
    *s = (struct scan){.n = n, .m = m, .rounds = rounds};
    s->low = formula_variables(&formula, (unsigned)(rounds + 1) * size);
    s->whole = formula_variables(&formula, (unsigned)rounds * size);
    s->received = formula_variables(&formula, (unsigned)rounds * size);
    for (int node = 0; node < n; node++)
        for (int packet = 0; packet < m; packet++) {
            for (int round = 0; round <= rounds; round++)
                add_state(&formula, s, round, node, packet);
            for (int round = 1; round <= rounds; round++)
                add_receipts(&formula, s, round, node, packet);
        }
    for (int node = 0; node < n; node++)
        for (int round = 1; round <= rounds; round++) {
            add_port(&formula, s, round, node, false);
            add_port(&formula, s, round, node, true);
        }
    add_order(&formula, s);
    return formula;
}

/* Writes the schedule of an assignment, without its last transfer if `cut`. The caller frees the
 * text. */
static char *text_of(const struct scan *s, const bool value[], bool cut)
{
    char *text = NULL;
    size_t size = 0, left = 0;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    for (int k = s->whole; k < s->received + s->rounds * s->n * s->m * s->n; k++)
        left += value[k];
    fprintf(to,
            "roundcast-schedule 1\nalgorithm atlas\ntopology complete %d\nmodel send-receive\n"
            "reduce 1-%d prefix * ordered\n",
            s->n, s->m);
    for (int round = 1; round <= s->rounds; round++) {
        fprintf(to, "round %d\n", round);
        for (int sender = 0; sender < s->n; sender++)
            for (int node = 0; node < s->n; node++)
                for (int packet = 0; packet < s->m; packet++) {
                    const bool whole = value[receipt(s, s->whole, round, node, packet, sender)];
                    if (!whole && !value[receipt(s, s->received, round, node, packet, sender)])
                        continue;
                    if (--left > 0 || !cut)
                        fprintf(to, "%d %d %d%s\n", sender, node, packet + 1,
                                whole ? "" : " received");
                }
    }
    fprintf(to, "end %d\n", s->rounds);
    fclose(to);
    return text;
}

static bool is_scan(const struct scan *s, const bool value[], bool cut)
{
    struct schedule schedule = {0};
    struct verify_report report;
    struct err err = {0};
    char *text = text_of(s, value, cut);
    const bool read = support_read(text, "atlas", &schedule, &err);
    assert_true(read || cut); /* a round without transfers is no text of a schedule */
    const bool holds = read && verify_schedule("atlas", &schedule, &report, &err);
    assert_true(holds || cut);
    assert_true(!holds || schedule.end == (uint64_t)s->rounds);
    schedule_free(&schedule);
    free(text);
    return holds;
}

static bool is_open(int n, int m)
{
    for (size_t k = 0; k < sizeof open / sizeof *open; k++)
        if (open[k] == 10 * n + m)
            return true;
    return false;
}

/* Solves one entry of the table. */
static void solve(int n, int m, int bound, const char *folder)
{
    struct scan s;
    const int optimum = (int)rounds_of[n - 2][m - 1];
    struct formula met = formula_of(n, m, optimum, &s);
    bool *value = calloc((size_t)met.variables + 1, sizeof *value);
    assert_non_null(value);
    assert_int_equal(refutation_solve(&met, folder), 10);
    refutation_model(folder, &met, value);
    assert_true(is_scan(&s, value, false));
    assert_false(is_scan(&s, value, true));
    free(value);
    if (optimum > bound && !is_open(n, m)) {
        struct formula unmet = formula_of(n, m, optimum - 1, &s);
        assert_int_equal(refutation_solve(&unmet, folder), 20);
        assert_true(refutation_holds(&unmet, folder));
        assert_false(refutation_holds(&met, folder)); /* the refutation of another formula */
        free(unmet.literal);
    }
    free(met.literal);
}

static void test_atlas(void **state)
{
    (void)state;
    char folder[32];
    if (!refutation_is_possible())
        skip();
    refutation_folder(folder);
    for (uint32_t n = 2; n <= MOST; n++)
        for (uint32_t m = 1; m <= MOST; m++) {
            const struct collective asked = {
                .n = n, .m = m, .model = MODEL_SEND_RECEIVE, .kind = COLLECTIVE_SCAN};
            const uint64_t bound = bound_end(&asked);
            running("n=%u m=%u", n, m);
            assert_true(bound <= rounds_of[n - 2][m - 1]);
            assert_true(algorithm_end(support_algorithm("scan"), &asked) >=
                        rounds_of[n - 2][m - 1]);
            assert_true(algorithm_end(support_algorithm("path-scan"), &asked) >=
                        rounds_of[n - 2][m - 1]);
            if (running_exhaustive() || n * m <= 24)
                solve((int)n, (int)m, (int)bound, folder);
        }
    refutation_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_atlas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
