/* SPDX-License-Identifier: Apache-2.0 */
/* holdings: the packets that each node holds while an algorithm chooses transfers.
 *
 * Each node has a row of bits, bit p - 1 for packet p, in words of 64:
 *
 *     row[node * words + w], w = 0 … words-1
 */
#ifndef ROUNDCAST_HOLDINGS_H
#define ROUNDCAST_HOLDINGS_H

#include "sched/base/err.h"

#include <stddef.h>
#include <stdint.h>

struct holdings {
    uint32_t nodes;
    size_t words; /* words per node */
    uint64_t *row;
};

/* Initialises holdings in which no node holds a packet. E104. Free with holdings_free. */
bool holdings_init(struct holdings *holdings, uint32_t nodes, uint32_t packets, struct err *err);

/* Clears the holdings: no node holds a packet afterwards. */
void holdings_clear(struct holdings *holdings);

void holdings_free(struct holdings *holdings);

/* Returns whether the node (0 …) holds the packet (1 …). */
static inline bool holdings_has(const struct holdings *holdings, uint32_t node, uint32_t packet)
{
    size_t word = (packet - 1) / 64;
    return (holdings->row[node * holdings->words + word] >> (packet - 1) % 64 & 1) != 0;
}

static inline void holdings_add(struct holdings *holdings, uint32_t node, uint32_t packet)
{
    size_t word = (packet - 1) / 64;
    holdings->row[node * holdings->words + word] |= UINT64_C(1) << (packet - 1) % 64;
}

/* Returns the first, or the last, packet that `from` holds and `to` lacks; 0 if there is none.
 * O(words). */
uint32_t holdings_oldest(const struct holdings *holdings, uint32_t from, uint32_t to);
uint32_t holdings_newest(const struct holdings *holdings, uint32_t from, uint32_t to);

/* Returns the same as holdings_newest, in O(last/64). Precondition: `from` holds no packet after
 * `last`. */
uint32_t holdings_newest_until(const struct holdings *holdings, uint32_t from, uint32_t to,
                               uint32_t last);

#endif
