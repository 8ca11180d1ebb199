/* SPDX-License-Identifier: Apache-2.0 */
/* cube_phases: packets go to the roots of d edge-disjoint trees of a hypercube, and from there to
 * all.
 *
 *     gather   each packet climbs its tree (cube_climb.h). The root of a tree with N packets has
 *              them after at most N + d - 1 slots.
 *     spread   the root sends one of its packets in each slot, and all nodes send on what they have
 *              got: the tree is a pipeline, which ends after N + d - 1 slots. No arc is in two
 *              trees.
 *
 * Stamoulis and Tsitsiklis, "An efficient algorithm for multiple simultaneous broadcasts in the
 * hypercube", section 3.2, phases 2 and 3.
 */
#ifndef ROUNDCAST_CUBE_PHASES_H
#define ROUNDCAST_CUBE_PHASES_H

#include "sched/algorithms/cube/cube_climb.h"
#include "sched/base/bits.h"

/* ⌈K/d⌉: the most packets of a tree. */
static inline uint64_t cube_phases_share(uint64_t packets, unsigned dimensions)
{
    return (uint32_t)bits_divide_up(packets, dimensions);
}

/* N_j: the packets of tree j. */
static inline uint32_t cube_phases_of_tree(uint32_t packets, unsigned tree, unsigned dimensions)
{
    return packets / dimensions + (tree <= packets % dimensions);
}

/* Reserves room for the transfers of a spread of `packets` packets, including the roots' last
 * packets. Called first, so that a shortage of memory is found before any work. E104. */
bool cube_phases_reserve(uint32_t packets, struct schedule *schedule, struct err *err);

/* Adds each root's last packet, a control packet that counts the packets of 1 … count whose rank
 * assigns them to its tree (cube_climb.h). The first of the d follows all packets so far. E102,
 * E104. O(count). */
bool cube_phases_add_last(uint32_t count, struct schedule *schedule, struct err *err);

/* Appends the steps of the gather after slot `after`, at most N + d - 1 of them if a tree has N
 * packets at most. Afterwards climb->roots is complete. E104. O(slots · K log K). */
bool cube_gather(uint64_t after, struct cube_climb *climb, struct schedule *schedule,
                 struct err *err);

/* Appends the steps of the spread after slot `after`. With `last` not 0 each root j has one packet
 * more, `last` + j - 1, which it sends after the others. Precondition: there is at least one packet
 * to send. E104. O(transfers + slots · d²). */
bool cube_spread(const struct cube_roots *roots, uint32_t last, uint64_t after,
                 struct schedule *schedule, struct err *err);

#endif
