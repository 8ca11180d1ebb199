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
#include "sched/network/benes_bits.h"
#include "sched/network/colour_walk.h"
#include "sched/network/network_kind.h"
#include "sched/network/partial.h"

#include <stdlib.h>
#include <string.h>

struct benes_any {
    struct multistage net;
    void *memory; /* of all arrays (arena.h) */
    uint32_t *from,
        *inner; /* [ports + 1]  the input of each output, counted in their block; before a level,
        *                       behind it */
    uint32_t *mates, *next; /* [ports + 1]  of colour_walk */
    uint8_t *one;           /* of ports + 1 edges */
    /* [ports + 32] settings of a block's switches, a byte each; or which lanes are live */
    uint8_t *crossed;
    uint32_t *row;  /* the caller's */
    uint32_t words; /* of a stage */
};

void benes_any_free(struct benes_any *router)
{
    if (router == NULL)
        return;
    free(router->memory);
    free(router);
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
                                             ARENA(router->crossed, ports + 32)};
        router->memory = arena_new(arrays, ARENA_COUNT(arrays));
    }
    if (router == NULL || router->memory == NULL) {
        benes_any_free(router);
        err_no_memory(err, "a Beneš network of %u ports", net->ports);
        return NULL;
    }
    return router;
}

/* Put crossed[count] into switches of a stage that are still straight, from `first` on. crossed[]
 * may be read, and is cleared, for 31 bytes more. */
static void put_switches(const struct benes_any *router, unsigned stage, uint32_t first,
                         uint32_t count)
{
    uint32_t *word = router->row + (size_t)stage * router->words + first / 32;
    uint8_t *crossed = router->crossed;
    unsigned shift = first % 32;
    memset(crossed + count, 0, 31);
    for (uint32_t sw = 0; sw < count; sw += 32, word++) {
        uint64_t bits = (uint64_t)benes_bits_pack(crossed + sw) << shift;
        word[0] |= (uint32_t)bits;
        if (bits >> 32 != 0)
            word[1] |= (uint32_t)(bits >> 32);
    }
}

/* A block of lanes `first` … first + size - 1, the lower half of which has `lower`. */
struct block {
    uint32_t first, size, lower;
    uint32_t shorter, longer; /* the first lanes of the halves */
    uint32_t switches;
};

/* The edges that share an output switch, the one of the shorter half's lane first. */
static void pair_outputs(const uint32_t from[], struct block block, uint32_t mates[])
{
    uint32_t odd = block.shorter > block.longer; /* lanes of the lower half have odd edges */
    uint32_t start = block.first + block.lower;
    for (uint32_t half = 0; half < 2; half++) {
        uint32_t begin = half == 0 ? block.first : start,
                 end = half == 0 ? start : block.first + block.size;
        for (uint32_t lane = begin; lane < end; lane++) {
            uint32_t input = from[lane], upper = input >= block.lower;
            uint32_t edge = 2 * (input - (block.lower & -upper)) + (upper ^ odd);
            mates[2 * (lane - begin) + (half ^ odd)] = edge;
        }
    }
}

/* Set a block's outer switches, and give its halves their permutations. */
static void part_block(const struct benes_any *router, unsigned level, struct block block,
                       uint32_t inner[])
{
    const uint32_t *mates = router->mates;
    uint32_t count = block.switches;
    uint8_t *crossed = router->crossed;
    for (uint32_t sw = 0; sw < count; sw++)
        crossed[sw] = router->one[2 * sw + 1];
    put_switches(router, level, block.first / 2, count);
    for (uint32_t sw = 0; sw < count; sw++) {
        uint32_t cross = router->one[mates[2 * sw + 1]];
        crossed[sw] = (uint8_t)cross;
        inner[block.shorter + sw] = mates[2 * sw + cross] / 2;
        inner[block.longer + sw] = mates[2 * sw + 1 - cross] / 2;
    }
    put_switches(router, 2 * router->net.levels - 2 - level, block.first / 2, count);
    if (block.size % 2 == 1)
        inner[block.longer + count] = mates[2 * count + 1] / 2;
}

static void route_block(const struct benes_any *router, unsigned level, uint32_t number,
                        uint32_t from[], uint32_t inner[])
{
    uint32_t first = multistage_first(&router->net, level, number);
    uint32_t size = multistage_first(&router->net, level, number + 1) - first;
    if (size == 1)
        return;
    if (size == 2) {
        uint32_t sw = first / 2;
        router->row[(size_t)level * router->words + sw / 32] |= from[first] << sw % 32;
        return;
    }
    uint32_t high = multistage_first(&router->net, level + 1, 2 * number + 1), lower = high - first;
    struct block block = {.first = first, .size = size, .lower = lower, .switches = size / 2};
    bool lower_is_longer = lower > size - lower;
    block.shorter = lower_is_longer ? high : first;
    block.longer = lower_is_longer ? first : high;
    uint32_t odd = size % 2, phantom = 2 * block.switches;
    pair_outputs(from, block, router->mates);
    router->mates[phantom] = phantom; /* of an even block nobody's, and not read */
    /* In a Waksman network an even block has a switch that cannot cross, too: the last one on the
     * way back is not there. The circuit to its first output must take the lower half, so its loop
     * is walked first. */
    uint32_t start = odd ? phantom : router->net.fewer ? router->mates[phantom - 2] : 0;
    colour_walk(router->mates, size + odd, start, router->next, router->one);
    part_block(router, level, block, inner);
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
    uint8_t *live = router->crossed;
    for (uint32_t input = 0; input < router->net.ports; input++)
        live[input] = to[input] != MULTISTAGE_IDLE;
    for (unsigned stage = 0; stage < multistage_stages(&router->net); stage++)
        for (uint32_t block = 0; block >> multistage_level(&router->net, stage) == 0; block++)
            straighten_block(router, stage, block, live);
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
