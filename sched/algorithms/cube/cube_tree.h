/* SPDX-License-Identifier: Apache-2.0 */
/* cube_tree: the d edge-disjoint spanning trees of a hypercube, T(1) … T(d).
 *
 * T(j) has its root at e_j, the node of value 2^(j-1), and reaches each node over the dimensions in
 * which the node differs from e_j, in the order j+1, …, d, 1, …, j. d = 3, T(1), with the dimension
 * of each arc:
 *
 *     1 ─2─ 3 ─3─ 7 ─1─ 6
 *     │     └─1─ 2
 *     ├─3─ 5 ─1─ 4
 *     └─1─ 0
 *
 * No two of the trees share an arc, and only the arcs out of node 0 are in no tree. Each tree has
 * depth d; the depth of a node is its distance from the root.
 *
 * Stamoulis and Tsitsiklis, section 2.3, citing Johnsson and Ho.
 */
#ifndef ROUNDCAST_CUBE_TREE_H
#define ROUNDCAST_CUBE_TREE_H

#include "sched/base/rng.h"
#include "sched/schedule/schedule.h"

#include <stdint.h>

/* Returns the root of tree 1 … d. */
static inline uint32_t cube_tree_root(unsigned tree)
{
    return UINT32_C(1) << (tree - 1);
}

/* Returns the depth of a node in a tree: 0 … d. */
static inline unsigned cube_tree_depth(unsigned tree, uint32_t node)
{
    return (unsigned)__builtin_popcount(node ^ cube_tree_root(tree));
}

/* Returns the parent of a node other than the root. The path crosses last, of the dimensions in
 * which the node differs from the root, the last one in the tree's order: dimension j if it is
 * among them, else the highest one below j, else the highest one. O(1). */
static inline uint32_t cube_tree_parent(unsigned tree, uint32_t node)
{
    uint32_t root = cube_tree_root(tree), differs = node ^ root, below = differs & (root - 1);
    if ((differs & root) != 0)
        return node ^ root;
    return node ^ UINT32_C(1) << (31 - __builtin_clz(below != 0 ? below : differs));
}

/* -- Climbing ---------------------------------------------------------------------------------- */

/* Packets climb to the roots of d edge-disjoint trees of a hypercube, round by round.
 *
 * With positions, the packet of position r belongs to tree (r-1) mod d + 1, so that each tree has
 * ⌊K/d⌋ or ⌈K/d⌉ of K packets. Packet p has position K + 1 - p: sources ascend, and a position
 * counts the packets at its own and higher nodes. With draws, each packet has a random tree, drawn
 * in order of packets.
 *
 * A node has a first-come-first-served queue for each tree; packets that arrive in one round are
 * queued by ascending sender. The arcs to a node's parents differ between trees. */

/* The packets of each tree, in the order in which its root received them. */
struct cube_roots {
    uint32_t *packet; /* [count], tree by tree */
    uint32_t first[TOPOLOGY_MAX_DIMENSIONS +
                   2]; /* tree j has packet[first[j]] … packet[first[j + 1] - 1], j = 1 … d */
    uint32_t got[TOPOLOGY_MAX_DIMENSIONS + 1]; /* how many of them its root has received */
};

/* The arcs that carry a packet in the current round. */
struct cube_arcs {
    unsigned d;
    /* [node · d + dimension - 1]: the last round, from 1, in which the arc carried a packet */
    uint64_t *used;
};

struct cube_climb {
    size_t count; /* packets that have not reached their roots */
    struct cube_climber *climber;
    uint8_t *tree; /* [packets]: the tree of packet p is tree[p - 1] */
    struct cube_roots roots;
};

/* Allocates the arcs, all unused. E104. Free with cube_arcs_free, also after an error. */
bool cube_arcs_init(const struct topology *cube, struct cube_arcs *arcs, struct err *err);
void cube_arcs_free(struct cube_arcs *arcs);

/* Marks an arc as used in a round. Returns false if it was already used in that round. O(1). */
static inline bool cube_arcs_use(struct cube_arcs *arcs, uint32_t from, uint32_t to, uint64_t round)
{
    uint64_t *used = &arcs->used[(size_t)from * arcs->d + topology_dimension(from, to) - 1];
    bool free = *used != round;
    *used = round;
    return free;
}

/* Places packets 1 … count at their sources: packet p is at source[p - 1], ascending. Each gets its
 * tree by its position or, if `rng` is not NULL, by a draw in turn, next mod d + 1. E104. Free with
 * cube_climb_free, also after an error. O(count). */
bool cube_climb_init(unsigned d, uint32_t count, const uint32_t source[], struct rng *rng,
                     struct cube_climb *climb, struct err *err);
void cube_climb_free(struct cube_climb *climb);

/* Simulates one round, from 1: the head of each queue moves to its parent unless its arc is in use.
 * With `arcs` NULL no arc is in use. Writes the transfers, at most climb->count, and returns their
 * number. O(count · log count). */
size_t cube_climb_step(struct cube_climb *climb, uint64_t round, struct cube_arcs *arcs,
                       struct transfer to[]);

/* Sets waits[(tree - 1) · nodes + node] to whether that queue holds a packet. O(d 2^d + count). */
void cube_climb_mark(const struct cube_climb *climb, const struct topology *cube, bool waits[]);

#endif
