/* SPDX-License-Identifier: Apache-2.0 */

/* clos: routes networks of crossbars as networks of 2×2 switches.
 *
 * The first j stages of a Beneš network of 2×2 switches pair lanes that differ in one of the j
 * highest bits. So lanes whose other bits are equal, which are the lanes of one crossbar of 2^j
 * inputs, are paired only with each other, and after these stages each of 2^j networks has one of
 * them, as after the crossbar; the last j stages do the same in reverse. Therefore the 2×2 switches
 * are routed (benes.h), and every crossbar is set to what the switches of its lanes do
 * together (planes, below). The crossbars of the middle stage replace networks of as many ports,
 * which need not be routed. clos:4,4,2 is a Beneš network of 8 ports, with the permutation of
 * benes_dense.c, to = 3 7 4 0 2 6 1 5; crossbars of the outer stages have the lanes 0 2 4 6 and 1 3
 * 5 7:
 *
 *     switches of lanes     0 4   1 5   2 6   3 7       straight, crossed, straight, crossed
 *                           0 2   1 3   4 6   5 7       straight
 *     lanes                 0   1   2   3   4   5   6   7
 *     so they have input    0   5   2   7   4   1   6   3
 *     field of stage 0      1   3   2   4   3   1   4   2       inputs of the crossbar, from 1
 *
 *     outputs               3   6   4   5   2   7   1   0
 *     field of stage 1      2   1   1   2   1   2   2   1       output 6 is in crossbar 0, 3 in 1
 *     field of stage 2      4   4   3   1   2   2   1   3       output 3 gets the word from middle
 *                                                               crossbar 0
 */
#include "sched/network/clos.h"

#include "sched/base/arena.h"
#include "sched/network/benes.h"
#include "sched/network/benes_bits.h"
#include "sched/network/network_kind.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- Crossbars, composed of the equivalent 2×2 switches ------------------------------------- */

/* Planes.
 *
 * Each lane has a number: 0 if no circuit is on it, i + 1 if the circuit on it entered by input i
 * of its crossbar. Bit p of the numbers of 64 lanes is one word, so a stage of switches moves 64
 * lanes at once, whatever their crossbars are.
 */
#define CHUNK 10 /* maximum number of fields that are written at once */

/* The layout of the fields of a stage in words of 32 bits. */
struct fields {
    unsigned bits;               /* bits of a field, 2 or more */
    uint32_t in_word, chunk;     /* fields of a word; fields written at once: all of them or half */
    uint32_t spread[1 << CHUNK]; /* the bits of a chunk, each moved to the start of a field */
};

/* The numbers of 2^log2_ports lanes.
 *     plane[count][benes_row_words + 1]    of 64 lanes each; after the last, 0 */
struct planes {
    unsigned log2_ports, count;
    uint64_t *plane;
};

static struct fields fields_of(unsigned bits)
{
    struct fields fields = {.bits = bits, .in_word = 32 / bits};
    fields.chunk = fields.in_word <= CHUNK ? fields.in_word : fields.in_word / 2;
    for (uint32_t lanes = 1; lanes >> fields.chunk == 0; lanes++)
        fields.spread[lanes] = fields.spread[lanes >> 1] << bits | (lanes & 1);
    return fields;
}

/* Returns bit `bit` of the lane numbers of all 64 lanes of a word. */
static inline uint64_t lane_bits(uint32_t word, unsigned bit)
{
    return bit < 6 ? ~benes_bits_low(bit) : -(uint64_t)(word >> (bit - 6) & 1);
}

/* Number of words of 64 lanes, and the distance in words from one plane to the next. */
static inline uint32_t words_of(const struct planes *planes)
{
    return benes_row_words(planes->log2_ports);
}
static inline size_t pitch(const struct planes *planes)
{
    return (size_t)words_of(planes) + 1;
}

/* Numbers the lanes with a circuit: 1 + the count - 1 bits of the lane from `bit` on; other lanes
 * get 0. Adding 1 carries from plane to plane.
 *     live[benes_row_words]    a bit for each lane: a circuit is on it */
static void planes_number(const struct planes *planes, unsigned bit, const uint64_t live[])
{
    for (uint32_t word = 0; word < words_of(planes); word++) {
        uint64_t *plane = planes->plane + word, carry = live[word];
        for (unsigned p = 0; p + 1 < planes->count; p++, plane += pitch(planes)) {
            uint64_t input = lane_bits(word, bit + p) & live[word];
            *plane = input ^ carry;
            carry &= input;
        }
        *plane = carry;
    }
}

static void carry_within(const struct planes *planes, unsigned bit, const uint32_t row[])
{
    for (uint32_t word = 0; word < words_of(planes); word++) {
        uint64_t *plane = planes->plane + word, crossed = benes_bits_spread(row[word], bit);
        for (unsigned p = 0; p < planes->count; p++, plane += pitch(planes))
            *plane = benes_bits_exchange(*plane, crossed, bit);
    }
}

static void carry_between(const struct planes *planes, unsigned bit, const uint32_t row[])
{
    uint32_t apart = UINT32_C(1) << (bit - 6);
    for (uint32_t base = 0; base < words_of(planes); base += 2 * apart)
        for (uint32_t word = base; word < base + apart; word++, row += 2) {
            uint64_t *low = planes->plane + word, crossed = row[0] | (uint64_t)row[1] << 32;
            for (unsigned p = 0; p < planes->count; p++, low += pitch(planes))
                benes_bits_exchange_words(low, low + apart, crossed);
        }
}

/* Moves the numbers through a stage of switches whose lanes differ in a bit (benes.h).
 *     row[words] */
static void planes_carry(const struct planes *planes, unsigned bit, const uint32_t row[])
{
    if (bit < 6)
        carry_within(planes, bit, row);
    else
        carry_between(planes, bit, row);
}

/* Returns the fields of a chunk of lanes. A word is loaded from any byte: little-endian, as all
 * supported machines are. */
static inline uint32_t chunk_fields(const uint32_t spread[], uint32_t mask,
                                    const struct planes *planes, uint32_t lane)
{
    const char *plane = (const char *)planes->plane + lane / 8;
    uint32_t value = 0, lanes;
    for (unsigned p = 0; p < planes->count; p++, plane += pitch(planes) * sizeof(uint64_t)) {
        memcpy(&lanes, plane, sizeof lanes);
        value |= spread[lanes >> lane % 8 & mask] << p;
    }
    return value;
}

/* Writes the numbers to the fields of setting[]. */
static void planes_put(const struct planes *planes, const struct fields *fields, uint32_t setting[])
{
    const struct planes of = *planes; /* a copy, so that it stays in registers */
    uint32_t ports = UINT32_C(1) << of.log2_ports, in_word = fields->in_word, chunk = fields->chunk;
    uint32_t mask = (UINT32_C(1) << chunk) - 1, shift = chunk * fields->bits;
    for (uint32_t lane = 0; lane < ports; lane += in_word) {
        uint32_t word = chunk_fields(fields->spread, mask, &of, lane);
        if (chunk < in_word)
            word |= chunk_fields(fields->spread, mask, &of, lane + chunk) << shift;
        *setting++ = word;
    }
}

/* Marks the lanes that now have a circuit: live[benes_row_words]. */
static void planes_live(const struct planes *planes, uint64_t live[])
{
    for (uint32_t word = 0; word < words_of(planes); word++) {
        live[word] = 0;
        for (unsigned p = 0; p < planes->count; p++)
            live[word] |= planes->plane[p * pitch(planes) + word];
    }
}

/* --- The router --------------------------------------------------------------------------- */

struct clos_router {
    struct multistage net;
    unsigned log2_radix;
    void *memory;       /* of all arrays (arena.h) */
    uint32_t *switches; /* [stages][words] of the 2×2 switches; the middle stages are not used */
    struct benes_dense dense;
    struct planes planes;
    /* [words]  live lanes, for planes_number: on the way in, and on the way back */
    uint64_t *live[2];
    struct fields first, last; /* of outer stages except the last; of the last stage */
};

void clos_router_free(struct clos_router *router)
{
    if (router == NULL)
        return;
    free(router->memory);
    free(router);
}

static bool allocate(struct clos_router *router)
{
    struct benes_dense *dense = &router->dense;
    struct planes *planes = &router->planes;
    size_t ports = router->net.ports, words = benes_row_words(dense->log2_ports);
    const struct arena_array arrays[] = {
        ARENA(router->switches, benes_stages(dense->log2_ports) * words),
        ARENA(dense->from, ports + 1),
        ARENA(dense->next, ports),
        ARENA(dense->upper, ports),
        ARENA(router->live[0], words),
        ARENA(router->live[1], words),
        ARENA(planes->plane, (words + 1) * planes->count)};
    router->memory = arena_new(arrays, ARENA_COUNT(arrays));
    return router->memory != NULL;
}

struct clos_router *clos_router_new(const struct multistage *net, struct err *err)
{
    if (!clos_any_passes(net, err))
        return NULL;
    unsigned log2_ports = bits_log2_up(net->ports), log2_radix = bits_log2_up(net->radix);
    struct clos_router *router = calloc(1, sizeof *router);
    if (router != NULL)
        *router = (struct clos_router){
            .net = *net,
            .log2_radix = log2_radix,
            .dense = {.log2_ports = log2_ports,
                      .log2_inner = log2_ports - (net->levels - 1) * log2_radix,
                      .block = benes_block_best()},
            .planes = {.log2_ports = log2_ports, .count = log2_radix + 1},
            .first = fields_of(multistage_field_bits(net, 0)),
            .last = fields_of(multistage_field_bits(net, net->stages - 1))};
    if (router == NULL || !allocate(router)) {
        clos_router_free(router);
        err_no_memory(err, "a Clos network of %u ports", net->ports);
        return NULL;
    }
    return router;
}

/* Sets an outer stage. It replaces log2_radix stages of switches; the first of these pairs lanes
 * that differ in the highest bit of a crossbar's input on the way in, in the lowest bit on the way
 * back. */
static void set_outer(const struct clos_router *router, unsigned stage, uint32_t setting[])
{
    unsigned log2_ports = router->dense.log2_ports, log2_radix = router->log2_radix;
    unsigned level = multistage_level(&router->net, stage);
    unsigned bit = log2_ports - (level + 1) * log2_radix;
    bool joins = multistage_joins(&router->net, stage);
    unsigned begin = joins ? log2_ports - 1 + bit : level * log2_radix;
    planes_number(&router->planes, bit, router->live[joins]);
    for (unsigned each = begin; each < begin + log2_radix; each++)
        planes_carry(&router->planes, benes_bit(log2_ports, each),
                     router->switches + (size_t)each * benes_row_words(log2_ports));
    bool last = stage + 1 == multistage_stages(&router->net);
    planes_put(&router->planes, last ? &router->last : &router->first, setting);
    planes_live(&router->planes, router->live[joins]);
}

/* Sets the middle stage: each crossbar replaces an inner network and routes what was left to it. */
static void set_middle(const struct clos_router *router, uint32_t setting[])
{
    const struct benes_dense *dense = &router->dense;
    const uint64_t *in = router->live[0];
    uint64_t *back = router->live[1];
    uint32_t mask = (UINT32_C(1) << dense->log2_inner) - 1, ports = router->net.ports;
    unsigned bits = multistage_field_bits(&router->net, router->net.levels - 1);
    memset(back, 0, benes_row_words(dense->log2_ports) * sizeof back[0]);
    for (uint32_t lane = 0; lane < ports; setting++)
        for (unsigned shift = 0; shift + bits <= 32 && lane < ports; shift += bits, lane++) {
            uint32_t input = dense->from[lane];
            uint64_t live = in[input / 64] >> input % 64 & 1;
            *setting |= ((input & mask) + 1) * (uint32_t)live << shift;
            back[lane / 64] |= live << lane % 64;
        }
}

bool clos_route(struct clos_router *router, const uint32_t to[], uint32_t *row, struct err *err)
{
    const struct benes_dense *dense = &router->dense;
    uint32_t words = multistage_row_words(&router->net), live;
    unsigned stages = multistage_stages(&router->net);
    const struct partial_round round = {"clos", router->net.ports, to, dense->next, dense->from};
    if (!partial_permutation(&round, &live, err))
        return false;
    memset(row, 0, (size_t)stages * words * sizeof row[0]);
    benes_idle_mark(dense->log2_ports, to, router->live[0]);
    benes_dense_route(dense, router->switches);
    for (unsigned stage = 0; stage < stages; stage++, row += words)
        if (stage + 1 == router->net.levels)
            set_middle(router, row);
        else
            set_outer(router, stage, row);
    return true;
}

NETWORK_KIND(clos, clos_router_new, clos_router_free, clos_route, &network_kind_clos_any);
