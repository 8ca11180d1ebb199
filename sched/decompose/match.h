/* SPDX-License-Identifier: Apache-2.0 */
/* match: perfect matchings of a dense table, senders in rows and receivers in columns. */
#ifndef ROUNDCAST_MATCH_H
#define ROUNDCAST_MATCH_H

#include "sched/base/err.h"

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

#endif
