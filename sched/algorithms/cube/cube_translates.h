/* SPDX-License-Identifier: Apache-2.0 */
/* cube_translates: broadcasts of one packet from each of any nodes of a hypercube of d dimensions,
 * in ⌈(2^d - 1)/d⌉ rounds; that is the fewest if all nodes broadcast.
 *
 * One spanning tree of node 0 serves all nodes: the tree of node x is the same tree with x XORed to
 * all its nodes. In each round the tree grows by at most d arcs, all of different dimensions. An
 * arc of dimension j then carries the packet of exactly one node, because its translates to the 2^d
 * nodes are the 2^d arcs of dimension j.
 *
 * The 2^d - 1 arcs of the tree are numbered from 0: arc i is used in round ⌊i/d⌋ + 1 and crosses
 * dimension i mod d + 1. The nodes that the arcs reach are sorted by their number of ones, and
 * those with equally many ones by class. A class consists of the words that are rotations of each
 * other; the least of them is its representative. Arc i reaches the representative of its class,
 * rotated by i mod d: a different word for each arc of the class, and always one with bit i mod d
 * set, because the representative is odd. The arc starts at the same word without that bit. d = 3:
 *
 *     arc         0      1      2        3      4      5        6
 *     reaches     001    010    100      011    110    101      111
 *     from        000    000    000      010    100    001      110
 *     round       1                      2                      3
 *
 * Each arc starts at a node that an earlier round has reached. That node has one 1 less, so the
 * claim needs proof only for the round in which the words of k ones begin. Those words are of the
 * class of k ones in a row, which comes first and has d words. They come from k - 1 ones in a row,
 * the first d words with their number of ones, of which there are at least d(d-1)/2 if 2 ≤ k - 1 ≤
 * d - 2: with d ≥ 5 all are in earlier rounds. k = 2 begins a round, and k = d comes from the arc d
 * - 1 before it. d ≤ 4 is tested.
 *
 * Bertsekas, Özveren, Stamoulis, Tseng and Tsitsiklis, "Optimal communication algorithms for
 * hypercubes", J. Parallel Distributed Comput. 11, 1991, which Stamoulis and Tsitsiklis cite as
 * [1].
 */
#ifndef ROUNDCAST_CUBE_TRANSLATES_H
#define ROUNDCAST_CUBE_TRANSLATES_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* -- Rotations --------------------------------------------------------------------------------- */

/* Up to d broadcasts in a hypercube of d dimensions in d rounds, for any sources. */

/* Returns a word of d bits, rotated left by `by` < d bits. */
static inline uint32_t cube_rotate(uint32_t word, unsigned by, unsigned d)
{
    return (word << by | word >> (d - by)) & ((UINT32_C(1) << d) - 1);
}

/* Returns the number of rounds: d. */
uint64_t cube_rotation_end(const struct collective *collective);

/* Positions of the packets of a rotation: packet p has position p, or position m + 1 - p, which a
 * prefix computes (cube_tree.h). */
enum cube_rotation_positions { CUBE_POSITIONS_RISE, CUBE_POSITIONS_FALL };

/* Appends the d steps after round `after` for packets 1 … m, m ≤ d, from collective->sources, or
 * all from collective->source if sources is NULL. The packet of position r crosses dimension (r + k
 * - 2) mod d + 1 in step k, from every node that has it, so no two packets ever cross the same
 * dimension in one step. E104. O(m 2^d).
 *
 * Stamoulis and Tsitsiklis, "An efficient algorithm for multiple simultaneous broadcasts in the
 * hypercube", section 3.3.2. (The paper prints the order of the dimensions as r mod d + 1, (r + 1)
 * mod d + 1, …, which is one off from the rounds and misses nodes.) */
bool cube_rotation_build(const struct collective *collective, uint64_t after,
                         enum cube_rotation_positions positions, struct schedule *schedule,
                         struct err *err);

/* Returns the number of rounds: ⌈(2^d - 1)/d⌉. */
uint64_t cube_translates_rounds(unsigned d);

/* A packet and the node where it starts. */
struct cube_start {
    uint32_t packet, node;
};

/* Appends the steps after round `after`, for one packet of each of `count` different nodes. E104.
 * O(count · 2^d). */
bool cube_translates_build(const struct cube_start start[], uint32_t count, uint64_t after,
                           struct schedule *schedule, struct err *err);

#endif
