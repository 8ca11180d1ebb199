/* SPDX-License-Identifier: Apache-2.0 */
/* cube_tree: the d edge-disjoint spanning trees of a hypercube, T(1) … T(d).
 *
 * T(j) has its root at e_j, the node of value 2^(j-1), and reaches each node over the dimensions in
 * which the node differs from e_j, in the order j+1, …, d, 1, …, j. d = 3, T(1), with the dimension
 * of each arc:
 *
 *     1 ─2─ 3 ─3─ 7 ─1─ 6
 *     │     └─1─ 2
 *     ├─3─ 5 ─1─ 4
 *     └─1─ 0
 *
 * No two of the trees share an arc, and only the arcs out of node 0 are in no tree. Each tree has
 * depth d; the depth of a node is its distance from the root.
 *
 * Stamoulis and Tsitsiklis, section 2.3, citing Johnsson and Ho.
 */
#ifndef ROUNDCAST_CUBE_TREE_H
#define ROUNDCAST_CUBE_TREE_H

#include <stdint.h>

/* Returns the root of tree 1 … d. */
static inline uint32_t cube_tree_root(unsigned tree)
{
    return UINT32_C(1) << (tree - 1);
}

/* Returns the depth of a node in a tree: 0 … d. */
static inline unsigned cube_tree_depth(unsigned tree, uint32_t node)
{
    return (unsigned)__builtin_popcount(node ^ cube_tree_root(tree));
}

/* Returns the parent of a node other than the root. The path crosses last, of the dimensions in
 * which the node differs from the root, the last one in the tree's order: dimension j if it is
 * among them, else the highest one below j, else the highest one. O(1). */
static inline uint32_t cube_tree_parent(unsigned tree, uint32_t node)
{
    uint32_t root = cube_tree_root(tree), differs = node ^ root, below = differs & (root - 1);
    if ((differs & root) != 0)
        return node ^ root;
    return node ^ UINT32_C(1) << (31 - __builtin_clz(below != 0 ? below : differs));
}

#endif
