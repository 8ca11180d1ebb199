/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/telegraph_run.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && !defined(__clang__)
#define COUNTS_BITS __attribute__((target_clones("popcnt", "default")))
#else
#define COUNTS_BITS
#endif

/* Up to this number of holders of a packet are found by its bits alone, not class by class. */
#define FEW 32

bool telegraph_places_init(struct telegraph_places *places, uint32_t n, uint32_t m, struct err *err)
{
    const size_t nodes = n, packets = m, words = (nodes + 63) / 64;
    *places = (struct telegraph_places){.n = n, .m = m, .words = words};
    const struct arena_array arrays[] = {ARENA(places->held, nodes),
                                         ARENA(places->node, nodes),
                                         ARENA(places->place, nodes),
                                         ARENA(places->column, packets * words),
                                         ARENA(places->classes, (packets + 1) * words),
                                         ARENA(places->idle, words),
                                         ARENA(places->late, words),
                                         ARENA(places->came, words),
                                         ARENA(places->some, packets + 1),
                                         ARENA(places->next, packets + 1),
                                         ARENA(places->keyed, nodes),
                                         ARENA(places->in_class, packets + 1),
                                         ARENA(places->free_in, packets + 1)};
    places->memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (places->memory == NULL)
        return err_no_memory(err, "a choice among %u nodes and %u packets", n, m);
    return holdings_init(&places->rows, n, m, err);
}

void telegraph_places_free(struct telegraph_places *places)
{
    holdings_free(&places->rows);
    free(places->memory);
    *places = (struct telegraph_places){0};
}

static uint64_t *column_of(const struct telegraph_places *places, uint32_t packet)
{
    return places->column + (packet - 1) * places->words;
}

static uint64_t *class_of(const struct telegraph_places *places, uint32_t held)
{
    return places->classes + held * places->words;
}

/* Sets bits 0 … n-1 and clears the rest of the last word. */
static void fill(const struct telegraph_places *places, uint64_t *bits)
{
    memset(bits, 0xff, places->words * sizeof *bits);
    if (places->n % 64 != 0)
        bits[places->words - 1] = (UINT64_C(1) << places->n % 64) - 1;
}

void telegraph_places_start(struct telegraph_places *places)
{
    const size_t packets = places->m, bytes = places->words * sizeof(uint64_t);
    holdings_clear(&places->rows);
    memset(places->column, 0, packets * bytes);
    memset(places->classes, 0, (packets + 1) * bytes);
    memset(places->came, 0, bytes);
    memset(places->held, 0, places->n * sizeof *places->held);
    memset(places->in_class, 0, (packets + 1) * sizeof *places->in_class);
    places->held[0] = places->m;
    for (uint32_t node = 0; node < places->n; node++)
        places->node[node] = places->place[node] = node;
    fill(places, places->classes);
    places->classes[0] &= ~UINT64_C(1);
    places->in_class[0] = places->n - 1;
    places->some[0] = 0;
    places->some_count = 1;
}

/* -- New places -------------------------------------------------------------------------------- */

/* Transposes a block: bit c of word r is exchanged with bit r of word c. (Warren, Hacker's Delight,
 * section 7-3.) */
static void transpose(uint64_t block[64])
{
    uint64_t mask = UINT64_C(0xffffffff);
    for (unsigned half = 32; half > 0; half /= 2, mask ^= mask << half)
        for (unsigned row = 0; row < 64; row = (row + half + 1) & ~half) {
            uint64_t other = (block[row] >> half ^ block[row + half]) & mask;
            block[row] ^= other << half;
            block[row + half] ^= other;
        }
}

/* Records which of 64 packets the nodes at 64 places hold. */
static void note_block(struct telegraph_places *places, size_t word, size_t row_word)
{
    uint64_t block[64] = {0};
    for (uint32_t k = 0; k < 64 && word * 64 + k < places->n; k++)
        block[k] = places->rows.row[places->node[word * 64 + k] * places->rows.words + row_word];
    transpose(block);
    for (uint32_t k = 0; k < 64 && row_word * 64 + k < places->m; k++)
        places->column[(row_word * 64 + k) * places->words + word] = block[k];
}

static void note_classes(struct telegraph_places *places)
{
    for (uint32_t which = 0; which < places->some_count; which++)
        memset(class_of(places, places->some[which]), 0, places->words * sizeof(uint64_t));
    for (uint32_t place = 1; place < places->n; place++)
        class_of(places, places->held[places->node[place]])[place / 64] |= UINT64_C(1)
                                                                           << place % 64;
}

static void note_places(struct telegraph_places *places, uint32_t first, uint32_t last)
{
    for (uint32_t place = 1; place < places->n; place++)
        places->place[places->node[place]] = place;
    note_classes(places);
    for (size_t word = 0; word < places->words; word++)
        for (size_t row_word = (first - 1) / 64; row_word <= (last - 1) / 64; row_word++)
            note_block(places, word, row_word);
}

void telegraph_places_shuffle(struct telegraph_places *places, struct rng *rng, uint32_t first,
                              uint32_t last)
{
    rng_permutation(rng, places->n - 1, places->node + 1);
    for (uint32_t place = 1; place < places->n; place++)
        places->node[place]++;
    note_places(places, first, last);
}

/* Returns the packets that a node holds, the newest in the highest bit; `flips` exchanges held and
 * lacked. Packets older than 64 count as held. */
static uint64_t key_of(const struct telegraph_places *places, uint32_t node, uint64_t flips,
                       uint32_t first, uint32_t newest)
{
    uint64_t key = UINT64_MAX;
    for (uint32_t age = 0; age < 64 && newest - age >= first; age++)
        if (holdings_has(&places->rows, node, newest - age) == ((flips >> age & 1) != 0))
            key &= ~(UINT64_C(1) << (63 - age));
    return key;
}

static int by_key(const void *left, const void *right)
{
    const struct telegraph_key *a = left, *b = right;
    return compare_then(COMPARE(a->key, b->key), COMPARE(a->node, b->node));
}

void telegraph_places_sort(struct telegraph_places *places, uint64_t flips, uint32_t first,
                           uint32_t newest)
{
    for (uint32_t node = 1; node < places->n; node++)
        places->keyed[node] =
            (struct telegraph_key){key_of(places, node, flips, first, newest), node};
    qsort(places->keyed + 1, places->n - 1, sizeof *places->keyed, by_key);
    for (uint32_t place = 1; place < places->n; place++)
        places->node[place] = places->keyed[place].node;
    note_places(places, first, newest);
}

/* -- Rounds ------------------------------------------------------------------------------------ */

void telegraph_places_round(struct telegraph_places *places, uint32_t after)
{
    fill(places, places->idle);
    places->free = places->n;
    places->after = after;
    memset(places->late, 0, places->words * sizeof *places->late);
    for (uint32_t which = 0; which < places->some_count; which++) {
        uint32_t held = places->some[which];
        const uint64_t *class = class_of(places, held);
        places->free_in[held] = places->in_class[held];
        for (size_t word = 0; held < after && word < places->words; word++)
            places->late[word] |= class[word];
    }
}

bool telegraph_places_any_late(const struct telegraph_places *places)
{
    uint32_t which = 0;
    while (which < places->some_count && places->free_in[places->some[which]] == 0)
        which++;
    return which < places->some_count && places->some[which] < places->after;
}

COUNTS_BITS
uint32_t telegraph_places_pairs(const struct telegraph_places *places, uint32_t packet, bool late)
{
    const uint64_t *column = column_of(places, packet), *idle = places->idle,
                   *wants = late ? places->late : places->idle;
    uint64_t holders = 0, lacking = 0;
    for (size_t word = 0; word < places->words; word++) {
        holders += (uint64_t)__builtin_popcountll(column[word] & idle[word]);
        lacking += (uint64_t)__builtin_popcountll(~column[word] & idle[word] & wants[word]);
    }
    return (uint32_t)MIN(holders, lacking);
}

/* Lists up to `most` nodes of the bits of a word, the lowest first, and reduces *bits to theirs.
 * Returns how many there are. */
static uint32_t list_low(const struct telegraph_places *places, size_t word, uint64_t *bits,
                         uint32_t most, uint32_t node[])
{
    uint64_t others = *bits;
    uint32_t count = 0;
    for (; others != 0 && count < most; others &= others - 1)
        node[count++] = places->node[word * 64 + (unsigned)__builtin_ctzll(others)];
    *bits &= ~others;
    return count;
}

/* As list_low, but from the highest bit on, and writes from end[-1] downwards. */
static uint32_t list_high(const struct telegraph_places *places, size_t word, uint64_t *bits,
                          uint32_t most, uint32_t *end)
{
    uint64_t others = *bits;
    uint32_t count = 0;
    while (others != 0 && count < most) {
        unsigned bit = 63 - (unsigned)__builtin_clzll(others);
        *(end - ++count) = places->node[word * 64 + bit];
        others &= ~(UINT64_C(1) << bit);
    }
    *bits &= ~others;
    return count;
}

static void take_receivers(struct telegraph_places *places, uint32_t packet, uint32_t count,
                           uint32_t node[])
{
    uint64_t *column = column_of(places, packet);
    for (uint32_t which = 0, found = 0; found < count; which++) {
        uint32_t held = places->some[which];
        const uint64_t *class = class_of(places, held);
        uint32_t before = found;
        for (size_t word = 0; places->free_in[held] > 0 && word < places->words && found < count;
             word++) {
            uint64_t bits = class[word] & places->idle[word] & ~column[word];
            if (bits == 0)
                continue;
            found += list_low(places, word, &bits, count - found, node + found);
            places->idle[word] &= ~bits;
            places->came[word] |= bits;
            column[word] |= bits;
        }
        places->free_in[held] -= found - before;
    }
}

static void take_senders(struct telegraph_places *places, uint32_t packet, uint32_t count,
                         uint32_t node[])
{
    const uint64_t *column = column_of(places, packet);
    for (uint32_t which = places->some_count; which-- > 0 && count > 0;) {
        uint32_t held = places->some[which];
        const uint64_t *class = class_of(places, held);
        uint32_t before = count;
        for (size_t word = places->words; places->free_in[held] > 0 && word-- > 0 && count > 0;) {
            uint64_t bits = class[word] & places->idle[word] & column[word];
            if (bits == 0)
                continue;
            count -= list_high(places, word, &bits, count, node + count);
            places->idle[word] &= ~bits;
        }
        places->free_in[held] -= before - count;
    }
    if (count > 0) {
        node[0] = 0;
        places->idle[0] &= ~UINT64_C(1);
    }
}

/* As take_senders, if at most FEW free nodes hold the packet. Otherwise returns false and takes no
 * node. O(n/64). */
static bool take_few(struct telegraph_places *places, uint32_t packet, uint32_t count,
                     uint32_t node[])
{
    const uint64_t *column = column_of(places, packet);
    uint64_t key[FEW]; /* ascending by number of packets, then place; node 0 is the least */
    uint32_t found = 0;
    for (size_t word = 0; word < places->words; word++)
        for (uint64_t bits = column[word] & places->idle[word]; bits != 0; bits &= bits - 1) {
            uint32_t place = (uint32_t)(word * 64) + (unsigned)__builtin_ctzll(bits), at = found;
            uint64_t held = place > 0 ? places->held[places->node[place]] : 0;
            if (found++ == FEW)
                return false;
            for (; at > 0 && key[at - 1] > (held << 32 | place); at--)
                key[at] = key[at - 1];
            key[at] = held << 32 | place;
        }
    for (uint32_t which = 0; which < count; which++) {
        uint64_t taken = key[found - count + which];
        uint32_t place = (uint32_t)taken;
        node[which] = places->node[place];
        places->idle[place / 64] &= ~(UINT64_C(1) << place % 64);
        if (place > 0)
            places->free_in[taken >> 32]--;
    }
    return true;
}

void telegraph_places_take(struct telegraph_places *places, uint32_t packet, uint32_t pairs,
                           uint32_t receivers[], uint32_t senders[])
{
    take_receivers(places, packet, pairs, receivers);
    if (pairs > FEW || !take_few(places, packet, pairs, senders))
        take_senders(places, packet, pairs, senders);
    places->free -= 2 * pairs;
}

uint32_t telegraph_places_left(const struct telegraph_places *places, uint32_t node[])
{
    uint32_t left = places->free;
    for (uint32_t which = places->some_count; which-- > 0;) {
        uint32_t held = places->some[which];
        const uint64_t *class = class_of(places, held);
        for (size_t word = places->words; places->free_in[held] > 0 && word-- > 0;) {
            uint64_t bits = class[word] & places->idle[word];
            left -= list_high(places, word, &bits, left, node + left);
        }
    }
    if (left > 0)
        node[0] = 0;
    return places->free;
}

void telegraph_places_receive(struct telegraph_places *places, uint32_t node, uint32_t packet)
{
    uint32_t place = places->place[node];
    places->came[place / 64] |= UINT64_C(1) << place % 64;
    column_of(places, packet)[place / 64] |= UINT64_C(1) << place % 64;
}

void telegraph_places_withdraw(struct telegraph_places *places, uint32_t node, uint32_t packet)
{
    uint32_t place = places->place[node];
    places->came[place / 64] &= ~(UINT64_C(1) << place % 64);
    column_of(places, packet)[place / 64] &= ~(UINT64_C(1) << place % 64);
}

/* Moves the nodes of a class that receive to the next class. Returns how many there are. */
COUNTS_BITS
static uint32_t raise(uint64_t *class, uint64_t *next, const uint64_t *came, size_t words)
{
    uint64_t raised = 0;
    for (size_t word = 0; word < words; word++) {
        uint64_t bits = class[word] & came[word];
        class[word] &= ~bits;
        next[word] |= bits;
        raised += (uint64_t)__builtin_popcountll(bits);
    }
    return (uint32_t)raised;
}

/* Lists the nonempty classes: a node that held h packets now holds h or h + 1. */
static void list_classes(struct telegraph_places *places)
{
    uint32_t *some = places->next, count = 0;
    for (uint32_t which = 0; which < places->some_count; which++)
        for (uint32_t held = places->some[which];
             held <= places->some[which] + 1 && held <= places->m; held++)
            if (places->in_class[held] > 0 && (count == 0 || some[count - 1] != held))
                some[count++] = held;
    places->next = places->some;
    places->some = some;
    places->some_count = count;
}

void telegraph_places_end(struct telegraph_places *places)
{
    for (uint32_t which = places->some_count; which-- > 0;) {
        uint32_t held = places->some[which];
        if (held == places->m)
            continue;
        uint32_t raised =
            raise(class_of(places, held), class_of(places, held + 1), places->came, places->words);
        places->in_class[held] -= raised;
        places->in_class[held + 1] += raised;
    }
    list_classes(places);
    memset(places->came, 0, places->words * sizeof *places->came);
}
