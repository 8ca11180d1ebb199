/* SPDX-License-Identifier: Apache-2.0 */
/* block_wait: makes positions wait so that the heights of a block_tree have whole averages.
 *
 * The r nodes that take turns at a position of r children receive packets at positions whose
 * heights have a whole average j (block_tree.h). If the leaves are together too high for their
 * average height j, the tree cannot be divided into such turns: with λ = 2 this is so for every
 * tree whose positions are all as early as possible. The balance of a phase is the excess of its
 * leaves:
 *
 *     sum of the heights of leaves + sum over inner positions with r ≥ 2 of (height - j·r)
 *
 * where j is the same for the whole phase, or more where height > j·r. One more unit of waiting at
 * a position lowers all positions below it by one. */
#include "sched/algorithms/postal/block_tree.h"
#include "sched/base/compare.h"

#define MAX_AVERAGE 1024

struct waiting {
    struct block_tree *tree;
    uint32_t *below;                 /* [positions]: positions below the one that may wait */
    uint64_t last[BLOCK_MAX_PHASES]; /* last offset allowed, in units */
    uint64_t average[BLOCK_MAX_PHASES];
    int64_t balance[BLOCK_MAX_PHASES];
};

/* Returns the contribution of a position to the balance of its phase. */
static int64_t share_of(const struct waiting *waiting, uint32_t v)
{
    const struct block_position *position = &waiting->tree->position[v];
    uint64_t height = waiting->last[position->phase] - block_tree_units(waiting->tree, v);
    uint64_t r = position->children, average = waiting->average[position->phase];
    if (r == 0)
        return (int64_t)height;
    if (r == 1)
        return 0;
    average = MAX(average, (height + r - 1) / r);
    return (int64_t)height - (int64_t)(average * r);
}

static void set_balance(struct waiting *waiting, uint32_t phase)
{
    waiting->balance[phase] = 0;
    for (uint32_t v = 0; v < waiting->tree->count; v++)
        if (waiting->tree->position[v].phase == phase)
            waiting->balance[phase] += share_of(waiting, v);
}

/* Sets the average to the largest with a balance of at least 0, or the one before it if `one_less`.
 * Returns false if there is none; waiting cannot help then, because it lowers the balance. */
static bool choose_average(struct waiting *waiting, uint32_t phase, bool one_less)
{
    uint64_t average = 0;
    do {
        waiting->average[phase] = ++average;
        set_balance(waiting, phase);
    } while (waiting->balance[phase] >= 0 && average < MAX_AVERAGE);
    waiting->average[phase] = average - 1 - (one_less && average > 2);
    set_balance(waiting, phase);
    return average > 1;
}

/* Lists the positions below v in waiting->below. Returns how many there are. */
static uint32_t list_below(const struct waiting *waiting, uint32_t v)
{
    const struct block_position *position = waiting->tree->position;
    uint32_t count = 0;
    for (uint32_t at = v, next = 0;; at = waiting->below[next++]) {
        for (uint32_t child = position[at].child; child != BLOCK_NONE;
             child = position[child].sibling)
            waiting->below[count++] = child;
        if (next == count)
            return count;
    }
}

/* Makes v wait one more unit if no position below it becomes too late, a balance changes, and no
 * balance falls below 0. Returns whether v waits. */
static bool wait_at(struct waiting *waiting, uint32_t v)
{
    struct block_tree *tree = waiting->tree;
    uint32_t count = list_below(waiting, v);
    int64_t change[BLOCK_MAX_PHASES] = {0};
    for (uint32_t which = 0; which < count; which++)
        if (block_tree_units(tree, waiting->below[which]) >=
            waiting->last[tree->position[waiting->below[which]].phase])
            return false;
    for (uint32_t which = 0; which < count; which++) {
        struct block_position *position = &tree->position[waiting->below[which]];
        change[position->phase] -= share_of(waiting, waiting->below[which]);
        position->offset += tree->lambda.denominator;
        change[position->phase] += share_of(waiting, waiting->below[which]);
    }
    bool fits = true, changes = false;
    for (uint32_t phase = 0; phase < tree->phases; phase++) {
        fits = fits && waiting->balance[phase] + change[phase] >= 0;
        changes = changes || change[phase] != 0;
    }
    for (uint32_t phase = 0; phase < tree->phases && fits && changes; phase++)
        waiting->balance[phase] += change[phase];
    for (uint32_t which = 0; which < count && !(fits && changes); which++)
        tree->position[waiting->below[which]].offset -= tree->lambda.denominator;
    return fits && changes;
}

/* Returns whether all balances are 0. In the spare phase up to 2 is permitted, because the node
 * that only receives can use a leaf of height 0, 1 or 2. */
static bool is_balanced(const struct waiting *waiting)
{
    uint32_t spare = block_tree_spare_phase(waiting->tree);
    for (uint32_t phase = 0; phase < waiting->tree->phases; phase++)
        if (waiting->balance[phase] > (phase == spare ? 2 : 0))
            return false;
    return true;
}

static void set_last(struct waiting *waiting, uint32_t units)
{
    const struct block_tree *tree = waiting->tree;
    uint64_t unit = tree->lambda.denominator, first[BLOCK_MAX_PHASES] = {0};
    uint64_t last = block_tree_last(tree) + units * unit;
    for (uint32_t v = 0; v < tree->count; v++)
        first[tree->position[v].phase] = tree->position[v].offset % unit;
    for (uint32_t phase = 0; phase < tree->phases; phase++)
        waiting->last[phase] = (last - first[phase]) / unit;
}

static void shuffle_list(struct block_tree *tree)
{
    for (uint32_t v = 0; v < tree->count; v++) {
        uint32_t other = rng_below(&tree->rng, v + 1);
        tree->list[v] = tree->list[other];
        tree->list[other] = v;
    }
}

bool block_tree_wait(struct block_tree *tree, uint32_t units, uint64_t seed)
{
    struct waiting waiting = {.tree = tree, .below = tree->below};
    tree->rng.state = seed;
    set_last(&waiting, units);
    for (uint32_t phase = 0; phase < tree->phases; phase++)
        if (!choose_average(&waiting, phase, seed / 2 % 2 == 1))
            return false;
    shuffle_list(tree);
    for (bool changed = true; changed && !is_balanced(&waiting);) {
        changed = false;
        for (uint32_t which = 0; which < tree->count && !is_balanced(&waiting); which++) {
            uint32_t v = seed % 2 == 0 ? tree->list[which] : which;
            changed = (tree->position[v].children > 0 && wait_at(&waiting, v)) || changed;
        }
    }
    return is_balanced(&waiting);
}

bool block_tree_is_possible(struct block_tree *tree)
{
    struct waiting waiting = {.tree = tree};
    set_last(&waiting, 0);
    for (uint32_t phase = 0; phase < tree->phases; phase++)
        if (!choose_average(&waiting, phase, false))
            return false;
    return true;
}
