/* SPDX-License-Identifier: Apache-2.0 */
/* test_minimum: matrices of equal sums, decomposed into few permutations.
 *
 * 3×3, sums up to 6: the minimum number of permutations is found by trying all ways to add up the
 * matrix (`fewest`); the decomposition must reach it. Larger matrices are sums of random
 * permutations (printed seed): if few were added, the decomposition never has more; a single
 * permutation stays one. Each decomposition is checked by its definition (`wrong`): permutations
 * whose sum is exactly the matrix. Counter-cases: a duration that is one too large, a column that
 * appears twice. Relations of values: the example of beam.h, and random tables compared with
 * the definition.
 *
 * tags: no-memory
 */
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/decompose/beam.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <string.h>

#define SEED UINT64_C(20261124)
#define MOST 12 /* nodes */

/* Returns the fault of a decomposition of table[nodes][nodes], or NULL. */
static const char *wrong(const uint32_t table[], const struct decomposition *made)
{
    uint64_t sum[MOST * MOST] = {0};
    uint32_t nodes = made->nodes;
    for (size_t k = 0; k < made->count; k++) {
        uint32_t columns = 0;
        for (uint32_t row = 0; row < nodes; row++) {
            uint32_t column = made->to[k * nodes + row];
            if (column >= nodes || (columns >> column & 1) != 0)
                return "no permutation";
            columns |= UINT32_C(1) << column;
            sum[row * nodes + column] += made->duration[k];
        }
        if (made->duration[k] == 0)
            return "a permutation of no duration";
    }
    for (uint32_t e = 0; e < nodes * nodes; e++)
        if (sum[e] != table[e])
            return "another sum";
    return NULL;
}

static const uint32_t order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/* Adds or subtracts a permutation of three nodes the given number of times. */
static void change(uint32_t table[9], unsigned which, int64_t times)
{
    for (uint32_t row = 0; row < 3; row++)
        table[3 * row + order[which][row]] += (uint32_t)times;
}

static uint32_t least_of(const uint32_t table[9], unsigned which)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t row = 0; row < 3; row++)
        least = MIN(least, table[3 * row + order[which][row]]);
    return least;
}

/* Returns the minimum number of the permutations `which` … 5 that add up to a table; 9 if they
 * cannot. */
static unsigned fewest(uint32_t table[9], unsigned which)
{
    if (which == 6) {
        for (unsigned e = 0; e < 9; e++)
            if (table[e] != 0)
                return 9;
        return 0;
    }
    unsigned best = 9, most = least_of(table, which);
    for (unsigned times = 0; times <= most; times++) {
        change(table, which, -(int64_t)times);
        unsigned count = (times > 0) + fewest(table, which + 1);
        change(table, which, times);
        best = MIN(best, count);
    }
    return best;
}

static void three_nodes(void **context)
{
    (void)context;
    unsigned looked = 0, stride = running_stride(13);
    for (unsigned code = 1; code < 4096; code += stride) {
        uint32_t table[9] = {0}, sum = 0;
        for (unsigned which = 0; which < 6; which++) {
            change(table, which, code >> 2 * which & 3);
            sum += code >> 2 * which & 3;
        }
        if (sum > 6)
            continue;
        struct decomposition made = {0};
        struct err err = {0};
        support_true(minimum_search(table, 3, 0.002, 1, &made, &err), &err);
        assert_null(wrong(table, &made));
        assert_int_equal(made.count, fewest(table, 0));
        decomposition_free(&made);
        looked++;
    }
    assert_true(looked > 30);
}

/* Fills the table with the sum of `count` random permutations, each taken a random number of
 * times. */
static void draw(struct rng *rng, uint32_t nodes, unsigned count, uint32_t table[])
{
    memset(table, 0, nodes * nodes * sizeof *table);
    for (unsigned k = 0; k < count; k++) {
        uint32_t to[MOST], times = 1 + rng_below(rng, 10000);
        rng_permutation(rng, nodes, to);
        for (uint32_t row = 0; row < nodes; row++)
            table[row * nodes + to[row]] += times;
    }
}

static void drawn_ones(void **context)
{
    (void)context;
    struct rng rng = {SEED};
    print_message("seed %" PRIu64 "\n", SEED);
    for (unsigned run = 0; run < 22; run++) {
        uint32_t nodes = 2 + run % (MOST - 1), table[MOST * MOST];
        unsigned count = run < 11 ? 1 + run % 4 : nodes * nodes;
        struct decomposition made = {0};
        struct err err = {0};
        draw(&rng, nodes, count, table);
        support_true(minimum_search(table, nodes, 0.02, run, &made, &err), &err);
        assert_null(wrong(table, &made));
        assert_true(made.count <= count);
        assert_true(made.count <= (nodes - 1) * (nodes - 1) + 1);
        decomposition_free(&made);
    }
}

/* Each allocation fails in turn: the result is the best one found before, or E104. */
static void memory_ends(void **context)
{
    (void)context;
    uint32_t table[9] = {0};
    change(table, 0, 3);
    change(table, 3, 2);
    unsigned refused = 0, found = 0;
    for (uint64_t number = 1; number <= 60; number++) {
        struct decomposition made = {0};
        struct err err = {0};
        int64_t left;
        no_memory_begin(number, number % 2 == 0);
        bool held = minimum_search(table, 3, 0.002, 1, &made, &err);
        if (held)
            assert_null(wrong(table, &made));
        decomposition_free(&made);
        no_memory_end(&left);
        assert_int_equal(left, 0);
        if (!held)
            assert_int_equal(err.code, ERR_TOO_BIG);
        refused += !held;
        found += held;
    }
    assert_true(refused > 5 && found > 5);
}

/* Rows have two entries, but three permutations are needed: two pairs of nodes, each split at
 * another position. The table is too small for a search in parts. */
static void fewer_than_a_part(void **context)
{
    (void)context;
    static const uint32_t table[16] = {1, 3, 0, 0, 3, 1, 0, 0, 0, 0, 2, 2, 0, 0, 2, 2};
    struct decomposition made = {0};
    struct err err = {0};
    support_true(minimum_search(table, 4, 0.2, 1, &made, &err), &err);
    assert_null(wrong(table, &made));
    assert_int_equal(made.count, 3);
    decomposition_free(&made);
}

/* The same for tables whose first result a longer search may improve: all allocations fail from
 * call `number` on, for every number up to one that is not reached. */
static void memory_ends_later(void **context)
{
    (void)context;
    struct rng rng = {SEED};
    unsigned refused = 0, found = 0;
    for (unsigned seed = 0; seed < 40; seed++) {
        uint32_t nodes = 4 + seed % 4, table[MOST * MOST];
        bool comes = true;
        draw(&rng, nodes, nodes + 2, table);
        for (uint64_t number = 1; comes; number++) {
            struct decomposition made = {0};
            struct err err = {0};
            int64_t left;
            no_memory_begin(number, true);
            bool held = minimum_search(table, nodes, 0.004, seed, &made, &err);
            if (held)
                assert_null(wrong(table, &made));
            decomposition_free(&made);
            comes = no_memory_end(&left) >= number;
            assert_int_equal(left, 0);
            if (!held)
                assert_int_equal(err.code, ERR_TOO_BIG);
            refused += !held;
            found += held;
        }
    }
    print_message("%u refused, %u found\n", refused, found);
    assert_true(refused > 100 && found >= 40);
}

static void what_is_wrong_is_seen(void **context)
{
    (void)context;
    uint32_t table[9] = {0};
    struct decomposition made = {0};
    struct err err = {0};
    change(table, 0, 3);
    change(table, 3, 2);
    support_true(minimum_search(table, 3, 0.01, 1, &made, &err), &err);
    assert_null(wrong(table, &made));
    assert_int_equal(made.count, 2);
    made.duration[1]++;
    assert_string_equal(wrong(table, &made), "another sum");
    made.duration[1] = 0;
    assert_string_equal(wrong(table, &made), "a permutation of no duration");
    made.to[0] = made.to[1];
    assert_string_equal(wrong(table, &made), "no permutation");
    decomposition_free(&made);
}

/* Computes the relations by their definition, from entries in any order: a value counts at its
 * first position. */
static struct relations relations_by_definition(const uint32_t table[], size_t entries)
{
    struct relations relations = {0};
    bool first[RELATIONS_MAX_ENTRIES];
    for (size_t e = 0; e < entries; e++) {
        first[e] = table[e] != 0;
        for (size_t before = 0; before < e; before++)
            first[e] = first[e] && table[before] != table[e];
        relations.values += first[e];
    }
    for (size_t e = 0; e < entries; e++)
        for (size_t a = 0; a < entries; a++)
            for (size_t b = 0; b < entries; b++)
                relations.sums += first[e] && first[a] && first[b] && table[a] <= table[b] &&
                                  (uint64_t)table[a] + table[b] == table[e];
    return relations;
}

static void relations_of_values(void **state)
{
    (void)state;
    static const uint32_t example[9] = {7, 3, 0, 0, 5, 5, 3, 2, 5};
    static const uint32_t wrapped[3] = {UINT32_MAX, 3,
                                        2}; /* in 32 bits 2 is the sum of the others */
    struct rng rng = {SEED + 9};
    uint32_t table[RELATIONS_MAX_ENTRIES];
    assert_int_equal(relations_of(example, 9).values, 4);
    assert_int_equal(relations_of(example, 9).sums, 2);
    assert_int_equal(relations_of(example, 0).values, 0);
    assert_int_equal(relations_of(wrapped, 3).sums, 0);
    for (unsigned time = 0; time < 2000; time++) {
        size_t entries = rng_below(&rng, RELATIONS_MAX_ENTRIES + 1);
        uint32_t most = time % 2 == 0 ? 40 : 4000;
        for (size_t e = 0; e < entries; e++)
            table[e] = rng_below(&rng, most);
        struct relations found = relations_of(table, entries);
        struct relations expected = relations_by_definition(table, entries);
        assert_int_equal(found.values, expected.values);
        assert_int_equal(found.sums, expected.sums);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_nodes),          cmocka_unit_test(drawn_ones),
        cmocka_unit_test(memory_ends),          cmocka_unit_test(memory_ends_later),
        cmocka_unit_test(fewer_than_a_part),    cmocka_unit_test(relations_of_values),
        cmocka_unit_test(what_is_wrong_is_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
