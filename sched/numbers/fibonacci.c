/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/numbers/fibonacci.h"

#include <math.h>
#include <stdbool.h>

/* Upper limit of the number of steps until F_d(t) exceeds 2^64. From t = d on, F_2, the slowest
 * except F_1, grows by a factor of 1.6 in each step; for a larger d the size doubles in all but one
 * of 2^d steps. */
#define STEPS 128

static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Returns F_1(t): for d = 1 each node has one child. */
static uint64_t chain(uint64_t t)
{
    return add(t, 1);
}

/* Walks t = d - 1, d, … until F_d(t) ≥ `size` or t is `last`. Returns t; *reached becomes
 * F_d(t). */
static uint64_t walk(uint32_t d, uint64_t size, uint64_t last, uint64_t *reached)
{
    uint64_t recent[STEPS]; /* F_d(d-1), F_d(d), … */
    unsigned count = 1;
    recent[0] = 1;
    while (recent[count - 1] < size && d - 1 + (uint64_t)count - 1 < last && count < STEPS) {
        /* The previous d sizes: those in `recent`, and 1 for each earlier t. */
        uint64_t ones = count < d ? d - count : 0;
        uint64_t sum = add(1, ones);
        for (unsigned back = 1; back <= count && back <= d; back++)
            sum = add(sum, recent[count - back]);
        recent[count++] = sum;
    }
    *reached = recent[count - 1];
    return d - 1 + (uint64_t)count - 1;
}

uint64_t fibonacci_size(uint32_t d, uint64_t t)
{
    uint64_t size;
    if (d == 1)
        return chain(t);
    if (t < d)
        return 1;
    walk(d, UINT64_MAX, t, &size);
    return size;
}

uint64_t fibonacci_index(uint32_t d, uint64_t n)
{
    uint64_t size;
    if (n <= 1)
        return 0;
    return d == 1 ? n - 1 : walk(d, n, UINT64_MAX, &size);
}

double fibonacci_size_least(uint32_t d, uint64_t t)
{
    bool covered = d >= 2 && t >= (uint64_t)d + 2;
    return covered ? pow(2 - exp2(1 - (double)d), (double)t - d - 4) : 1;
}

double fibonacci_index_most(uint32_t d, uint64_t n)
{
    double log_n = log2((double)n);
    return log_n + 3 * log_n / (exp2(d) - 3) + d + 5;
}
