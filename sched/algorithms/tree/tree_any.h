/* SPDX-License-Identifier: Apache-2.0 */
/* tree_any: collectives in trees that are given by a parent list.
 *
 * The tree is rooted at the source. A single-port broadcast serves the children of a node in
 * descending order of their own broadcast times, which is optimal:
 *
 *     b(T) = max_i { b(T_i) + i }, b(T_1) ≥ b(T_2) ≥ …       equation (1)
 *
 * A scatter sends the furthest packet first. All packets take equally long to a given node, so none
 * waits. With d_1 ≥ d_2 ≥ … the distances of the leaves beyond a branch of the source (single-port:
 * of all leaves) it ends in step max ⌈i / c⌉ - 1 + d_i, which is optimal. A gather is the scatter
 * reversed in time. In an all-gather packets cross their branches in the order of the distance from
 * their sources; in a total exchange the packets with the longest path come first. placement.h
 * places the transfers.
 *
 * V. V. Dimakopoulos and N. J. Dimopoulos, "Leaf Communications in Complete Trees", 1996, section
 * 2.1; the other collectives are ours.
 */
#ifndef ROUNDCAST_TREE_ANY_H
#define ROUNDCAST_TREE_ANY_H

#include "sched/algorithms/algorithm.h"
#include "sched/base/err.h"
#include "sched/schedule/collective.h"

/* Returns the last step of a broadcast, scatter or gather; ALGORITHM_UNKNOWN for other collectives.
 * O(nodes²). Precondition: collective->topology->any. */
uint64_t tree_any_end(const struct collective *collective);

/* Returns the most copies of a packet that a node sends in a broadcast, at least 1. O(nodes²).
 * Precondition: as tree_any_end. */
uint32_t tree_any_most_copies(const struct collective *collective);

/* Appends the steps. O(transfers + nodes³). E104. Precondition: as tree_any_end. */
bool tree_any_build(const struct collective *collective, struct schedule *schedule,
                    struct err *err);

/* Returns the root of a tree with levels; of a tree given by parents, the first router for which a
 * packet of all leaves, combined at it and broadcast from it, takes the fewest steps. With one_link
 * a router sends over one link per step; results go up a step for each edge. If it is false, this
 * is the router nearest to its furthest leaf. O(1), or O(nodes³). Precondition: a tree. */
uint32_t tree_central_router(const struct topology *tree, bool one_link);

/* -- Preconditions ----------------------------------------------------------------------------- */

/* Preconditions shared by the algorithms of trees. */

/* Checks that there is one packet for each leaf, each pair or all, that a tree given by parents has
 * no method, and that there are as many processors as the tree has leaves. E103. Precondition: a
 * tree. */
bool tree_accepts(const struct collective *collective, struct err *err);

/* Performs the checks of tree_accepts, but accepts several packets. E103. */
bool tree_accepts_packets(const struct collective *collective, struct err *err);

/* Performs the checks of tree_accepts, and checks that a gather ends at a leaf. E103. */
bool tree_accepts_leaf(const struct collective *collective, struct err *err);

/* Performs the checks of tree_accepts for an algorithm without a source whose methods, except the
 * first of `methods`, require the multiport model. E103 with the legal range. */
bool tree_accepts_no_source(const char *name, const char *const methods[],
                            const struct collective *collective, struct err *err);

#endif
