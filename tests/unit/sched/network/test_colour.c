/* SPDX-License-Identifier: Apache-2.0 */
/* test_colour: edge colourings and their parts, compared with the definitions.
 *
 * Graphs. Regular ones as sums of D permutations of V vertices: exhaustive for V = 3 and D = 1 … 3
 * (all 6^D sums); sampled with a printed seed for all D up to 33 and V up to 40, and larger ones;
 * the same permutation D times, so that all edges are parallel; blocks that two edges connect. For
 * the split alone, also graphs whose degrees are even but not equal, and more loops than trails can
 * number.
 *
 * Checked: every vertex has each colour once (`proper`); each vertex has as many edges of colour
 * one as of two (`balanced`); the first edges of all rows are a permutation and rows have the edges
 * that they had (`matched`). Equal graphs get equal colours. Counter-cases: each check rejects the
 * outcome with one edge changed.
 */
#include "sched/base/rng.h"
#include "sched/network/colour.h"
#include "sched/network/colour_walk.h"
#include "tests/support/cmocka_all.h"

#include <string.h>

#define SEED UINT64_C(20261121)
#define MAX_EDGES 70000
#define MAX_VERTICES 1100
#define WALK_EDGES 200

struct graph {
    uint32_t vertices, degree;
    uint32_t right[MAX_EDGES];
};

/* Static because it is too big for the stack; each test uses it alone. */
static struct graph graph;
static uint32_t colour[MAX_EDGES], again[MAX_EDGES];
static uint8_t seen[MAX_EDGES];
static uint64_t checked;

static void graph_new(uint32_t vertices, uint32_t degree)
{
    assert_true(vertices * degree <= MAX_EDGES && vertices <= MAX_VERTICES);
    graph.vertices = vertices;
    graph.degree = degree;
}

static void add_permutation(uint32_t which, const uint32_t permutation[])
{
    for (uint32_t left = 0; left < graph.vertices; left++)
        graph.right[left * graph.degree + which] = permutation[left];
}

static void draw_graph(struct rng *rng, uint32_t vertices, uint32_t degree, bool parallel)
{
    uint32_t permutation[MAX_VERTICES];
    graph_new(vertices, degree);
    for (uint32_t which = 0; which < degree; which++) {
        if (which == 0 || !parallel)
            rng_permutation(rng, vertices, permutation);
        add_permutation(which, permutation);
    }
}

/* Returns whether every vertex has each colour once, on the left and on the right. */
static bool proper(void)
{
    uint32_t edges = graph.vertices * graph.degree;
    for (unsigned side = 0; side < 2; side++) {
        memset(seen, 0, edges);
        for (uint32_t edge = 0; edge < edges; edge++) {
            uint32_t vertex = side == 0 ? edge / graph.degree : graph.right[edge];
            if (colour[edge] >= graph.degree || seen[vertex * graph.degree + colour[edge]]++)
                return false;
        }
    }
    return true;
}

static void check_colours(struct colour *work)
{
    uint32_t edges = graph.vertices * graph.degree;
    memset(colour, 0xff, edges * sizeof colour[0]);
    colour_edges(work, graph.vertices, graph.degree, graph.right, colour);
    assert_true(proper());
    checked++;
    memcpy(again, colour, edges * sizeof colour[0]);
    if (graph.degree > 1) { /* another colour for one edge */
        colour[edges / 2] = (colour[edges / 2] + 1) % graph.degree;
        assert_false(proper());
    }
    colour_edges(work, graph.vertices, graph.degree, graph.right, colour);
    assert_memory_equal(colour, again, edges * sizeof colour[0]);
}

static struct colour *room(void)
{
    struct err err = {0};
    struct colour *work = colour_new(MAX_VERTICES, MAX_EDGES, &err);
    assert_non_null(work);
    return work;
}

static void every_small_sum(void **state)
{
    (void)state;
    static const uint32_t permutation[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                               {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    struct colour *work = room();
    checked = 0;
    for (uint32_t degree = 1, sums = 6; degree <= 3; degree++, sums *= 6)
        for (uint32_t sum = 0; sum < sums; sum++) {
            graph_new(3, degree);
            for (uint32_t which = 0, rest = sum; which < degree; which++, rest /= 6)
                add_permutation(which, permutation[rest % 6]);
            check_colours(work);
        }
    assert_int_equal(checked, 6 + 36 + 216);
    colour_free(work);
}

static void sampled_graphs(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    struct colour *work = room();
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (uint32_t degree = 1; degree <= 33; degree++)
        for (uint32_t vertices = 1; vertices <= 40; vertices++)
            for (unsigned parallel = 0; parallel < 2; parallel++) {
                draw_graph(&rng, vertices, degree, parallel);
                check_colours(work);
            }
    static const uint32_t large[][2] = {{1000, 3},  {1000, 7},  {1001, 64},
                                        {255, 255}, {2, 35000}, {1, 9999}};
    for (size_t which = 0; which < sizeof large / sizeof large[0]; which++) {
        draw_graph(&rng, large[which][0], large[which][1], false);
        check_colours(work);
    }
    colour_free(work);
    colour_free(NULL);
}

/* Blocks of `degree` vertices, completely connected inside, except that edge 0 of vertex 0 leads to
 * the next block. */
static void blocks_in_a_ring(void **state)
{
    (void)state;
    struct colour *work = room();
    for (uint32_t degree = 3; degree <= 25; degree += 2) {
        uint32_t blocks = 1000 / degree;
        graph_new(blocks * degree, degree);
        for (uint32_t block = 0; block < blocks; block++)
            for (uint32_t left = 0; left < degree; left++)
                for (uint32_t which = 0; which < degree; which++) {
                    uint32_t to = left + which == 0 ? (block + 1) % blocks : block;
                    graph.right[(block * degree + left) * degree + which] = to * degree + which;
                }
        check_colours(work);
    }
    colour_free(work);
}

/* Returns whether each left pair has both colours, and each right vertex has equally many edges of
 * both. */
static bool balanced(const uint32_t right[], uint32_t edges, uint32_t vertices, const uint8_t one[])
{
    int more[64] = {0};
    for (uint32_t edge = 0; edge < edges; edge++) {
        if (one[edge] > 1 || one[edge] + one[edge ^ 1] != 1)
            return false;
        more[right[edge]] += one[edge] ? 1 : -1;
    }
    for (uint32_t vertex = 0; vertex < vertices; vertex++)
        if (more[vertex] != 0)
            return false;
    return true;
}

/* Returns whether the first edge of the first pair of every loop has colour one; in the loop of
 * `start`, that edge decides instead. */
static bool starts_right(const uint32_t mates[], uint32_t edges, uint32_t start,
                         const uint8_t one[])
{
    uint32_t beside[WALK_EDGES];
    for (uint32_t at = 0; at < edges; at++)
        beside[mates[at]] = mates[at ^ 1];
    memset(seen, 0, edges);
    for (uint32_t number = 0; number <= edges; number += 2) {
        uint32_t first = number == 0 ? start : number - 2, edge = first;
        if (seen[first])
            continue;
        do {
            seen[edge] = seen[beside[edge]] = 1;
            edge = beside[edge] ^ 1;
        } while (edge != first);
        if (one[first] != 1)
            return false;
    }
    return true;
}

/* Computes the order of walks: each edge is followed by the edge next to its mate. */
static void follow(const uint32_t mates[], uint32_t edges, uint32_t next[])
{
    for (uint32_t at = 0; at < edges; at++)
        next[mates[at]] = mates[at ^ 1] ^ 1;
}

/* A graph whose right vertices have any even degrees: edges are drawn in pairs, in random order. */
struct drawn {
    struct colour_graph graph;
    uint32_t vertices, mates[WALK_EDGES], right[WALK_EDGES], next[WALK_EDGES];
};

static void draw_pairs(struct rng *rng, uint32_t edges, struct drawn *drawn)
{
    drawn->graph = (struct colour_graph){.edges = edges, .start = rng_below(rng, edges)};
    drawn->vertices = 1 + rng_below(rng, 64);
    rng_permutation(rng, edges, drawn->mates);
    for (uint32_t at = 0; at < edges; at += 2)
        drawn->right[drawn->mates[at]] = drawn->right[drawn->mates[at + 1]] =
            rng_below(rng, drawn->vertices);
    follow(drawn->mates, edges, drawn->next);
}

static void check_split(const struct drawn *drawn, uint8_t one[])
{
    uint32_t edges = drawn->graph.edges, start = drawn->graph.start;
    assert_true(balanced(drawn->right, edges, drawn->vertices, one));
    assert_true(starts_right(drawn->mates, edges, start, one));
    one[start] = 0;
    assert_false(starts_right(drawn->mates, edges, start, one));
    assert_false(balanced(drawn->right, edges, drawn->vertices, one));
}

/* Tests one graph and several adjacent graphs, some with two additional edges. */
static void splits_are_balanced(void **state)
{
    (void)state;
    struct rng rng = {SEED + 1};
    static struct drawn drawn[COLOUR_WALKERS];
    struct colour_graph walked[COLOUR_WALKERS];
    uint32_t next[COLOUR_WALKERS * WALK_EDGES];
    uint8_t one[COLOUR_WALKERS * WALK_EDGES];
    print_message("seed %llu\n", (unsigned long long)SEED + 1);
    for (unsigned time = 0; time < 20000; time++) {
        uint32_t edges = 2 * (1 + rng_below(&rng, WALK_EDGES / 2 - 1)), base = 0;
        unsigned count = 1U << time % 3;
        for (unsigned each = 0; each < count; each++) {
            draw_pairs(&rng, edges + 2 * rng_below(&rng, 2), &drawn[each]);
            walked[each] = drawn[each].graph;
            walked[each].base = base;
            walked[each].start += base;
            for (uint32_t edge = 0; edge < walked[each].edges; edge++)
                next[base + edge] = base + drawn[each].next[edge];
            base += colour_walk_bytes(walked[each].edges);
        }
        colour_walk(next, one, walked, count);
        for (unsigned each = 0; each < count; each++)
            check_split(&drawn[each], one + walked[each].base);
    }
}

#define TRAIL_PAIRS 1024

/* Pairs of adjacent edges, and pairs half of the edges apart (benes.h), get the colours of a
 * walk. */
static void compare_trails(const uint32_t next[], uint32_t edges, uint32_t start)
{
    uint32_t half = edges / 2, apart[2 * TRAIL_PAIRS];
    uint8_t one[2 * TRAIL_PAIRS], trails[2 * TRAIL_PAIRS] = {0}, other[2 * TRAIL_PAIRS] = {0};
    colour_walk(next, one, &(struct colour_graph){.edges = edges, .start = start}, 1);
    colour_trails(next, trails, (struct colour_pairs){0, half, 2, 1, start});
    assert_memory_equal(trails, one, edges);
    if ((half & (half - 1)) != 0)
        return;
    for (uint32_t edge = 0; edge < edges; edge++)
        apart[edge / 2 + edge % 2 * half] = next[edge] / 2 + next[edge] % 2 * half;
    colour_trails(apart, other,
                  (struct colour_pairs){0, half, 1, half, start / 2 + start % 2 * half});
    for (uint32_t edge = 0; edge < edges; edge++)
        assert_int_equal(other[edge / 2 + edge % 2 * half], one[edge]);
}

/* Trails give the same colours as walks, with few loops and with more loops than trails can
 * number. */
static void trails_equal_walks(void **state)
{
    (void)state;
    struct rng rng = {SEED + 4};
    uint32_t mates[2 * TRAIL_PAIRS], next[2 * TRAIL_PAIRS];
    print_message("seed %llu\n", (unsigned long long)SEED + 4);
    for (unsigned time = 0; time < 3000; time++) {
        bool power = time % 2 == 0;
        uint32_t pairs = power ? UINT32_C(1) << time / 2 % 11 : 1 + rng_below(&rng, TRAIL_PAIRS);
        uint32_t edges = 2 * pairs, mixed = time % 3 == 0 ? edges : rng_below(&rng, edges + 1);
        rng_permutation(&rng, mixed, mates);
        for (uint32_t edge = mixed; edge < edges; edge++) /* loops of one pair, except one */
            mates[edge] = edge;
        follow(mates, edges, next);
        compare_trails(next, edges, rng_below(&rng, edges));
    }
}

/* The example at the head of colour_walk.h. */
static void the_worked_example(void **state)
{
    (void)state;
    static const uint32_t mates[] = {0, 3, 1, 4, 2, 5};
    static const uint8_t expected[8] = {1, 0, 1, 0, 1, 0, 1, 1};
    uint32_t next[6];
    uint8_t one[8];
    assert_int_equal(colour_walk_bytes(6), 8);
    follow(mates, 6, next);
    colour_walk(next, one, &(struct colour_graph){.edges = 6}, 1);
    assert_memory_equal(one, expected, 6);
}

/* Returns whether the first edges are a matching and each row has its original edges, identified by
 * their ids, and their right vertices. */
static bool matched(const struct colour_edge edge[])
{
    uint32_t degree = graph.degree, edges = graph.vertices * degree;
    memset(seen, 0, edges);
    for (uint32_t left = 0; left < graph.vertices; left++)
        if (seen[edge[left * degree].right]++)
            return false;
    memset(seen, 0, edges);
    for (uint32_t at = 0; at < edges; at++) {
        uint32_t id = edge[at].id;
        if (id >= edges || seen[id]++ || id / degree != at / degree ||
            graph.right[id] != edge[at].right)
            return false;
    }
    return true;
}

static void matchings_are_perfect(void **state)
{
    (void)state;
    static struct colour_edge edge[MAX_EDGES];
    uint32_t partner[64], exits[64], open[64];
    const struct colour_match work = {partner, exits, open};
    struct rng rng = {SEED + 2}, walk = {SEED + 3};
    print_message("seeds %llu, %llu\n", (unsigned long long)SEED + 2, (unsigned long long)SEED + 3);
    for (unsigned time = 0; time < 5000; time++) {
        draw_graph(&rng, 2 + rng_below(&rng, 60), 1 + rng_below(&rng, 9), time % 4 == 0);
        for (uint32_t id = 0; id < graph.vertices * graph.degree; id++)
            edge[id] = (struct colour_edge){graph.right[id], id};
        colour_match(&work, graph.vertices, graph.degree, edge, &walk);
        assert_true(matched(edge));
        struct colour_edge first = edge[0];
        edge[0] = edge[graph.degree];
        edge[graph.degree] = first;
        assert_false(matched(edge));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example), cmocka_unit_test(splits_are_balanced),
        cmocka_unit_test(trails_equal_walks), cmocka_unit_test(matchings_are_perfect),
        cmocka_unit_test(every_small_sum),    cmocka_unit_test(sampled_graphs),
        cmocka_unit_test(blocks_in_a_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
