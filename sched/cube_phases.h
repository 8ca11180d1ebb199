/* cube_phases: packets go to the roots of d edge-disjoint trees of a hypercube, and from there to all.
 *
 * The packet of rank r is one of tree (r-1) mod d + 1 (cube_tree.h), so that each tree has ⌊K/d⌋ or ⌈K/d⌉ of K
 * packets. Packet p is the one of rank K + 1 - p: sources ascend, and a rank counts the packets from its own node up.
 *
 *     gather   each packet climbs its tree; a node sends one packet of a tree in a slot, first come first served.
 *              The root of a tree with N packets has them after at most N + d - 1 slots.
 *     spread   the root sends one of its packets in each slot, and all nodes send on what they have got: the tree is a
 *              pipeline, which ends after N + d - 1 slots. No arc is in two trees.
 *
 * Stamoulis and Tsitsiklis, "An efficient algorithm for multiple simultaneous broadcasts in the hypercube", section
 * 3.2, phases 2 and 3.
 */
#ifndef ROUNDCAST_CUBE_PHASES_H
#define ROUNDCAST_CUBE_PHASES_H

#include "schedule.h"

/* The packets of each tree, in the order in which its root has got them. */
struct cube_roots {
    uint32_t *packet; /* [count], tree by tree */
    uint32_t first[TOPOLOGY_MAX_DIMENSIONS +
                   2]; /* tree j has packet[first[j]] … packet[first[j + 1] - 1], j = 1 … d */
};

/* ⌈K/d⌉: the most packets of a tree. */
static inline uint64_t cube_phases_share(uint64_t packets, unsigned dimensions)
{
    return (packets + dimensions - 1) / dimensions;
}

/* Make room for what the spread of so many packets sends, the roots' last ones counted, before anything is worked out
 * for it. E104. */
bool cube_phases_reserve(uint32_t packets, struct schedule *schedule, struct err *err);

/* Append the steps of the gather after slot `after`, at most ⌈K/d⌉ + d - 1 of them, for packets 1 … count, packet p
 * starting at source[p - 1]; ascending. Fills `roots`, which cube_roots_free frees, also after an error. Packets that
 * come to a node in one slot queue up by ascending sender. E104. O(slots · K log K). */
bool cube_gather(uint32_t count, const uint32_t source[], uint64_t after, struct schedule *schedule,
                 struct cube_roots *roots, struct err *err);
void cube_roots_free(struct cube_roots *roots);

/* Append the steps of the spread after slot `after`. With `last` not 0 each root j has one packet more, `last` + j - 1,
 * which it sends after the others. E104. O(transfers + slots · d²). */
bool cube_spread(const struct cube_roots *roots, uint32_t last, uint64_t after, struct schedule *schedule,
                 struct err *err);

#endif
