/* SPDX-License-Identifier: Apache-2.0 */
/* tree_reverse: orders the leaves of a subtree so that any consecutive leaves spread evenly over
 * all branches. */
#ifndef ROUNDCAST_TREE_REVERSE_H
#define ROUNDCAST_TREE_REVERSE_H

#include "sched/shape/topology.h"

/* Returns the leaf at position u of a subtree of level - 1: the mixed-radix digits of u reversed,
 * so that the digit that selects the highest branch varies fastest. O(h). */
static inline uint32_t tree_reverse(const struct topology *tree, unsigned level, uint32_t u)
{
    uint32_t leaf = 0;
    for (unsigned below = level - 1; below > 0; below--) {
        leaf += u % tree->children[below] * tree->leaves[below - 1];
        u /= tree->children[below];
    }
    return leaf;
}

#endif
