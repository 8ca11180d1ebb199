/* SPDX-License-Identifier: Apache-2.0 */
/* telegraph_steady: the rules of steady runs of the telegraph algorithm, for the even numbers of
 * nodes for which such runs are proved to meet the formula for every number of packets.
 *
 * A steady run differs from other runs in two rules. The source introduces packets at the rate at
 * which they are completed, n/2 in n - 1 rounds, and is `lead` rounds ahead. Ties are broken by the
 * packets that nodes lack, counted from the newest one. Thus a round depends only on what the nodes
 * lack, not on their numbers or on m, until the last packet is introduced. As soon as this state
 * repeats, the rounds repeat, and the end for m packets follows from the end for m - d, where d is
 * the number of packets of the repeated part (docs/algorithms/telegraph.md has the proof, and
 * test_telegraph_steady checks it for each n).
 */
#ifndef ROUNDCAST_TELEGRAPH_STEADY_H
#define ROUNDCAST_TELEGRAPH_STEADY_H

#include <stdint.h>

/* Steady runs serve more packets than this; tests cover fewer packets exhaustively. */
#define TELEGRAPH_STEADY_ABOVE 64

struct telegraph_steady {
    uint8_t n;      /* even */
    uint8_t lead;   /* rounds */
    uint16_t flips; /* of the order of nodes (telegraph_places_sort) */
};

/* Returns the rules for n nodes and m packets, or NULL if there are none. O(1). */
const struct telegraph_steady *telegraph_steady_find(uint32_t n, uint32_t m);

/* Returns the number of packets that the source introduces in rounds 1 … round. */
uint64_t telegraph_steady_packets(const struct telegraph_steady *steady, uint64_t round);

#endif
