/* SPDX-License-Identifier: Apache-2.0 */
/* held: records which node has received which packet.
 *
 * A bit for each pair (node, packet) if that is small compared with the schedule, node by node:
 *
 *     bit    (node 0: packet 1, 2, … m) (node 1: packet 1, 2, … m) …
 *
 * else a hash table of the pairs that exist, so that memory is proportional to the transfers and
 * not to the product that a header claims. */
#ifndef ROUNDCAST_HELD_H
#define ROUNDCAST_HELD_H

#include "sched/base/err.h"

#include <stddef.h>
#include <stdint.h>

struct held {
    uint32_t packets;
    uint32_t shared;    /* adjacent nodes that share what they receive; 0: none */
    unsigned hash_bits; /* 0: a bit for each pair; else the table has 2^hash_bits keys */
    uint64_t *word;     /* bits, or keys: pair + 1, 0 for a free place */
};

/* Initialises a record without pairs. At most `most` pairs may be added. E104. */
bool held_init(struct held *held, uint32_t nodes, uint32_t packets, size_t most, struct err *err);
void held_free(struct held *held);

/* Returns the place of a pair in the table, or the free place where it belongs. O(1) expected. */
size_t held_place(const struct held *held, uint64_t pair);

static inline uint64_t held_pair(const struct held *held, uint32_t node, uint32_t packet)
{
    if (held->shared > 1)
        node /= held->shared;
    return (uint64_t)node * held->packets + packet - 1;
}

/* Prefetches the bit of a pair that will be used soon. */
static inline void held_fetch(const struct held *held, uint32_t node, uint32_t packet)
{
    if (held->hash_bits == 0)
        __builtin_prefetch(&held->word[held_pair(held, node, packet) / 64], 1);
}

/* Returns whether the node (0 …) has received the packet (1 …). */
static inline bool held_test(const struct held *held, uint32_t node, uint32_t packet)
{
    uint64_t pair = held_pair(held, node, packet);
    if (held->hash_bits != 0)
        return held->word[held_place(held, pair)] != 0;
    return (held->word[pair / 64] >> (pair % 64) & 1) != 0;
}

/* Records that the node has received the packet; returns false if it was recorded before. */
static inline bool held_add(struct held *held, uint32_t node, uint32_t packet)
{
    uint64_t pair = held_pair(held, node, packet);
    size_t place = held->hash_bits != 0 ? held_place(held, pair) : pair / 64;
    uint64_t before = held->word[place];
    uint64_t after = held->hash_bits != 0 ? pair + 1 : before | UINT64_C(1) << (pair % 64);
    held->word[place] = after;
    return before != after;
}

#endif
