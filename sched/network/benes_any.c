/* SPDX-License-Identifier: Apache-2.0 */
/* benes_any: the looping algorithm for blocks of lanes whose number may be odd.
 *
 * The halves of a block are networks of their own. Its switches pair lane i of one half with lane i
 * of the other; in an odd block the longer half has one more lane, which passes by. Add a phantom
 * lane at the end of the shorter half, and a switch of these two lanes that cannot be crossed: then
 * all lanes are paired, and the circuit between the phantoms, from the way in to the way out, must
 * use the shorter half. It suffices to walk its loop first. Blocks of up to 64 lanes are tiles
 * (benes_block.h).
 *
 * An edge is a circuit, numbered by its input: lane i of the shorter half is 2i, of the longer 2i +
 * 1, so that the two edges of a switch are mates (colour_walk.h); mates on the right share an
 * output switch. Edges of colour one use the shorter half. N = 5, to = 3 0 4 1 2, whose halves are
 * the lanes 0 1 (phantom) and 2 3 4:
 *
 *     output                 0     2      1     3      (5)   4
 *     from input             1     4      3     0      (5)   2
 *     mates on the right     2     5      3     0      4     1
 *     walks                  from edge 4: its mate is 1, left of it is 0, its mate 3, left of it 2,
 *                            its mate 5
 *     colour one             edges 4 0 2: the phantom and the inputs 0 and 1 use the shorter half
 *     stage 0                both switches straight
 *     stage 4                output 0 gets input 1 from the shorter half: straight; output 1 would
 *                            get 3: crossed
 */
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/err.h"
#include "sched/network/benes_bits.h"
#include "sched/network/benes_block.h"
#include "sched/network/colour_walk.h"
#include "sched/network/network_kind.h"
#include "sched/shape/multistage.h"

#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct benes_any {
    struct multistage net;
    unsigned top; /* the level whose blocks are tiles */
    void *memory; /* of all arrays (arena.h) */
    /* from[ports + BENES_TILE]: the input that each output gets, both numbered within their block;
     * between linking and parting a block, the input's edge. The last entries are room for a tile.
     */
    uint32_t *from;
    uint32_t *next;   /* for colour_walk: all blocks of a level; also working memory of [ports] */
    uint8_t *one;     /* for colour_walk */
    uint8_t *live;    /* [ports]  1: a circuit passes the lane */
    uint8_t *tile_of; /* [tiles]  the kind of each tile */
    benes_tile_fn *route_tile;
    struct benes_tile *tile; /* [BENES_TILE_KINDS at most] */
    uint32_t *row;           /* the caller's rows */
    uint32_t *spare;         /* rows of the upper half, if threads share a large round; else NULL */
    uint32_t words;          /* words of a stage */
};

static void benes_any_free(struct benes_any *router)
{
    if (router == NULL)
        return;
    free(router->memory);
    free(router);
}

/* Crosses the switches, of up to 33 from `first` on, whose bits are 1. Precondition: they are
 * straight. */
static inline void cross_switches(const struct benes_any *router, unsigned stage, uint32_t first,
                                  uint64_t crossed)
{
    uint32_t *word = router->row + (size_t)stage * router->words + first / 32;
    uint64_t bits = crossed << first % 32;
    word[0] |= (uint32_t)bits;
    if (bits >> 32 != 0)
        word[1] |= (uint32_t)(bits >> 32);
}

/* A block of the lanes `first` … first + size - 1, whose lower half has `lower` lanes. */
struct block {
    uint32_t first, size, lower;
    uint32_t shorter, longer; /* the first lanes of the halves */
    uint32_t switches;
    uint32_t base; /* its first edge */
};

/* Returns the first edge of a block at lane `first`: a multiple of 8. For each tile before the
 * block, 8 more edges are reserved: for phantoms, and for the bytes that colour_walk writes after
 * the edges of a block. So the edges of the blocks of a level never overlap. */
static uint32_t base_of(uint32_t first, uint32_t tiles)
{
    return (first & ~UINT32_C(7)) + 8 * tiles;
}

static struct block block_of(const struct benes_any *router, unsigned level, uint32_t number)
{
    uint32_t first = multistage_first(&router->net, level, number),
             high = multistage_first(&router->net, level + 1, 2 * number + 1),
             end = multistage_first(&router->net, level, number + 1);
    bool lower_is_longer = high - first > end - high;
    return (struct block){.first = first,
                          .size = end - first,
                          .lower = high - first,
                          .shorter = lower_is_longer ? high : first,
                          .longer = lower_is_longer ? first : high,
                          .switches = (end - first) / 2,
                          .base = base_of(first, number << (router->top - level))};
}

/* Links two edges that share an output switch. */
static inline void link_mates(uint32_t next[], uint32_t one, uint32_t other)
{
    next[one] = other ^ 1;
    next[other] = one ^ 1;
}

/* Finds the edges of a block's inputs, and the next edge of a walk after each edge. */
static struct colour_graph link_block(const struct benes_any *router, struct block block)
{
    uint32_t *from = router->from, *next = router->next;
    const uint32_t *shorter = from + block.shorter, *longer = from + block.longer;
    uint32_t odd = block.size % 2, phantom = block.base + 2 * block.switches;
    uint32_t even_lanes = block.base + (block.shorter > block.longer), lower = block.lower;
    for (uint32_t lane = block.first; lane < block.first + block.size; lane++) {
        uint32_t upper = (lower - 1 - from[lane]) >> 31;
        from[lane] = (even_lanes ^ upper) + 2 * (from[lane] - (lower & -upper));
    }
    for (uint32_t sw = 0; sw < block.switches; sw++)
        link_mates(next, shorter[sw], longer[sw]);
    if (odd)
        link_mates(next, phantom, longer[block.switches]);
    /* In a Waksman network an even block also has a switch that cannot be crossed: the last one on
     * the way back does not exist. The circuit to its first output must use the lower half, so its
     * loop is walked first. */
    uint32_t start = odd ? phantom : router->net.fewer ? shorter[block.switches - 1] : block.base;
    return (struct colour_graph){block.base, block.size + odd, start};
}

/* Sets up to 32 outer switches of a block, `count` from `first` on, and writes the permutations of
 * the halves for the lanes of these switches. */
static inline __attribute__((always_inline)) void part_switches(const struct benes_any *router,
                                                                unsigned level, struct block block,
                                                                uint32_t first, uint32_t count)
{
    const uint8_t *one = router->one, *inputs = one + block.base + 2 * first;
    uint32_t *shorter = router->from + block.shorter + first;
    uint32_t *longer = router->from + block.longer + first;
    uint8_t in[32] = {0}, out[32] = {0};
    for (uint32_t sw = 0; sw < count; sw++)
        out[sw] = one[longer[sw]];
    for (uint32_t sw = 0; sw < count; sw++) {
        uint32_t low = shorter[sw] - block.base, high = longer[sw] - block.base;
        uint32_t swapped = (low ^ high) & -(uint32_t)out[sw];
        shorter[sw] = (low ^ swapped) / 2;
        longer[sw] = (high ^ swapped) / 2;
        in[sw] = inputs[2 * sw + 1];
    }
    uint32_t number = block.first / 2 + first;
    cross_switches(router, level, number, benes_bits_pack(in));
    cross_switches(router, 2 * router->net.levels - 2 - level, number, benes_bits_pack(out));
}

/* Sets a block's outer switches, and writes the permutations of its halves. */
static void part_block(const struct benes_any *router, unsigned level, struct block block)
{
    uint32_t whole = block.switches & ~UINT32_C(31);
    for (uint32_t first = 0; first < whole; first += 32)
        part_switches(router, level, block, first, 32);
    if (whole < block.switches)
        part_switches(router, level, block, whole, block.switches - whole);
    if (block.size % 2 == 1) {
        uint32_t *last = &router->from[block.longer + block.switches];
        *last = (*last - block.base) / 2;
    }
}

static void route_tile(const struct benes_any *router, uint32_t number)
{
    uint8_t from[BENES_TILE];
    uint64_t setting[BENES_TILE_STAGES];
    uint32_t first = multistage_first(&router->net, router->top, number),
             lanes = multistage_first(&router->net, router->top, number + 1) - first;
    unsigned stages = 2 * (router->net.levels - router->top) - 1;
    for (uint32_t lane = 0; lane < BENES_TILE; lane++) {
        uint32_t input = router->from[first + lane];
        from[lane] = (uint8_t)(lane < lanes ? input : lane);
    }
    router->route_tile(&router->tile[router->tile_of[number]], from, setting);
    for (unsigned stage = 0; stage < stages; stage++)
        cross_switches(router, router->top + stage, first / 2, setting[stage]);
}

static void route_blocks(const struct benes_any *router, unsigned level, uint32_t number,
                         unsigned count);

/* Routes the halves of the network, one of them as a task for an idle thread. Their switches may
 * share words, so each half writes its own rows. */
static void route_halves(const struct benes_any *router)
{
    struct benes_any upper = *router;
    size_t stages = multistage_stages(&router->net), words = router->words;
    uint32_t high = multistage_first(&router->net, 1, 1);
    upper.row = router->spare;
    memset(upper.row, 0, stages * words * sizeof upper.row[0]);
#pragma omp task shared(upper)
    route_blocks(&upper, 1, 1, 1);
    route_blocks(router, 1, 0, 1);
#pragma omp taskwait
    for (size_t stage = 0; stage < stages; stage++)
        for (size_t word = high / 64; word < words; word++)
            router->row[stage * words + word] |= upper.row[stage * words + word];
}

/* Routes `count` neighbouring blocks of a level side by side: 1, 2 or COLOUR_WALKERS. Depth first,
 * so that inner blocks fit in the nearest cache. */
static void route_blocks(const struct benes_any *router, unsigned level, uint32_t number,
                         unsigned count)
{
    struct block block[COLOUR_WALKERS];
    struct colour_graph graph[COLOUR_WALKERS] = {{0}};
    if (level == router->top) {
        for (unsigned each = 0; each < count; each++)
            route_tile(router, number + each);
        return;
    }
    for (unsigned each = 0; each < count; each++) {
        block[each] = block_of(router, level, number + each);
        graph[each] = link_block(router, block[each]);
    }
    colour_walk(router->next, router->one, graph, count);
    for (unsigned each = 0; each < count; each++)
        part_block(router, level, block[each]);
    if (level == 0 && router->spare != NULL && omp_get_num_threads() > 1) {
        route_halves(router);
        return;
    }
    if (count < COLOUR_WALKERS) {
        route_blocks(router, level + 1, 2 * number, 2 * count);
        return;
    }
    route_blocks(router, level + 1, 2 * number, COLOUR_WALKERS);
    route_blocks(router, level + 1, 2 * number + COLOUR_WALKERS, COLOUR_WALKERS);
}

/* Straightens the switches of a block in a stage whose lanes are both idle, and moves the marks of
 * live lanes through the stage. */
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

static bool allocate(struct benes_any *router)
{
    size_t ports = router->net.ports, tiles = (size_t)1 << router->top, edges = ports + 8 * tiles;
    bool large = ports / 2 >= COLOUR_TRAILS_EDGES;
    size_t words = multistage_stages(&router->net) * (size_t)router->words;
    const struct arena_array arrays[] = {ARENA(router->from, ports + BENES_TILE),
                                         ARENA(router->next, edges),
                                         ARENA(router->one, edges),
                                         ARENA(router->live, ports),
                                         ARENA(router->tile_of, tiles),
                                         ARENA(router->tile, MIN(tiles, BENES_TILE_KINDS)),
                                         ARENA(router->spare, words)};
    router->memory = arena_new(arrays, ARENA_COUNT(arrays) - !large);
    return router->memory != NULL;
}

/* Creates a router. Precondition: a shape of multistage_benes or multistage_waksman. E104. */
static struct benes_any *benes_any_new(const struct multistage *net, struct err *err)
{
    struct benes_any *router = calloc(1, sizeof *router);
    if (router != NULL)
        *router = (struct benes_any){.net = *net,
                                     .top = benes_tile_top(net),
                                     .route_tile = benes_tile_best(),
                                     .words = multistage_row_words(net)};
    if (router == NULL || !allocate(router)) {
        benes_any_free(router);
        err_no_memory(err, "a Beneš network of %u ports", net->ports);
        return NULL;
    }
    uint32_t known = 0;
    for (uint32_t number = 0; number >> router->top == 0; number++) {
        uint32_t which = benes_tile_find(net, number, router->tile, known);
        router->tile_of[number] = (uint8_t)which;
        known += which == known;
    }
    return router;
}

/* Sets every switch so that input i reaches output to[i]; MULTISTAGE_IDLE inputs are free. Switches
 * that no circuit passes are straight, and equal rounds get equal rows, on every processor and
 * whatever the router did before.
 *     to[ports], row[stages][multistage_row_words]
 * Errors: E403 if two inputs want one output or an output is out of range (row is then undefined).
 * O(ports · log ports); no allocation. Chang and Melhem (1997). */
static bool benes_any_route(struct benes_any *router, const uint32_t to[], uint32_t *row,
                            struct err *err)
{
    uint32_t ports = router->net.ports, live;
    const struct partial_round round = {"benes", ports, to, router->next, router->from};
    if (!partial_permutation(&round, &live, err))
        return false;
    memset(row, 0, (size_t)multistage_stages(&router->net) * router->words * sizeof row[0]);
    router->row = row;
    route_blocks(router, 0, 0, 1);
    if (live < ports)
        straighten(router, to);
    return true;
}

NETWORK_KIND(waksman, benes_any_new, benes_any_free, benes_any_route, NULL);
