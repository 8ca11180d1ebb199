/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/block.h"

#include "csim/shell/octet.h"

#include <string.h>

/* Exchange bit 0, 1 or 2 of the row number with that of the column number: rows a and b, which
 * differ in that bit, exchange the words concerned. All three bits together transpose the block. */
#define TRADE(a, b, to_a, to_b)                          \
    do {                                                 \
        octet low = __builtin_shufflevector(a, b, to_a); \
        (b) = __builtin_shufflevector(a, b, to_b);       \
        (a) = low;                                       \
    } while (0)

/* Indices, among 16 words, 8 of a and 8 of b, of the words in a and in b after one bit is
 * exchanged. */
#define EVEN 0, 8, 2, 10, 4, 12, 6, 14
#define ODD 1, 9, 3, 11, 5, 13, 7, 15
#define FIRST 0, 1, 8, 9, 4, 5, 12, 13
#define SECOND 2, 3, 10, 11, 6, 7, 14, 15
#define LOWER 0, 1, 2, 3, 8, 9, 10, 11
#define UPPER 4, 5, 6, 7, 12, 13, 14, 15

#define TRANSPOSE(r)                      \
    do {                                  \
        TRADE(r[0], r[1], EVEN, ODD);     \
        TRADE(r[2], r[3], EVEN, ODD);     \
        TRADE(r[4], r[5], EVEN, ODD);     \
        TRADE(r[6], r[7], EVEN, ODD);     \
        TRADE(r[0], r[2], FIRST, SECOND); \
        TRADE(r[1], r[3], FIRST, SECOND); \
        TRADE(r[4], r[6], FIRST, SECOND); \
        TRADE(r[5], r[7], FIRST, SECOND); \
        TRADE(r[0], r[4], LOWER, UPPER);  \
        TRADE(r[1], r[5], LOWER, UPPER);  \
        TRADE(r[2], r[6], LOWER, UPPER);  \
        TRADE(r[3], r[7], LOWER, UPPER);  \
    } while (0)

OCTET_FOR_EVERY_CPU
uint32_t block_aim(uint32_t *restrict at, uint32_t *restrict mark, const uint32_t *restrict program,
                   struct block_memory memory, uint32_t spare, uint32_t mark_word)
{
    const uint32_t nodes = memory.nodes;
    const unsigned log2_flits = memory.log2_flits;
    uint32_t any = 0;
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t valid = -(program[node] >> 31);
        uint32_t packet = program[node] & UINT32_C(0x0fffffff);
        uint32_t place = (packet * nodes + node) << log2_flits;
        at[node] = (place & valid) | (spare & ~valid);
        mark[node] = mark_word & valid;
        any |= program[node];
    }
    return any;
}

OCTET_FOR_EVERY_CPU
uint32_t block_load(uint32_t *restrict words, const uint32_t *restrict memory,
                    const uint32_t *restrict at, const uint32_t *restrict mark, uint32_t flit,
                    uint32_t nodes)
{
    octet lacking[BLOCK_FLITS] = {{0}};
    for (uint32_t node = 0; node < nodes; node += 8) {
        octet row[BLOCK_FLITS];
        octet marks = *(const octet *)(mark + node);
        for (uint32_t n = 0; n < 8; n++)
            row[n] = *(const loose_octet *)(memory + at[node + n] + flit);
        TRANSPOSE(row);
        for (uint32_t f = 0; f < BLOCK_FLITS; f++) {
            lacking[f] |= marks & ~row[f];
            *(octet *)(words + (size_t)f * nodes + node) = row[f];
        }
    }
    uint32_t flits = 0;
    octet any = {0}; /* rarely has a bit set */
    for (uint32_t f = 0; f < BLOCK_FLITS; f++)
        any |= lacking[f];
    uint64_t part[sizeof any / 8];
    memcpy(part, &any, sizeof any);
    if ((part[0] | part[1] | part[2] | part[3]) == 0)
        return 0;
    for (uint32_t f = 0; f < BLOCK_FLITS; f++)
        for (uint32_t n = 0; n < 8; n++)
            flits |= (uint32_t)(lacking[f][n] != 0) << f;
    return flits;
}

OCTET_FOR_EVERY_CPU
void block_store(uint32_t *restrict memory, const uint32_t *restrict words,
                 const uint32_t *restrict at, uint32_t flit, uint32_t nodes)
{
    for (uint32_t node = 0; node < nodes; node += 8) {
        octet row[BLOCK_FLITS];
        for (uint32_t f = 0; f < BLOCK_FLITS; f++)
            row[f] = *(const octet *)(words + (size_t)f * nodes + node);
        TRANSPOSE(row);
        for (uint32_t n = 0; n < 8; n++)
            *(loose_octet *)(memory + at[node + n] + flit) = row[n];
    }
}

/* Gathering is limited by memory latency, because nodes are far apart in memory. */
#define AHEAD 32

OCTET_FOR_EVERY_CPU
void block_gather(uint32_t *restrict words, const uint32_t *restrict memory, uint32_t flits,
                  uint32_t nodes, uint32_t stride)
{
    const uint32_t whole = nodes - nodes % 8;
    for (uint32_t node = 0; node < whole; node += 8) {
        octet row[BLOCK_FLITS];
        for (uint32_t n = 0; n < 8; n++) {
            const uint32_t *from = memory + (size_t)(node + n) * flits;
            __builtin_prefetch(from + (size_t)AHEAD * flits);
            row[n] = *(const loose_octet *)from;
        }
        TRANSPOSE(row);
        for (uint32_t f = 0; f < BLOCK_FLITS; f++)
            *(octet *)(words + (size_t)f * stride + node) = row[f];
    }
    for (uint32_t node = whole; node < nodes; node++)
        for (uint32_t f = 0; f < BLOCK_FLITS; f++)
            words[(size_t)f * stride + node] = memory[(size_t)node * flits + f];
}

OCTET_FOR_EVERY_CPU
bool block_take(uint32_t *restrict words, const uint32_t *restrict elements,
                const uint32_t *restrict mark, uint32_t mask, uint32_t nodes)
{
    uint32_t differ = 0;
    for (uint32_t node = 0; node < nodes; node++) {
        words[node] = elements[node];
        differ |= elements[node] ^ mark[node];
    }
    return differ & mask;
}
