/* SPDX-License-Identifier: Apache-2.0 */
/* test_trees: the broadcasts that use several trees: hypercube-trees, dary-trees and fibonacci.
 *
 * State space: algorithm × degree × n × m; test_algorithms runs them with the best degree; this
 * test covers the other degrees. Exhaustive: n ≤ 40 with m in {1, 2, 3, 5, 8, 21}, dary-trees of d
 * = 1, 2, 3, 4, 5, 7 and every d up to n - 1 for n ≤ 20, fibonacci of d = 3, 5, 7, 9. Sampled: n
 * next to powers of two up to 1537. Each schedule is verified, has no redundant transfers, and ends
 * at the time that is given by a closed form or value in this file, by golden/complete-graph.csv
 * (rows of another implementation; its rows of dtrees are upper targets), or, for dary-trees, by a
 * judge that computes the labels of the trees. Each error is checked together with its legal range.
 */
#include "sched/base/compare.h"
#include "sched/numbers/fibonacci.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>

#define GOLDEN "tests/golden/complete-graph.csv"

static const uint32_t few_packets[] = {1, 2, 3, 5, 8, 21};
static const uint32_t large_nodes[] = {63,  64,  65,  96,  127, 128,  129,  191,  255,
                                       257, 383, 511, 513, 769, 1000, 1025, 1535, 1537};

static bool is_legal(const char *name, uint32_t n, uint32_t d)
{
    const struct collective collective = {.n = n, .m = 1, .degree = d};
    return algorithm_check(support_algorithm(name), &collective, NULL);
}

/* Builds and verifies the schedule and counts its transfers. Checks that its end equals the
 * predicted end; returns the number of rounds. */
static uint64_t rounds_of(const char *name, uint32_t n, uint32_t m, uint32_t d)
{
    const struct collective collective = {.n = n, .m = m, .degree = d};
    struct schedule schedule;
    support_schedule(support_algorithm(name), &collective, &schedule);
    assert_int_equal(schedule.transfer_count, (size_t)(n - 1) * m);
    assert_int_equal(schedule.end, algorithm_end(support_algorithm(name), &collective));
    uint64_t rounds = schedule.end;
    schedule_free(&schedule);
    return rounds;
}

/* --- hypercube-trees
 * ----------------------------------------------------------------------------- */

static void test_hypercube(void **state)
{
    (void)state;
    for (uint32_t k = 1; k <= 10; k++)
        for (uint32_t m = 1; m <= 17; m++)
            assert_int_equal(rounds_of("hypercube-trees", 1u << k, m, 0), m - 1 + k);
    for (uint32_t n = 2; n <= 1025; n++)
        assert_int_equal(is_legal("hypercube-trees", n, 0), __builtin_popcount(n) == 1);
}

/* --- dary-trees
 * ---------------------------------------------------------------------------------- */

/* Returns the rounds beyond m of d heap-ordered d-ary trees of q inner nodes in which a node's k-th
 * child receives k rounds after it: the last child of the inner node that receives last. The r
 * remaining nodes form a chain; its head is below the leftmost of the lowest inner nodes, and its
 * label is a multiple of d. For d = 2 the label is odd instead, except if q is even and the last
 * inner label is odd. m + n - 2 if q = 0. */
static uint64_t dary_beyond(uint32_t n, uint32_t d)
{
    uint32_t q = (n - 2) / d, r = (n - 2) % d, label[1600] = {0}, deepest = 0, levels = 0;
    if (q == 0)
        return n - 2;
    for (uint32_t y = 1; y < q; y++) {
        label[y] = label[(y - 1) / d] + (y - 1) % d + 1;
        deepest = MAX(deepest, label[y]);
    }
    for (uint32_t y = q - 1; y > 0; y = (y - 1) / d)
        levels++;
    uint32_t odd = d == 2 && (q % 2 != 0 || label[q - 1] % 2 == 0), head = levels + 1;
    while (head % d != odd)
        head++;
    uint32_t chain = r == 0 ? 0 : head + r;
    return deepest + d > chain ? deepest + d : chain;
}

/* If the chain would receive last, one or two packets use no chain: then there are q + 1 inner
 * nodes, all of them except the root are children of the root, and the last one has r children. */
static uint64_t dary_pair_beyond(uint32_t n, uint32_t m, uint32_t d)
{
    uint32_t q = (n - 2) / d, r = (n - 2) % d, latest = 0;
    if (m > 2 || d == 2 || q == 0 || r < q)
        return dary_beyond(n, d);
    for (uint32_t inner = 0; inner <= q; inner++)
        latest = inner + (inner < q ? d : r) > latest ? inner + (inner < q ? d : r) : latest;
    return latest;
}

static void check_dary(uint32_t n, uint32_t m, uint32_t d)
{
    uint64_t rounds = rounds_of("dary-trees", n, m, d), beyond = dary_pair_beyond(n, m, d);
    if (d == 2) /* if n and q are even, the last inner node of tree 1 may be a round late */
        assert_in_range(rounds - m, beyond, beyond + (n % 4 == 2 && m % 2 == 0));
    else
        assert_int_equal(rounds - m, beyond);
    unsigned log = 31 - (unsigned)__builtin_clz(n);
    bool lower = n == 1u << log || n == (1u << log) + 1;
    if (d == 2 && n >= 4)
        assert_true(rounds <= m + 2 * log - 1 - lower);
    if (d == 1 || d == n - 1)
        assert_int_equal(rounds, m + n - 2);
}

static void test_dary(void **state)
{
    (void)state;
    static const uint32_t degrees[] = {1, 2, 3, 4, 5, 7};
    for (uint32_t n = 2; n <= 40; n++)
        for (unsigned which = 0; which < 6; which++) {
            for (unsigned degree = 0; degree < 6; degree++)
                if (degrees[degree] < n)
                    check_dary(n, few_packets[which], degrees[degree]);
            for (uint32_t d = 1; d < n && n <= 20; d++)
                check_dary(n, few_packets[which], d);
        }
    for (unsigned which = 0; which < sizeof large_nodes / sizeof *large_nodes; which++)
        for (unsigned degree = 0; degree < 6; degree++)
            for (uint32_t m = 1; m <= 16; m += m == 1 ? 2 : 13)
                check_dary(large_nodes[which], m, degrees[degree]);
    for (uint32_t n = 20; n <= 60; n++) /* two packets without a chain */
        for (uint32_t d = 3; d < n; d++)
            check_dary(n, 2, d);
    assert_int_equal(rounds_of("dary-trees", 13, 2, 4), 7);
}

/* d = 2, all n up to 2^16 without building: m + 2⌊log n⌋ - 1, and one less for n = 2^h and 2^h + 1,
 * where the formula is exact. */
static void test_dary_two(void **state)
{
    (void)state;
    const struct algorithm *algorithm = support_algorithm("dary-trees");
    for (uint32_t n = 4; n <= 1u << 16; n++)
        for (uint32_t m = 1; m <= 2; m++) {
            const struct collective collective = {.n = n, .m = m, .degree = 2};
            uint64_t rounds = algorithm_end(algorithm, &collective);
            unsigned log = 31 - (unsigned)__builtin_clz(n);
            assert_true(rounds <= m + 2 * log - 1);
            if (n == 1u << log)
                assert_int_equal(rounds, m + 2 * log - 2);
        }
}

/* No degree takes fewer rounds than the best degree. */
static void test_best_degrees(void **state)
{
    (void)state;
    static const char *const names[] = {"dary-trees", "fibonacci"};
    for (unsigned name = 0; name < 2; name++)
        for (uint32_t n = name == 0 ? 2 : 4; n <= 300; n++)
            for (uint32_t m = 1; m <= 2; m++) {
                const struct algorithm *algorithm = support_algorithm(names[name]);
                struct collective collective = {.n = n, .m = m};
                uint64_t best = algorithm_end(algorithm, &collective), least = UINT64_MAX;
                for (collective.degree = 1; collective.degree < n; collective.degree++)
                    if (is_legal(names[name], n, collective.degree)) {
                        uint64_t end = algorithm_end(algorithm, &collective);
                        least = MIN(least, end);
                    }
                assert_int_equal(best, least);
            }
}

/* --- fibonacci
 * ----------------------------------------------------------------------------------- */

/* Rounds beyond m for d + 1 ≤ n ≤ 3d, d = 3, 5, 7. */
static const uint32_t small_fibonacci[3][14] = {{2, 3, 4, 4, 4, 4},
                                                {4, 5, 6, 7, 8, 6, 6, 6, 7, 8},
                                                {6, 7, 8, 9, 10, 11, 12, 8, 8, 8, 9, 10, 11, 12}};

static void check_fibonacci(uint32_t n, uint32_t m, uint32_t d)
{
    bool small = n <= 3 * d, large = n >= d * d + d + 1;
    assert_int_equal(is_legal("fibonacci", n, d), n > d && (small || large));
    if (n <= d || (!small && !large))
        return;
    uint64_t rounds = rounds_of("fibonacci", n, m, d);
    uint32_t groups = (n - 1) / d; /* s + β with s ≡ 1 mod d */
    if (large)
        assert_int_equal(rounds - m, fibonacci_index(d, groups - (groups - 1) % d) + d);
    else if (d <= 7)
        assert_int_equal(rounds - m, small_fibonacci[(d - 3) / 2][n - d - 1]);
}

static void test_fibonacci(void **state)
{
    (void)state;
    for (uint32_t d = 3; d <= 9; d += 2) {
        for (uint32_t n = 2; n <= 130; n++)
            for (unsigned which = 0; which < 6; which++)
                if (n <= 40 || which == 1)
                    check_fibonacci(n, few_packets[which], d);
        for (unsigned which = 0; which < sizeof large_nodes / sizeof *large_nodes; which++)
            for (uint32_t m = 1; m <= 16; m += m == 1 ? 2 : 13)
                check_fibonacci(large_nodes[which], m, d);
    }
}

/* --- golden rows and errors
 * ---------------------------------------------------------------------- */

static void test_golden(void **state)
{
    (void)state;
    FILE *file = fopen(GOLDEN, "r");
    if (file == NULL)
        fail_msg("cannot open " GOLDEN "; run at the root of the repository");
    char line[200];
    unsigned hypercube = 0, fibonacci = 0, dary = 0, lower = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        uint32_t n, m, d;
        uint64_t rounds;
        if (sscanf(line, "ho,sr,%u,%u,,,%lu", &n, &m, &rounds) == 3) {
            assert_int_equal(rounds_of("hypercube-trees", n, m, 0), rounds);
            hypercube++;
        } else if (sscanf(line, "gft,sr,%u,%u,%u,,%lu", &n, &m, &d, &rounds) == 4) {
            assert_int_equal(rounds_of("fibonacci", n, m, d), rounds);
            fibonacci++;
        } else if (sscanf(line, "dtrees(*),sr,%u,%u,%u,,%lu", &n, &m, &d, &rounds) == 4 && d < n) {
            uint64_t ours = rounds_of("dary-trees", n, m, d);
            assert_true(ours <= rounds);
            lower += ours < rounds;
            dary++;
        }
    }
    fclose(file);
    assert_int_equal(hypercube, 12);
    assert_int_equal(fibonacci, 62);
    assert_int_equal(dary, 32); /* and three with d ≥ n, which are rejected */
    assert_true(lower > 10);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t n, d;
        const char *text;
    } refused[] = {
        {"hypercube-trees", 12, 0, "12 nodes; expected a power of two, such as 8 or 16"},
        {"hypercube-trees", 8, 2, "hypercube-trees has no degree"},
        {"dary-trees", 8, 8, "degree 8 on 8 nodes; expected a degree of 1 … 7"},
        {"fibonacci", 3, 0, "3 nodes; expected at least 4"},
        {"fibonacci", 3, 3, "3 nodes; expected at least 4"},
        {"fibonacci", 100, 4,
         "degree 4 span 100 nodes; expected an odd degree of 3 … 9 or of 35 … 99"},
        {"fibonacci", 100, 1,
         "degree 1 span 100 nodes; expected an odd degree of 3 … 9 or of 35 … 99"},
        {"fibonacci", 100, 11,
         "degree 11 span 100 nodes; expected an odd degree of 3 … 9 or of 35 … 99"},
        {"fibonacci", 100, 101,
         "degree 101 span 100 nodes; expected an odd degree of 3 … 9 or of 35 … 99"},
        {"fibonacci", 12, 3, "degree 3 span 12 nodes; expected an odd degree of 5 … 11"},
        {"fibonacci", 4, 5, "degree 5 span 4 nodes; expected an odd degree of 3 … 3"},
    };
    for (unsigned which = 0; which < sizeof refused / sizeof *refused; which++) {
        const struct collective collective = {
            .n = refused[which].n, .m = 2, .degree = refused[which].d};
        struct schedule schedule = {0};
        struct err err = {0};
        assert_false(
            algorithm_build(support_algorithm(refused[which].name), &collective, &schedule, &err));
        support_error(&err, ERR_ALGORITHM, refused[which].text);
    }
    /* The ranges that a message names are the legal ones. */
    for (uint32_t d = 1; d <= 101; d++)
        assert_int_equal(is_legal("fibonacci", 100, d),
                         d % 2 != 0 && ((d >= 3 && d <= 9) || (d >= 35 && d <= 99)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hypercube), cmocka_unit_test(test_dary),
        cmocka_unit_test(test_dary_two),  cmocka_unit_test(test_best_degrees),
        cmocka_unit_test(test_fibonacci), cmocka_unit_test(test_golden),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
