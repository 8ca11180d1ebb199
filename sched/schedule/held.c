/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/held.h"

#include "sched/base/bits.h"
#include "sched/base/memory.h"

#include <stdlib.h>

/* Up to FEW_PAIRS pairs bits are always used (256 MB, of which only touched pages use memory).
 * Beyond that, bits are used if they need no more memory than a hash table. */
#define FEW_PAIRS (UINT64_C(1) << 31)
#define BITS_PER_ENTRY 128

bool held_init(struct held *held, uint32_t nodes, uint32_t packets, size_t most, struct err *err)
{
    uint64_t pairs = (uint64_t)nodes * packets;
    *held = (struct held){.packets = packets};
    size_t words = (size_t)(pairs / 64 + 1);
    if (pairs > FEW_PAIRS && pairs / BITS_PER_ENTRY > most) {
        /* at most half full, so that every search ends */
        held->hash_bits = bits_log2_up(2 * (most + 1));
        words = (size_t)1 << held->hash_bits;
    }
    held->word = calloc(words, sizeof *held->word);
    if (held->word == NULL)
        return err_no_memory(err, "%zu words of 8 bytes that note who holds what", words);
    if (most >= words) /* else much of the array may stay untouched */
        memory_large_pages(held->word, words * sizeof *held->word);
    return true;
}

void held_free(struct held *held)
{
    free(held->word);
    *held = (struct held){0};
}

size_t held_place(const struct held *held, uint64_t pair)
{
    /* Fibonacci hashing (Knuth, volume 3, section 6.4), then linear probing. */
    size_t mask = ((size_t)1 << held->hash_bits) - 1;
    size_t place = (size_t)(pair * UINT64_C(0x9e3779b97f4a7c15) >> (64 - held->hash_bits));
    while (held->word[place] != 0 && held->word[place] != pair + 1)
        place = (place + 1) & mask;
    return place;
}
