/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/fat_tree_reference.h"

#include "tests/support/room.h"

#include <stdlib.h>
#include <string.h>

uint32_t fat_tree_reference_draw(struct rng *rng, uint32_t below)
{
    return (uint32_t)(rng_next(rng) % below);
}

uint32_t fat_tree_reference_up(const struct fat_tree_reference *r, uint32_t level)
{
    return level < r->height ? r->capacity[level + 1] : 0;
}

uint32_t fat_tree_reference_down(const struct fat_tree_reference *r, uint32_t level)
{
    return level > 0 ? r->children[level] * r->capacity[level] : 0;
}

/* Joins the lanes of node `parent` of a level to those of its children, from `child` on. */
static void reference_join(struct fat_tree_reference *r, uint32_t level, uint32_t parent,
                           uint32_t child)
{
    uint32_t lane = r->first[parent];
    r->low[parent] = r->low[child];
    for (uint32_t k = 0; k < r->children[level]; k++, child++) {
        r->below[parent] += r->below[child];
        for (uint32_t c = 0; c < r->capacity[level]; c++, lane++) {
            uint32_t other = r->first[child] + fat_tree_reference_down(r, level - 1) + c;
            r->peer[lane] = other;
            r->peer[other] = lane;
        }
    }
}

/* Numbers all nodes and their lanes. */
static void reference_number(struct fat_tree_reference *r)
{
    uint32_t wide = r->leaves, node = 0, lane = 0;
    for (unsigned level = 0; level <= r->height; level++) {
        wide = level == 0 ? r->leaves : wide / r->children[level];
        for (uint32_t k = 0; k < wide; k++, node++) {
            r->level[node] = level;
            r->first[node] = lane;
            r->low[node] = node;
            r->below[node] = level == 0;
            for (uint32_t p = 0;
                 p < fat_tree_reference_down(r, level) + fat_tree_reference_up(r, level); p++)
                r->owner[lane++] = node;
        }
    }
    r->first[node] = lane;
    r->lanes = lane;
    r->nodes = node;
}

struct fat_tree_reference fat_tree_reference_open(unsigned height, const uint32_t children[],
                                                  const uint32_t capacity[], uint32_t rows)
{
    struct fat_tree_reference r = {.height = height, .leaves = 1, .rows = rows};
    uint32_t most = 0;
    for (unsigned level = 1; level <= height; level++) {
        r.children[level] = children[level - 1];
        r.capacity[level] = capacity[level - 1];
        r.leaves *= children[level - 1];
        most += capacity[level - 1] * 2;
    }
    r.endpoints = r.leaves * r.capacity[1];
    size_t room = (size_t)r.leaves * 2 + 1, lanes = room * most;
    r.first = room_words(room);
    r.level = room_words(room);
    r.low = room_words(room);
    r.below = room_words(room);
    r.peer = room_words(lanes);
    r.owner = room_words(lanes);
    reference_number(&r);
    uint32_t child = 0;
    for (uint32_t node = r.leaves; node < r.nodes; node++) {
        reference_join(&r, r.level[node], node, child);
        child += r.children[r.level[node]];
    }
    r.sent = room_words(r.lanes);
    r.count = room_words(r.lanes);
    r.came = room_words((size_t)r.lanes * rows);
    r.came_in = room_words((size_t)r.lanes * rows);
    r.last = room_words((size_t)r.lanes * rows);
    return r;
}

void fat_tree_reference_close(struct fat_tree_reference *r)
{
    uint32_t *const blocks[] = {r->first, r->level, r->low,  r->below,   r->peer, r->owner,
                                r->sent,  r->count, r->came, r->came_in, r->last};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        free(blocks[b]);
}

uint32_t fat_tree_reference_ports(const struct fat_tree_reference *r, uint32_t node)
{
    return r->first[node + 1] - r->first[node];
}

uint32_t fat_tree_reference_forward(struct fat_tree_reference *r, uint32_t lane, uint32_t k)
{
    r->last[(size_t)lane * r->rows + k] = r->row;
    return r->came[(size_t)lane * r->rows + k];
}

void fat_tree_reference_deliver(struct fat_tree_reference *r, uint32_t *got)
{
    memset(got, 0, r->endpoints * sizeof *got);
    for (uint32_t lane = 0; lane < r->lanes; lane++) {
        uint32_t to = r->peer[lane], packet = r->sent[lane];
        r->sent[lane] = 0;
        if (packet == 0)
            continue;
        r->steps = r->row + 1;
        if (to < r->endpoints) {
            got[to] = packet;
            continue;
        }
        size_t at = (size_t)to * r->rows + r->count[to]++;
        r->came[at] = packet;
        r->came_in[at] = r->row;
        r->last[at] = 0;
    }
    r->row++;
}

uint32_t fat_tree_reference_depth(const struct fat_tree_reference *r, unsigned level)
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
