/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/lanes.h"

#include <stddef.h>

#if defined(__x86_64__)

#include <immintrin.h>

#define FOR_AVX512 __attribute__((target("avx512f,bmi2")))

/* Returns, for each lane of a register of 16 lanes, the index of the lane at `distance` < 16 from
 * it. */
FOR_AVX512
static __m512i partners(uint32_t distance)
{
    return _mm512_xor_si512(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                            _mm512_set1_epi32((int)distance));
}

/* Both lanes of a switch are in one register: permutes the register and selects the partner where
 * the switch is set. */
FOR_AVX512
static void switch_within(uint32_t *restrict out, const uint32_t *restrict in,
                          const uint8_t *restrict bits, unsigned bit, uint32_t lanes)
{
    static const uint32_t low_lanes[4] = {0x5555, 0x3333, 0x0f0f, 0x00ff};
    const __m512i partner = partners(UINT32_C(1) << bit);
    for (uint32_t lane = 0; lane < lanes; lane += 16) {
        uint32_t set = _pdep_u32(*bits++, low_lanes[bit]);
        __m512i own = _mm512_load_si512(in + lane);
        __mmask16 crossed = (__mmask16)(set | set << (1u << bit));
        _mm512_store_si512(out + lane, _mm512_mask_permutexvar_epi32(own, crossed, partner, own));
    }
}

/* 16 switches use 16 adjacent low lanes and 16 adjacent high lanes. */
FOR_AVX512
static void switch_across(uint32_t *restrict out, const uint32_t *restrict in,
                          const uint32_t *restrict row, unsigned bit, uint32_t lanes)
{
    uint32_t span = UINT32_C(1) << bit, sw = 0;
    for (uint32_t base = 0; base < lanes; base += 2 * span)
        for (uint32_t low = base; low < base + span; low += 16, sw += 16) {
            __mmask16 crossed = (__mmask16)(row[sw / 32] >> sw % 32);
            __m512i a = _mm512_load_si512(in + low);
            __m512i b = _mm512_load_si512(in + low + span);
            _mm512_store_si512(out + low, _mm512_mask_blend_epi32(crossed, a, b));
            _mm512_store_si512(out + low + span, _mm512_mask_blend_epi32(crossed, b, a));
        }
}

FOR_AVX512
static void avx512_switch(uint32_t *restrict out, const uint32_t *restrict in,
                          const uint32_t *restrict row, unsigned bit, uint32_t lanes)
{
    if (bit < 4)
        switch_within(out, in, (const uint8_t *)row, bit, lanes);
    else
        switch_across(out, in, row, bit, lanes);
}

/* The partner of a lane is in the same register, or at the same index of another register. */
FOR_AVX512
static void avx512_copy(uint32_t *restrict out, const uint32_t *restrict in,
                        const uint32_t *restrict row, unsigned bit, uint32_t lanes)
{
    const uint32_t distance = UINT32_C(1) << bit;
    const __m512i partner = partners(distance % 16);
    for (uint32_t lane = 0; lane < lanes; lane += 16) {
        __mmask16 crossed = (__mmask16)(row[lane / 32] >> lane % 32);
        __m512i own = _mm512_load_si512(in + lane);
        __m512i other = _mm512_load_si512(in + (lane ^ distance / 16 * 16));
        _mm512_store_si512(out + lane, _mm512_mask_permutexvar_epi32(own, crossed, partner, other));
    }
}

/* Up to 64 lanes in two registers of up to 32 lanes each. */
FOR_AVX512
static void take_few(uint32_t *restrict out, const uint32_t *restrict in,
                     const uint32_t *restrict source, uint32_t lanes_in, uint32_t lanes)
{
    const __m512i nowhere = _mm512_set1_epi32((int)lanes_in), high = _mm512_set1_epi32(32);
    __m512i from[4];
    for (uint32_t k = 0; k < 4; k++)
        from[k] = k * 16 < lanes_in ? _mm512_load_si512(in + k * 16) : _mm512_setzero_si512();
    for (uint32_t lane = 0; lane < lanes; lane += 16) {
        __m512i at = _mm512_load_si512(source + lane);
        __mmask16 given = _mm512_cmplt_epu32_mask(at, nowhere);
        __mmask16 second = _mm512_test_epi32_mask(at, high);
        __m512i words = _mm512_maskz_permutex2var_epi32(given, from[0], at, from[1]);
        __m512i others = _mm512_permutex2var_epi32(from[2], at, from[3]);
        _mm512_store_si512(out + lane, _mm512_mask_mov_epi32(words, given & second, others));
    }
}

FOR_AVX512
static void avx512_take(uint32_t *restrict out, const uint32_t *restrict in,
                        const uint32_t *restrict source, uint32_t lanes_in, uint32_t lanes)
{
    if (lanes_in <= 64) {
        take_few(out, in, source, lanes_in, lanes);
        return;
    }
    const __m512i nowhere = _mm512_set1_epi32((int)lanes_in);
    for (uint32_t lane = 0; lane < lanes; lane += 16) {
        __m512i from = _mm512_load_si512(source + lane);
        __mmask16 given = _mm512_cmplt_epu32_mask(from, nowhere);
        __m512i words =
            _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), given, from, in, sizeof *in);
        _mm512_store_si512(out + lane, words);
    }
}

const struct lanes_columns *lanes_avx512(void)
{
    static const struct lanes_columns columns = {avx512_switch, avx512_copy, avx512_take};
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("bmi2"))
        return &columns;
    return NULL;
}

#else

const struct lanes_columns *lanes_avx512(void)
{
    return NULL;
}

#endif
