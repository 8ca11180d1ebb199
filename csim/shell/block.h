/* SPDX-License-Identifier: Apache-2.0 */
/* block: eight flits of every node, turned between the order of the packet memories and that of the
 * lanes.
 *
 *     packet memory               block: words[8][nodes]
 *     node 0  f0 f1 f2 … f7       f0 of node 0, 1, 2, …       a row is what stands on the lanes
 *     node 1  f0 f1 f2 … f7   ◄─► f1 of node 0, 1, 2, …       in one cycle
 *     node 2  …                   …
 *
 * Every node is at an address of its own, so each cycle would have to gather a word from a cache
 * line per node, and scatter one. Eight cycles at once touch as many lines as one, and transpose in
 * registers.
 */
#ifndef ROUNDCAST_BLOCK_H
#define ROUNDCAST_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define BLOCK_FLITS 8

/* Where a row's packets stand, and who has one, by the words {valid, more, packet[29:0]} of a
 * program:
 *     at[node]   = (packet * nodes + node) << log2_flits where valid, `spare` elsewhere
 *     mark[node] = valid ? mark_word : 0
 * Returns the OR of the words. */
uint32_t block_aim(uint32_t *restrict at, uint32_t *restrict mark, const uint32_t *restrict program,
                   uint32_t nodes, unsigned log2_flits, uint32_t spare, uint32_t mark_word);

/* words[f][node] = memory[at[node] + flit + f] for all nodes. Returns a bit per f: some node's word
 * lacks a bit of its mark. `nodes` is a multiple of 8; words, at and mark are 32-byte aligned. */
uint32_t block_load(uint32_t *restrict words, const uint32_t *restrict memory,
                    const uint32_t *restrict at, const uint32_t *restrict mark, uint32_t flit,
                    uint32_t nodes);

/* memory[at[node] + flit + f] = words[f][node], as block_load; nodes may share an address, of which
 * one then wins. */
void block_store(uint32_t *restrict memory, const uint32_t *restrict words,
                 const uint32_t *restrict at, uint32_t flit, uint32_t nodes);

/* words[f][node] = memory[node * flits + f] for all nodes, of any number; stride: from a row of
 * words to the next. */
void block_gather(uint32_t *restrict words, const uint32_t *restrict memory, uint32_t flits,
                  uint32_t nodes, uint32_t stride);

/* words[node] = lanes[node]; does any lane differ from mark[node] in a bit of `mask`? */
bool block_take(uint32_t *restrict words, const uint32_t *restrict lanes,
                const uint32_t *restrict mark, uint32_t mask, uint32_t nodes);

#endif
