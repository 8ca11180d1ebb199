/* SPDX-License-Identifier: Apache-2.0 */
/* benes_block: all networks of one size in a block of 64 lanes take their step of the recursion
 * together.
 *
 * The terms (mate, next, loop, upper half) and a worked example of N = 8 stand in benes_dense.c.
 * Here lanes are bits of a word and bytes of an array. On processors that permute 64 bytes in one
 * instruction (AVX-512 VBMI) a block stays in registers and nothing is walked: every lane finds the
 * lowest lane of its loop by jumps that double (pointer jumping), without a branch to mispredict,
 * which is what small loops cost most.
 */
#include "sched/network/benes_block.h"

#include "sched/network/benes_bits.h"

#include <string.h>

/* The inputs that take the upper half, in all networks of 2^(bit+1) ports. */
static uint64_t walk_loops(unsigned bit, const uint8_t from[BENES_BLOCK])
{
    uint8_t next[BENES_BLOCK];
    unsigned half = 1U << bit;
    for (unsigned output = 0; output < BENES_BLOCK; output++)
        next[from[output]] = from[output ^ half] ^ (uint8_t)half;
    uint64_t upper = 0, open = benes_bits_low(bit);
    while (open != 0) {
        unsigned start = (unsigned)__builtin_ctzll(open), lane = start;
        do {
            upper |= UINT64_C(1) << lane;
            lane = next[lane];
        } while (lane != start);
        open &= ~(upper | upper >> half);
    }
    return upper;
}

/* The lanes of output switches whose low output gets an input from the lower half, at both
 * lanes. */
static uint64_t crossed_outputs(uint64_t upper, unsigned bit, const uint8_t from[BENES_BLOCK])
{
    uint8_t takes_upper[BENES_BLOCK];
    for (unsigned output = 0; output < BENES_BLOCK; output++)
        takes_upper[output] = (uint8_t)(upper >> from[output] & 1);
    uint64_t high = benes_bits_pack(takes_upper) | (uint64_t)benes_bits_pack(takes_upper + 32)
                                                       << 32;
    high &= ~benes_bits_low(bit);
    return high | high >> (1U << bit);
}

/* Both halves of every network get their permutation. */
static void part_halves(uint64_t crossed, unsigned bit, uint8_t from[BENES_BLOCK])
{
    uint8_t old[BENES_BLOCK], half = (uint8_t)(1U << bit);
    memcpy(old, from, BENES_BLOCK);
    for (unsigned output = 0; output < BENES_BLOCK; output++) {
        unsigned source = output ^ (unsigned)(crossed >> output & 1) << bit;
        from[output] = (uint8_t)((old[source] & ~half) | (output & half));
    }
}

/* The middle stage: networks of two ports. */
static uint32_t last_setting(const uint8_t from[BENES_BLOCK])
{
    uint8_t crossed[BENES_BLOCK / 2];
    for (unsigned sw = 0; sw < BENES_BLOCK / 2; sw++)
        crossed[sw] = from[2 * sw] & 1;
    return benes_bits_pack(crossed);
}

void benes_block_walk(unsigned log2_ports, unsigned log2_inner, uint8_t from[BENES_BLOCK],
                      uint32_t setting[BENES_BLOCK_STAGES])
{
    for (unsigned bit = log2_ports - 1; bit > 0 && bit >= log2_inner; bit--) {
        uint64_t low = benes_bits_low(bit), upper = walk_loops(bit, from);
        uint64_t crossed = crossed_outputs(upper, bit, from);
        setting[log2_ports - 1 - bit] = benes_bits_close(upper >> (1U << bit) & low, bit);
        setting[log2_ports - 1 + bit] = benes_bits_close(crossed & low, bit);
        part_halves(crossed, bit, from);
    }
    if (log2_inner == 0)
        setting[log2_ports - 1] = last_setting(from);
}

#if defined(__x86_64__)

/* Swap the lanes `apart` of crossed switches, and let each half keep only circuits of its own. */
BENES_LOOPS static inline __m512i part_vector(uint64_t crossed_low, __m512i value, __m512i lanes,
                                              unsigned bit)
{
    __m512i half = _mm512_set1_epi8((char)(1 << bit)), apart = _mm512_xor_si512(lanes, half);
    __m512i swapped =
        _mm512_mask_permutexvar_epi8(value, crossed_low | crossed_low << (1U << bit), apart, value);
    return _mm512_ternarylogic_epi64(half, lanes, swapped, 0xca); /* half ? lanes : swapped */
}

BENES_LOOPS static void block_vector(unsigned log2_ports, unsigned log2_inner,
                                     uint8_t from[BENES_BLOCK],
                                     uint32_t setting[BENES_BLOCK_STAGES])
{
    uint8_t inverse[BENES_BLOCK], number[BENES_BLOCK];
    for (unsigned lane = 0; lane < BENES_BLOCK; lane++) {
        inverse[from[lane]] = (uint8_t)lane;
        number[lane] = (uint8_t)lane;
    }
    __m512i lanes = _mm512_loadu_si512(number);
    __m512i input = _mm512_loadu_si512(from), output = _mm512_loadu_si512(inverse);
    for (unsigned bit = log2_ports - 1; bit > 0 && bit >= log2_inner; bit--) {
        uint64_t low = benes_bits_low(bit);
        __m512i half = _mm512_set1_epi8((char)(1 << bit));
        __m512i mate = _mm512_permutexvar_epi8(_mm512_xor_si512(output, half), input);
        /* A loop of a network of 2^(bit+1) ports has at most 2^bit lanes of one half. */
        __m512i lowest = benes_loops_lowest(_mm512_xor_si512(mate, half), lanes, bit);
        /* Two loops pass a switch's lanes; the one with the lower lowest lane goes up. */
        __m512i beside = _mm512_permutexvar_epi8(_mm512_xor_si512(lanes, half), lowest);
        __mmask64 lower = _mm512_cmpgt_epu8_mask(lowest, beside);
        uint64_t crossed_in = lower & low;
        uint64_t crossed_out =
            _mm512_movepi8_mask(_mm512_permutexvar_epi8(input, _mm512_movm_epi8(lower))) & low;
        setting[log2_ports - 1 - bit] = (uint32_t)_pext_u64(crossed_in, low);
        setting[log2_ports - 1 + bit] = (uint32_t)_pext_u64(crossed_out, low);
        output = part_vector(crossed_in, output, lanes, bit);
        input = part_vector(crossed_out, input, lanes, bit);
    }
    if (log2_inner == 0) {
        uint64_t crossed = _mm512_cmpneq_epi8_mask(input, lanes);
        setting[log2_ports - 1] = (uint32_t)_pext_u64(crossed, benes_bits_low(0));
    }
    _mm512_storeu_si512(from, input);
}

#endif

benes_block_fn *benes_block_best(void)
{
#if defined(__x86_64__)
    if (benes_loops_here())
        return block_vector;
#endif
    return benes_block_walk;
}
