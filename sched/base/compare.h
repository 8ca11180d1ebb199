/* SPDX-License-Identifier: Apache-2.0 */
/* compare: the lesser and the greater of two numbers; and their order as qsort and bsearch ask for
 * it: -1, 0 or 1.
 *
 * By several keys, the first of which the two differ decides; from the largest down, change sides:
 *
 *     return compare_then(COMPARE(a->port, b->port), COMPARE(b->behind, a->behind));
 */
#ifndef ROUNDCAST_COMPARE_H
#define ROUNDCAST_COMPARE_H

#include <stdint.h>

/* Of any type that both are of. Each is read twice. */
#define MIN(left, right) ((left) < (right) ? (left) : (right))
#define MAX(left, right) ((left) > (right) ? (left) : (right))

/* The same; a difference would not fit, or be rounded. */
#define COMPARE(left, right) (((left) > (right)) - ((left) < (right)))

/* By the first key, or by what comes then if it is equal. */
static inline int compare_then(int first, int then)
{
    return first != 0 ? first : then;
}

/* Whole arrays of numbers, as qsort and bsearch pass them. */
static inline int compare_u32(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return COMPARE(*a, *b);
}

static inline int compare_u64(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return COMPARE(*a, *b);
}

static inline int compare_double(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return COMPARE(*a, *b);
}

#endif
