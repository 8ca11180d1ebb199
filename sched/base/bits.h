/* SPDX-License-Identifier: Apache-2.0 */
/* bits: logarithms, powers of two and quotients of whole numbers. */
#ifndef ROUNDCAST_BITS_H
#define ROUNDCAST_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* ⌊log2 value⌋ of a value from 1. */
static inline unsigned bits_log2_down(uint64_t value)
{
    return 63 - (unsigned)__builtin_clzll(value);
}

/* ⌈log2 value⌉ of a value from 1; 0 of 0. */
static inline unsigned bits_log2_up(uint64_t value)
{
    return value < 2 ? 0 : bits_log2_down(value - 1) + 1;
}

/* Is a value from 1 a power of two? */
static inline bool bits_is_power(uint64_t value)
{
    return (value & (value - 1)) == 0;
}

/* ⌈a / b⌉, b not 0. */
static inline uint64_t bits_divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

#endif
