/* SPDX-License-Identifier: Apache-2.0 */
/* circulant_blocks: a reduce-scatter of blocks of packets, one block for each node.
 *
 * skip[0] = n, skip[k+1] = ⌈skip[k] / 2⌉. In phase k every node r sends the partial results of the
 * blocks of nodes r + skip[k+1] … r + skip[k] - 1 to node r + skip[k+1] (mod n). n = 5, skip = 5 3
 * 2 1, the blocks that node 0 sends:
 *
 *     phase 0   to node 3   blocks of nodes 3 and 4
 *     phase 1   to node 2   block of node 2
 *     phase 2   to node 1   block of node 1
 *
 * Each node sends n - 1 blocks in ⌈log2 n⌉ phases, in each of which it sends to one partner and
 * receives from one.
 *
 * J. L. Träff, "Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms", 2024 (arXiv
 * 2410.14234), Algorithm 1.
 */
#ifndef ROUNDCAST_CIRCULANT_BLOCKS_H
#define ROUNDCAST_CIRCULANT_BLOCKS_H

#include "sched/schedule/schedule.h"

/* Appends the rounds for m packets in n blocks, of which the first m mod n have one more packet:
 * ⌈m/n⌉(n - 1) rounds, with one packet per node each. E104. O(mn). */
bool circulant_blocks_build(uint32_t n, uint64_t m, struct schedule *schedule, struct err *err);

#endif
