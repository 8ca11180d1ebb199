/* SPDX-License-Identifier: Apache-2.0 */
/* cube_phases: packets go to the roots of d edge-disjoint trees of a hypercube, and from there to
 * all nodes.
 *
 *     gather   each packet climbs its tree (cube_tree.h). The root of a tree with N packets has
 *              them after at most N + d - 1 rounds.
 *     spread   the root sends one of its packets in each round, and all nodes forward the packets
 *              that they receive: the tree is a pipeline, which ends after N + d - 1 rounds. No
 *              arc is in two trees.
 *
 * Stamoulis and Tsitsiklis, "An efficient algorithm for multiple simultaneous broadcasts in the
 * hypercube", section 3.2, phases 2 and 3.
 */
#ifndef ROUNDCAST_CUBE_PHASES_H
#define ROUNDCAST_CUBE_PHASES_H

#include "sched/algorithms/cube/cube_tree.h"
#include "sched/base/bits.h"

/* Returns ⌈K/d⌉, the largest number of packets of a tree. */
static inline uint64_t cube_phases_share(uint64_t packets, unsigned dimensions)
{
    return (uint32_t)bits_divide_up(packets, dimensions);
}

/* Returns N_j, the number of packets of tree j. */
static inline uint32_t cube_phases_of_tree(uint32_t packets, unsigned tree, unsigned dimensions)
{
    return packets / dimensions + (tree <= packets % dimensions);
}

/* Reserves room for the transfers of a spread of `packets` packets, which include the roots' last
 * packets if there are any. Call it first, so that a lack of memory is found before any work.
 * E104. */
bool cube_phases_reserve(uint32_t packets, struct schedule *schedule, struct err *err);

/* Adds each root's last packet, a control packet that counts those of packets 1 … count that their
 * position assigns to its tree (cube_tree.h). The d packets follow all existing packets. E102,
 * E104. O(count). */
bool cube_phases_add_last(uint32_t count, struct schedule *schedule, struct err *err);

/* Appends the steps of the gather after round `after`, at most N + d - 1 of them if no tree has
 * more than N packets. Afterwards climb->roots is complete. E104. O(rounds · K log K). */
bool cube_gather(uint64_t after, struct cube_climb *climb, struct schedule *schedule,
                 struct err *err);

/* Appends the steps of the spread after round `after`. If `last` is not 0, each root j has one more
 * packet, `last` + j - 1, which it sends after the others. Precondition: at least one packet to
 * send. E104. O(transfers + rounds · d²). */
bool cube_spread(const struct cube_roots *roots, uint32_t last, uint64_t after,
                 struct schedule *schedule, struct err *err);

#endif
