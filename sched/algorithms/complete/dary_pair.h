/* SPDX-License-Identifier: Apache-2.0 */
/* dary_pair: one or two d-ary trees for one or two packets, for dary-trees with few nodes.
 *
 * The trees of dary_trees.c have a chain of r helpers, because each node that is inner in no tree
 * has to send in all d trees. One or two packets use only one or two trees, which leaves enough
 * nodes for one more inner node in each tree instead of the chain. With n - 2 = d·q + r, the last
 * of the q + 1 inner nodes has r children. n = 13, d = 4, q = 2, r = 3, with labels at leaves:
 *
 *                     1                      in tree 1 the nodes 1, 2, 3 are exchanged with
 *       ┌─────────────┼──────┬─────┐         4, 5, 6
 *       2             3      7:3   8:4
 *   ┌───┼────┬────┐   ├────┬────┐
 *   9:2 10:3 11:4 5:5 4:3  12:4 6:5
 *
 * Nodes that keep their place receive packet 2 one round after packet 1. The labels of an exchanged
 * node differ by at least 2 between the trees, so it never receives both packets in one round.
 */
#ifndef ROUNDCAST_DARY_PAIR_H
#define ROUNDCAST_DARY_PAIR_H

#include "sched/schedule/collective.h"

struct schedule;

/* Returns whether the chain would end last and is replaced by the pair. Then there are one or two
 * packets, d > 2, and 1 ≤ q ≤ r. */
bool dary_pair_fits(const struct collective *collective);

/* Returns the number of rounds: m + q - 1 + d, for the last child of the last inner node but one.
 * Precondition, also of dary_pair_build: dary_pair_fits. */
uint64_t dary_pair_end(const struct collective *collective);

/* Appends the rounds. E104. O(n). */
bool dary_pair_build(const struct collective *collective, struct schedule *schedule,
                     struct err *err);

#endif
