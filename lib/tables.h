/* SPDX-License-Identifier: Apache-2.0 */
/* tables: measures the bits of the tables that an image uses on a multistage network, and of tables
 * with an entry for each round. */
#ifndef ROUNDCAST_TABLES_H
#define ROUNDCAST_TABLES_H

#include "sched/image/image.h"

/* Words of one size. */
struct table_row {
    const char *name;
    uint64_t words, bits; /* number of words, and bits of each */
    bool full;            /* one of the tables with an entry for each round */
    bool used;            /* one of the tables that the image uses */
};

enum {
    TABLE_SETTINGS_FULL,
    TABLE_SETTINGS_ONCE,
    TABLE_MASKS,
    TABLE_ORDER,
    TABLE_PROGRAMS_STORED,
    TABLE_PROGRAMS_COMPUTED,
    TABLE_PROGRAMS_RANGES,
    TABLE_SPLITS,
    TABLE_ROWS
};

/* Fills the rows. Precondition: a multistage machine. O(words). */
void tables_measure(const struct image *image, uint32_t nodes, struct table_row row[TABLE_ROWS]);

/* Sums the bits of the full tables and of those in use. */
void tables_sum(const struct table_row row[TABLE_ROWS], uint64_t *full, uint64_t *used);

#endif
