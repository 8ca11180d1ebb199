/* SPDX-License-Identifier: Apache-2.0 */
/* furthest_first: the timetable of the scatter in a tree, and reversed in time that of the gather.
 *
 * Leaf 0 sends a packet to each other leaf, the furthest first: leaf p's packet in step n - p. No
 * packet waits: it crosses its hop number i in step n - p + i - 1. All packets take equally long
 * from leaf 0 to a given node, so two packets are never at one node at the same time. (From another
 * source, packet p goes to the leaf to which topology_move moves leaf p.) k = 2, 3; the node of
 * each packet after the step:
 *
 *     step      1     2     3     4     5     6     7
 *     packet 5  1:0   2:0   1:2   5
 *     packet 4        1:0   2:0   1:2   4
 *     packet 3              1:0   2:0   1:1   3
 *     packet 2                    1:0   2:0   1:1   2
 *     packet 1                          1:0   1
 *
 * The packets of leaves that meet leaf 0 at level i (at i, but not at i - 1) end with step n -
 * N_{i-1} + 2i - 1; the last packet ends with step n, or n + 1 if k_1 = 2 and h ≥ 2. Reversed in
 * time it is a gather, in which each leaf waits for its step and no router has a queue.
 *
 * In the multiport model with w_i = min(c_1 … c_i) lanes on the way to level i, the source sends in
 * each step the furthest packets that pass without waiting: w_h packets of level h, then the rest
 * of w_{h-1} packets of level h - 1, and so on. Level i ends with step ⌈(n - N_{i-1}) / w_i⌉ + 2i -
 * 1 or earlier, unless level i + 1 ends later; so the last step is the largest of these. All n -
 * N_{i-1} packets that leave the subtree of level i - 1 cross each branch of the path to level i,
 * so this is optimal. (The paper has c_1 = 1; c_1 > 1 is ours.)
 *
 * The source of a scatter may be a router of level l, with a packet for each leaf. In the
 * single-port model the scatter then ends in step n + l - 1. In the multiport model the packets for
 * one level leave evenly over all branches (tree_reverse), as many as the branches below can pass
 * on; packets for its own subtree and packets for other leaves do not share a branch.
 *
 * Dimakopoulos and Dimopoulos, "Leaf Communications in Complete Trees", section 2.2, Theorem 2.
 * (T_i is not strictly decreasing there: for k = 2 both T_2 and T_3 are n + 1. Only k_1 matters.)
 */
#ifndef ROUNDCAST_FURTHEST_FIRST_H
#define ROUNDCAST_FURTHEST_FIRST_H

#include "sched/algorithms/algorithm.h"
#include "sched/shape/topology.h"

/* Returns the last step of a scatter from a leaf, of a gather and of the flooding and interleaved
 * all-gathers: the largest ⌈(n - N_{i-1}) / w_i⌉ + 2i - 1; with c_1 = 1 it is n, or n + 1 if k_1 =
 * 2 and h ≥ 2. Optimal. `one_link`: in the single-port model, in which all w_i are 1. O(h²). */
uint64_t furthest_first_leaf_end(const struct topology *tree, bool one_link);

/* Returns the last step of a scatter or gather: furthest_first_leaf_end, except that for a scatter
 * from a router it is found step by step in O(n h). */
uint64_t furthest_first_end(const struct collective *collective);

/* Returns the number of hops of all packets between the source and the other leaves. */
uint64_t furthest_first_hops(const struct collective *collective);

/* Appends the steps of the scatter or, if `gather`, of the gather. O(transfers + n log n), memory
 * O(n). E104. */
bool furthest_first_build(const struct collective *collective, bool gather,
                          struct schedule *schedule, struct err *err);

/* -- The order of the leaves ------------------------------------------------------------------- */

/* Orders the leaves of a subtree so that any consecutive leaves spread evenly over all branches. */

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
