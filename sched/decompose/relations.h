/* SPDX-License-Identifier: Apache-2.0 */
/* relations: counts the equalities and sums among the values of a small table.
 *
 * If few permutations add up to a table, its entries are sums of few durations. Then some entries
 * are equal, and some are sums of two others; unrelated values seldom are. The durations 5, 3 and
 * 2, of the permutations 012, 120 and 021, give
 *
 *     7 3 .
 *     . 5 5      four different values of seven entries, and 5 = 3 + 2, 7 = 5 + 2
 *     3 2 5
 */
#ifndef ROUNDCAST_RELATIONS_H
#define ROUNDCAST_RELATIONS_H

#include <stddef.h>
#include <stdint.h>

#define RELATIONS_MAX_ENTRIES 25

struct relations {
    unsigned values; /* number of different values except 0 */
    unsigned sums;   /* number of pairs of values, equal ones included, whose sum is a value */
};

/* Returns the relations of table[entries], 0 … RELATIONS_MAX_ENTRIES. O(entries²). */
struct relations relations_of(const uint32_t table[], size_t entries);

#endif
