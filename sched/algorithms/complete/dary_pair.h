/* SPDX-License-Identifier: Apache-2.0 */
/* dary_pair: one or two d-ary trees for one or two packets, for dary-trees of few nodes.
 *
 * The trees of dary_trees.c leave a chain of r helpers over, because each node that is inner in no
 * tree has to send in all d trees. One or two packets use one or two trees: there are nodes enough
 * for one more inner node in each, which takes the chain's place. With n - 2 = d·q + r, of q + 1
 * inner nodes the last has r children. n = 13, d = 4, q = 2, r = 3, with labels at leaves:
 *
 *                     1                      in tree 1 the nodes 1, 2, 3 and 4, 5, 6 have changed
 *       ┌─────────────┼──────┬─────┐         places
 *       2             3      7:3   8:4
 *   ┌───┼────┬────┐   ├────┬────┐
 *   9:2 10:3 11:4 5:5 4:3  12:4 6:5
 *
 * Nodes that keep their place get packet 2 one round after packet 1. The labels of a node that
 * changes places differ by at least 2 between the trees, so it never gets both packets in one
 * round.
 */
#ifndef ROUNDCAST_DARY_PAIR_H
#define ROUNDCAST_DARY_PAIR_H

#include "sched/schedule/collective.h"

struct schedule;

/* Returns true if the chain would end last and is avoided. Then there are one or two packets, 2 <
 * d, and 1 ≤ q ≤ r. */
bool dary_pair_fits(const struct collective *collective);

/* Number of rounds: m + q - 1 + d, the last child of the last inner node but one. Precondition: it
 * fits, as below. */
uint64_t dary_pair_end(const struct collective *collective);

/* Appends the rounds. E104. O(n). */
bool dary_pair_build(const struct collective *collective, struct schedule *schedule,
                     struct err *err);

#endif
