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

#include "sched/schedule/schedule.h"

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
