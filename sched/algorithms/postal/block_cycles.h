/* SPDX-License-Identifier: Apache-2.0 */
/* block_cycles: divides the nodes into cycles whose nodes take turns at the positions of a
 * block_tree.
 *
 * A node that receives packet p at an inner position of r children sends for r units. So r nodes
 * take turns there: each is there in one unit of r, and receives at leaves in the other ones. A
 * cycle is that inner position, r - 1 leaves, and an order. r = 3, offsets 0, 4 and 5 in units:
 *
 *     unit                  0     1          2               0     1          2
 *     offset                0     4          5               0     5          4
 *     packet mod 3          0     -3 = 0     -3 = 0          0     -4 = 2     -2 = 1
 *
 * Every node must receive each packet once: unit - offset must take each value mod r once, as it
 * does at the right. There is such an order if and only if the sum of the r offsets is divisible by
 * r (M. Hall, "A combinatorial problem on abelian groups", Proc. AMS 3, 1952), and Hall's proof
 * finds it. So the leaves need only be dealt to the cycles so that all sums are divisible, which is
 * a search by exchanges of two leaves. One node is left over and always receives at the same leaf.
 */
#ifndef ROUNDCAST_BLOCK_CYCLES_H
#define ROUNDCAST_BLOCK_CYCLES_H

#include "sched/algorithms/postal/block_tree.h"

struct block_cycle {
    uint32_t inner;      /* its inner position; BLOCK_NONE for the node that only receives */
    uint32_t period;     /* r */
    uint32_t first_leaf; /* of its leaves, r - 1 or 1 */
    uint32_t residue;    /* sum of the offsets in units mod r */
    uint32_t place;      /* in the list of cycles whose residue is not 0; BLOCK_NONE */
};

struct block_cycles {
    struct block_tree *tree;
    struct rng rng;
    uint32_t count, leaf_count, wrong_count; /* of one phase */
    struct block_cycle *cycle;               /* [positions] */
    /* [positions]: the leaves, cycle by cycle; the cycle, and the offset in units, of each */
    uint32_t *leaf, *owner, *units;
    uint32_t *wrong;                 /* [positions] */
    uint32_t *throw, *item, *lander; /* [positions], of one cycle in the order of Hall's proof */
};

/* Makes room for the cycles of a tree, which must outlive them. E104. */
bool block_cycles_init(struct block_cycles *cycles, struct block_tree *tree, struct err *err);
void block_cycles_free(struct block_cycles *cycles);

/* Finds cycles for all phases and numbers the nodes from 1: sets first, period and base of every
 * position. Returns false if none are found. The search depends on the seed. O(tries · leaves +
 * sum of r²). */
bool block_cycles_find(struct block_cycles *cycles, uint64_t seed);

#endif
