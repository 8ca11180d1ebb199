/* SPDX-License-Identifier: Apache-2.0 */
/* multicast: three networks in a row, which share the stage where one ends and the next begins.
 *
 * The position of a lane is its number with the bits reversed; the stages of level l join positions
 * that differ in bit l.
 *
 *     stages 0 … K-1       bits 0 … K-1   concentrate: what is sent comes to positions 0, 1, …, in
 *                                         order
 *     stages K-1 … 2K-2    bits K-1 … 0   copy: the word that i outputs ask for comes to i
 *                                         positions in a row
 *     stages 2K-2 … 4K-4   levels 0 … 0   a Beneš network takes each copy to its output (benes.h)
 *
 * The r-th word is to come to position r: bit by bit from the lowest one no two words meet, as
 * there are no more lanes between two words behind than before (a reverse banyan network
 * concentrates). Then it is to fill positions lo … hi. From the highest bit on, where lo and hi
 * agree it goes where they say, and where they do not it is copied: one copy is to fill lo … 01…1,
 * the other 10…0 … hi. No two meet, as they keep their order without gaps (Lee's boolean interval
 * splitting).
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
#include "sched/network/network_kind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NO_WORD UINT32_MAX

/* What the word of a lane is, and the positions that it is to fill. */
struct word {
    uint32_t rank; /* among the words that are sent, by position; NO_WORD: the lane has none */
    uint32_t lo, hi;
};

struct multicast_router {
    struct multistage net;
    struct benes_router *benes;
    void *memory;    /* of all arrays (arena.h) */
    uint32_t *inner; /* inner[stages of the Beneš network][its row words] */
    uint32_t *to;    /* to[ports]: its circuits */
    uint32_t *lane;  /* lane[ports]: of each position */
    uint32_t *count; /* count[ports]: outputs that ask for each input */
    /* place[ports]: of each input that sends, the next position that is to get an output */
    uint32_t *place;
    struct word *word, *behind; /* [ports]: on each lane, before a stage and behind it */
};

/* What the two lanes of a switch give: 0 what is on the low one, 1 what is on the high one. */
struct gives {
    bool low, high;
};

void multicast_router_free(struct multicast_router *router)
{
    if (router == NULL)
        return;
    benes_router_free(router->benes);
    free(router->memory);
    free(router);
}

/* lane[2^bits]: numbers with their bits reversed. */
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
    size_t ports = net->ports;
    if (router != NULL) {
        router->net = *net;
        router->benes = benes_router_new(net->levels, NULL);
        const struct arena_array arrays[] = {
            ARENA(router->inner, (size_t)multistage_stages(&inner) * multistage_row_words(&inner)),
            ARENA(router->to, ports),
            ARENA(router->lane, ports),
            ARENA(router->count, ports),
            ARENA(router->place, ports),
            ARENA(router->word, ports),
            ARENA(router->behind, ports)};
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

/* Let a switch do this with what it has given so far: where two networks share a stage it does the
 * work of both. */
static void then(uint32_t setting[], uint32_t low, uint32_t high, struct gives gives)
{
    struct gives before = {multistage_field(setting, 1, low), !multistage_field(setting, 1, high)};
    bool at_low = gives.low ? before.high : before.low,
         at_high = gives.high ? before.high : before.low;
    multistage_set_field(setting, 1, low, at_low);
    multistage_set_field(setting, 1, high, !at_high);
}

/* A word goes to the lane that its rank says. */
static struct gives concentrate(const struct word *low, const struct word *high, unsigned bit)
{
    bool crossed = low->rank != NO_WORD ? low->rank >> bit & 1
                                        : high->rank != NO_WORD && !(high->rank >> bit & 1);
    return (struct gives){crossed, !crossed};
}

/* A word goes to all lanes that its positions say. A lane that none goes to gives what the other
 * one does not, which is nothing. */
static struct gives copy(const struct word *low, const struct word *high, unsigned bit)
{
    bool stays_low = low->rank != NO_WORD && !(low->lo >> bit & 1);
    bool rises = low->rank != NO_WORD && low->hi >> bit & 1;
    bool falls = high->rank != NO_WORD && !(high->lo >> bit & 1);
    bool stays_high = high->rank != NO_WORD && high->hi >> bit & 1;
    bool moves = rises || falls;
    return (struct gives){moves && !stays_low, !moves || stays_high};
}

/* Narrow the positions of a word that was copied to those on one side of the middle. */
static void narrow(struct word *word, unsigned bit, bool high)
{
    uint32_t below = (UINT32_C(1) << bit) - 1;
    if (high && !(word->lo >> bit & 1))
        word->lo = word->hi & ~below;
    else if (!high && word->hi >> bit & 1)
        word->hi = word->lo | below;
}

/* One stage of the first two networks. */
static void pass_stage(struct multicast_router *router, uint32_t setting[], unsigned bit,
                       bool copies)
{
    uint32_t stride = router->net.ports >> (bit + 1);
    struct word *word = router->word, *behind = router->behind;
    for (uint32_t low = 0; low < router->net.ports; low++) {
        uint32_t high = low | stride;
        if (low & stride)
            continue;
        struct gives gives = (copies ? copy : concentrate)(&word[low], &word[high], bit);
        then(setting, low, high, gives);
        behind[low] = word[gives.low ? high : low];
        behind[high] = word[gives.high ? high : low];
        if (copies) {
            narrow(&behind[low], bit, false);
            narrow(&behind[high], bit, true);
        }
    }
    router->word = behind;
    router->behind = word;
}

/* How many outputs ask for each input; false if there is no such input. */
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
        router->count[input]++;
    }
    return true;
}

/* Which word is on each lane before the first stage, and what becomes of it. */
static void place_words(struct multicast_router *router)
{
    uint32_t rank = 0, place = 0;
    for (uint32_t position = 0; position < router->net.ports; position++) {
        uint32_t lane = router->lane[position], count = router->count[lane];
        router->word[lane] = count > 0 ? (struct word){rank++, place, place + count - 1}
                                       : (struct word){.rank = NO_WORD};
        router->place[lane] = place;
        place += count;
    }
}

/* The circuits of the Beneš network: from the positions of an input to its outputs. */
static void place_outputs(struct multicast_router *router, const uint32_t from[])
{
    for (uint32_t lane = 0; lane < router->net.ports; lane++)
        router->to[lane] = MULTISTAGE_IDLE;
    for (uint32_t output = 0; output < router->net.ports; output++)
        if (from[output] != MULTISTAGE_IDLE)
            router->to[router->lane[router->place[from[output]]++]] = output;
}

/* Take over the settings of the Beneš network from stage `first` on. */
static void append_benes(const struct multicast_router *router, uint32_t *row, unsigned first)
{
    struct multistage benes = multistage_benes(router->net.ports);
    uint32_t inner_words = multistage_row_words(&benes), words = multistage_row_words(&router->net);
    for (unsigned stage = 0; stage < multistage_stages(&benes); stage++)
        for (uint32_t block = 0; block < UINT32_C(1) << multistage_level(&benes, stage); block++) {
            struct multistage_pairs pairs = multistage_pairs(&benes, stage, block);
            for (uint32_t i = 0; i < pairs.count; i++) {
                bool crossed = multistage_field(router->inner + stage * inner_words, 1,
                                                pairs.first_switch + i);
                then(row + (first + stage) * words, pairs.low + i, pairs.high + i,
                     (struct gives){crossed, !crossed});
            }
        }
}

bool multicast_route(struct multicast_router *router, const uint32_t from[], uint32_t *row,
                     struct err *err)
{
    unsigned levels = router->net.levels, middle = levels - 1;
    uint32_t words = multistage_row_words(&router->net);
    if (!count_outputs(router, from, err))
        return false;
    memset(row, 0, (size_t)multistage_stages(&router->net) * words * sizeof *row);
    place_words(router);
    for (unsigned bit = 0; bit < levels; bit++)
        pass_stage(router, row + bit * words, bit, false);
    for (unsigned bit = levels; bit-- > 0;)
        pass_stage(router, row + (2 * middle - bit) * words, bit, true);
    place_outputs(router, from);
    if (!benes_route(router->benes, router->to, router->inner, err))
        return false;
    append_benes(router, row, 2 * middle);
    return true;
}

NETWORK_KIND(multicast, multicast_router_new, multicast_router_free, multicast_route, NULL);
