/* SPDX-License-Identifier: Apache-2.0 */
/* padded: traffic as a dense table, padded until all rows and columns have the same sum.
 *
 * Such a table has a permutation of entries that are not 0 (König). Subtracting the same number
 * from all of them leaves equal sums again. Subtracting one permutation after another is a
 * Birkhoff-von Neumann decomposition.
 */
#ifndef ROUNDCAST_PADDED_H
#define ROUNDCAST_PADDED_H

#include "sched/decompose/decompose.h"
#include "sched/decompose/match.h"

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
