/* SPDX-License-Identifier: Apache-2.0 */
/* test_colour_fit: colourings of graphs that need not be regular, compared with the definition.
 *
 * Graphs. All graphs of 3 × 3 vertices with up to two edges between a left and a right vertex,
 * coloured with as many colours as their largest degree; sampled graphs (printed seed) of 1 … 40
 * vertices: random edges, sparse and dense, and sums of permutations, in which every edge of the
 * last permutations requires a swap; larger graphs, some of which need too many swaps. Entries
 * without an edge occur anywhere in rows.
 *
 * Checked: no vertex has a colour twice, and no colour is as large as the degree (`proper`); equal
 * graphs get equal colours. Counter-case: one edge gets the colour of another one of its vertex.
 */
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/network/colour.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <string.h>

#define SEED UINT64_C(20261123)
#define MAX_EDGES 300000
#define NONE COLOUR_FIT_NONE

static uint32_t vertices, degree, right[MAX_EDGES], colour[MAX_EDGES], again[MAX_EDGES];
static uint8_t seen[MAX_EDGES];

static bool proper(void)
{
    for (unsigned side = 0; side < 2; side++) {
        memset(seen, 0, (size_t)vertices * degree);
        for (uint32_t edge = 0; edge < vertices * degree; edge++) {
            uint32_t vertex = side == 0 ? edge / degree : right[edge];
            if (right[edge] != NONE &&
                (colour[edge] >= degree || seen[vertex * degree + colour[edge]]++))
                return false;
        }
    }
    return true;
}

/* Gives two edges of a left vertex the same colour; returns false if no vertex has two edges. */
static bool spoil(void)
{
    uint32_t before = NONE;
    for (uint32_t edge = 0; edge < vertices * degree; edge++) {
        before = edge % degree == 0 ? NONE : before;
        if (right[edge] == NONE)
            continue;
        if (before != NONE) {
            colour[edge] = colour[before];
            return true;
        }
        before = edge;
    }
    return false;
}

/* Returns whether a colouring was found; if so, checks that it is proper. */
static bool check_fit(void)
{
    struct err err = {0};
    bool fits, fits_again;
    size_t bytes = (size_t)vertices * degree * sizeof colour[0];
    assert_true(bytes <= sizeof colour);
    memset(colour, 0xff, bytes);
    memset(again, 0xff, bytes);
    support_true(colour_fit(vertices, degree, right, colour, &fits, &err), &err);
    support_true(colour_fit(vertices, degree, right, again, &fits_again, &err), &err);
    assert_int_equal(fits, fits_again);
    assert_memory_equal(colour, again, bytes);
    assert_true(proper() || !fits);
    if (fits && spoil())
        assert_false(proper());
    return fits;
}

/* Writes the rows of a matrix[3][3] of edges, after `shift` entries without an edge if there is
 * room. Returns the largest sum. */
static uint32_t set_three(uint32_t code, uint32_t shift)
{
    uint32_t sent[3] = {0}, received[3] = {0}, most = 0, rest = code;
    for (uint32_t pair = 0; pair < 9; pair++, rest /= 3) {
        sent[pair / 3] += rest % 3;
        received[pair % 3] += rest % 3;
    }
    for (uint32_t vertex = 0; vertex < 3; vertex++) {
        most = MAX(most, sent[vertex]);
        most = MAX(most, received[vertex]);
    }
    vertices = 3;
    degree = most;
    memset(right, 0xff, 18 * sizeof right[0]);
    for (uint32_t pair = 0; pair < 9; pair++, code /= 3)
        for (uint32_t edge = 0; edge < code % 3; edge++) {
            uint32_t row = pair / 3, lacks = most - sent[row];
            sent[row]--;
            right[row * most + (lacks + shift) % most] = pair % 3;
        }
    return most;
}

static void every_small_graph(void **state)
{
    (void)state;
    for (uint32_t code = 1; code < 19683; code++)
        for (uint32_t shift = 0; shift < 2; shift++) {
            assert_in_range(set_three(code, shift), 1, 6);
            assert_true(check_fit());
        }
}

/* Draws random edges, as many as find room in `tries` attempts. */
static void draw_edges(struct rng *rng, uint32_t tries)
{
    uint32_t sent[1000] = {0}, received[1000] = {0};
    assert_true(vertices <= 1000);
    memset(right, 0xff, (size_t)vertices * degree * sizeof right[0]);
    for (uint32_t k = 0; k < tries; k++) {
        uint32_t from = rng_below(rng, vertices), to = rng_below(rng, vertices);
        if (sent[from] == degree || received[to] == degree)
            continue;
        right[from * degree + sent[from]++] = to;
        received[to]++;
    }
}

static void draw_permutations(struct rng *rng)
{
    uint32_t permutation[4096];
    assert_true(vertices <= 4096);
    for (uint32_t which = 0; which < degree; which++) {
        rng_permutation(rng, vertices, permutation);
        for (uint32_t row = 0; row < vertices; row++)
            right[row * degree + which] = permutation[row];
    }
}

static void sampled_graphs(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    unsigned unfit = 0;
    print_message("seed %" PRIu64 "\n", SEED);
    for (unsigned time = 0; time < 1000; time++) {
        vertices = 1 + rng_below(&rng, 40);
        degree = 1 + rng_below(&rng, 200);
        draw_edges(&rng, vertices * degree * (1 + time % 4) / 2);
        unfit += !check_fit();
        draw_permutations(&rng);
        unfit += !check_fit();
    }
    assert_in_range(unfit, 1, 200); /* of few colours */
}

static void larger_graphs(void **state)
{
    (void)state;
    struct rng rng = {SEED + 1};
    vertices = 1000;
    degree = 290;
    draw_edges(&rng, 250000);
    assert_true(check_fit());
    vertices = 100;
    degree = 3000;
    draw_permutations(&rng);
    assert_true(check_fit());
    vertices = 20; /* few, with many edges between each two */
    degree = 15000;
    draw_permutations(&rng);
    assert_true(check_fit());
    draw_edges(&rng, 400000);
    assert_true(check_fit());
    vertices = 4096;
    degree = 8;
    draw_permutations(&rng);
    assert_false(check_fit());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_small_graph),
                                       cmocka_unit_test(sampled_graphs),
                                       cmocka_unit_test(larger_graphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
