/* SPDX-License-Identifier: Apache-2.0 */
/* bound_tree: lower bounds for collectives among the leaves of a tree (Dimakopoulos and
 * Dimopoulos), corrected. collective->topology has h levels, k_i children of a node of level i, N_i
 * leaves below it, c_i links of a branch below it, n = N_h. O(h) each; bound_tree_delay O(h² log
 * n). */
#ifndef ROUNDCAST_BOUND_TREE_H
#define ROUNDCAST_BOUND_TREE_H

#include "sched/schedule/collective.h"

/* Returns whether all k_i are equal, h ≥ 2 and c_1 = 1. */
bool bound_tree_is_even(const struct collective *collective);

/* From a node of level l (0: a leaf). Single-port: h - l - 1 + Σ k_i, Theorem 1 for l = 0, and Σ
 * k_i from the root, B_r of equation (2). Multiport: 2h - l, the path over the root. */
uint64_t bound_tree_broadcast(const struct collective *collective);
uint64_t bound_tree_path(const struct collective *collective);

/* The largest ⌈(n - N_{i-1}) / min(c_1 … c_i)⌉ + 2i - 1: a leaf sends or receives n - N_{i-1}
 * packets of leaves that it meets at level i or above. They cross each branch between, in either
 * direction, and 2i - 1 branches before or after it. With c_1 = 1 and in the single-port model it
 * is n, or n + 1 if k_1 = 2 and h ≥ 2. */
uint64_t bound_tree_link(const struct collective *collective);

/* Scatter from a node of level l, and the gather there. From a leaf it is bound_tree_link; from a
 * router, single-port, n + l - 1: the router sends n packets one by one, to leaves at least l links
 * away. Multiport: the largest MAX(⌈(n - N_{i-1}) / min(c_{l+1} … c_i)⌉ if i > l, ⌈N_{i-1} / e_i⌉)
 * + 2i - l - 1, i ≥ l, for the packets that cross a branch of level i upwards and downwards. */
uint64_t bound_tree_scatter(const struct collective *collective);

/* Single-port: the packets that the routers of a level must send. Theorem 3 in its general form;
 * Theorem 5 with the load of the root, which the theorem omits. */
uint64_t bound_tree_all_gather(const struct collective *collective);
uint64_t bound_tree_total_exchange(const struct collective *collective);

/* Multiport: the packets that must cross the branches of a level, or those below it. Equation (3)
 * for each level. */
uint64_t bound_tree_cut(const struct collective *collective);

/* Half-duplex lanes: the packets that cross the branches of a level in both directions, n of each
 * leaf's packet in an all-gather, 2 N_{i-1}(n - N_{i-1}) in a total exchange. The first crosses in
 * step i or later, and after the last there are at least i - 1 more steps. A branch carries c_i
 * packets in a step; in the single-port model at most one from either end. */
bool bound_tree_is_half_duplex(const struct collective *collective);
uint64_t bound_tree_both_ways_all_gather(const struct collective *collective);
uint64_t bound_tree_both_ways_exchange(const struct collective *collective);

/* Multiport, k_i = k, c_1 = 1: a leaf that misses no reception must receive from nearby leaves all
 * the time. Theorem 8, corrected: a legal T has n(1 - k^-i) ≤ ⌈(T - 2(h-i) - 1) / (2(h-i))⌉ (T -
 * n) for each i = 1 … h-1. */
uint64_t bound_tree_delay(const struct collective *collective);

#endif
