/* SPDX-License-Identifier: Apache-2.0 */
/* rng: seeded pseudo-random words (splitmix64, Steele, Lea and Flood 2014).
 *
 * The same seed gives the same sequence on every machine; there is no global state. */
#ifndef ROUNDCAST_RNG_H
#define ROUNDCAST_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state; /* the seed, before the first word is drawn */
};

/* Returns the next 64 random bits. */
static inline uint64_t rng_next(struct rng *rng)
{
    uint64_t z = (rng->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Returns a number in 0 … bound-1. Precondition: bound > 0. The bias is below bound / 2^32. */
static inline uint32_t rng_below(struct rng *rng, uint32_t bound)
{
    return (uint32_t)(((rng_next(rng) >> 32) * bound) >> 32);
}

/* Fills permutation[0 … size-1] with a uniformly drawn permutation (Fisher–Yates). */
static inline void rng_permutation(struct rng *rng, uint32_t size, uint32_t permutation[])
{
    for (uint32_t last = 0; last < size; last++) {
        uint32_t other = rng_below(rng, last + 1);
        permutation[last] = permutation[other];
        permutation[other] = last;
    }
}

#endif
