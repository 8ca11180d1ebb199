/* SPDX-License-Identifier: Apache-2.0 */
/* fat_tree_reference: trees of routers that move whole packets, row by row, for test_fat_tree.c and
 * test_fat_tree_auto.c. It shares nothing with csim: a tree is lanes in plain arrays, each with the
 * lane at its other end, a packet is a number from 1, and a buffer is the list of all packets that
 * have arrived at an input.
 */
#ifndef ROUNDCAST_FAT_TREE_REFERENCE_H
#define ROUNDCAST_FAT_TREE_REFERENCE_H

#include "sched/base/rng.h"

#include <stddef.h>

struct fat_tree_reference {
    unsigned height;
    uint32_t children[8], capacity[8]; /* of levels 1 … height */
    uint32_t leaves, nodes, lanes;     /* lanes: ports of all nodes */
    uint32_t endpoints;                /* lanes of all leaves, which are the first ones */
    /* [nodes + 1]: its first lane; leaves first, then level by level */
    uint32_t *first;
    uint32_t *level; /* [nodes] */
    uint32_t *low;   /* [nodes]: the first leaf below it */
    uint32_t *below; /* [nodes]: number of leaves below it */
    uint32_t *peer;  /* [lanes]: the lane at the other end of the link */
    uint32_t *owner; /* [lanes]: node */

    uint32_t rows, row; /* row: the row that is simulated */
    uint32_t *sent;     /* [lanes]: packet that leaves in this row, 0: none */
    uint32_t *count;    /* [lanes]: number of packets that arrived */
    uint32_t *came;     /* [lanes][rows]: the packets that arrived */
    uint32_t *came_in;  /* [lanes][rows]: the rows in which they arrived */
    uint32_t *last;     /* [lanes][rows]: the last row in which they were forwarded; 0: none yet */
    uint32_t steps;     /* one past the last row in which a packet moved */
};

uint32_t fat_tree_reference_draw(struct rng *rng, uint32_t below);

/* Lanes of a node: to its children, child by child, then to its parent. */
uint32_t fat_tree_reference_up(const struct fat_tree_reference *r, uint32_t level);

uint32_t fat_tree_reference_down(const struct fat_tree_reference *r, uint32_t level);

struct fat_tree_reference fat_tree_reference_open(unsigned height, const uint32_t children[],
                                                  const uint32_t capacity[], uint32_t rows);
void fat_tree_reference_close(struct fat_tree_reference *r);
uint32_t fat_tree_reference_ports(const struct fat_tree_reference *r, uint32_t node);

/* Returns arrival `k` at a lane, and records that it is forwarded in this row. */
uint32_t fat_tree_reference_forward(struct fat_tree_reference *r, uint32_t lane, uint32_t k);

/* Delivers everything that was sent in the row; got[endpoints] are the packets received by
 * the endpoints. */
void fat_tree_reference_deliver(struct fat_tree_reference *r, uint32_t *got);

/* Number of packets that a buffer of this level must hold so that no packet is overwritten before
 * the row in which it is sent last: those that arrive at its input until then, including the packet
 * itself. */
uint32_t fat_tree_reference_depth(const struct fat_tree_reference *r, unsigned level);

#endif
