/* SPDX-License-Identifier: Apache-2.0 */
/* block_tree: the tree along which postal-block sends every packet, one unit of time after the
 * last.
 *
 * A position is a vertex of the tree; the node at a position changes from packet to packet. The
 * source sends packet p to position 0 in unit p - 1. A position that has received a packet sends it
 * to its children in consecutive units. λ = 3, 6 positions, ticks of 1:
 *
 *     position     0       1       2       3       4       5
 *     parent       source  0       0       0       0       1
 *     offset       0       3       4       5       6       6      sent to in this tick, packet 1
 *     height       6       3       2       1       0       0      units until the last offset
 *
 * A node that receives in every unit always receives at the same fraction of a unit, and its
 * packets arrive λ after it sends them. So the nodes belong to Q phases. Positions of phase c have
 * their children in phase c + 1 mod Q, and those of phase Q - 1 wait before they send so that Q
 * hops last a whole number of units. Each phase has as many positions as the next one, or one more.
 * An integer λ needs one phase.
 */
#ifndef ROUNDCAST_BLOCK_TREE_H
#define ROUNDCAST_BLOCK_TREE_H

#include "sched/base/err.h"
#include "sched/base/rational.h"
#include "sched/base/rng.h"

#include <stdbool.h>
#include <stdint.h>

#define BLOCK_NONE UINT32_MAX
#define BLOCK_MAX_PHASES 8
#define BLOCK_OLDEST 0
#define BLOCK_YOUNGEST 2

struct block_position {
    uint64_t offset;         /* tick at which packet 1 is sent to it */
    uint32_t parent;         /* has a lower index; BLOCK_NONE for position 0 */
    uint32_t child, sibling; /* last child, and the sibling before it; or BLOCK_NONE */
    uint32_t children;
    uint32_t phase;
    /* Node first + (base + p) mod period receives packet p, from 0 (below). */
    uint32_t first, period, base;
};

struct block_tree {
    uint32_t room, count; /* positions */
    uint32_t phases;
    struct rational lambda;
    struct block_position *position; /* [room], parents first */
    uint32_t *list, *below;          /* [room]: scratch of the functions below */
    struct rng rng;
};

/* Allocates a tree of `count` positions. Precondition: λ ≥ 1. E104. */
bool block_tree_init(struct block_tree *tree, uint32_t count, struct rational lambda,
                     struct err *err);
void block_tree_free(struct block_tree *tree);

/* Grows the tree whose positions are reached as early as the sizes of the phases allow. In the last
 * unit of a phase there may be more senders than positions left: `order` BLOCK_OLDEST prefers the
 * oldest senders, BLOCK_YOUNGEST the youngest, and larger numbers seed a random choice. Odd numbers
 * prefer the senders with one child to all others; 1 then prefers the oldest. Precondition: 1 ≤
 * phases ≤ the smallest of BLOCK_MAX_PHASES, the denominator of λ, and the number of positions.
 * O(positions + units · senders). */
void block_tree_grow(struct block_tree *tree, uint32_t phases, uint64_t order);

/* Builds a path: every position except the last has one child. O(positions). */
void block_tree_path(struct block_tree *tree);

/* Makes positions wait before they send, by up to `units` after the last offset, until the balance
 * of each phase is small (block_wait.c). Returns false if no such choice is found. The choice
 * depends on the seed. O(passes · positions · depth). */
bool block_tree_wait(struct block_tree *tree, uint32_t units, uint64_t seed);

/* Returns whether the leaves of each phase are high enough for cycles, which block_cycles_find
 * requires. O(positions · average height). */
bool block_tree_is_possible(struct block_tree *tree);

/* Returns the largest offset. O(positions). */
uint64_t block_tree_last(const struct block_tree *tree);

/* Returns the phase with the one node that only receives. */
static inline uint32_t block_tree_spare_phase(const struct block_tree *tree)
{
    return (tree->count - 1) % tree->phases;
}

/* Returns an offset in whole units, rounded down. */
static inline uint64_t block_tree_units(const struct block_tree *tree, uint32_t position)
{
    return tree->position[position].offset / tree->lambda.denominator;
}

/* -- Cycles of blocks -------------------------------------------------------------------------- */

/* Divides the nodes into cycles whose nodes take turns at the positions of a block_tree.
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
 * same leaf. */

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
