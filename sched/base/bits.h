/* SPDX-License-Identifier: Apache-2.0 */
/* bits: logarithms, powers of two, quotients and reversed bits of whole numbers. */
#ifndef ROUNDCAST_BITS_H
#define ROUNDCAST_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* Returns ⌊log2 value⌋. Precondition: value ≥ 1. */
static inline unsigned bits_log2_down(uint64_t value)
{
    return 63 - (unsigned)__builtin_clzll(value);
}

/* Returns ⌈log2 value⌉; 0 for 0. */
static inline unsigned bits_log2_up(uint64_t value)
{
    return value < 2 ? 0 : bits_log2_down(value - 1) + 1;
}

/* Returns true if the value is a power of two. Precondition: value ≥ 1. */
static inline bool bits_is_power(uint64_t value)
{
    return (value & (value - 1)) == 0;
}

/* Returns ⌈a / b⌉. Precondition: b > 0. */
static inline uint64_t bits_divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* Returns the number with its lowest `bits` bits reversed. Precondition: value < 2^bits. */
static inline uint32_t bits_reverse(uint32_t value, unsigned bits)
{
    uint32_t reversed = 0;
    for (unsigned bit = 0; bit < bits; bit++)
        reversed |= (value >> bit & 1) << (bits - 1 - bit);
    return reversed;
}

#endif
