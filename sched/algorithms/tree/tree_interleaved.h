/* SPDX-License-Identifier: Apache-2.0 */
/* tree_interleaved: the total exchange of a tree whose branches carry one packet for each leaf
 * below, in the fewest steps.
 *
 * All leaves do the same: the packet of distance g, 1 … n-1, goes from leaf x to the leaf whose
 * digits are those of x plus those of g, digit by digit mod k_i. It turns at level c, the place of
 * the highest nonzero digit of g, and no packet waits: sent in step t it arrives in step t + 2c -
 * 1. So only the order of the distances is to be chosen, such that no two packets arrive at a leaf
 * in one step. k = 2, 2, 2, the level at which the packet of each step turns:
 *
 *     step     1  2  3  4  5  6  7  8  9 10 11
 *     sent     3  3  1  3  2  3  2
 *     arrives           1     3  3  2  3  2  3
 *
 * Packets of odd and of even steps arrive in steps of different parity, so each parity is an order
 * of its own. In the even steps the nearest packets are sent first. In the odd steps a packet of
 * level c < h follows h - c - 1 packets of level h; such a block of h - c packets arrives in as
 * many steps of one parity in a row, so blocks follow each other without a gap.
 */
#ifndef ROUNDCAST_TREE_INTERLEAVED_H
#define ROUNDCAST_TREE_INTERLEAVED_H

#include "sched/schedule/schedule.h"

/* Returns whether every branch carries a packet for each leaf below it, and c_1 = 1. */
bool tree_interleaved_applies(const struct topology *tree);

/* Returns the last step: n + 2h - 3 if Σ_{i<h} (N_i - 1) ≥ n/2 and n is even, and n + 2h - 2 for
 * other trees. O(h). */
uint64_t tree_interleaved_end(const struct topology *tree);

/* Appends the steps. E104. O(transfers). Precondition: tree_interleaved_applies. */
bool tree_interleaved_build(const struct topology *tree, struct schedule *schedule,
                            struct err *err);

#endif
