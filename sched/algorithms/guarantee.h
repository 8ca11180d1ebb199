/* SPDX-License-Identifier: Apache-2.0 */
/* guarantee: the end that a paper's theorem guarantees for an algorithm. A bound is a lower limit
 * for every algorithm; a guarantee is an upper limit for one algorithm. */
#ifndef ROUNDCAST_GUARANTEE_H
#define ROUNDCAST_GUARANTEE_H

#include <stdbool.h>
#include <stdint.h>

struct guarantee {
    uint64_t end;        /* no schedule of the algorithm ends later: rounds or ticks */
    const char *formula; /* the formula as text */
    const char *source;  /* paper and theorem */
};

/* Fills *guarantee with an end in rounds or ticks. Returns true. */
bool guarantee_set(struct guarantee *guarantee, uint64_t end, const char *formula,
                   const char *source);

/* Fills *guarantee with a real number of units of `ticks` ticks each, rounded down to whole ticks,
 * because every end is whole. Returns false, without changing *guarantee, if the end is 2^62 ticks
 * or more. */
bool guarantee_set_real(struct guarantee *guarantee, double units, uint32_t ticks,
                        const char *formula, const char *source);

#endif
