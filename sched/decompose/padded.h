/* SPDX-License-Identifier: Apache-2.0 */
/* padded: traffic as a dense table, filled up until all rows and columns have the same sum.
 *
 * Such a table has a permutation of entries that are not 0 (König), and what is left after taking
 * the same from all of these has equal sums again: taking them one by one is a Birkhoff-von Neumann
 * decomposition.
 */
#ifndef ROUNDCAST_PADDED_H
#define ROUNDCAST_PADDED_H

#include "sched/decompose/decompose.h"
#include "sched/decompose/match.h"

struct padded {
    uint32_t nodes;
    uint64_t rest;   /* the sum of each row and column */
    uint32_t *table; /* table[nodes][nodes] */
    uint32_t *to;    /* to[nodes]: for the next setting; DECOMPOSE_IDLE at first */
    struct match *match;
    void *memory;
};

/* Without `fill` only the entries of the traffic are in the table. E104. */
bool padded_new(const struct traffic *traffic, bool fill, struct padded *padded, struct err *err);
void padded_free(struct padded *padded);

/* Take the permutation to[] as often as its least entry allows, and make a setting of it. E104. */
bool padded_take(struct padded *padded, struct decomposition *decomposition, struct err *err);

/* The values in the table but 0, ascending, each once: value[nodes²]. Returns how many. */
size_t padded_values(const uint32_t table[], size_t entries, uint32_t value[]);

#endif
