/* SPDX-License-Identifier: Apache-2.0 */
/* block: transposes eight flits of every node between the order of the packet memories and that of
 * the elements.
 *
 *     packet memory               block: words[8][nodes]
 *     node 0  f0 f1 f2 … f7       f0 of node 0, 1, 2, …       a row holds the words on the elements
 *     node 1  f0 f1 f2 … f7   ◄─► f1 of node 0, 1, 2, …       in one cycle
 *     node 2  …                   …
 *
 * Every node has its own address, so each cycle would gather a word from one cache line per node,
 * and scatter one. Eight cycles at once touch the same number of lines as one cycle, and transpose
 * in registers.
 */
#ifndef ROUNDCAST_BLOCK_H
#define ROUNDCAST_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define BLOCK_FLITS 8

/* The packet memory of all nodes: memory[packets][nodes][2^log2_flits]. */
struct block_memory {
    uint32_t nodes;
    unsigned log2_flits;
};

/* Computes the address of each node's packet of a row, and which nodes have one, from the words
 * {valid, more, combine, packet[27:0]} of a program:
 *     at[node]   = (packet * nodes + node) << log2_flits where valid, `spare` elsewhere
 *     mark[node] = valid ? mark_word : 0
 * Returns the OR of the words. */
uint32_t block_aim(uint32_t *restrict at, uint32_t *restrict mark, const uint32_t *restrict program,
                   struct block_memory memory, uint32_t spare, uint32_t mark_word);

/* Loads words[f][node] = memory[at[node] + flit + f] for all nodes. Returns a bit per f, which is
 * set if some node's word lacks a bit of its mark. `nodes` is a multiple of 8; words, at and mark
 * are 32-byte aligned. */
uint32_t block_load(uint32_t *restrict words, const uint32_t *restrict memory,
                    const uint32_t *restrict at, const uint32_t *restrict mark, uint32_t flit,
                    uint32_t nodes);

/* Stores memory[at[node] + flit + f] = words[f][node], as block_load. If nodes share an address, it
 * is unspecified which word is stored. */
void block_store(uint32_t *restrict memory, const uint32_t *restrict words,
                 const uint32_t *restrict at, uint32_t flit, uint32_t nodes);

/* Loads words[f][node] = memory[node * flits + f] for any number of nodes. `stride` is the
 * distance, in words, from one row of `words` to the next. */
void block_gather(uint32_t *restrict words, const uint32_t *restrict memory, uint32_t flits,
                  uint32_t nodes, uint32_t stride);

/* Copies elements[node] to words[node]. Returns whether any element differs from mark[node] in a
 * bit of `mask`. */
bool block_take(uint32_t *restrict words, const uint32_t *restrict elements,
                const uint32_t *restrict mark, uint32_t mask, uint32_t nodes);

#endif
