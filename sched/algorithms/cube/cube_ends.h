/* SPDX-License-Identifier: Apache-2.0 */
/* cube_ends: the roots of d edge-disjoint trees of a hypercube detect the end of a gather whose
 * packets have not been counted.
 *
 * After its last packet of a tree, each node sends its parent in that tree an end: a control packet
 * with the number of packets that it has sent there. A node can send its end when it has received
 * the ends of all its children and its queue for the tree is empty. The root has all packets of its
 * tree when it has received the ends of all its children. d = 2, tree 1, packet 1 at node 2:
 *
 *     1 ── 3 ── 2     round 1   2 → 3: packet 1      0 → 1: end, 0 packets
 *     └─ 0            round 2   2 → 3: end, 1        3 → 1: packet 1
 *                     round 3                        3 → 1: end, 1
 *
 * The end of a node leaves at most in round N + h + 1 if N packets come from its subtree, of height
 * h: after round h the node is never idle before its last packet has left, because an idle round
 * there means that all its children were done a round earlier; and the ends of its children have
 * arrived by round N + h. So a root with N packets detects the end after round N + d.
 *
 * Stamoulis and Tsitsiklis, section 3.2, ask for such a refinement and leave it open; this solution
 * is ours.
 */
#ifndef ROUNDCAST_CUBE_ENDS_H
#define ROUNDCAST_CUBE_ENDS_H

#include "sched/algorithms/cube/cube_climb.h"

struct cube_ends {
    unsigned d;
    uint32_t nodes;
    /* All indices are (tree - 1) · nodes + node. */
    uint32_t *packet; /* the end that the node sends, or the last packet of a root */
    uint8_t *open;    /* number of ends of children that have not arrived */
    bool *sent;       /* whether the node has sent its end */
    bool *waits;      /* whether the node's queue holds a packet; used by cube_ends_step */
};

/* Adds a control packet for each end and for the last packet of each root, which counts the packets
 * of its tree. Packet p of the climb starts at source[p - 1]. E102, E104. Free with cube_ends_free,
 * also after an error. O(d 2^d + count · d). */
bool cube_ends_init(const struct cube_climb *climb, const uint32_t source[], uint32_t count,
                    struct schedule *schedule, struct cube_ends *ends, struct err *err);
void cube_ends_free(struct cube_ends *ends);

/* Writes the ends that leave in a round and marks their arcs as used; call it before
 * cube_climb_step. Returns one past the last transfer; there are at most d 2^d. O(d 2^d). */
struct transfer *cube_ends_step(struct cube_ends *ends, const struct cube_climb *climb,
                                const struct topology *cube, uint64_t round, struct cube_arcs *arcs,
                                struct transfer *to);

/* Returns whether the root of a tree has detected the end of its gather. */
bool cube_ends_detected(const struct cube_ends *ends, unsigned tree);

/* Returns the last packet of the root of a tree. */
uint32_t cube_ends_last(const struct cube_ends *ends, unsigned tree);

#endif
