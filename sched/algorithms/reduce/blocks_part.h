/* SPDX-License-Identifier: Apache-2.0 */
/* blocks_part: an all-reduce of a few packets by circulant skips, a part of blocks-all-reduce.
 *
 * Packet b of B belongs to node ⌊bn/B⌋. At first every node r has partial results of the packets of
 * all nodes r … r + n - 1 (mod n). A phase from skip s to skip q, s/2 ≤ q < s, reduces that to the
 * nodes r … r + q - 1: r sends the partial results of the packets of nodes r + q … r + s - 1 to
 * node r + q. A window of s - q nodes owns at most ⌈(s-q)B/n⌉ packets, so the phase takes as many
 * rounds. After the last phase, with skip s, a packet has s partial results, at its node and the s
 * - 1 nodes before it. They are combined by a window all-reduce among these s nodes
 * (window_plan.h), for all packets at once if no two of them share a node, else in ⌈sB/n⌉ sets.
 * Then the phases run backwards and distribute results. In total
 *
 *     2 Σ ⌈(s-q)B/n⌉ + ⌈sB/n⌉ ⌈log2 s⌉ rounds
 *
 * The last s is a power of two, or n if there is no phase: in the other windows nodes leave out
 * their own contribution, but cannot leave out what they have received in the phases.
 *
 * n = 7, B = 2, skips 7, 4, 2; packet 1 belongs to node 0, packet 2 to node 3:
 *
 *     round 1      r sends to r + 4 the packets of nodes r + 4 … r + 6
 *     round 2      r sends to r + 2 the packets of nodes r + 2, r + 3
 *     round 3      nodes 6 and 0, and nodes 2 and 3, combine
 *     round 4, 5   rounds 2 and 1 backwards; results replace
 *
 * Special cases: B = n with skips down to 1 is Träff's all-reduce (circulant_reduce.c), powers of
 * two are Rabenseifner's (halving_all_reduce.c), and no phase at all is window-all-reduce.
 *
 * Source: ours.
 */
#ifndef ROUNDCAST_BLOCKS_PART_H
#define ROUNDCAST_BLOCKS_PART_H

#include "sched/schedule/schedule.h"

/* A part of `packets` ≤ blocks packets, the first of which is packet before + 1. If there are fewer
 * packets than blocks, the last blocks are empty. */
struct blocks_part {
    uint32_t n, blocks, packets, before;
};

/* Returns the rounds of a part of 1 … n blocks with the best skips among those that halve the last
 * skip, reach a power of two, or take one or two rounds less than halving. UINT64_MAX if there is
 * no memory. Precondition: n ≥ 2. O(states²), of which there are about 130 for n = 1000 and 3500
 * for n = 10^6. */
uint64_t blocks_part_rounds(uint32_t n, uint32_t blocks);

/* Appends the part, from the round after *round on, and adds its rounds to *round. E104.
 * O(transfers). */
bool blocks_part_build(const struct blocks_part *part, uint64_t *round, struct schedule *schedule,
                       struct err *err);

#endif
