/* SPDX-License-Identifier: Apache-2.0 */
/* fibonacci_tree: the generalised Fibonacci trees and the broadcast trees built from them (Bruck,
 * Cypher and Ho, sections 3 and 4), node by node.
 *
 * n processors, 0 is the broadcaster, d odd. n - 1 = d·(s + β) + α with s ≡ 1 mod d, 0 ≤ β, α < d.
 * The other processors are
 *
 *     1 + i·s + position                 tree T_i, 0 ≤ i < d; positions in order of creation, 0 is
 *                                        the root
 *     1 + d·s + ordinal·d + offset - 1   inserted below leaf `ordinal` < β, offset 1 … d; the
 *                                        same in all trees
 *     1 + d·(s + β) + 0 … α-1            the linear array; its head represents v, which is virtual
 *                                        if α = 0
 *
 * T_i is a treetop of FT_d(f_d(s)), base-i labelled; T̂_i extends it so that it spans all
 * processors except 0: each leaf u gets d children with the labels l(u) + 1 … l(u) + d. n = 22, d =
 * 3, s = 7, α = β = 0:
 *
 *     T_0 (Fig. 3)      0              T̂_0 (Fig. 4)          0
 *                   ┌───┼───┐                    ┌───────────┼───────────┐
 *                   1   2   3                    1           2           3
 *                 ┌─┼─┐                    ┌─────┼─────┐   ┌─┼─┐       ┌─┼─┐
 *                 2 3 4                    2     3     4   3 4 5       4 5 6
 *                                        ┌─┼─┐ ┌─┼─┐ ┌─┼─┐
 *                                        3 4 5 4 5 6 5 6 7       one of the 22 nodes is v, virtual
 */
#ifndef ROUNDCAST_FIBONACCI_TREE_H
#define ROUNDCAST_FIBONACCI_TREE_H

#include "sched/base/err.h"

#include <stdint.h>

#define FIBONACCI_VIRTUAL UINT32_MAX

struct fibonacci_node {
    uint32_t parent; /* index in `node`; the root is its own parent */
    /* x: the node receives packet p (from 0; p ≡ i mod d) of T̂_i in round x + 1 + d·⌊p / d⌋ */
    uint32_t label;
    /* 1 … n-1, or FIBONACCI_VIRTUAL for a place without a processor: v, and all nodes of FT_d(t) */
    uint32_t processor;
};

struct fibonacci_tree {
    uint32_t d, count;
    /* [count], in order of creation: parents first, the root is node[0] */
    struct fibonacci_node *node;
};

/* The numbers of section 4 for n processors and degree d. */
struct fibonacci_shape {
    uint32_t d;
    uint32_t s; /* nodes of each T_i: (s - 1) / d have children, the others are leaves */
    /* number of leaves of each T̂_i below which processors are inserted, at most all leaves */
    uint32_t beta;
    uint32_t alpha; /* length of the array */
};

/* Fills `shape`. E103 with the legal degrees if d is not odd or d < 3, or if n is neither in d + 1
 * … 3d nor at least d² + d + 1, so that T_0 would have fewer than β leaves. */
bool fibonacci_shape_of(uint32_t d, uint32_t n, struct fibonacci_shape *shape, struct err *err);

/* Builds FT_d(t), base-0 labelled (Definitions 3.4, 3.5; Figs. 1, 2). Precondition: d ≥ 1. E104 for
 * more than 2^24 nodes. O(F_d(t)). Free every tree with fibonacci_tree_free. */
bool fibonacci_tree_full(uint32_t d, uint32_t t, struct fibonacci_tree *tree, struct err *err);

/* Builds T_i (Fig. 3). Precondition: i < d. Errors: as fibonacci_shape_of; E104. O(n / d). */
bool fibonacci_tree_top(uint32_t d, uint32_t n, uint32_t i, struct fibonacci_tree *tree,
                        struct err *err);

/* Builds T̂_i with the inserted processors, v and the array (Figs. 4, 5, 6). Nodes 0 … s-1 are T_i;
 * then, leaf by leaf in order of label, d inserted processors, if any, and d children; then the
 * array without its head. Precondition, errors: as fibonacci_tree_top. O(n). */
bool fibonacci_tree_hat(uint32_t d, uint32_t n, uint32_t i, struct fibonacci_tree *tree,
                        struct err *err);

void fibonacci_tree_free(struct fibonacci_tree *tree);

#endif
