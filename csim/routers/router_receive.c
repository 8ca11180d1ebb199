/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/routers/router_level.h"

#include <string.h>

#include "csim/shell/octet.h"
#include "sched/base/compare.h"

/* Selects, with the first flit of a row, the inputs at which a packet arrives. Returns whether any
 * packet arrives. */
OCTET_FOR_EVERY_CPU
static bool receive_open(struct router_level *l, uint32_t first, uint32_t *restrict words,
                         const uint32_t *restrict lanes, uint32_t count)
{
    const uint32_t *restrict base = l->base + first, *restrict slot = l->slot + first;
    uint32_t *restrict at = l->rx_at + first, *restrict mark = l->rx_mark + first;
    uint32_t valid = l->valid, trash = l->trash, any = 0;
    unsigned log2_flits = l->machine.log2_flits;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t address = base[k] + (slot[k] << log2_flits);
        words[k] = lanes[k];
        mark[k] = lanes[k] & valid;
        at[k] = mark[k] ? address : trash;
        any |= mark[k];
    }
    return any;
}

static void receive_take(struct router_level *l, uint32_t first, const uint32_t *lanes,
                         uint32_t count)
{
    uint32_t flit = csim_get(&l->rx_flit_i);
    uint32_t *words = router_level_block_row(l, l->rx_words, flit) + first;
    if (flit == 0)
        l->arriving |= receive_open(l, first, words, lanes, count);
    else
        l->holes |= block_take(words, lanes, l->rx_mark + first, l->valid, count);
}

/* Stores packets with holes, flit by flit. */
static void receive_store_holes(struct router_level *l)
{
    for (uint32_t f = 0; f < l->block; f++) {
        const uint32_t *words = router_level_block_row(l, l->rx_words, f);
        for (uint32_t lane = 0; lane < l->lanes; lane++)
            if (words[lane] & l->valid)
                l->memory[router_level_address(l, lane, l->slot[lane]) + l->first + f] =
                    words[lane];
    }
}

static void receive_store_flit(struct router_level *l, uint32_t f)
{
    const uint32_t *restrict words = router_level_block_row(l, l->rx_words, f);
    const uint32_t *restrict at = l->rx_at;
    uint32_t *restrict memory = l->memory + l->first + f;
    for (uint32_t lane = 0, lanes = l->lanes; lane < lanes; lane++)
        memory[at[lane]] = words[lane];
}

/* Stores the block that has arrived in the buffers. */
static void receive_store(struct router_level *l)
{
    if (l->holes) {
        receive_store_holes(l);
    } else if (l->arriving && l->block == BLOCK_FLITS) {
        block_store(l->memory, l->rx_words, l->rx_at, l->first, l->lanes);
    } else if (l->arriving) {
        for (uint32_t f = 0; f < l->block; f++)
            receive_store_flit(l, f);
    }
}

OCTET_FOR_EVERY_CPU
static void receive_advance(struct router_level *l, uint32_t first, const uint32_t *restrict lanes,
                            uint32_t count)
{
    uint32_t *restrict slot = l->slot + first, *restrict filled = l->filled + first;
    uint32_t depth = l->depth;
    unsigned width = wide_words_lane_bits(&l->machine);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t next = slot[k] + (lanes[k] >> width);
        filled[k] = MAX(filled[k], next);
        slot[k] = next == depth ? 0 : next;
    }
}

/* Completes a row, when its last flit is on the lanes or no flit is. */
static void receive_complete(struct router_level *l)
{
    const uint32_t *last = router_level_block_row(l, l->rx_words, csim_get(&l->rx_flit_i));
    if (l->rules != NULL) {
        router_rules_apply(l, last);
    } else if (l->arriving || l->holes) {
        receive_advance(l, 0, last, l->routers * l->child_ports);
        receive_advance(l, l->parents, last + l->parents, l->routers * l->parent_ports);
    }
}

void router_receive(struct router_level *l)
{
    uint32_t flit = csim_get(&l->rx_flit_i);
    bool last = csim_get(&l->rx_last_i);
    if (flit == 0)
        l->arriving = false;
    receive_take(l, 0, csim_read(&l->children_i), l->routers * l->child_ports);
    if (l->parent_ports != 0)
        receive_take(l, l->parents, csim_read(&l->parent_i), l->routers * l->parent_ports);
    if (flit == 1 && l->rules != NULL)
        router_rules_headers(l, router_level_block_row(l, l->rx_words, flit));
    l->first = flit - flit % BLOCK_FLITS;
    l->block = flit % BLOCK_FLITS + 1;
    if (!last && l->block != BLOCK_FLITS)
        return;
    receive_store(l);
    if (last)
        receive_complete(l);
    l->holes = false;
    l->block = 0;
}

void router_receive_clear(struct router_level *l)
{
    if (l->block != 0) /* of a run that was reset in the middle of a packet */
        receive_store(l);
    l->block = 0;
    memset(l->slot, 0, l->lanes * sizeof *l->slot);
    memset(l->filled, 0, l->lanes * sizeof *l->filled);
    l->arriving = l->holes = false;
}
