/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/decompose/padded.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

/* Increases the entries that are 0, or those that are not 0, by the smaller of what their row and
 * their column lack. */
static void fill_up(struct padded *padded, bool empty, uint64_t sent[], uint64_t received[])
{
    uint32_t *entry = padded->table;
    for (uint32_t row = 0; row < padded->nodes; row++)
        for (uint32_t column = 0; column < padded->nodes; column++, entry++) {
            uint64_t lack = padded->rest - sent[row], lacks = padded->rest - received[column];
            uint64_t room = UINT32_MAX - *entry, more = MIN(lack, lacks);
            if ((*entry == 0) != empty)
                continue;
            more = MIN(more, room);
            *entry += (uint32_t)more;
            sent[row] += more;
            received[column] += more;
        }
}

static void set_table(const struct traffic *traffic, bool fill, struct padded *padded,
                      uint64_t sent[], uint64_t received[])
{
    for (size_t k = 0; k < traffic->count; k++) {
        const struct traffic_entry *entry = &traffic->entry[k];
        padded->table[(size_t)entry->source * traffic->nodes + entry->destination] = entry->packets;
    }
    traffic_sums(traffic, sent, received);
    padded->rest = traffic_load_of(traffic->nodes, sent, received).degree;
    for (uint32_t node = 0; node < traffic->nodes; node++)
        padded->to[node] = DECOMPOSE_IDLE;
    if (fill) {
        fill_up(padded, false, sent, received);
        fill_up(padded, true, sent, received);
    }
}

bool padded_new(const struct traffic *traffic, bool fill, struct padded *padded, struct err *err)
{
    size_t nodes = traffic->nodes;
    uint64_t *sent, *received;
    *padded = (struct padded){.nodes = traffic->nodes, .match = match_new(traffic->nodes, err)};
    void *sums =
        arena_new((const struct arena_array[]){ARENA(sent, nodes), ARENA(received, nodes)}, 2);
    padded->memory = arena_new(
        (const struct arena_array[]){ARENA(padded->table, nodes * nodes), ARENA(padded->to, nodes)},
        2);
    if (padded->match != NULL && sums != NULL && padded->memory != NULL) {
        set_table(traffic, fill, padded, sent, received);
        free(sums);
        return true;
    }
    free(sums);
    free(padded->memory);
    match_free(padded->match);
    return err_no_memory(err, "a table of %" PRIu32 " nodes", traffic->nodes);
}

void padded_free(struct padded *padded)
{
    free(padded->memory);
    match_free(padded->match);
}

bool padded_take(struct padded *padded, struct decomposition *decomposition, struct err *err)
{
    size_t nodes = padded->nodes;
    uint32_t least = UINT32_MAX;
    for (size_t row = 0; row < nodes; row++) {
        uint32_t there = padded->table[row * nodes + padded->to[row]];
        least = MIN(least, there);
    }
    for (size_t row = 0; row < nodes; row++)
        padded->table[row * nodes + padded->to[row]] -= least;
    padded->rest -= least;
    return decomposition_add(decomposition, padded->to, least, err);
}

size_t padded_values(const uint32_t table[], size_t entries, uint32_t value[])
{
    size_t count = 0, kept = 0;
    for (size_t k = 0; k < entries; k++)
        if (table[k] != 0)
            value[count++] = table[k];
    qsort(value, count, sizeof *value, compare_u32);
    for (size_t k = 0; k < count; k++)
        if (kept == 0 || value[kept - 1] != value[k])
            value[kept++] = value[k];
    return kept;
}
