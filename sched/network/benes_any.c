/* SPDX-License-Identifier: Apache-2.0 */
/* benes_any: the looping algorithm for blocks of lanes that may be odd.
 *
 * A block's halves are networks of their own. Its switches pair lane i of one half with lane i of
 * the other, and of an odd block the longer half has a lane besides, which passes by. Think of a
 * phantom lane at the end of the shorter half, and a switch of the two that cannot cross: then all
 * lanes are paired, and a circuit of two phantoms, from the way in to the way out, must take the
 * shorter half. Its loop is walked first, and that is all.
 *
 * An edge is a circuit, numbered by its input: lane i of the shorter half is 2i, of the longer 2i +
 * 1, so that the two of a switch are mates (colour_walk.h); mates on the right share an output
 * switch. Colour one takes the shorter half. N = 5, to = 3 0 4 1 2, whose halves are the lanes 0 1
 * (phantom) and 2 3 4:
 *
 *     output                 0     2      1     3      (5)   4
 *     from input             1     4      3     0      (5)   2
 *     mates on the right     2     5      3     0      4     1
 *     walks                  from edge 4: its mate is 1, left of it is 0, its mate 3, left of it 2,
 *                            its mate 5
 *     colour one             edges 4 0 2: the phantom and the inputs 0 and 1 take the shorter half
 *     stage 0                both switches straight
 *     stage 4                output 0 gets input 1 from the shorter half: straight; output 1 would
 *                            get 3: crossed
 */
#include "sched/network/benes_any.h"

#include "sched/base/arena.h"
#include "sched/network/colour_walk.h"
#include "sched/network/network_kind.h"
#include "sched/network/partial.h"

#include <stdlib.h>
#include <string.h>

/* Blocks of three and four lanes are looked up: a byte for each way to write their permutation, two
 * bits a lane, and for each number of lanes of the lower half. */
#define LEAF_MOST 4
struct leaf {
    uint8_t in : 2, out : 2;      /* the outer switches, going in and on the way back */
    uint8_t lower : 1, upper : 1; /* the switches of the halves, if they have two lanes */
};

struct benes_any {
    struct multistage net;
    void *memory; /* of all arrays (arena.h) */
    uint32_t *from,
        *inner; /* [ports + 1]  the input of each output, counted in their block; before a level,
        *                       behind it */
    uint32_t *mates, *next; /* [ports + 1]  on the right, two by two; of colour_walk */
    uint8_t *one;           /* of ports + 1 edges */
    uint8_t *live;          /* [ports]  1: a circuit passes the lane */
    uint32_t *row;          /* the caller's */
    uint32_t words;         /* of a stage */
    struct leaf leaf[LEAF_MOST + 1][LEAF_MOST - 1][1 << 2 * LEAF_MOST]; /* [size][lower] */
};

void benes_any_free(struct benes_any *router)
{
    if (router == NULL)
        return;
    free(router->memory);
    free(router);
}

/* Cross those of 32 switches, from `first` on, whose bits are 1; they are still straight. */
static void cross_switches(const struct benes_any *router, unsigned stage, uint32_t first,
                           uint32_t crossed)
{
    uint32_t *word = router->row + (size_t)stage * router->words + first / 32;
    uint64_t bits = (uint64_t)crossed << first % 32;
    word[0] |= (uint32_t)bits;
    if (bits >> 32 != 0)
        word[1] |= (uint32_t)(bits >> 32);
}

/* A block of lanes `first` … first + size - 1, the lower half of which has `lower`. */
struct block {
    uint32_t first, size, lower;
    uint32_t shorter, longer; /* the first lanes of the halves */
    uint32_t switches;
};

static struct block block_of(uint32_t first, uint32_t size, uint32_t lower)
{
    bool lower_is_longer = lower > size - lower;
    uint32_t high = first + lower;
    return (struct block){.first = first,
                          .size = size,
                          .lower = lower,
                          .shorter = lower_is_longer ? high : first,
                          .longer = lower_is_longer ? first : high,
                          .switches = size / 2};
}

/* The edge of an input; `odd` if lanes of the lower half have odd edges. */
static inline uint32_t edge_of(uint32_t input, uint32_t lower, uint32_t odd)
{
    uint32_t upper = input >= lower;
    return 2 * (input - (lower & -upper)) + (upper ^ odd);
}

/* Edges share an output switch, that of the shorter half's lane first. */
static inline void mate(const struct benes_any *router, uint32_t sw, uint32_t one, uint32_t other)
{
    router->mates[2 * sw] = one;
    router->mates[2 * sw + 1] = other;
    router->next[one] = other ^ 1;
    router->next[other] = one ^ 1;
}

/* Find the mates on the right of all edges, and where a walk goes from each. */
static void pair_outputs(const struct benes_any *router, struct block block, const uint32_t from[])
{
    uint32_t odd = block.shorter > block.longer, count = block.switches;
    const uint32_t *shorter = from + block.shorter, *longer = from + block.longer;
    for (uint32_t sw = 0; sw < count; sw++)
        mate(router, sw, edge_of(shorter[sw], block.lower, odd),
             edge_of(longer[sw], block.lower, odd));
    if (block.size % 2 == 1)
        mate(router, count, 2 * count, edge_of(longer[count], block.lower, odd));
}

/* Set a block's outer switches, and give its halves their permutations. */
static void part_block(const struct benes_any *router, unsigned level, struct block block,
                       uint32_t inner[])
{
    const uint32_t *mates = router->mates;
    const uint8_t *one = router->one;
    uint32_t *shorter = inner + block.shorter, *longer = inner + block.longer;
    for (uint32_t first = 0; first < block.switches; first += 32) {
        uint32_t end = block.switches - first < 32 ? block.switches : first + 32, in = 0, out = 0;
        for (uint32_t sw = first; sw < end; sw++) {
            uint32_t low = mates[2 * sw], high = mates[2 * sw + 1], cross = one[high];
            uint32_t swapped = (low ^ high) & -cross;
            shorter[sw] = (low ^ swapped) / 2;
            longer[sw] = (high ^ swapped) / 2;
            in |= (uint32_t)one[2 * sw + 1] << (sw - first);
            out |= cross << (sw - first);
        }
        cross_switches(router, level, block.first / 2 + first, in);
        cross_switches(router, 2 * router->net.levels - 2 - level, block.first / 2 + first, out);
    }
    if (block.size % 2 == 1)
        longer[block.switches] = mates[2 * block.switches + 1] / 2;
}

/* Set a block's outer switches, and find the permutations of its halves. */
static void split_block(const struct benes_any *router, unsigned level, struct block block,
                        const uint32_t from[], uint32_t inner[])
{
    uint32_t odd = block.size % 2, phantom = 2 * block.switches;
    pair_outputs(router, block, from);
    /* In a Waksman network an even block has a switch that cannot cross, too: the last one on the
     * way back is not there. The circuit to its first output must take the lower half, so its loop
     * is walked first. */
    uint32_t start = odd ? phantom : router->net.fewer ? router->mates[phantom - 2] : 0;
    colour_walk(router->next, block.size + odd, start, router->one);
    part_block(router, level, block, inner);
}

static unsigned leaf_number(const uint32_t from[], uint32_t size)
{
    unsigned number = 0;
    for (uint32_t lane = 0; lane < size; lane++)
        number |= from[lane] << 2 * lane;
    return number;
}

/* The same for a block of three or four lanes, and its halves. */
static void route_leaf(const struct benes_any *router, unsigned level, struct block block,
                       const uint32_t from[])
{
    unsigned number = leaf_number(from + block.first, block.size);
    struct leaf leaf = router->leaf[block.size][block.lower][number];
    uint32_t sw = block.first / 2, upper = (block.first + block.lower) / 2 - sw;
    cross_switches(router, level, sw, leaf.in);
    cross_switches(router, level + 1, sw, leaf.lower | (uint32_t)leaf.upper << upper);
    cross_switches(router, 2 * router->net.levels - 2 - level, sw, leaf.out);
}

/* Find what route_leaf looks up for one permutation: as blocks of a network of their own of two
 * levels. */
static void fill_leaf(struct benes_any *router, uint32_t size, uint32_t lower,
                      const uint32_t from[])
{
    uint32_t row[3] = {0}, inner[LEAF_MOST], mates[LEAF_MOST + 1], next[LEAF_MOST + 1];
    uint8_t one[2 * LEAF_MOST];
    const struct benes_any alone = {.net = {.levels = 2, .fewer = router->net.fewer},
                                    .mates = mates,
                                    .next = next,
                                    .one = one,
                                    .row = row,
                                    .words = 1};
    split_block(&alone, 0, block_of(0, size, lower), from, inner);
    router->leaf[size][lower][leaf_number(from, size)] =
        (struct leaf){.in = row[0] & 3,
                      .out = row[2] & 3,
                      .lower = lower == 2 && inner[0] == 1,
                      .upper = size - lower == 2 && inner[lower] == 1};
}

/* For all permutations whose first `known` lanes are from[known]. */
static void fill_leaves(struct benes_any *router, uint32_t size, uint32_t lower, uint32_t from[],
                        uint32_t known)
{
    if (known == size)
        fill_leaf(router, size, lower, from);
    for (uint32_t input = 0; known < size && input < size; input++) {
        bool taken = false;
        for (uint32_t lane = 0; lane < known; lane++)
            taken = taken || from[lane] == input;
        from[known] = input;
        if (!taken)
            fill_leaves(router, size, lower, from, known + 1);
    }
}

static void route_block(const struct benes_any *router, unsigned level, uint32_t number,
                        uint32_t from[], uint32_t inner[])
{
    uint32_t first = multistage_first(&router->net, level, number);
    uint32_t size = multistage_first(&router->net, level, number + 1) - first;
    if (size == 2) { /* the least: smaller ones are parts of a leaf */
        cross_switches(router, level, first / 2, from[first]);
        return;
    }
    uint32_t high = multistage_first(&router->net, level + 1, 2 * number + 1);
    struct block block = block_of(first, size, high - first);
    if (size <= LEAF_MOST) {
        route_leaf(router, level, block, from);
        return;
    }
    split_block(router, level, block, from, inner);
    route_block(router, level + 1, 2 * number, inner, from);
    route_block(router, level + 1, 2 * number + 1, inner, from);
}

/* Straighten the switches of a block in a stage whose lanes are both idle, and carry on which lanes
 * are live. */
static void straighten_block(const struct benes_any *router, unsigned stage, uint32_t block,
                             uint8_t live[])
{
    struct multistage_pairs pairs = multistage_pairs(&router->net, stage, block);
    uint32_t *setting = router->row + (size_t)stage * router->words;
    for (uint32_t i = 0; i < pairs.count; i++) {
        uint32_t sw = pairs.first_switch + i;
        uint8_t low = live[pairs.low + i], high = live[pairs.high + i];
        uint32_t crossed = setting[sw / 32] >> sw % 32 & 1, passed = low | high;
        setting[sw / 32] &= ~((crossed & ~passed) << sw % 32);
        live[pairs.low + i] = crossed ? high : low;
        live[pairs.high + i] = crossed ? low : high;
    }
}

static void straighten(const struct benes_any *router, const uint32_t to[])
{
    uint8_t *live = router->live;
    for (uint32_t input = 0; input < router->net.ports; input++)
        live[input] = to[input] != MULTISTAGE_IDLE;
    for (unsigned stage = 0; stage < multistage_stages(&router->net); stage++)
        for (uint32_t block = 0; block >> multistage_level(&router->net, stage) == 0; block++)
            straighten_block(router, stage, block, live);
}

struct benes_any *benes_any_new(const struct multistage *net, struct err *err)
{
    struct benes_any *router = calloc(1, sizeof *router);
    size_t ports = net->ports;
    if (router != NULL) {
        router->net = *net;
        router->words = multistage_row_words(net);
        const struct arena_array arrays[] = {ARENA(router->from, ports + 1),
                                             ARENA(router->inner, ports + 1),
                                             ARENA(router->mates, ports + 1),
                                             ARENA(router->next, ports + 1),
                                             ARENA(router->one, colour_walk_bytes(net->ports + 1)),
                                             ARENA(router->live, ports)};
        router->memory = arena_new(arrays, ARENA_COUNT(arrays));
    }
    if (router == NULL || router->memory == NULL) {
        benes_any_free(router);
        err_no_memory(err, "a Beneš network of %u ports", net->ports);
        return NULL;
    }
    uint32_t from[LEAF_MOST];
    fill_leaves(router, 3, 1, from, 0);
    fill_leaves(router, 3, 2, from, 0);
    fill_leaves(router, 4, 2, from, 0);
    return router;
}

bool benes_any_route(struct benes_any *router, const uint32_t to[], uint32_t *row, struct err *err)
{
    uint32_t ports = router->net.ports, live;
    if (!partial_permutation("benes", to, ports, router->mates, router->from, &live, err))
        return false;
    memset(row, 0, (size_t)multistage_stages(&router->net) * router->words * sizeof row[0]);
    router->row = row;
    route_block(router, 0, 0, router->from, router->inner);
    if (live < ports)
        straighten(router, to);
    return true;
}

NETWORK_KIND(waksman, benes_any_new, benes_any_free, benes_any_route, NULL);
