/* SPDX-License-Identifier: Apache-2.0 */

/* benes_bits: a bit per lane, a bit per switch, and conversions between them, 64 lanes at a time.
 *
 * In a stage whose switches pair lanes that differ in bit b < 6, the 64 lanes have 32 switches, in
 * the order of their low lanes, the lanes in which bit b is 0. So settings are the bits of the low
 * lanes without gaps:
 *
 *     b = 1    lanes     7 6 5 4 3 2 1 0        switches    3 2 1 0
 *              bits      . . d c . . b a                    d c b a
 */
#ifndef ROUNDCAST_BENES_BITS_H
#define ROUNDCAST_BENES_BITS_H

#include <stdint.h>

/* Returns the lanes of a word in which a bit of the lane number is 0; all lanes for bit 6. */
static inline uint64_t benes_bits_low(unsigned bit)
{
    static const uint64_t low[] = {
        UINT64_C(0x5555555555555555),
        UINT64_C(0x3333333333333333),
        UINT64_C(0x0f0f0f0f0f0f0f0f),
        UINT64_C(0x00ff00ff00ff00ff),
        UINT64_C(0x0000ffff0000ffff),
        UINT64_C(0x00000000ffffffff),
        UINT64_MAX,
    };
    return low[bit];
}

/* Moves 32 settings to the low lanes of their switches, in steps that halve the group that
 * moves. */
static inline uint64_t benes_bits_spread(uint32_t settings, unsigned bit)
{
    uint64_t lanes = settings;
    for (unsigned step = 5; step-- > bit;)
        lanes = (lanes | lanes << (1 << step)) & benes_bits_low(step);
    return lanes;
}

/* Moves the settings back from the low lanes: the inverse of benes_bits_spread. Precondition: the
 * bits of high lanes are 0. */
static inline uint32_t benes_bits_close(uint64_t lanes, unsigned bit)
{
    for (unsigned step = bit; step < 5; step++)
        lanes = (lanes | lanes >> (1 << step)) & benes_bits_low(step + 1);
    return (uint32_t)lanes;
}

/* Exchanges the lanes of crossed switches, which are given by their low lanes; if the two lanes are
 * in different words, by the bits of the lower word. */
static inline uint64_t benes_bits_exchange(uint64_t lanes, uint64_t crossed, unsigned bit)
{
    uint64_t swapped = (lanes ^ lanes >> (1 << bit)) & crossed;
    return lanes ^ (swapped | swapped << (1 << bit));
}
static inline void benes_bits_exchange_words(uint64_t *low, uint64_t *high, uint64_t crossed)
{
    uint64_t swapped = (*low ^ *high) & crossed;
    *low ^= swapped;
    *high ^= swapped;
}

/* Packs 32 bytes of 0 or 1 into bits: the product gathers the low bits of eight bytes in its
 * highest byte. */
static inline uint32_t benes_bits_pack(const uint8_t byte[32])
{
    uint32_t packed = 0;
    for (unsigned part = 0; part < 4; part++) {
        uint64_t eight = 0;
        for (unsigned each = 0; each < 8; each++)
            eight |= (uint64_t)byte[8 * part + each] << 8 * each;
        packed |= (uint32_t)(eight * UINT64_C(0x0102040810204080) >> 56) << 8 * part;
    }
    return packed;
}

/* Finds loops without walking, on processors that permute 64 bytes in one instruction (AVX-512
 * VBMI); benes_block.c has an example. */
#if defined(__x86_64__)

#include <immintrin.h>
#include <stdbool.h>

#define BENES_LOOPS __attribute__((target("avx512f,avx512bw,avx512vbmi,bmi2")))

/* Reports whether this processor has these instructions. */
static inline bool benes_loops_here(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("bmi2");
}

/* Returns the lowest number on the loop of each lane. Loops have at most 2^doublings lanes, and
 * each doubling doubles how far a lane has looked along its loop. */
BENES_LOOPS static inline __m512i benes_loops_lowest(__m512i next, __m512i numbers,
                                                     unsigned doublings)
{
    __m512i lowest = numbers;
    for (unsigned doubling = 0; doubling < doublings; doubling++) {
        lowest = _mm512_min_epu8(lowest, _mm512_permutexvar_epi8(next, lowest));
        next = _mm512_permutexvar_epi8(next, next);
    }
    return lowest;
}

#endif

#endif
