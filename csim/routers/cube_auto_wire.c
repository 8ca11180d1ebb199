/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/routers/cube_auto.h"

/* Returns the dimension of the arc from a node to its parent in a tree: the last dimension, in the
 * tree's order j + 1, …, d, 1, …, j, in which the node differs from the root; 0 at the root. */
static unsigned parent_dimension(uint32_t node, unsigned tree, unsigned d)
{
    uint32_t differs = node ^ UINT32_C(1) << (tree - 1);
    unsigned last = 0;
    for (unsigned k = 0; k < d; k++) {
        unsigned dimension = (tree + k) % d + 1;
        last = differs >> (dimension - 1) & 1 ? dimension : last;
    }
    return last;
}

/* Returns the tree in which the node's parent is reached over the dimension. */
static unsigned tree_over(uint32_t node, unsigned dimension, unsigned d)
{
    for (unsigned tree = 1; tree <= d; tree++)
        if (parent_dimension(node, tree, d) == dimension)
            return tree;
    return 0;
}

/* Orders the dimensions by ascending neighbour: first the neighbours with a lower number than the
 * node, of which the one over the highest dimension is the lowest. */
static void put_order(struct cube_auto_node *node, uint32_t number, unsigned d)
{
    unsigned next = 1;
    for (unsigned dimension = d; dimension >= 1; dimension--)
        if (number >> (dimension - 1) & 1)
            node->order[next++] = dimension;
    for (unsigned dimension = 1; dimension <= d; dimension++)
        if (!(number >> (dimension - 1) & 1))
            node->order[next++] = dimension;
}

void cube_auto_wire(struct cube_auto_node *node, uint32_t number, unsigned d)
{
    node->zeros = 0;
    while (node->zeros < d && !(number >> node->zeros & 1))
        node->zeros++;
    node->root = 0;
    for (unsigned tree = 1; tree <= d; tree++) {
        node->parent[tree] = parent_dimension(number, tree, d);
        if (node->parent[tree] == 0)
            node->root = tree;
    }
    for (unsigned dimension = 1; dimension <= d; dimension++) {
        unsigned tree = tree_over(number ^ UINT32_C(1) << (dimension - 1), dimension, d);
        node->climb[dimension] = tree;
        node->from[dimension] = tree == 0 ? 0 : node->parent[tree];
    }
    put_order(node, number, d);
}
