/* SPDX-License-Identifier: Apache-2.0 */
/* compare: minimum and maximum of two numbers, and their order as qsort and bsearch require it: -1,
 * 0 or 1.
 *
 * With several keys, the first key that differs decides. For descending order, exchange the sides:
 *
 *     return compare_then(COMPARE(a->port, b->port), COMPARE(b->length, a->length));
 */
#ifndef ROUNDCAST_COMPARE_H
#define ROUNDCAST_COMPARE_H

#include <stdint.h>

/* Both operands must have the same type. Each is evaluated twice. */
#define MIN(left, right) ((left) < (right) ? (left) : (right))
#define MAX(left, right) ((left) > (right) ? (left) : (right))

/* Compares instead of subtracting, as a difference might overflow or be rounded. */
#define COMPARE(left, right) (((left) > (right)) - ((left) < (right)))

/* Returns the order by the first key, or by `then` if the first key is equal. */
static inline int compare_then(int first, int then)
{
    return first != 0 ? first : then;
}

/* Order of numbers in an array, with the signature that qsort and bsearch require. */
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
