/* SPDX-License-Identifier: Apache-2.0 */
/* multicast: routes three networks in a row, each of which shares its last stage with the next.
 *
 * The position of a lane is its number with the bits reversed; the stages of level l pair positions
 * that differ in bit l.
 *
 *     stages 0 … K-1       bits 0 … K-1   concentrate: the words that are sent move to positions
 *                                         0, 1, …, in order
 *     stages K-1 … 2K-2    bits K-1 … 0   copy: a word for i outputs moves to i consecutive
 *                                         positions
 *     stages 2K-2 … 4K-4   levels 0 … 0   a Beneš network routes each copy to its output (benes.h)
 *
 * The r-th word must move to position r: bit by bit from the lowest, no two words meet, because
 * there are no more lanes between two words after a stage than before it (a reverse banyan network
 * concentrates). Then it must fill positions lo … hi. From the highest bit on: where lo and hi
 * agree, the word moves to that side; where they differ it is copied, and one copy must fill lo …
 * 01…1, the other 10…0 … hi. No two words meet, because they keep their order without gaps (Lee's
 * boolean interval splitting).
 *
 * N = 8, input 1 to outputs 0 2 5, input 6 to output 3:
 *
 *     inputs at positions   6 at 3, 1 at 4
 *     concentrated          6 at 0, 1 at 1
 *     copied                6 at 0, 1 at 1 2 3; positions 0 1 2 3 are lanes 0 4 2 6
 *     Beneš network         lane 0 to output 3, 4 to 0, 2 to 2, 6 to 5
 */
#include "sched/network/multicast.h"

#include "sched/base/arena.h"
#include "sched/network/benes.h"
#include "sched/network/benes_bits.h"
#include "sched/network/network_kind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct multicast_router {
    struct multistage net;
    struct benes_router *benes;
    void *memory;    /* of all arrays (arena.h) */
    uint32_t *inner; /* inner[stages of the Beneš network][row words of the Beneš network] */
    uint32_t *to;    /* to[ports]: circuits of the Beneš network */
    uint32_t *lane;  /* lane[ports]: the lane of each position */
    /* [ports], by the position of an input: the number of outputs that get its word, and the
     * position of the next copy to route */
    uint32_t *count, *place;
    uint32_t *first; /* first[ports]: the first position that each word must fill, by index */
    uint32_t *value; /* value[max(64, ports)]: values by lane, before they become planes */
    struct multicast_planes planes;
};

void multicast_router_free(struct multicast_router *router)
{
    if (router == NULL)
        return;
    benes_router_free(router->benes);
    free(router->memory);
    free(router);
}

/* Writes the numbers with their bits reversed: lane[2^bits]. */
static void reverse_bits(unsigned bits, uint32_t lane[])
{
    lane[0] = 0;
    for (unsigned bit = 0; bit < bits; bit++)
        for (uint32_t below = 0; below < UINT32_C(1) << bit; below++)
            lane[below | UINT32_C(1) << bit] = lane[below] | UINT32_C(1) << (bits - 1 - bit);
}

struct multicast_router *multicast_router_new(const struct multistage *net, struct err *err)
{
    struct multicast_router *router = calloc(1, sizeof *router);
    struct multistage inner = multistage_benes(net->ports);
    size_t ports = net->ports, words = benes_row_words(net->levels);
    if (router != NULL) {
        struct multicast_planes *planes = &router->planes;
        planes->log2_ports = net->levels;
        router->net = *net;
        router->benes = benes_router_new(net->levels, NULL);
        const struct arena_array arrays[] = {
            ARENA(router->inner, (size_t)multistage_stages(&inner) * multistage_row_words(&inner)),
            ARENA(router->to, ports),
            ARENA(router->lane, ports),
            ARENA(router->count, ports),
            ARENA(router->place, ports),
            ARENA(router->first, ports),
            ARENA(router->value, 64 * words),
            ARENA(planes->index, (net->levels + 1) * words),
            ARENA(planes->lo, net->levels * words),
            ARENA(planes->hi, net->levels * words)};
        router->memory = arena_new(arrays, ARENA_COUNT(arrays));
    }
    if (router != NULL && router->benes != NULL && router->memory != NULL) {
        reverse_bits(net->levels, router->lane);
        return router;
    }
    multicast_router_free(router);
    err_no_memory(err, "a multicast network of %u ports", net->ports);
    return NULL;
}

/* Counts the outputs of each input. Returns false if an input does not exist. */
static bool count_outputs(struct multicast_router *router, const uint32_t from[], struct err *err)
{
    uint32_t ports = router->net.ports;
    memset(router->count, 0, ports * sizeof *router->count);
    for (uint32_t output = 0; output < ports; output++) {
        uint32_t input = from[output];
        if (input == MULTISTAGE_IDLE)
            continue;
        if (input >= ports)
            return err_set(err, ERR_NOT_PERMUTATION,
                           "multicast: output %" PRIu32 " asks for input %" PRIu32
                           "; expected 0 … %" PRIu32,
                           output, input, ports - 1);
        router->count[router->lane[input]]++;
    }
    return true;
}

#define TILE_LOG2 4
#define TILE 16 /* words in a cache line */

/* Copies values that are sorted by position to their lanes: value[]. Works on tiles, so that whole
 * cache lines are read and written; word by word, lines that share few cache sets would be fetched
 * again and again. */
static void to_lanes(const struct multicast_router *router, const uint32_t position[])
{
    uint32_t *lanes = router->value;
    unsigned bits = router->net.levels;
    const uint32_t *reversed = router->lane;
    if (bits < 2 * TILE_LOG2) {
        for (uint32_t lane = 0; lane < router->net.ports; lane++)
            lanes[lane] = position[reversed[lane]];
        return;
    }
    unsigned high = bits - TILE_LOG2;
    for (uint32_t middle = 0; middle < router->net.ports >> TILE_LOG2; middle += TILE) {
        uint32_t tile[TILE][TILE];
        for (uint32_t row = 0; row < TILE; row++)
            for (uint32_t column = 0; column < TILE; column++)
                tile[column][reversed[row << high]] = position[row << high | middle | column];
        for (uint32_t row = 0; row < TILE; row++)
            memcpy(lanes + (reversed[row << high] << high | reversed[middle]), tile[row],
                   sizeof tile[row]);
    }
}

/* Converts values by position to planes; lanes that do not exist get the value of lanes without a
 * word. */
static void to_planes(const struct multicast_router *router, const uint32_t position[],
                      uint32_t no_word, unsigned count, uint64_t plane[])
{
    to_lanes(router, position);
    for (uint32_t lane = router->net.ports; lane < 64; lane++)
        router->value[lane] = no_word;
    multicast_planes_slice(&router->planes, router->value, count, plane);
}

/* Computes the planes: the index of the word on each lane before the first stage and, at the lane
 * of its index, where it is concentrated, the positions that it must fill. Returns the number of
 * positions. */
static uint32_t place_words(struct multicast_router *router)
{
    uint32_t ports = router->net.ports, index = 0, place = 0;
    uint32_t *indices = router->to, *last = router->count; /* both arrays have another use, too */
    for (uint32_t position = 0; position < ports; position++) {
        uint32_t count = router->count[position], sends = count > 0;
        router->place[position] = place;
        indices[position] = index | (sends - 1); /* or MULTICAST_NO_WORD */
        /* also for a lane without a word: the next word, or the loop below, overwrites it */
        router->first[index] = place;
        last[index] = place + count - 1;
        index += sends;
        place += count;
    }
    for (; index < ports; index++) {
        router->first[index] = MULTICAST_NO_WORD;
        last[index] = 0;
    }
    to_planes(router, indices, MULTICAST_NO_WORD, router->net.levels + 1, router->planes.index);
    to_planes(router, router->first, MULTICAST_NO_WORD, router->net.levels, router->planes.lo);
    to_planes(router, last, 0, router->net.levels, router->planes.hi);
    return place;
}

/* Returns the next lane that has a copy of an input's word. */
static inline uint32_t next_copy(struct multicast_router *router, uint32_t input)
{
    return router->lane[router->place[router->lane[input]]++];
}

/* Routes the Beneš network from the positions of each word to its outputs. If every output gets a
 * word, the permutation is given by output, which is faster. */
static bool route_copies(struct multicast_router *router, const uint32_t from[], bool full,
                         struct err *err)
{
    uint32_t ports = router->net.ports;
    if (full) {
        for (uint32_t output = 0; output < ports; output++)
            router->to[output] = next_copy(router, from[output]);
        benes_route_full(router->benes, router->to, router->inner);
        return true;
    }
    memset(router->to, 0xff, ports * sizeof *router->to); /* MULTISTAGE_IDLE */
    for (uint32_t output = 0; output < ports; output++)
        if (from[output] != MULTISTAGE_IDLE)
            router->to[next_copy(router, from[output])] = output;
    return benes_route(router->benes, router->to, router->inner, err);
}

/* Crosses the switches whose low lanes are in `low`: the lanes of a switch, `stride` bits apart,
 * exchange their inputs. Bits of `takes` are 1 for lanes that take the word of the other lane. */
static uint64_t cross(uint64_t takes, uint64_t low, unsigned stride)
{
    uint64_t both = low | low << stride;
    uint64_t other = (takes >> stride & low) | (takes & low) << stride;
    return (takes & ~both) | (~other & both);
}

/* Crosses switches whose low lanes and high lanes are in two different words. */
static void cross_words(uint32_t *low, uint32_t *high, uint32_t crossed)
{
    uint32_t takes = *low;
    *low = (takes & ~crossed) | (~*high & crossed);
    *high = (*high & ~crossed) | (~takes & crossed);
}

/* Appends a stage of the Beneš network to the settings of a stage. These are 0 except in the stage
 * that two networks share. */
static void append_stage(const struct multicast_router *router, uint32_t setting[], uint32_t stride,
                         const uint32_t inner[])
{
    for (uint32_t sw = 0; sw < router->net.ports / 2; sw += 32) {
        uint32_t crossed = inner[sw / 32], *word = setting + sw / 16;
        if (stride >= 32) {
            word = setting + (sw + sw / stride * stride) / 32;
            cross_words(word, word + stride / 32, crossed);
            continue;
        }
        bool one = router->net.ports <= 32; /* one word for all lanes */
        uint64_t takes = one ? word[0] : word[0] | (uint64_t)word[1] << 32;
        takes = cross(takes, benes_bits_spread(crossed, (unsigned)__builtin_ctz(stride)), stride);
        word[0] = (uint32_t)takes;
        if (!one)
            word[1] = (uint32_t)(takes >> 32);
    }
}

static void append_benes(const struct multicast_router *router, uint32_t *row)
{
    struct multistage benes = multistage_benes(router->net.ports);
    uint32_t inner_words = multistage_row_words(&benes), words = multistage_row_words(&router->net);
    for (unsigned stage = 0; stage < multistage_stages(&benes); stage++)
        append_stage(router, row + stage * words,
                     router->net.ports >> (multistage_level(&benes, stage) + 1),
                     router->inner + stage * inner_words);
}

bool multicast_route(struct multicast_router *router, const uint32_t from[], uint32_t *row,
                     struct err *err)
{
    unsigned middle = router->net.levels - 1;
    uint32_t words = multistage_row_words(&router->net);
    if (!count_outputs(router, from, err))
        return false;
    memset(row, 0, (size_t)multistage_stages(&router->net) * words * sizeof *row);
    uint32_t copies = place_words(router);
    multicast_planes_pass(&router->planes, row);
    if (!route_copies(router, from, copies == router->net.ports, err))
        return false;
    append_benes(router, row + (size_t)2 * middle * words);
    return true;
}

NETWORK_KIND(multicast, multicast_router_new, multicast_router_free, multicast_route, NULL);
