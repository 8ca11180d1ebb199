/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/circulant_rows.h"

#include "sched/base/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Number of nodes whose rows are searched: more than CIRCULANT_MAX_Q, so that they include all
 * irregular rows. */
#define SEARCHED 64
#define BASE_BLOCK INT8_MAX /* marks the base block of this phase until all rows are complete */

/* State of the search for a single node's row. */
struct search {
    const uint32_t *skip; /* [q + 1], skip[q] = n */
    unsigned q;
    uint32_t target; /* n + node */
    uint32_t blocks; /* bit e: block e is not assigned to a round yet */
    unsigned found;  /* rounds 0 … found-1 have their block */
    int8_t *row;
};

unsigned circulant_skips(uint32_t n, uint32_t skip[CIRCULANT_MAX_Q + 1])
{
    unsigned q = bits_log2_up(n);
    skip[q] = n;
    for (unsigned k = q; k-- > 0;)
        skip[k] = skip[k + 1] - skip[k + 1] / 2;
    return q;
}

/* The paths of nodes between skip[k] and skip[k+1] pass skip[k], so their base blocks repeat those
 * from node 1 on. */
void circulant_base(unsigned q, const uint32_t skip[], int8_t base[])
{
    base[0] = (int8_t)q;
    for (unsigned k = 0; k < q; k++) {
        base[skip[k]] = (int8_t)k;
        memcpy(base + skip[k] + 1, base + 1, skip[k + 1] - skip[k] - 1);
    }
}

/* Returns the largest unassigned block below e; -1 if there is none. */
static int next_block(const struct search *search, int e)
{
    uint32_t below = search->blocks & ((UINT32_C(1) << e) - 1);
    return below == 0 ? -1 : 31 - __builtin_clz(below);
}

/* Extends the path that has reached `at` by skips e, e-1, …; paths are found in descending order,
 * below `limit`. A path that can still reach the target by skip[found] assigns its last skip's
 * block to round `found`. */
static void search_from(struct search *search, uint32_t at, uint32_t limit, int e)
{
    for (; e >= 0; e = next_block(search, e)) { /* there are as many blocks as rounds */
        uint32_t end = at + search->skip[e];
        if (end > search->target - search->skip[search->found] || end >= limit)
            continue;
        if (end <= search->target - search->skip[search->found + 1])
            search_from(search, end, limit, e);
        if (search->found == search->q || at > search->target - search->skip[search->found + 1])
            return;
        limit = end;
        search->row[search->found++] = (int8_t)e;
        search->blocks &= ~(UINT32_C(1) << e);
    }
}

void circulant_search(unsigned q, const uint32_t skip[], int8_t base, uint32_t node,
                      int8_t row[CIRCULANT_MAX_Q + 1])
{
    struct search search = {.skip = skip, .q = q, .target = skip[q] + node, .row = row};
    search.blocks = ((UINT32_C(2) << q) - 1) & ~(UINT32_C(1) << base);
    search_from(&search, 0, 2 * skip[q], (int)q);
}

/* The rows under construction, in columns of `room` nodes. */
struct rows {
    const uint32_t *skip;
    const int8_t *base;
    size_t room;
    int8_t *recv;
};

/* Searches the row of a node among skip[q] nodes. */
static void search_row(const struct rows *rows, unsigned q, uint32_t node)
{
    int8_t row[CIRCULANT_MAX_Q + 1];
    circulant_search(q, rows->skip, rows->base[node], node, row);
    for (unsigned k = 0; k < q; k++)
        rows->recv[k * rows->room + node] = row[k] == (int)q ? BASE_BLOCK : row[k];
}

/* Computes the rows of skip[q] nodes from those of skip[q-1] nodes. */
static void double_rows(const struct rows *rows, unsigned q)
{
    uint32_t half = rows->skip[q - 1], others = rows->skip[q] - half;
    for (unsigned k = 0; k + 1 < q; k++) {
        const int8_t *low = rows->recv + k * rows->room;
        int8_t *high = rows->recv + k * rows->room + half;
        for (uint32_t node = 0; node < others; node++)
            high[node] = low[node] == BASE_BLOCK ? (int8_t)(q - 1) : low[node];
    }
    int8_t *last = rows->recv + (q - 1) * rows->room;
    memset(last, (int)q - 1, half);
    memset(last + half, BASE_BLOCK, others);
    for (uint32_t node = 1; node < SEARCHED && node < half; node++)
        search_row(rows, q, node);
    search_row(rows, q, half);
}

/* Converts a column to packet numbers: all blocks except the base block belong to the previous
 * phase. */
static void finish_column(size_t n, int8_t q, const int8_t *restrict base, int8_t *restrict block)
{
    for (size_t node = 0; node < n; node++) {
        int8_t own = base[node], other = (int8_t)(block[node] - q);
        block[node] = block[node] == BASE_BLOCK ? own : other;
    }
}

void circulant_rows(unsigned q, const uint32_t skip[], const int8_t base[], int8_t recv[])
{
    const struct rows rows = {skip, base, skip[q], recv};
    unsigned done = q;
    while (done > 0 && skip[done] > SEARCHED)
        done--;
    for (uint32_t node = 1; node < skip[done]; node++)
        search_row(&rows, done, node);
    while (done < q)
        double_rows(&rows, ++done);
    for (unsigned k = 0; k < q; k++)
        finish_column(skip[q], (int8_t)q, base, recv + k * rows.room);
}
