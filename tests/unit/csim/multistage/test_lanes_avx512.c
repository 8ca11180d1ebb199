/* SPDX-License-Identifier: Apache-2.0 */
/* The columns for AVX-512, on a processor that may lack these instructions.
 *
 * lanes_avx512.c is compiled here with a C function in place of each instruction, written from the
 * pseudocode of Intel's manual, and with a processor whose features the test sets. Its columns then
 * replace those of the library in this program, so that the state space and the comparisons of
 * test_lanes apply to them. A load or store at an address that is no multiple of 64, at which the
 * instruction would raise a fault, fails the test. On a processor with AVX-512 test_lanes compares
 * the instructions themselves.
 *
 * Counter-cases: the plain columns are selected if either of the two features is missing.
 */
#define main every_column
#include "tests/unit/csim/multistage/test_lanes.c"
#undef main

#if defined(__x86_64__)

#include <immintrin.h>

/* -- The instructions -------------------------------------------------------------------------- */

#define WORDS 16

struct words {
    uint32_t word[WORDS];
};

static struct words with_each(uint32_t word)
{
    struct words all;
    for (unsigned k = 0; k < WORDS; k++)
        all.word[k] = word;
    return all;
}

static struct words each_index(void)
{
    struct words all;
    for (uint32_t k = 0; k < WORDS; k++)
        all.word[k] = k;
    return all;
}

static struct words exclusive_or(struct words a, struct words b)
{
    for (unsigned k = 0; k < WORDS; k++)
        a.word[k] ^= b.word[k];
    return a;
}

static struct words aligned_load(const void *from)
{
    struct words all;
    assert_int_equal((uintptr_t)from % sizeof all, 0);
    memcpy(&all, from, sizeof all);
    return all;
}

static void aligned_store(void *to, struct words all)
{
    assert_int_equal((uintptr_t)to % sizeof all, 0);
    memcpy(to, &all, sizeof all);
}

/* Returns the words of `b` whose bit of the mask is set, and the other words of `a`. */
static struct words blend(unsigned mask, struct words a, struct words b)
{
    for (unsigned k = 0; k < WORDS; k++)
        a.word[k] = mask >> k & 1 ? b.word[k] : a.word[k];
    return a;
}

/* The lowest four bits of an index select a word of `a`, with the next bit one of `b`. */
static struct words select_of_two(struct words a, struct words index, struct words b)
{
    struct words all;
    for (unsigned k = 0; k < WORDS; k++)
        all.word[k] =
            index.word[k] & WORDS ? b.word[index.word[k] % WORDS] : a.word[index.word[k] % WORDS];
    return all;
}

static __mmask16 less(struct words a, struct words b)
{
    unsigned mask = 0;
    for (unsigned k = 0; k < WORDS; k++)
        mask |= (unsigned)(a.word[k] < b.word[k]) << k;
    return (__mmask16)mask;
}

static __mmask16 common_bits(struct words a, struct words b)
{
    unsigned mask = 0;
    for (unsigned k = 0; k < WORDS; k++)
        mask |= (unsigned)((a.word[k] & b.word[k]) != 0) << k;
    return (__mmask16)mask;
}

/* Loads the words at the indices, where the mask is set. */
static struct words gather(struct words otherwise, unsigned mask, struct words index,
                           const void *base, size_t scale)
{
    for (unsigned k = 0; k < WORDS; k++)
        if (mask >> k & 1)
            memcpy(&otherwise.word[k], (const char *)base + index.word[k] * scale,
                   sizeof otherwise.word[k]);
    return otherwise;
}

/* Moves the lowest bits to the places of the bits of the mask. */
static uint32_t deposit(uint32_t bits, uint32_t mask)
{
    uint32_t placed = 0;
    for (; mask != 0; mask &= mask - 1, bits >>= 1)
        placed |= bits & 1 ? mask & -mask : 0;
    return placed;
}

/* -- The processor ----------------------------------------------------------------------------- */

static bool has_avx512f, has_bmi2;

static int supports(const char *feature)
{
    assert_true(strcmp(feature, "avx512f") == 0 || strcmp(feature, "bmi2") == 0);
    return *feature == 'a' ? has_avx512f : has_bmi2;
}

/* -- The columns of these instructions --------------------------------------------------------- */

/* The compiler defines some of them as macros. */
#undef _mm512_cmplt_epu32_mask
#undef _mm512_load_si512
#undef _mm512_mask_blend_epi32
#undef _mm512_mask_i32gather_epi32
#undef _mm512_mask_mov_epi32
#undef _mm512_mask_permutexvar_epi32
#undef _mm512_maskz_permutex2var_epi32
#undef _mm512_permutex2var_epi32
#undef _mm512_set1_epi32
#undef _mm512_setr_epi32
#undef _mm512_setzero_si512
#undef _mm512_store_si512
#undef _mm512_test_epi32_mask
#undef _mm512_xor_si512
#undef _pdep_u32

#define target(features) unused /* the compiler must not use the instructions itself */
#define __builtin_cpu_supports supports
#define __m512i struct words
#define _mm512_setr_epi32(...) each_index()
#define _mm512_set1_epi32(word) with_each((uint32_t)(word))
#define _mm512_setzero_si512() with_each(0)
#define _mm512_xor_si512 exclusive_or
#define _mm512_load_si512 aligned_load
#define _mm512_store_si512 aligned_store
#define _mm512_mask_blend_epi32 blend
#define _mm512_mask_mov_epi32(otherwise, mask, words) blend(mask, otherwise, words)
#define _mm512_mask_permutexvar_epi32(otherwise, mask, index, words) \
    blend(mask, otherwise, select_of_two(words, index, words))
#define _mm512_permutex2var_epi32 select_of_two
#define _mm512_maskz_permutex2var_epi32(mask, a, index, b) \
    blend(mask, with_each(0), select_of_two(a, index, b))
#define _mm512_cmplt_epu32_mask less
#define _mm512_test_epi32_mask common_bits
#define _mm512_mask_i32gather_epi32 gather
#define _pdep_u32 deposit
#include "csim/multistage/lanes_avx512.c"

static void selection(void **unused)
{
    (void)unused;
    for (unsigned features = 0; features < 4; features++) {
        has_avx512f = features & 1;
        has_bmi2 = features & 2;
        if (features == 3)
            assert_ptr_equal(lanes_columns()->switches, avx512_switch);
        else
            assert_ptr_equal(lanes_columns(), &lanes_portable);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(selection)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    has_avx512f = has_bmi2 = true;
    return failed + every_column();
}

#else

int main(void)
{
    return every_column();
}

#endif
