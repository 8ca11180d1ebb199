/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/decompose/match.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

#define UNMATCHED UINT32_MAX

/* Working memory. There is one extra column, at which each search begins. */
struct match {
    int64_t *row, *column; /* potentials: [nodes], [nodes + 1] */
    int64_t *slack;        /* slack[nodes + 1]: the length of the shortest path to each column */
    uint32_t *from;        /* from[nodes + 1]: the row matched with a column, or UNMATCHED */
    uint32_t *before;      /* before[nodes + 1]: the previous column on the shortest path */
    bool *seen;            /* seen[nodes + 1] */
    void *memory;
};

struct match *match_new(uint32_t nodes, struct err *err)
{
    struct match *work = malloc(sizeof *work);
    size_t more = (size_t)nodes + 1;
    if (work != NULL &&
        (work->memory = arena_new(
             (const struct arena_array[]){ARENA(work->row, nodes), ARENA(work->column, more),
                                          ARENA(work->slack, more), ARENA(work->from, more),
                                          ARENA(work->before, more), ARENA(work->seen, more)},
             6)) != NULL)
        return work;
    free(work);
    err_no_memory(err, "matchings of %" PRIu32 " nodes", nodes);
    return NULL;
}

void match_free(struct match *work)
{
    if (work != NULL)
        free(work->memory);
    free(work);
}

/* Shortens the paths through a column's row to the columns that have not been seen. Returns the
 * nearest of these. */
static uint32_t nearest(struct match *work, uint32_t nodes, const int64_t weight[], uint32_t at,
                        int64_t *distance)
{
    uint32_t row = work->from[at], best = nodes;
    const int64_t *gain = weight + (size_t)row * nodes;
    *distance = INT64_MAX;
    for (uint32_t column = 0; column < nodes; column++) {
        if (work->seen[column])
            continue;
        int64_t reduced = -gain[column] - work->row[row] - work->column[column];
        if (reduced < work->slack[column]) {
            work->slack[column] = reduced;
            work->before[column] = at;
        }
        if (work->slack[column] < *distance) {
            *distance = work->slack[column];
            best = column;
        }
    }
    return best;
}

/* Matches one more row, along the shortest path to a free column. */
static void augment(struct match *work, uint32_t nodes, const int64_t weight[], uint32_t row)
{
    uint32_t at = nodes;
    for (uint32_t column = 0; column <= nodes; column++) {
        work->slack[column] = INT64_MAX;
        work->seen[column] = false;
    }
    work->from[nodes] = row;
    do {
        int64_t distance;
        work->seen[at] = true;
        uint32_t next = nearest(work, nodes, weight, at, &distance);
        for (uint32_t column = 0; column <= nodes; column++) {
            if (work->seen[column]) {
                work->row[work->from[column]] += distance;
                work->column[column] -= distance;
            } else if (work->slack[column] != INT64_MAX) {
                work->slack[column] -= distance;
            }
        }
        at = next;
    } while (work->from[at] != UNMATCHED);
    for (; at != nodes; at = work->before[at])
        work->from[at] = work->from[work->before[at]];
}

void match_best(struct match *work, uint32_t nodes, const int64_t weight[], uint32_t to[])
{
    for (uint32_t node = 0; node <= nodes; node++) {
        work->from[node] = UNMATCHED;
        work->column[node] = 0;
    }
    for (uint32_t node = 0; node < nodes; node++)
        work->row[node] = 0;
    for (uint32_t row = 0; row < nodes; row++)
        augment(work, nodes, weight, row);
    for (uint32_t column = 0; column < nodes; column++)
        to[work->from[column]] = column;
}

/* -- Entries that are large enough ------------------------------------------------------------- */

/* Finds a path from a row to a free column and matches along it. */
static bool reach(struct match *work, uint32_t nodes, const uint32_t table[], uint32_t least,
                  uint32_t row, uint32_t to[])
{
    const uint32_t *entry = table + (size_t)row * nodes;
    for (uint32_t column = 0; column < nodes; column++) {
        if (entry[column] < least || work->seen[column])
            continue;
        work->seen[column] = true;
        if (work->from[column] == UNMATCHED ||
            reach(work, nodes, table, least, work->from[column], to)) {
            work->from[column] = row;
            to[row] = column;
            return true;
        }
    }
    return false;
}

bool match_least(struct match *work, uint32_t nodes, const uint32_t table[], uint32_t least,
                 uint32_t to[])
{
    for (uint32_t node = 0; node < nodes; node++)
        work->from[node] = UNMATCHED;
    for (uint32_t row = 0; row < nodes; row++) {
        if (to[row] != UNMATCHED && table[(size_t)row * nodes + to[row]] < least)
            to[row] = UNMATCHED;
        if (to[row] != UNMATCHED)
            work->from[to[row]] = row;
    }
    for (uint32_t row = 0; row < nodes; row++) {
        for (uint32_t column = 0; column < nodes; column++)
            work->seen[column] = false;
        if (to[row] == UNMATCHED && !reach(work, nodes, table, least, row, to))
            return false;
    }
    return true;
}

/* -- Padded tables ----------------------------------------------------------------------------- */

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
