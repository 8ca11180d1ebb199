/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/postal/block_tree.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"

#include <stdlib.h>

bool block_tree_init(struct block_tree *tree, uint32_t count, struct rational lambda,
                     struct err *err)
{
    *tree = (struct block_tree){.room = count, .lambda = lambda};
    tree->position = malloc(count * sizeof *tree->position);
    tree->list = malloc(count * sizeof *tree->list);
    tree->below = malloc(count * sizeof *tree->below);
    if (tree->position != NULL && tree->list != NULL && tree->below != NULL)
        return true;
    block_tree_free(tree);
    return err_no_memory(err, "a tree of %u positions", count);
}

void block_tree_free(struct block_tree *tree)
{
    free(tree->position);
    free(tree->list);
    free(tree->below);
    *tree = (struct block_tree){0};
}

uint64_t block_tree_last(const struct block_tree *tree)
{
    uint64_t last = 0;
    for (uint32_t v = 0; v < tree->count; v++)
        last = MAX(last, tree->position[v].offset);
    return last;
}

/* Returns the ticks from the offset of a position to the first offset of its children. */
static uint64_t hop_of(const struct block_tree *tree, uint32_t phase)
{
    uint64_t hop = tree->lambda.numerator, unit = tree->lambda.denominator;
    uint64_t cycle = tree->phases * hop;
    return phase + 1 < tree->phases ? hop : hop + bits_divide_up(cycle, unit) * unit - cycle;
}

static void add_position(struct block_tree *tree, uint32_t parent, uint32_t phase, uint64_t offset)
{
    uint32_t sibling = BLOCK_NONE, added = tree->count++;
    if (parent != BLOCK_NONE) {
        struct block_position *above = &tree->position[parent];
        sibling = above->child;
        above->child = added;
        above->children++;
    }
    tree->position[added] = (struct block_position){.offset = offset,
                                                    .parent = parent,
                                                    .child = BLOCK_NONE,
                                                    .sibling = sibling,
                                                    .phase = phase};
}

static void shuffle(struct rng *rng, uint32_t count, uint32_t list[])
{
    for (uint32_t last = count; last > 1; last--) {
        uint32_t other = rng_below(rng, last), held = list[other];
        list[other] = list[last - 1];
        list[last - 1] = held;
    }
}

/* Moves the positions with one child to the front of a list. With λ = 2 such a position is 3 units
 * above the last offset. If it has no second child, its node receives all packets there, 3 units
 * above on average, and the heights that are left can be too small for an average of 2. */
static void prefer_single(const struct block_tree *tree, uint32_t count, uint32_t list[])
{
    uint32_t front = 0;
    for (uint32_t which = 0; which < count; which++)
        if (tree->position[list[which]].children == 1) {
            uint32_t held = list[which];
            list[which] = list[front];
            list[front++] = held;
        }
}

/* Adds children of positions of `phase` at the tick `offset`, at most `quota` of them. Returns how
 * many were added. */
static uint32_t grow_at(struct block_tree *tree, uint32_t phase, uint64_t offset, uint32_t quota,
                        uint64_t order)
{
    uint64_t hop = hop_of(tree, phase);
    uint32_t senders = 0, *sender = tree->list;
    for (uint32_t v = 0; v < tree->count; v++)
        if (tree->position[v].phase == phase && tree->position[v].offset + hop <= offset)
            sender[senders++] = v;
    if (senders > quota && order > BLOCK_YOUNGEST)
        shuffle(&tree->rng, senders, sender);
    if (senders > quota && order % 2 == 1)
        prefer_single(tree, senders, sender);
    uint32_t added = MIN(senders, quota), left_out = order == BLOCK_YOUNGEST ? senders - added : 0;
    for (uint32_t which = 0; which < added; which++)
        add_position(tree, sender[left_out + which], (phase + 1) % tree->phases, offset);
    return added;
}

void block_tree_grow(struct block_tree *tree, uint32_t phases, uint64_t order)
{
    const struct rational lambda = tree->lambda;
    uint32_t quota[BLOCK_MAX_PHASES];
    uint64_t offset[BLOCK_MAX_PHASES]; /* the next offset of each phase */
    tree->rng.state = order / 2;
    tree->phases = phases;
    tree->count = 0;
    for (uint32_t phase = 0; phase < phases; phase++) {
        quota[phase] = (tree->room - phase + phases - 1) / phases;
        offset[phase] = (uint64_t)lambda.numerator * (phase == 0 ? phases : phase);
    }
    offset[0] = bits_divide_up(offset[0], lambda.denominator) * lambda.denominator;
    add_position(tree, BLOCK_NONE, 0, 0);
    quota[0]--;
    while (tree->count < tree->room) {
        uint32_t next = 0;
        for (uint32_t phase = 1; phase < phases; phase++)
            if (offset[phase] < offset[next])
                next = phase;
        quota[next] -=
            grow_at(tree, (next + phases - 1) % phases, offset[next], quota[next], order);
        offset[next] += lambda.denominator;
    }
}

void block_tree_path(struct block_tree *tree)
{
    const struct rational lambda = tree->lambda;
    uint64_t hop = bits_divide_up(lambda.numerator, lambda.denominator) * lambda.denominator;
    tree->phases = 1;
    tree->count = 0;
    for (uint32_t v = 0; v < tree->room; v++)
        add_position(tree, v == 0 ? BLOCK_NONE : v - 1, 0, v * hop);
}
