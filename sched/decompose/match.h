/* SPDX-License-Identifier: Apache-2.0 */
/* match: perfect matchings of a dense table, senders in rows and receivers in columns. */
#ifndef ROUNDCAST_MATCH_H
#define ROUNDCAST_MATCH_H

#include "sched/base/err.h"

/* Working memory; opaque, reused from call to call. */
struct match;

/* For tables of up to `nodes` rows. E104. */
struct match *match_new(uint32_t nodes, struct err *err);
void match_free(struct match *work);

/* Weights are of at most this size. */
#define MATCH_MAX_WEIGHT (INT64_C(1) << 52)

/* The permutation of the greatest weight: to[nodes], the column of each row, of
 * weight[nodes][nodes]. O(nodes³). The Hungarian method, by shortest augmenting paths: Kuhn 1955;
 * Edmonds and Karp 1972. */
void match_best(struct match *work, uint32_t nodes, const int64_t weight[], uint32_t to[]);

/* Is there a permutation of entries of table[nodes][nodes] that are all `least` or more? Then to[]
 * is one. O(nodes³), and less for entries of to[] that can stay: it must hold columns, each once at
 * most, or UINT32_MAX for none. It stays a partial matching if there is none. */
bool match_least(struct match *work, uint32_t nodes, const uint32_t table[], uint32_t least,
                 uint32_t to[]);

#endif
