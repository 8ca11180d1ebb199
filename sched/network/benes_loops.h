/* SPDX-License-Identifier: Apache-2.0 */
/* benes_loops: how loops are found without walking, on processors that permute 64 bytes in one
 * instruction (AVX-512 VBMI); benes_block.c says how. */
#ifndef ROUNDCAST_BENES_LOOPS_H
#define ROUNDCAST_BENES_LOOPS_H

#if defined(__x86_64__)

#include <immintrin.h>
#include <stdbool.h>

#define BENES_LOOPS __attribute__((target("avx512f,avx512bw,avx512vbmi,bmi2")))

/* Can this processor do so? */
static inline bool benes_loops_here(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("bmi2");
}

/* The lowest of the numbers on the loop that each lane is on. Loops have at most 2^turns lanes, and
 * each turn doubles how far a lane has looked along its loop. */
BENES_LOOPS static inline __m512i benes_loops_lowest(__m512i next, __m512i numbers, unsigned turns)
{
    __m512i lowest = numbers;
    for (unsigned turn = 0; turn < turns; turn++) {
        lowest = _mm512_min_epu8(lowest, _mm512_permutexvar_epi8(next, lowest));
        next = _mm512_permutexvar_epi8(next, next);
    }
    return lowest;
}

#endif
#endif
