/* SPDX-License-Identifier: Apache-2.0 */
/* test_scan_atlas: the atlas of optima of scans (docs/algorithms/optima.md).
 *
 * The schedules are those in the format of files, send-receive, one port, in which no node receives
 * the contribution of a higher node and none is replaced: the partial result of node x then has the
 * contributions low … x, and a receipt is that of node low - 1, or what node low has received. A
 * formula states that T rounds are enough. For the optimum CaDiCaL must satisfy it; the schedule is
 * read from its answer, written as text, read, and verified as a scan. If the optimum is above the
 * bound, the formula of one round less, for open entries of two rounds less, must be refuted, and a
 * checker (tests/support/refutation.h) must accept the refutation. Counter-cases: the refutation of
 * another formula is rejected, and a schedule without its last transfer is no scan. The larger ones
 * are solved only if every case is tested. Both algorithms of the product need as many rounds or
 * more.
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
    {3, 4, 5, 6, 7, 8, 10, 11},  {3, 4, 5, 7, 8, 9, 10, 11}, {3, 4, 6, 7, 8, 9, 10, 12},
    {3, 4, 6, 7, 8, 10, 11, 12},
};

/* Pairs of n and m, as n · 10 + m, for which no test proves that one round less is too few. */
static const int open[] = {78, 86, 87, 88};

/* The variables of a scan in rounds 1 … rounds. In round 0 nodes have their contributions alone. */
struct scan {
    int n, m, rounds;
    int truth;    /* true */
    int low;      /* [rounds + 1][n][m][n] the partial result begins at this node, or below it */
    int link;     /* [rounds][n][n] the node receives something of this lower node */
    int packet;   /* [rounds][n][m] what the node sends is of this packet */
    int whole;    /* [rounds][n][m][n] the node receives the partial result of this lower node */
    int received; /* [rounds][n][m][n] it receives what this lower node has received */
};

/* Returns the literal that a partial result begins at a node or below it: at first at its own node,
 * in the end at node 0; a round at most doubles it. */
static int low(const struct scan *s, int round, int node, int packet, int first)
{
    if (first < 0)
        return -s->truth;
    if (first >= node)
        return s->truth;
    if (round == 0 || (round < 3 && node - first >= 1 << round))
        return -s->truth;
    if (round == s->rounds)
        return s->truth;
    return s->low + ((round * s->n + node) * s->m + packet) * s->n + first;
}

/* A receipt of a kind. */
static int receipt(const struct scan *s, int kind, int round, int node, int packet, int sender)
{
    return kind + (((round - 1) * s->n + node) * s->m + packet) * s->n + sender;
}

static int link_of(const struct scan *s, int round, int sender, int node)
{
    return s->link + ((round - 1) * s->n + node) * s->n + sender;
}

static int packet_of(const struct scan *s, int round, int sender, int packet)
{
    return s->packet + ((round - 1) * s->n + sender) * s->m + packet;
}

/* Allows at most one of the variables: one of the first four or of the rest, for which one more
 * variable stands. */
static void at_most_one(struct formula *formula, const int variable[], int count)
{
    enum { GROUP = 4 };
    int group[GROUP + 1];
    const int taken = count > GROUP + 1 ? GROUP : count;
    memcpy(group, variable, (size_t)taken * sizeof *group);
    if (taken < count)
        group[taken] = formula_variables(formula, 1);
    for (int one = 1; one < taken + (taken < count); one++)
        for (int other = 0; other < one; other++)
            formula_clause(formula, -group[one], -group[other], 0);
    for (int k = taken; k < count; k++)
        formula_clause(formula, -variable[k], group[taken], 0);
    if (taken < count)
        at_most_one(formula, variable + taken, count - taken);
}

/* If the receipt happens, the node then has what it had before, and that of the sender from below
 * `last`. */
static void add_receipt(struct formula *formula, const struct scan *s, int round, int node,
                        int packet, int sender, bool whole)
{
    const int is = receipt(s, whole ? s->whole : s->received, round, node, packet, sender);
    const int next = whole ? sender + 1 : sender; /* where the partial result of the node begins */
    formula_clause(formula, -is, link_of(s, round, sender, node), 0);
    formula_clause(formula, -is, packet_of(s, round, sender, packet), 0);
    formula_clause(formula, -is, low(s, round - 1, node, packet, next), 0);
    formula_clause(formula, -is, -low(s, round - 1, node, packet, next - 1), 0);
    if (!whole) /* the sender has received something */
        formula_clause(formula, -is, low(s, round - 1, sender, packet, sender - 1), 0);
    for (int first = 0; first < next; first++) {
        const int before = low(s, round - 1, sender, packet, first);
        const int after = low(s, round, node, packet, first);
        formula_clause(formula, -is, -before, after);
        formula_clause(formula, -is, before, -after);
    }
}

/* A receipt continues the partial result below it; without one it stays as it is. */
static void add_receipts(struct formula *formula, const struct scan *s, int round, int node,
                         int packet)
{
    for (int sender = 0; sender < node; sender++) {
        add_receipt(formula, s, round, node, packet, sender, true);
        add_receipt(formula, s, round, node, packet, sender, false);
    }
    for (int first = 0; first < node; first++) {
        const int before = low(s, round - 1, node, packet, first);
        const int after = low(s, round, node, packet, first);
        formula_clause(formula, -before, after, 0);
        formula_clause(formula, -low(s, round, node, packet, first - 1), after, 0);
        for (int sender = 0; sender < node; sender++) {
            formula_put(formula, receipt(s, s->whole, round, node, packet, sender));
            formula_put(formula, receipt(s, s->received, round, node, packet, sender));
        }
        formula_clause(formula, before, -after, 0);
    }
}

/* A node sends one packet to one node at most, and receives of one node. */
static void add_ports(struct formula *formula, const struct scan *s, int round, int node)
{
    int sent[MOST], by[MOST], packet[MOST];
    for (int other = node + 1; other < s->n; other++)
        sent[other - node - 1] = link_of(s, round, node, other);
    for (int other = 0; other < node; other++)
        by[other] = link_of(s, round, other, node);
    for (int which = 0; which < s->m; which++)
        packet[which] = packet_of(s, round, node, which);
    at_most_one(formula, sent, s->n - node - 1);
    at_most_one(formula, by, node);
    at_most_one(formula, packet, s->m);
}

/* Packets are interchangeable: node 1 has the result of packet p a round before that of p + 1. */
static void add_order(struct formula *formula, const struct scan *s)
{
    for (int packet = 0; packet + 1 < s->m; packet++)
        for (int round = 1; round <= s->rounds; round++)
            formula_clause(formula, -low(s, round, 1, packet + 1, 0),
                           low(s, round - 1, 1, packet, 0), 0);
}

static struct formula formula_of(int n, int m, int rounds, struct scan *s)
{
    struct formula formula = {0};
    const unsigned size = (unsigned)(n * m * n);
    *s = (struct scan){.n = n, .m = m, .rounds = rounds};
    s->truth = formula_variables(&formula, 1);
    s->low = formula_variables(&formula, (unsigned)(rounds + 1) * size);
    s->link = formula_variables(&formula, (unsigned)(rounds * n * n));
    s->packet = formula_variables(&formula, (unsigned)(rounds * n * m));
    s->whole = formula_variables(&formula, (unsigned)rounds * size);
    s->received = formula_variables(&formula, (unsigned)rounds * size);
    formula_clause(&formula, s->truth, 0, 0);
    for (int node = 0; node < n; node++)
        for (int round = 1; round <= rounds; round++) {
            add_ports(&formula, s, round, node);
            for (int packet = 0; packet < m; packet++)
                add_receipts(&formula, s, round, node, packet);
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
    for (int round = 1; round <= s->rounds; round++)
        for (int node = 0; node < s->n; node++)
            for (int packet = 0; packet < s->m; packet++)
                for (int sender = 0; sender < node; sender++)
                    left += value[receipt(s, s->whole, round, node, packet, sender)] ||
                            value[receipt(s, s->received, round, node, packet, sender)];
    fprintf(to,
            "roundcast-schedule 1\nalgorithm atlas\ntopology complete %d\nmodel send-receive\n"
            "reduce 1-%d prefix * ordered\n",
            s->n, s->m);
    for (int round = 1; round <= s->rounds; round++) {
        fprintf(to, "round %d\n", round);
        for (int sender = 0; sender < s->n; sender++)
            for (int node = sender + 1; node < s->n; node++)
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
    assert_int_equal(refutation_satisfy(&met, folder), 10);
    refutation_model(folder, &met, value);
    assert_true(is_scan(&s, value, false));
    assert_false(is_scan(&s, value, true));
    free(value);
    const int few = optimum - (is_open(n, m) ? 2 : 1); /* too few rounds */
    if (few >= bound) {
        struct formula unmet = formula_of(n, m, few, &s);
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
