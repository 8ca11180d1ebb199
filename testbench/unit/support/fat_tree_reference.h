/* fat_tree_reference: trees of routers that move whole packets, row by row, for test_fat_tree.c and
 * test_fat_tree_auto.c. It shares nothing with csim: a tree is lanes in plain arrays, each with the lane at its other
 * end, a packet is a number from 1, and a buffer is the list of all packets that ever came to an input.
 */
#ifndef ROUNDCAST_FAT_TREE_REFERENCE_H
#define ROUNDCAST_FAT_TREE_REFERENCE_H

#include "sched/base/rng.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct reference {
    unsigned height;
    uint32_t children[8], capacity[8]; /* of levels 1 … height */
    uint32_t leaves, nodes, lanes;     /* lanes: ports of all nodes */
    uint32_t *first;                   /* [nodes + 1]: its first lane; leaves first, then level by level */
    uint32_t *level;                   /* [nodes] */
    uint32_t *low;                     /* [nodes]: the first leaf below it */
    uint32_t *below;                   /* [nodes]: how many there are */
    uint32_t *peer;                    /* [lanes]: the same link at its other end */
    uint32_t *owner;                   /* [lanes]: node */

    uint32_t rows, row; /* row: the one that is moved */
    uint32_t *sent;     /* [lanes]: packet that leaves in this row, 0: none */
    uint32_t *count;    /* [lanes]: packets that came */
    uint32_t *came;     /* [lanes][rows]: which */
    uint32_t *came_in;  /* [lanes][rows]: in which row */
    uint32_t *last;     /* [lanes][rows]: the last row in which it was sent on; 0: none yet */
    uint32_t steps;     /* one past the last row in which a packet moved */
};

static inline uint32_t *reference_words(size_t count)
{
    uint32_t *words = calloc(count, sizeof *words);
    assert_non_null(words);
    return words;
}

static inline uint32_t reference_draw(struct rng *rng, uint32_t below)
{
    return (uint32_t)(rng_next(rng) % below);
}

/* Lanes of a node: to its children, child by child, then to its parent. */
static inline uint32_t reference_up(const struct reference *r, uint32_t level)
{
    return level < r->height ? r->capacity[level + 1] : 0;
}

static inline uint32_t reference_down(const struct reference *r, uint32_t level)
{
    return level > 0 ? r->children[level] * r->capacity[level] : 0;
}

/* Join the lanes of node `parent` of a level to those of its children, from `child` on. */
static inline void reference_join(struct reference *r, uint32_t level, uint32_t parent, uint32_t child)
{
    uint32_t lane = r->first[parent];
    r->low[parent] = r->low[child];
    for (uint32_t k = 0; k < r->children[level]; k++, child++) {
        r->below[parent] += r->below[child];
        for (uint32_t c = 0; c < r->capacity[level]; c++, lane++) {
            uint32_t other = r->first[child] + reference_down(r, level - 1) + c;
            r->peer[lane] = other;
            r->peer[other] = lane;
        }
    }
}

/* Numbers all nodes and their lanes. */
static inline void reference_number(struct reference *r)
{
    uint32_t wide = r->leaves, node = 0, lane = 0;
    for (unsigned level = 0; level <= r->height; level++) {
        wide = level == 0 ? r->leaves : wide / r->children[level];
        for (uint32_t k = 0; k < wide; k++, node++) {
            r->level[node] = level;
            r->first[node] = lane;
            r->low[node] = node;
            r->below[node] = level == 0;
            for (uint32_t p = 0; p < reference_down(r, level) + reference_up(r, level); p++)
                r->owner[lane++] = node;
        }
    }
    r->first[node] = lane;
    r->lanes = lane;
    r->nodes = node;
}

static inline struct reference reference_open(unsigned height, const uint32_t children[],
                                              const uint32_t capacity[], uint32_t rows)
{
    struct reference r = {.height = height, .leaves = 1, .rows = rows};
    uint32_t most = 0;
    for (unsigned level = 1; level <= height; level++) {
        r.children[level] = children[level - 1];
        r.capacity[level] = capacity[level - 1];
        r.leaves *= children[level - 1];
        most += capacity[level - 1] * 2;
    }
    size_t room = (size_t)r.leaves * 2 + 1, lanes = room * most;
    r.first = reference_words(room);
    r.level = reference_words(room);
    r.low = reference_words(room);
    r.below = reference_words(room);
    r.peer = reference_words(lanes);
    r.owner = reference_words(lanes);
    reference_number(&r);
    uint32_t child = 0;
    for (uint32_t node = r.leaves; node < r.nodes; node++) {
        reference_join(&r, r.level[node], node, child);
        child += r.children[r.level[node]];
    }
    r.sent = reference_words(r.lanes);
    r.count = reference_words(r.lanes);
    r.came = reference_words((size_t)r.lanes * rows);
    r.came_in = reference_words((size_t)r.lanes * rows);
    r.last = reference_words((size_t)r.lanes * rows);
    return r;
}

static inline void reference_close(struct reference *r)
{
    uint32_t *const blocks[] = {r->first, r->level, r->low,  r->below,   r->peer, r->owner,
                                r->sent,  r->count, r->came, r->came_in, r->last};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        free(blocks[b]);
}

static inline uint32_t reference_ports(const struct reference *r, uint32_t node)
{
    return r->first[node + 1] - r->first[node];
}

/* Arrival `k` at a lane, one that goes on in this row. */
static inline uint32_t reference_forward(struct reference *r, uint32_t lane, uint32_t k)
{
    r->last[(size_t)lane * r->rows + k] = r->row;
    return r->came[(size_t)lane * r->rows + k];
}

/* Everything that was sent in the row arrives: got[leaves] is what came to the leaves. */
static inline void reference_deliver(struct reference *r, uint32_t *got)
{
    memset(got, 0, r->leaves * sizeof *got);
    for (uint32_t lane = 0; lane < r->lanes; lane++) {
        uint32_t to = r->peer[lane], packet = r->sent[lane];
        r->sent[lane] = 0;
        if (packet == 0)
            continue;
        r->steps = r->row + 1;
        if (r->owner[to] < r->leaves) {
            got[r->owner[to]] = packet;
            continue;
        }
        size_t at = (size_t)to * r->rows + r->count[to]++;
        r->came[at] = packet;
        r->came_in[at] = r->row;
        r->last[at] = 0;
    }
    r->row++;
}

/* The packets that a buffer of this level must hold, so that none is overwritten before the row in which it is
 * sent last: those that come to its input in earlier rows, and itself. */
static inline uint32_t reference_depth(const struct reference *r, unsigned level)
{
    uint32_t depth = 1;
    for (uint32_t lane = r->first[r->leaves]; lane < r->lanes; lane++)
        for (uint32_t k = 0; r->level[r->owner[lane]] == level && k < r->count[lane]; k++) {
            const uint32_t *came_in = r->came_in + (size_t)lane * r->rows;
            uint32_t later = k + 1;
            while (later < r->count[lane] && came_in[later] < r->last[(size_t)lane * r->rows + k])
                later++;
            depth = later - k > depth ? later - k : depth;
        }
    return depth;
}

#endif
