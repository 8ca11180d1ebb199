/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/image/image.h"

#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/machine/machine_address.h"

#include <stdlib.h>
#include <string.h>

#define FIELD UINT32_C(0x0fffffff) /* of an address, below the region */

/* Number of occurrences of a word in a place. */
struct tally {
    uint32_t word, count;
};

/* A place is a word that every node has: a row of a program, or a part of a flit of a slot. */
struct fewest {
    const struct image *image;
    struct image *to;
    uint32_t nodes;
    size_t places;
    size_t *end;              /* end[places + 1]: the end of the words of each place */
    struct image_word *write; /* words of nodes, by place, in the order of the image */
    /* For the current place: seen[nodes] is the value of `runs` at a node's last write, and
     * own[nodes] is the index of its word in left->word, which is valid if seen[node] equals
     * `runs`. */
    size_t *seen, runs;
    uint32_t *own;
    struct tally *tally; /* tally[2^…]: more than twice the number of nodes */
    void *memory;        /* of all arrays (arena.h) */
};

static unsigned place_bits(const struct machine *machine, enum machine_region region)
{
    return region == MACHINE_PACKET
               ? machine->log2_packets + machine->log2_flits + machine_part_bits(machine)
               : machine->log2_rows;
}

/* Returns whether the address is in a memory that every node has, in which only the last write
 * counts. */
static bool has_place(const struct machine *machine, uint32_t address)
{
    const enum machine_region region = machine_region_of(address);
    return (region == MACHINE_SEND && !machine_is_autonomous(machine)) ||
           region == MACHINE_RECEIVE || region == MACHINE_PACKET;
}

/* Returns the number of an address's place: rows of send programs, then of receive programs, then
 * flits. */
static size_t place_of(const struct machine *machine, uint32_t address)
{
    const enum machine_region region = machine_region_of(address);
    const size_t rows = (size_t)1 << machine->log2_rows;
    return (region - MACHINE_SEND) * rows +
           (address & ((UINT32_C(1) << place_bits(machine, region)) - 1));
}

/* Appends a word. There is always room, because no place gets more writes than it had. */
static void put(struct fewest *f, uint32_t address, uint32_t word)
{
    f->to->word[f->to->count++] = (struct image_word){address, word};
}

/* Sorts the words that belong to a place by place, in the order of the image, and appends the
 * others to the result. */
static void sort_words(struct fewest *f)
{
    const struct image *image = f->image;
    for (size_t k = 0; k < image->count; k++)
        if (has_place(&image->machine, image->word[k].address))
            f->end[place_of(&image->machine, image->word[k].address) + 1]++;
        else
            put(f, image->word[k].address, image->word[k].word);
    for (size_t place = 0; place < f->places; place++)
        f->end[place + 1] += f->end[place];
    for (size_t k = 0; k < image->count; k++)
        if (has_place(&image->machine, image->word[k].address))
            f->write[f->end[place_of(&image->machine, image->word[k].address)]++] = image->word[k];
}

/* The final content of a place, after all writes to it. */
struct left {
    uint32_t all;            /* the address for all nodes */
    unsigned bits;           /* below the node in an address */
    bool rest_set;           /* each node without a word of its own has ... */
    uint32_t rest;           /* ... this word */
    struct image_word *word; /* word[count]: the words of single nodes, at most one for each */
    uint32_t count;
};

static uint32_t node_of(const struct left *left, uint32_t address)
{
    return (address & FIELD) >> left->bits;
}

static void replay(struct fewest *f, struct image_word write[], size_t count, struct left *left)
{
    const uint32_t address = write[0].address;
    const unsigned bits = place_bits(&f->image->machine, machine_region_of(address));
    const uint32_t in_node = (UINT32_C(1) << bits) - 1;
    *left = (struct left){
        .all = MACHINE_ALL_NODES | (address & (~FIELD | in_node)), .bits = bits, .word = write};
    f->runs++;
    for (size_t k = 0; k < count; k++) {
        const struct image_word word = write[k];
        if (word.address & MACHINE_ALL_NODES) {
            left->rest_set = true;
            left->rest = word.word;
            left->count = 0;
            f->runs++;
            continue;
        }
        const uint32_t node = node_of(left, word.address);
        if (f->seen[node] != f->runs) {
            f->seen[node] = f->runs;
            f->own[node] = left->count++;
        }
        left->word[f->own[node]] = word;
    }
}

/* Returns log2 of the size of the table of tallies, which is larger than the number of words. */
static unsigned tally_bits(uint32_t words)
{
    return 1 + bits_log2_up(words + UINT64_C(1));
}

/* Returns the tally of a word, or the free entry for it (open addressing from a hash of the word).
 */
static struct tally *tally_of(struct tally *tally, unsigned bits, uint32_t word)
{
    const uint32_t last = (UINT32_C(1) << bits) - 1;
    uint32_t at = word * UINT32_C(0x9e3779b1) >> (32 - bits);
    while (tally[at].count > 0 && tally[at].word != word)
        at = (at + 1) & last;
    return &tally[at];
}

/* Returns the most frequent word, if every node has one. If several words are equally frequent, the
 * one of the nodes without a word of their own is preferred. */
static uint32_t most_frequent(struct fewest *f, const struct left *left)
{
    const unsigned bits = tally_bits(left->count);
    uint32_t best = left->rest, most = f->nodes - left->count;
    memset(f->tally, 0, sizeof *f->tally << bits);
    *tally_of(f->tally, bits, best) = (struct tally){best, most};
    for (uint32_t k = 0; k < left->count; k++) {
        struct tally *tally = tally_of(f->tally, bits, left->word[k].word);
        *tally = (struct tally){left->word[k].word, tally->count + 1};
        if (tally->count > most) {
            most = tally->count;
            best = tally->word;
        }
    }
    return best;
}

/* Writes the words that differ from the word written to all nodes, one by one. */
static void put_others(struct fewest *f, const struct left *left, bool all, uint32_t given)
{
    for (uint32_t k = 0; k < left->count; k++)
        if (!all || left->word[k].word != given)
            put(f, left->word[k].address, left->word[k].word);
    if (!all || left->rest == given)
        return;
    for (uint32_t node = 0; left->count < f->nodes && node < f->nodes; node++)
        if (f->seen[node] != f->runs)
            put(f, (left->all & ~MACHINE_ALL_NODES) | node << left->bits, left->rest);
}

static void put_place(struct fewest *f, struct image_word write[], size_t count)
{
    struct left left;
    replay(f, write, count, &left);
    const bool all = left.rest_set || left.count == f->nodes;
    const uint32_t given = all ? most_frequent(f, &left) : 0;
    if (all)
        put(f, left.all, given);
    put_others(f, &left, all, given);
}

static void put_places(struct fewest *f)
{
    sort_words(f);
    for (size_t place = 0, begin = 0; place < f->places; begin = f->end[place++])
        if (f->end[place] > begin)
            put_place(f, f->write + begin, f->end[place] - begin);
}

static bool open_fewest(struct fewest *f, struct err *err)
{
    const struct machine *machine = &f->image->machine;
    f->nodes = machine_ports(machine);
    f->places =
        ((size_t)2 << machine->log2_rows) + ((size_t)1 << place_bits(machine, MACHINE_PACKET));
    const struct arena_array arrays[] = {
        ARENA(f->end, f->places + 1), ARENA(f->write, f->image->count), ARENA(f->seen, f->nodes),
        ARENA(f->own, f->nodes), ARENA(f->tally, (size_t)1 << tally_bits(f->nodes))};
    f->memory = arena_new(arrays, ARENA_COUNT(arrays));
    return f->memory != NULL || err_no_memory(err, "the writes of %zu words", f->image->count);
}

bool image_fewest(const struct image *image, struct image *fewest, struct err *err)
{
    *fewest = (struct image){.machine = image->machine, .run = image->run};
    struct fewest f = {.image = image, .to = fewest};
    bool fits = image_reserve(fewest, image->count, err) && open_fewest(&f, err);
    if (fits)
        put_places(&f);
    free(f.memory);
    return fits;
}
