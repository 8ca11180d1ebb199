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

struct block_position {
    uint64_t offset;         /* tick at which packet 1 is sent to it */
    uint32_t parent;         /* has a lower index; BLOCK_NONE for position 0 */
    uint32_t child, sibling; /* last child, and the sibling before it; or BLOCK_NONE */
    uint32_t children;
    uint32_t phase;
    /* Node first + (base + p) mod period receives packet p, from 0 (block_cycles.h). */
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
 * unit of a phase there may be more senders than positions left: `order` 0 prefers the oldest
 * senders, 1 the youngest, and any other number seeds a random choice. Precondition: 1 ≤ phases ≤
 * the smallest of BLOCK_MAX_PHASES, the denominator of λ, and the number of positions. O(positions
 * + units · senders). */
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

#endif
