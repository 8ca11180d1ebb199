/* SPDX-License-Identifier: Apache-2.0 */
/* match: perfect matchings of a dense table, senders in rows and receivers in columns. */
#ifndef ROUNDCAST_MATCH_H
#define ROUNDCAST_MATCH_H

#include "sched/base/err.h"
#include "sched/decompose/decompose.h"

/* Working memory; opaque, reused from call to call. */
struct match;

/* Allocates memory for tables of up to `nodes` rows. E104. */
struct match *match_new(uint32_t nodes, struct err *err);
void match_free(struct match *work);

/* The largest absolute value of a weight. */
#define MATCH_MAX_WEIGHT (INT64_C(1) << 52)

/* Finds the permutation with the greatest weight in weight[nodes][nodes]: to[nodes], the column of
 * each row. O(nodes³). The Hungarian method, by shortest augmenting paths: Kuhn 1955; Edmonds and
 * Karp 1972. */
void match_best(struct match *work, uint32_t nodes, const int64_t weight[], uint32_t to[]);

/* Finds a permutation to[] of entries of table[nodes][nodes] that are all `least` or more. Returns
 * whether there is one; otherwise to[] stays a partial matching. On input to[] must hold columns,
 * each at most once, or UINT32_MAX for none; entries that can stay reduce the work. O(nodes³). */
bool match_least(struct match *work, uint32_t nodes, const uint32_t table[], uint32_t least,
                 uint32_t to[]);

/* -- Padded tables ----------------------------------------------------------------------------- */

/* Traffic as a dense table, padded until all rows and columns have the same sum.
 *
 * Such a table has a permutation of entries that are not 0 (König). Subtracting the same number
 * from all of them leaves equal sums again. Subtracting one permutation after another is a
 * Birkhoff-von Neumann decomposition. */

struct padded {
    uint32_t nodes;
    uint64_t rest;   /* the sum of each row and column */
    uint32_t *table; /* table[nodes][nodes] */
    uint32_t *to;    /* to[nodes]: the next setting; DECOMPOSE_IDLE at first */
    struct match *match;
    void *memory;
};

/* Converts traffic to a table; without `fill` it is not padded. E104. */
bool padded_new(const struct traffic *traffic, bool fill, struct padded *padded, struct err *err);
void padded_free(struct padded *padded);

/* Subtracts the permutation to[] as often as its least entry allows, and appends it as a setting.
 * E104. */
bool padded_take(struct padded *padded, struct decomposition *decomposition, struct err *err);

/* Lists the values of the table except 0, ascending, each once: value[nodes²]. Returns their
 * number. */
size_t padded_values(const uint32_t table[], size_t entries, uint32_t value[]);

#endif
