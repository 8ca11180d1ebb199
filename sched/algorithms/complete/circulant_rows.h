/* SPDX-License-Identifier: Apache-2.0 */
/* circulant_rows: the packet that each node receives in each round of a phase of circulant
 * (circulant.c).
 *
 * The skips of n nodes are those of h = ⌈n/2⌉ nodes and n itself, and nearly all rows follow in the
 * same way. If node r of h nodes receives its base block in round k, then of n nodes r and h + r
 * receive
 *
 *     of h nodes, r         k: base    others
 *     of n nodes, r         k: base    others    the last round: the block of h
 *     of n nodes, h + r     k: the block of h    others    the last round: base
 *
 * A row names blocks: 0 … q - 1 for packets -q … -1 of the previous phase, and q for the base block
 * of this phase. Ranks so low that a path without the skip n leads beyond them (r up to about q),
 * and h itself, have irregular rows. These are searched, as are all rows of a few nodes.
 */
#ifndef ROUNDCAST_CIRCULANT_ROWS_H
#define ROUNDCAST_CIRCULANT_ROWS_H

#include <stdint.h>

#define CIRCULANT_MAX_Q 24 /* SCHEDULE_MAX_NODES = 2^24 */

/* Writes the skips of n nodes: skip[q] = n, skip[k] = ⌈skip[k+1] / 2⌉; returns q = ⌈log2 n⌉. */
unsigned circulant_skips(uint32_t n, uint32_t skip[CIRCULANT_MAX_Q + 1]);

/* Sets base[node] to the smallest skip on the path of skips from 0 to the node; q for node 0.
 * O(n). */
void circulant_base(unsigned q, const uint32_t skip[], int8_t base[]);

/* Searches the row of a single node in about 3q steps: blocks 0 … q. Precondition: 0 < node <
 * skip[q]. */
void circulant_search(unsigned q, const uint32_t skip[], int8_t base, uint32_t node,
                      int8_t row[CIRCULANT_MAX_Q + 1]);

/* Writes the rows of all nodes to recv[k * n + node]: the packet of the phase, counted from 0, that
 * the node receives in a round of kind k; negative for a packet of the previous phase. The row of
 * node 0 is undefined, because it receives nothing. O(n q), vectorized. */
void circulant_rows(unsigned q, const uint32_t skip[], const int8_t base[], int8_t recv[]);

#endif
