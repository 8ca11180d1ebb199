/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/guarantee.h"

#include <math.h>

/* Larger than the rounding errors of the formulas, and smaller than a tick. */
#define ROUNDING 1e-9

bool guarantee_set(struct guarantee *guarantee, uint64_t end, const char *formula,
                   const char *source)
{
    *guarantee = (struct guarantee){end, formula, source};
    return true;
}

bool guarantee_set_real(struct guarantee *guarantee, double units, uint32_t ticks,
                        const char *formula, const char *source)
{
    double end = floor(units * ticks * (1 + ROUNDING));
    return end < (double)(UINT64_C(1) << 62) &&
           guarantee_set(guarantee, (uint64_t)end, formula, source);
}
