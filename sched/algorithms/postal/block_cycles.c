/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/postal/block_tree.h"

#include "sched/base/compare.h"

#include <stdlib.h>

#define PATIENCE 300 /* exchanges without progress before the search gives up */
#define GIVEN 4      /* leaves of a cycle that are tried in one exchange */

bool block_cycles_init(struct block_cycles *cycles, struct block_tree *tree, struct err *err)
{
    size_t room = tree->room;
    *cycles = (struct block_cycles){.tree = tree};
    cycles->cycle = malloc(room * sizeof *cycles->cycle);
    cycles->leaf = malloc(7 * room * sizeof *cycles->leaf);
    if (cycles->cycle == NULL || cycles->leaf == NULL) {
        block_cycles_free(cycles);
        return err_no_memory(err, "the cycles of %u nodes", tree->room);
    }
    cycles->owner = cycles->leaf + room;
    cycles->units = cycles->owner + room;
    cycles->wrong = cycles->units + room;
    cycles->throw = cycles->wrong + room;
    cycles->item = cycles->throw +room;
    cycles->lander = cycles->item + room;
    return true;
}

void block_cycles_free(struct block_cycles *cycles)
{
    free(cycles->cycle);
    free(cycles->leaf);
    *cycles = (struct block_cycles){0};
}

static uint32_t leaves_of(const struct block_cycle *cycle)
{
    return cycle->inner == BLOCK_NONE ? 1 : cycle->period - 1;
}

/* Returns units modulo r, in 0 … r-1. */
static uint32_t modulo(int64_t units, uint32_t r)
{
    int64_t rest = units % r;
    return (uint32_t)(rest < 0 ? rest + r : rest);
}

static int64_t units_of(const struct block_cycles *cycles, uint32_t leaf)
{
    return cycles->units[leaf];
}

/* Sets the residue of a cycle and lists the cycle as wrong if the residue is not 0. */
static void set_residue(struct block_cycles *cycles, uint32_t which, uint32_t residue)
{
    struct block_cycle *cycle = &cycles->cycle[which];
    cycle->residue = residue;
    if (residue != 0 && cycle->place == BLOCK_NONE) {
        cycle->place = cycles->wrong_count;
        cycles->wrong[cycles->wrong_count++] = which;
    } else if (residue == 0 && cycle->place != BLOCK_NONE) {
        uint32_t moved = cycles->wrong[--cycles->wrong_count];
        cycles->wrong[cycle->place] = moved;
        cycles->cycle[moved].place = cycle->place;
        cycle->place = BLOCK_NONE;
    }
}

static void add_cycle(struct block_cycles *cycles, uint32_t inner, uint32_t period)
{
    cycles->cycle[cycles->count++] =
        (struct block_cycle){.inner = inner, .period = period, .place = BLOCK_NONE};
}

/* Lists the cycles of a phase, those of few nodes first, because those of many are easier to
 * repair, and its leaves in random order. */
static void list_phase(struct block_cycles *cycles, uint32_t phase)
{
    const struct block_tree *tree = cycles->tree;
    uint32_t leaves = 0;
    cycles->count = cycles->wrong_count = 0;
    for (uint32_t v = tree->count; v-- > 0;)
        if (tree->position[v].phase == phase && tree->position[v].children > 0)
            add_cycle(cycles, v, tree->position[v].children);
        else if (tree->position[v].phase == phase)
            cycles->leaf[leaves++] = v;
    if (block_tree_spare_phase(tree) == phase)
        add_cycle(cycles, BLOCK_NONE, 1);
    cycles->leaf_count = leaves;
    for (uint32_t last = leaves; last > 0; last--) {
        uint32_t other = rng_below(&cycles->rng, last), held = cycles->leaf[other];
        cycles->leaf[other] = cycles->leaf[last - 1];
        cycles->leaf[last - 1] = held;
        cycles->units[last - 1] = (uint32_t)block_tree_units(tree, held);
    }
}

static void swap_leaves(struct block_cycles *cycles, uint32_t one, uint32_t two)
{
    uint32_t leaf = cycles->leaf[one], units = cycles->units[one];
    cycles->leaf[one] = cycles->leaf[two];
    cycles->units[one] = cycles->units[two];
    cycles->leaf[two] = leaf;
    cycles->units[two] = units;
}

/* Deals the leaves to the cycles: the last leaf of a cycle is one that makes the sum divisible, if
 * such a leaf is left. */
static void deal(struct block_cycles *cycles)
{
    uint32_t dealt = 0;
    for (uint32_t which = 0; which < cycles->count; which++) {
        struct block_cycle *cycle = &cycles->cycle[which];
        int64_t sum =
            cycle->inner == BLOCK_NONE ? 0 : (int64_t)block_tree_units(cycles->tree, cycle->inner);
        cycle->first_leaf = dealt;
        for (uint32_t end = dealt + leaves_of(cycle); dealt < end; dealt++) {
            uint32_t fit = dealt;
            while (dealt + 1 == end && fit < cycles->leaf_count &&
                   modulo(sum + units_of(cycles, fit), cycle->period) != 0)
                fit++;
            if (fit < cycles->leaf_count)
                swap_leaves(cycles, dealt, fit);
            cycles->owner[dealt] = which;
            sum += units_of(cycles, dealt);
        }
        set_residue(cycles, which, modulo(sum, cycle->period));
    }
}

/* Returns the cost of exchanging a leaf of a wrong cycle with a leaf of another cycle; it is
 * negative if fewer cycles are wrong afterwards. Making a cycle wrong costs most if it has 6 nodes
 * or more, and least if it has 3 … 5. */
static int exchange_cost(const struct block_cycles *cycles, uint32_t given, uint32_t taken)
{
    const struct block_cycle *wrong = &cycles->cycle[cycles->owner[given]];
    const struct block_cycle *other = &cycles->cycle[cycles->owner[taken]];
    int64_t change = units_of(cycles, taken) - units_of(cycles, given);
    bool stays = modulo(wrong->residue + change, wrong->period) != 0;
    bool spoils = modulo(other->residue - change, other->period) != 0;
    int cost = 8 * (stays + spoils - (other->residue != 0)) + 2 * stays;
    return cost + (!spoils ? 0 : other->period == 2 ? 1 : other->period >= 6 ? 3 : 0);
}

struct exchange {
    uint32_t given, taken;
    int cost;
};

/* Returns a cheap exchange for a wrong cycle; its cost is INT32_MAX if there is none. */
static struct exchange find_exchange(struct block_cycles *cycles, uint32_t which)
{
    const struct block_cycle *wrong = &cycles->cycle[which];
    uint32_t count = leaves_of(wrong), start = rng_below(&cycles->rng, count);
    struct exchange best = {.cost = INT32_MAX};
    for (uint32_t tried = 0; tried < MIN(count, GIVEN); tried++) {
        uint32_t given = wrong->first_leaf + (start + tried) % count;
        uint32_t first = rng_below(&cycles->rng, cycles->leaf_count);
        for (uint32_t step = 0; step < cycles->leaf_count; step++) {
            uint32_t taken = (first + step) % cycles->leaf_count;
            if (cycles->owner[taken] == which || units_of(cycles, taken) == units_of(cycles, given))
                continue;
            int cost = exchange_cost(cycles, given, taken);
            if (cost < best.cost)
                best = (struct exchange){given, taken, cost};
            if (cost <= 0)
                return best;
        }
    }
    return best;
}

static void exchange(struct block_cycles *cycles, uint32_t given, uint32_t taken)
{
    uint32_t from = cycles->owner[given], to = cycles->owner[taken];
    int64_t change = units_of(cycles, taken) - units_of(cycles, given);
    const struct block_cycle *cycle = cycles->cycle;
    swap_leaves(cycles, given, taken);
    set_residue(cycles, from, modulo(cycle[from].residue + change, cycle[from].period));
    set_residue(cycles, to, modulo(cycle[to].residue - change, cycle[to].period));
}

/* Exchanges leaves until all sums are divisible, or the number of wrong cycles has not fallen for
 * PATIENCE exchanges. */
static bool share(struct block_cycles *cycles)
{
    uint32_t fewest = cycles->wrong_count;
    for (uint32_t tries = 0; tries < PATIENCE && cycles->wrong_count > 0; tries++) {
        uint32_t which = cycles->wrong[rng_below(&cycles->rng, cycles->wrong_count)];
        struct exchange found = find_exchange(cycles, which);
        if (found.cost == INT32_MAX)
            return false;
        exchange(cycles, found.given, found.taken);
        if (cycles->wrong_count < fewest) {
            fewest = cycles->wrong_count;
            tries = 0;
        }
    }
    return cycles->wrong_count == 0;
}

/* Moves item `held` to place `place`; place `other` is also free. An item that lands where another
 * item lands displaces it into the other free place. Returns the place that is free at the end.
 * Hall's proof shows that this terminates. */
static uint32_t displace(struct block_cycles *cycles, uint32_t r, uint32_t held, uint32_t place,
                         uint32_t other)
{
    for (;;) {
        uint32_t landing = (place + cycles->throw[held]) % r, above = cycles->lander[landing];
        uint32_t displaced = above == BLOCK_NONE ? BLOCK_NONE : cycles->item[above];
        cycles->item[place] = held;
        cycles->lander[landing] = place;
        if (displaced == BLOCK_NONE)
            return other;
        held = displaced;
        place = other;
        other = above;
    }
}

/* Orders r items with throws `wanted`, which sum to 0 mod r, so that place + throw is each value
 * mod r once: begins with throws of 0, and changes two of them at a time. */
static void order(struct block_cycles *cycles, uint32_t r, const uint32_t wanted[])
{
    for (uint32_t place = 0; place < r; place++) {
        cycles->throw[place] = 0;
        cycles->item[place] = cycles->lander[place] = place;
    }
    for (uint32_t k = 0; k + 1 < r; k++) {
        uint32_t change = (wanted[k] + r - cycles->throw[k]) % r, first = 0, second = 0;
        if (change == 0)
            continue;
        while (cycles->item[first] != k)
            first++;
        while (cycles->item[second] != k + 1)
            second++;
        cycles->lander[(first + cycles->throw[k]) % r] = BLOCK_NONE;
        cycles->lander[(second + cycles->throw [k + 1]) % r] = BLOCK_NONE;
        cycles->throw[k] = wanted[k];
        cycles->throw [k + 1] = (cycles->throw [k + 1] + r - change) % r;
        uint32_t left = displace(cycles, r, k, first, second);
        cycles->item[left] = k + 1;
        cycles->lander[(left + cycles->throw [k + 1]) % r] = left;
    }
}

/* Returns the position of an item: the inner position is item 0, the leaves follow. */
static uint32_t position_of(const struct block_cycles *cycles, const struct block_cycle *cycle,
                            uint32_t item)
{
    return cycle->inner != BLOCK_NONE && item == 0
               ? cycle->inner
               : cycles->leaf[cycle->first_leaf + item - (cycle->inner != BLOCK_NONE)];
}

static void number(struct block_cycles *cycles, const struct block_cycle *cycle, uint32_t first)
{
    uint32_t r = cycle->period, *wanted = cycles->wrong; /* scratch: no cycle is wrong */
    struct block_tree *tree = cycles->tree;
    for (uint32_t item = 0; item < r; item++) {
        uint64_t units = block_tree_units(tree, position_of(cycles, cycle, item));
        wanted[item] = (uint32_t)((r - units % r) % r);
    }
    order(cycles, r, wanted);
    for (uint32_t place = 0; place < r; place++) {
        uint32_t v = position_of(cycles, cycle, cycles->item[place]);
        struct block_position *position = &tree->position[v];
        position->first = first;
        position->period = r;
        position->base = (uint32_t)((block_tree_units(tree, v) + r - place) % r);
    }
}

bool block_cycles_find(struct block_cycles *cycles, uint64_t seed)
{
    uint32_t first = 1;
    cycles->rng.state = seed;
    for (uint32_t phase = 0; phase < cycles->tree->phases; phase++) {
        list_phase(cycles, phase);
        deal(cycles);
        if (!share(cycles))
            return false;
        for (uint32_t which = 0; which < cycles->count; which++) {
            number(cycles, &cycles->cycle[which], first);
            first += cycles->cycle[which].period;
        }
    }
    return true;
}
