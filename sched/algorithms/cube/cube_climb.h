/* SPDX-License-Identifier: Apache-2.0 */
/* cube_climb: packets climb to the roots of d edge-disjoint trees of a hypercube (cube_tree.h),
 * slot by slot.
 *
 * Ranked, the packet of rank r belongs to tree (r-1) mod d + 1, so that each tree has ⌊K/d⌋ or
 * ⌈K/d⌉ of K packets. Packet p has rank K + 1 - p: sources ascend, and a rank counts the packets
 * from its own node up. Drawn, each packet has a random tree, drawn in order of packets.
 *
 * A node has a queue for each tree, first come first served; packets that arrive in one slot are
 * queued by ascending sender. The arc to the parent differs between trees.
 */
#ifndef ROUNDCAST_CUBE_CLIMB_H
#define ROUNDCAST_CUBE_CLIMB_H

#include "sched/base/rng.h"
#include "sched/schedule/schedule.h"

/* The packets of each tree, in the order in which its root has got them. */
struct cube_roots {
    uint32_t *packet; /* [count], tree by tree */
    uint32_t first[TOPOLOGY_MAX_DIMENSIONS +
                   2]; /* tree j has packet[first[j]] … packet[first[j + 1] - 1], j = 1 … d */
    uint32_t got[TOPOLOGY_MAX_DIMENSIONS + 1]; /* how many of them its root has */
};

/* The arcs that carry a packet in the present slot. */
struct cube_arcs {
    unsigned d;
    /* [node · d + dimension - 1] the last slot, from 1, in which it has carried one */
    uint64_t *used;
};

struct cube_climb {
    size_t count; /* of packets that have not reached their roots */
    struct cube_climber *climber;
    uint8_t *tree; /* [packets] of packet p: tree[p - 1] */
    struct cube_roots roots;
};

/* E104. Free it with cube_arcs_free, also after an error. */
bool cube_arcs_init(const struct topology *cube, struct cube_arcs *arcs, struct err *err);
void cube_arcs_free(struct cube_arcs *arcs);

/* Uses an arc in a slot; false if it is in use. O(1). */
static inline bool cube_arcs_use(struct cube_arcs *arcs, uint32_t from, uint32_t to, uint64_t slot)
{
    uint64_t *used = &arcs->used[(size_t)from * arcs->d + topology_dimension(from, to) - 1];
    bool free = *used != slot;
    *used = slot;
    return free;
}

/* Sets packets 1 … count at their sources: packet p is at source[p - 1], ascending. Each takes its
 * tree by its rank or, if `rng` is not NULL, by a draw in turn, next mod d + 1. E104. Free it with
 * cube_climb_free, also after an error. O(count). */
bool cube_climb_init(unsigned d, uint32_t count, const uint32_t source[], struct rng *rng,
                     struct cube_climb *climb, struct err *err);
void cube_climb_free(struct cube_climb *climb);

/* Plays one slot, from 1: the head of each queue goes to its parent unless its arc is in use. With
 * `arcs` NULL no arc is. Writes the transfers, at most climb->count, and returns how many. O(count
 * · log count). */
size_t cube_climb_step(struct cube_climb *climb, uint64_t slot, struct cube_arcs *arcs,
                       struct transfer to[]);

/* Marks the queues that hold a packet: waits[(tree - 1) · nodes + node], cleared first. O(d 2^d +
 * count). */
void cube_climb_mark(const struct cube_climb *climb, const struct topology *cube, bool waits[]);

#endif
