/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_trees: the d edge-disjoint spanning trees of a hypercube.
 *
 * Exhaustive: all trees, all nodes, d = 1 … 10. The trees are built here from their definition,
 * path by path from the root, and compared with the implementation and with its drawings; no arc
 * may be marked twice, neither forwards nor backwards. Counter-case: trees whose dimensions are in
 * increasing order for each root share arcs.
 */
#include "sched/algorithms/cube/cube_tree.h"
#include "sched/base/compare.h"
#include "sched/draw/drawing.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <string.h>

#define MOST_DIMENSIONS 10
#define MOST_NODES (1u << MOST_DIMENSIONS)
#define NO_PARENT UINT32_MAX

/* Returns dimension number k = 0 … d-1 in the order of tree j. */
typedef unsigned order(unsigned d, unsigned j, unsigned k);

static unsigned rotated(unsigned d, unsigned j, unsigned k)
{
    return (j + k) % d + 1; /* j+1, …, d, 1, …, j */
}

static unsigned increasing(unsigned d, unsigned j, unsigned k)
{
    (void)d;
    (void)j;
    return k + 1;
}

/* Computes every node's path from the root: the dimensions in which it differs, in order. Nodes on
 * the path have the parents that they have on their own paths. */
static void grow(unsigned d, unsigned j, order *order_of, uint32_t parent[], unsigned depth[])
{
    uint32_t root = 1u << (j - 1);
    for (uint32_t node = 0; node < 1u << d; node++) {
        uint32_t at = root;
        parent[node] = NO_PARENT;
        depth[node] = 0;
        for (unsigned k = 0; k < d; k++) {
            uint32_t bit = 1u << (order_of(d, j, k) - 1);
            if ((at & bit) == (node & bit))
                continue;
            parent[node] = at;
            depth[node]++;
            at ^= bit;
        }
        assert_int_equal(at, node);
    }
}

/* Marks the arcs from parents to children, or the reverse arcs. Returns the number of arcs that
 * were already marked. */
static unsigned mark(unsigned d, const uint32_t parent[], bool back, bool (*used)[MOST_DIMENSIONS])
{
    unsigned again = 0;
    for (uint32_t node = 0; node < 1u << d; node++) {
        if (parent[node] == NO_PARENT)
            continue;
        unsigned dimension = topology_dimension(node, parent[node]);
        assert_in_range(dimension, 1, d);
        bool *arc = &used[back ? node : parent[node]][dimension - 1];
        again += *arc;
        *arc = true;
    }
    return again;
}

static unsigned shared_arcs(unsigned d, order *order_of, bool back, bool (*used)[MOST_DIMENSIONS])
{
    static uint32_t parent[MOST_NODES];
    static unsigned depth[MOST_NODES];
    unsigned shared = 0;
    memset(used, 0, MOST_NODES * sizeof *used);
    for (unsigned j = 1; j <= d; j++) {
        grow(d, j, order_of, parent, depth);
        shared += mark(d, parent, back, used);
    }
    return shared;
}

static void test_parents(void **state)
{
    (void)state;
    static uint32_t parent[MOST_NODES];
    static unsigned depth[MOST_NODES];
    for (unsigned d = 1; d <= MOST_DIMENSIONS; d++)
        for (unsigned j = 1; j <= d; j++) {
            unsigned deepest = 0;
            grow(d, j, rotated, parent, depth);
            for (uint32_t node = 0; node < 1u << d; node++) {
                assert_int_equal(cube_tree_depth(j, node), depth[node]);
                deepest = MAX(deepest, depth[node]);
                if (parent[node] == NO_PARENT)
                    assert_int_equal(node, cube_tree_root(j));
                else
                    assert_int_equal(cube_tree_parent(j, node), parent[node]);
            }
            assert_int_equal(deepest, d);
        }
}

/* Returns the position of a dimension in the order of tree j. */
static unsigned place_of(unsigned d, unsigned j, uint64_t dimension)
{
    unsigned k = 0;
    while (rotated(d, j, k) != dimension)
        k++;
    return k;
}

/* A drawing lists all nodes, row by row, with their parents, and siblings in the order of their
 * dimensions. */
static void test_drawing(void **state)
{
    (void)state;
    static uint32_t parent[MOST_NODES];
    static unsigned depth[MOST_NODES];
    for (unsigned d = 1; d <= MOST_DIMENSIONS; d++)
        for (unsigned j = 1; j <= d; j++) {
            struct drawing drawing;
            struct err err = {0};
            bool drawn[MOST_NODES] = {false};
            grow(d, j, rotated, parent, depth);
            support_true(drawing_cube(d, j, &drawing, &err), &err);
            assert_int_equal(drawing.count, 1u << d);
            for (size_t at = 0; at < drawing.count; at++) {
                const struct drawing_node *node = &drawing.node[at],
                                          *before = at > 1 ? node - 1 : NULL;
                assert_in_range(node->number, 0, (1u << d) - 1);
                assert_false(drawn[node->number]);
                drawn[node->number] = true;
                assert_int_equal(node->time, depth[node->number]);
                if (at == 0)
                    continue;
                assert_int_equal(drawing.node[node->parent].number, parent[node->number]);
                assert_int_equal(node->branch,
                                 topology_dimension(node->number, parent[node->number]));
                assert_true(before == NULL || before->parent < node->parent ||
                            (before->parent == node->parent &&
                             place_of(d, j, before->branch) < place_of(d, j, node->branch)));
            }
            drawing_free(&drawing);
        }
}

static void test_edge_disjoint(void **state)
{
    (void)state;
    static bool used[MOST_NODES][MOST_DIMENSIONS];
    for (unsigned d = 1; d <= MOST_DIMENSIONS; d++)
        for (unsigned back = 0; back <= 1; back++) {
            assert_int_equal(shared_arcs(d, rotated, back, used), 0);
            for (uint32_t node = 0; node < 1u << d; node++)
                for (unsigned dimension = 1; dimension <= d; dimension++) {
                    uint32_t from = back ? node ^ 1u << (dimension - 1) : node;
                    assert_int_equal(used[node][dimension - 1], from != 0);
                }
        }
}

static void test_counter_case(void **state)
{
    (void)state;
    static bool used[MOST_NODES][MOST_DIMENSIONS];
    for (unsigned d = 3; d <= MOST_DIMENSIONS; d++) /* for d = 2 they happen to be apart */
        assert_true(shared_arcs(d, increasing, false, used) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parents),
        cmocka_unit_test(test_drawing),
        cmocka_unit_test(test_edge_disjoint),
        cmocka_unit_test(test_counter_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
