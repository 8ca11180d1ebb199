/* SPDX-License-Identifier: Apache-2.0 */
/* test_topology: the numbers of a tree's nodes, its branches, and its legal texts.
 *
 * State space: trees of h levels with k_i children and c_i lanes, up to 24 levels and 2^24 leaves.
 * Exhaustive: in all trees with h ≤ 4, k_i ≤ 4 and n ≤ 64 all nodes, pairs of nodes and
 * automorphisms, compared with a list of the nodes' levels, indices and parents that is counted
 * here. The limits are tested separately. Topologies of four nodes that differ in one property each
 * are not equal; nodes without a common link have no branch and no dimension.
 */
#include "sched/base/compare.h"
#include "sched/shape/grid.h"
#include "sched/shape/topology.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#define MOST_NODES 128

/* A tree as lists indexed by node. */
struct listed {
    unsigned level[MOST_NODES];
    uint32_t index[MOST_NODES], parent[MOST_NODES];
    uint32_t count;
};

static struct listed list_tree(unsigned height, const uint32_t children[])
{
    struct listed listed = {.count = 0};
    uint32_t nodes = 1;
    for (unsigned level = 0; level < height; level++)
        nodes *= children[level];
    for (unsigned level = 0; level <= height; level++) {
        uint32_t k = level < height ? children[level] : 1;
        for (uint32_t index = 0; index < nodes; index++) {
            listed.level[listed.count + index] = level;
            listed.index[listed.count + index] = index;
            listed.parent[listed.count + index] = listed.count + nodes + index / k;
        }
        listed.count += nodes;
        nodes /= k;
    }
    listed.parent[listed.count - 1] = UINT32_MAX;
    return listed;
}

static bool is_branch(const struct listed *listed, uint32_t a, uint32_t b)
{
    return listed->parent[a] == b || listed->parent[b] == a;
}

static void check_nodes(const struct topology *tree, const struct listed *listed)
{
    assert_int_equal(tree->all, listed->count);
    for (uint32_t node = 0; node < listed->count; node++) {
        unsigned level = listed->level[node];
        assert_int_equal(topology_level(tree, node), level);
        assert_int_equal(topology_index(tree, level, node), listed->index[node]);
        assert_int_equal(topology_node(tree, level, listed->index[node]), node);
        if (level == tree->height)
            continue;
        uint32_t parent = topology_parent(tree, level, node);
        assert_int_equal(parent, listed->parent[node]);
        uint32_t which = listed->index[node] % tree->children[level + 1];
        assert_int_equal(topology_child(tree, level + 1, parent, which), node);
    }
}

static void check_pairs(const struct topology *tree, const struct listed *listed)
{
    for (uint32_t a = 0; a < listed->count; a++)
        for (uint32_t b = 0; b < listed->count; b++) {
            unsigned upper = MAX(listed->level[a], listed->level[b]);
            assert_int_equal(topology_branch(tree, a, b), is_branch(listed, a, b) ? upper : 0);
            if (a >= tree->nodes || b >= tree->nodes)
                continue;
            uint32_t from_a = a, from_b = b;
            unsigned meet = 0;
            for (; from_a != from_b; meet++) {
                from_a = listed->parent[from_a];
                from_b = listed->parent[from_b];
            }
            assert_int_equal(topology_meet(tree, a, b), meet);
        }
}

/* Checks that the permutation that moves leaf 0 to `leaf` preserves levels and branches. */
static void check_move(const struct topology *tree, const struct listed *listed, uint32_t leaf)
{
    bool met[MOST_NODES] = {false};
    assert_int_equal(topology_move(tree, 0, leaf), leaf);
    for (uint32_t node = 0; node < listed->count; node++) {
        uint32_t moved = topology_move(tree, node, leaf);
        assert_true(moved < listed->count && !met[moved]);
        met[moved] = true;
        assert_int_equal(listed->level[moved], listed->level[node]);
        if (listed->level[node] < tree->height)
            assert_int_equal(topology_move(tree, listed->parent[node], leaf),
                             listed->parent[moved]);
        if (leaf == 0)
            assert_int_equal(moved, node);
    }
}

static void test_small_trees(void **state)
{
    (void)state;
    unsigned trees = 0;
    for (unsigned height = 1; height <= 4; height++)
        for (uint32_t code = 0; code < 1u << 2 * height; code++) {
            uint32_t children[4], capacity[4] = {1, 1, 1, 1}, leaves = 1;
            bool legal = true;
            for (unsigned level = 0; level < height; level++) {
                children[level] = 1 + (code >> 2 * level & 3);
                legal = legal && children[level] >= 2;
                leaves *= children[level];
            }
            if (!legal || leaves > 64)
                continue;
            struct topology tree;
            struct err err = {0};
            support_true(topology_tree(height, children, capacity, &tree, &err), &err);
            struct listed listed = list_tree(height, children);
            assert_int_equal(tree.nodes, leaves);
            check_nodes(&tree, &listed);
            check_pairs(&tree, &listed);
            for (uint32_t leaf = 0; leaf < leaves; leaf++)
                check_move(&tree, &listed, leaf);
            trees++;
        }
    assert_int_equal(trees, 3 + 9 + 27 + 37);
}

/* The check rejects some permutations: swapping two leaves of different parents breaks a branch. */
static void test_counter_case(void **state)
{
    (void)state;
    struct listed listed = list_tree(2, (const uint32_t[]){2, 2});
    assert_true(is_branch(&listed, 1, 4) && is_branch(&listed, 4, 6));
    assert_false(is_branch(&listed, 2, 4) || is_branch(&listed, 0, 1) || is_branch(&listed, 0, 6));
}

static void test_text(void **state)
{
    (void)state;
    struct topology tree;
    struct err err = {0};
    char text[TOPOLOGY_NODE_TEXT];
    support_true(topology_parse_tree("2,3", "const", &tree, &err), &err);
    static const char *const names[] = {"0", "1", "2", "3", "4", "5", "1:0", "1:1", "1:2", "2:0"};
    for (uint32_t node = 0; node < 10; node++)
        assert_string_equal(topology_node_text(&tree, node, text), names[node]);
    support_true(topology_parse_tree("16777216", "1", &tree, &err), &err);
    assert_string_equal(topology_node_text(&tree, 16777215, text), "16777215");
    const struct topology complete = topology_complete(7);
    assert_int_equal(complete.all, 7);
    assert_string_equal(topology_node_text(&complete, 6, text), "6");
}

static void test_parse(void **state)
{
    (void)state;
    static const struct {
        const char *children, *capacity;
        uint32_t expected[3];
    } legal[] = {{"4,4,4", "const", {1, 1, 1}},
                 {"4,4,4", "exp", {1, 4, 16}},
                 {"4,3,2", "exp", {1, 4, 12}},
                 {"4,4,4", "1,65536,3", {1, 65536, 3}},
                 {"4,4,4", "65536,1,2", {65536, 1, 2}}};
    for (unsigned which = 0; which < sizeof legal / sizeof *legal; which++) {
        struct topology tree;
        struct err err = {0};
        support_true(topology_parse_tree(legal[which].children, legal[which].capacity, &tree, &err),
                     &err);
        assert_int_equal(tree.height, 3);
        assert_int_equal(tree.children[1], 4);
        for (unsigned level = 1; level <= 3; level++)
            assert_int_equal(tree.capacity[level], legal[which].expected[level - 1]);
    }
    struct topology one, other;
    struct err err = {0};
    support_true(topology_parse_tree("4,4", "const", &one, &err), &err);
    support_true(topology_parse_tree("4,4", "1,1", &other, &err), &err);
    assert_true(topology_equal(&one, &other));
    support_true(topology_parse_tree("4,4", "1,2", &other, &err), &err);
    assert_false(topology_equal(&one, &other));
    support_true(topology_parse_tree("2,8", "const", &other, &err), &err);
    assert_false(topology_equal(&one, &other));
    const struct topology complete = topology_complete(16);
    assert_false(topology_equal(&one, &complete));
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *children, *capacity;
        enum err_code code;
        const char *text;
    } refused[] = {
        {"", "const", ERR_OPTION, "tree: ''; expected the children of a node at level 1, 2, …"},
        {"4,,4", "const", ERR_OPTION, "tree: '4,,4'"},
        {"4,4,", "const", ERR_OPTION, "tree: '4,4,'"},
        {"4,-4", "const", ERR_OPTION, "tree: '4,-4'"},
        {"4x4", "const", ERR_OPTION, "tree: '4x4'"},
        {"4,4", "1", ERR_OPTION,
         "capacity: '1'; expected the links of a branch at level 1 … 2, const or"},
        {"4,4", "1,2,3", ERR_OPTION, "capacity: '1,2,3'"},
        {"4,4", "fat", ERR_OPTION, "capacity: 'fat'"},
        {"4,1", "const", ERR_RANGE, "1 children at level 2; expected 2 or more"},
        {"0,4", "const", ERR_RANGE, "0 children at level 1; expected 2 or more"},
        {"4,4", "0,4", ERR_RANGE, "0 links at level 1; expected 1 … 65536"},
        {"4,4", "65537,4", ERR_RANGE, "65537 links at level 1; expected 1 … 65536"},
        {"4096,4096", "2,4", ERR_RANGE,
         "2 links at level 1 of 16777216 leaves; expected at most 16777216 links of all leaves"},
        {"4,4", "1,0", ERR_RANGE, "0 links at level 2; expected 1 … 65536"},
        {"4,4", "1,65537", ERR_RANGE, "65537 links at level 2; expected 1 … 65536"},
        {"16777216,2", "const", ERR_RANGE,
         "2 children at level 2; expected 2 or more, and at most 16777216"},
        {"16777217", "const", ERR_RANGE, "16777217 children at level 1"},
        {"99999999999,2", "const", ERR_RANGE, "4294967295 children at level 1"},
        {"2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2", "const", ERR_RANGE,
         "25 levels; expected 1 … 24"},
        {"2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2", "const", ERR_OPTION,
         "tree: '2,2,2"},
        {"65536,65536,2,2", "exp", ERR_RANGE, "65536 children at level 2"},
    };
    for (unsigned which = 0; which < sizeof refused / sizeof *refused; which++) {
        struct topology tree;
        struct err err = {0};
        assert_false(
            topology_parse_tree(refused[which].children, refused[which].capacity, &tree, &err));
        support_error(&err, refused[which].code, refused[which].text);
    }
    struct topology tree;
    struct err err = {0};
    support_true(topology_parse_tree("2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2", "const",
                                     &tree, &err),
                 &err);
    assert_int_equal(tree.nodes, TOPOLOGY_MAX_NODES);
    assert_int_equal(topology_level(&tree, tree.all - 1), 24);
    assert_false(topology_tree(0, NULL, NULL, &tree, &err));
    support_error(&err, ERR_RANGE, "0 levels; expected 1 … 24");
}

/* Topologies of equally many nodes that differ in one property each. */
static void test_equal(void **state)
{
    (void)state;
    struct topology tree, star, wide, one, other, line, square;
    struct err err = {0};
    const uint32_t star_parents[] = {4, 4, 4, 4}, neighbours[] = {4, 4, 5, 5, 6, 6},
                   crossed[] = {4, 5, 4, 5, 6, 6};
    support_true(topology_parse_tree("4", "1", &tree, &err), &err);
    support_true(topology_parents(4, star_parents, 1, &star, &err), &err);
    support_true(topology_parents(4, star_parents, 2, &wide, &err), &err);
    support_true(topology_parents(6, neighbours, 1, &one, &err), &err);
    support_true(topology_parents(6, crossed, 1, &other, &err), &err);
    support_true(grid_make(TOPOLOGY_MESH, 1, (const uint32_t[]){4}, &line, &err), &err);
    support_true(grid_make(TOPOLOGY_MESH, 2, (const uint32_t[]){2, 2}, &square, &err), &err);
    const struct topology *const all[] = {&tree, &star, &wide, &one, &other, &line, &square};
    for (size_t a = 0; a < sizeof all / sizeof *all; a++)
        for (size_t b = 0; b < sizeof all / sizeof *all; b++) {
            struct topology copy = *all[b];
            assert_int_equal(topology_equal(all[a], &copy), a == b);
            assert_int_equal(topology_same_links(all[a], &copy), a == b);
            copy.half_duplex = true;
            assert_false(topology_equal(all[a], &copy));
            assert_int_equal(topology_same_links(all[a], &copy), a == b);
        }
}

/* Nodes beyond the tree have no branch, and nodes that differ in two coordinates no link. */
static void test_no_links(void **state)
{
    (void)state;
    struct topology tree, grid;
    struct err err = {0};
    const uint32_t parents[] = {4, 4, 5, 5, 6, 6};
    support_true(topology_parents(6, parents, 1, &tree, &err), &err);
    for (uint32_t low = 0; low < 8; low++)
        for (uint32_t high = low + 1; high < 8; high++) {
            assert_int_equal(topology_branch(&tree, low, high), low < 6 && parents[low] == high);
            assert_int_equal(topology_branch(&tree, high, low), low < 6 && parents[low] == high);
        }
    support_true(grid_make(TOPOLOGY_MESH, 3, (const uint32_t[]){2, 2, 2}, &grid, &err), &err);
    static const unsigned dimension_of[] = {0, 1, 2, 0, 3, 0, 0, 0}; /* by the bits that differ */
    for (uint32_t node = 0; node < 8; node++)
        for (uint32_t other = 0; other < 8; other++)
            assert_int_equal(grid_dimension(&grid, node, other), dimension_of[node ^ other]);
}

static void test_counts(void **state)
{
    (void)state;
    struct topology topology;
    struct err err = {0};
    uint32_t parents[TOPOLOGY_MAX_PARENTS], sides[TOPOLOGY_MAX_HEIGHT + 1];
    for (unsigned k = 0; k < TOPOLOGY_MAX_PARENTS; k++)
        parents[k] = TOPOLOGY_MAX_PARENTS - 1;
    support_true(topology_parents(TOPOLOGY_MAX_PARENTS - 1, parents, 65536, &topology, &err), &err);
    assert_int_equal(topology.nodes, 255);
    assert_false(topology_parents(TOPOLOGY_MAX_PARENTS, parents, 1, &topology, &err));
    support_error(&err, ERR_RANGE, "parents: 256 parents; expected 2 … 255");
    assert_false(topology_parents(1, parents, 1, &topology, &err));
    support_error(&err, ERR_RANGE, "parents: 1 parents; expected 2 … 255");
    assert_false(topology_parents(TOPOLOGY_MAX_PARENTS - 1, parents, 65537, &topology, &err));
    support_error(&err, ERR_RANGE, "capacity: 65537 links of a branch; expected 1 … 65536");
    for (unsigned k = 0; k <= TOPOLOGY_MAX_HEIGHT; k++)
        sides[k] = 2;
    support_true(grid_make(TOPOLOGY_TORUS, 24, sides, &topology, &err), &err);
    assert_false(grid_make(TOPOLOGY_TORUS, 25, sides, &topology, &err));
    support_error(&err, ERR_RANGE, "torus: 25 dimensions; expected 1 … 24");
    assert_false(grid_make(TOPOLOGY_TORUS, 0, sides, &topology, &err));
    support_error(&err, ERR_RANGE, "torus: 0 dimensions; expected 1 … 24");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_trees), cmocka_unit_test(test_counter_case),
        cmocka_unit_test(test_text),        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_errors),      cmocka_unit_test(test_equal),
        cmocka_unit_test(test_no_links),    cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
