/* SPDX-License-Identifier: Apache-2.0 */
/* circulant_rows: the packet that each rank of circulant (circulant.c) gets in each round of a
 * phase.
 *
 * The skips of n ranks are those of h = ⌈n/2⌉ and n itself, and so are nearly all rows. Rank r of h
 * ranks got packet -1 of them in round k: of n ranks, r and h + r get
 *
 *     of h ranks, r         k: base    others
 *     of n ranks, r         k: base    others    the last round: the block of h
 *     of n ranks, h + r     k: the block of h    others    the last round: base
 *
 * A row names blocks, 0 … q - 1 for packets -q … -1 of the phase before, and q for the base block
 * of this phase. Ranks so low that a path which leaves out the skip n leads beyond them, r about q
 * at most, and h itself have other rows, which are searched, as are all of a few ranks.
 */
#ifndef ROUNDCAST_CIRCULANT_ROWS_H
#define ROUNDCAST_CIRCULANT_ROWS_H

#include <stdint.h>

#define CIRCULANT_MAX_Q 24 /* SCHEDULE_MAX_NODES = 2^24 */

/* Writes the skips of n ranks: skip[q] = n, skip[k] = ⌈skip[k+1] / 2⌉; returns q = ⌈log2 n⌉. */
unsigned circulant_skips(uint32_t n, uint32_t skip[CIRCULANT_MAX_Q + 1]);

/* base[rank]: the smallest skip on the path of skips from 0 to the rank; q for rank 0. O(n). */
void circulant_base(unsigned q, const uint32_t skip[], int8_t base[]);

/* Searches the row of one rank alone, in about 3q steps: blocks 0 … q. Precondition: 0 < rank <
 * skip[q]. */
void circulant_search(unsigned q, const uint32_t skip[], int8_t base, uint32_t rank,
                      int8_t row[CIRCULANT_MAX_Q + 1]);

/* Writes the rows of all ranks, recv[k * n + rank]: the packet of the phase, counted from 0, that
 * the rank gets in a round of kind k; negative for a packet of the phase before. The row of rank 0
 * has no meaning, as it receives nothing. O(n q), in vectors. */
void circulant_rows(unsigned q, const uint32_t skip[], const int8_t base[], int8_t recv[]);

#endif
