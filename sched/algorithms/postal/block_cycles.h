/* SPDX-License-Identifier: Apache-2.0 */
/* block_cycles: divides the nodes into cycles whose nodes take turns at the positions of a
 * block_tree.
 *
 * A node that receives packet p at an inner position of r children sends for r units. So r nodes
 * take turns at that position: each is there in one unit of r, and receives at leaves in the other
 * units. A cycle consists of that inner position, r - 1 leaves, and an order. r = 3, offsets 0, 4
 * and 5 in units:
 *
 *     unit                  0     1          2               0     1          2
 *     offset                0     4          5               0     5          4
 *     packet mod 3          0     -3 = 0     -3 = 0          0     -4 = 2     -2 = 1
 *
 * Every node must receive each packet once: unit - offset must take each value mod r once, as on
 * the right. There is such an order if and only if the sum of the r offsets is divisible by r (M.
 * Hall, "A combinatorial problem on abelian groups", Proc. AMS 3, 1952), and Hall's proof
 * constructs it. So it is enough to deal the leaves to the cycles so that all sums are divisible,
 * by a search that exchanges two leaves at a time. One node is left over and always receives at the
 * same leaf.
 */
#ifndef ROUNDCAST_BLOCK_CYCLES_H
#define ROUNDCAST_BLOCK_CYCLES_H

#include "sched/algorithms/postal/block_tree.h"

struct block_cycle {
    uint32_t inner;      /* inner position; BLOCK_NONE for the node that only receives */
    uint32_t period;     /* r */
    uint32_t first_leaf; /* first of its leaves: r - 1, or 1 if it only receives */
    uint32_t residue;    /* sum of the offsets in units mod r */
    uint32_t place;      /* index in `wrong`; BLOCK_NONE if the residue is 0 */
};

struct block_cycles {
    struct block_tree *tree;
    struct rng rng;
    uint32_t count, leaf_count, wrong_count; /* of one phase */
    struct block_cycle *cycle;               /* [positions] */
    /* [positions]: the leaves, cycle by cycle; and the cycle and the offset in units of each
     * leaf */
    uint32_t *leaf, *owner, *units;
    uint32_t *wrong;                 /* [positions]: cycles with a residue */
    uint32_t *throw, *item, *lander; /* [positions]: of one cycle, see Hall's proof */
};

/* Allocates the cycles of a tree, which must outlive them. E104. */
bool block_cycles_init(struct block_cycles *cycles, struct block_tree *tree, struct err *err);
void block_cycles_free(struct block_cycles *cycles);

/* Finds cycles for all phases and numbers the nodes from 1: sets first, period and base of every
 * position. Returns false if no cycles are found. The search depends on the seed. O(tries · leaves
 * + sum of r²). */
bool block_cycles_find(struct block_cycles *cycles, uint64_t seed);

#endif
