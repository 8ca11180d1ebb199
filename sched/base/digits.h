/* SPDX-License-Identifier: Apache-2.0 */
/* digits: decimal numbers as text, many digits in one step.
 *
 * Eight bytes are read as one word, the first in its lowest byte. The bytes before the number are
 * set to 0, and adjacent groups are joined three times:
 *
 *     "4711 0 3"    at[4] is the first byte that is no digit
 *     0 0 0 0 4 7 1 1
 *     0   0   47  11
 *     0       4711
 *     4711
 *
 * Numbers are written with a table of all groups of four digits.
 *
 * D. Lemire, "Quickly parsing eight digits", 2018 (lemire.me/blog). */
#ifndef ROUNDCAST_DIGITS_H
#define ROUNDCAST_DIGITS_H

#include <endian.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define DIGITS_AT_ONCE 8
#define DIGITS_LOOK 32       /* bytes that digits_others examines */
#define DIGITS_PUT_ROOM 16   /* bytes that digits_put may write, however short the number */
#define DIGITS_GROUPS 10000u /* number of groups of four digits */

/* Reads eight bytes of text and subtracts '0': digits become 0 … 9. */
static inline uint64_t digits_word(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return le64toh(word) ^ UINT64_C(0x3030303030303030);
}

/* Returns a bit for each of the DIGITS_LOOK bytes at `at` that is no digit, the lowest bit for
 * at[0]. This variant is portable. */
static inline uint32_t digits_others_by_words(const char *at)
{
    uint32_t others = 0;
    for (unsigned byte = 0; byte < DIGITS_LOOK; byte += 8) {
        uint64_t word = digits_word(at + byte);
        uint64_t sum = (word & UINT64_C(0x7f7f7f7f7f7f7f7f)) + UINT64_C(0x7676767676767676);
        uint64_t other = (sum | word) >> 7 & UINT64_C(0x0101010101010101);
        others |= (uint32_t)(other * UINT64_C(0x0102040810204080) >> 56) << byte;
    }
    return others;
}

static inline uint32_t digits_others(const char *at)
{
#ifdef __SSE2__
    /* shifts the digits to the ten least values of a signed byte */
    const __m128i least = _mm_set1_epi8(-128 + 256 - '0'), last = _mm_set1_epi8(-128 + 9);
    __m128i low = _mm_add_epi8(_mm_loadu_si128((const __m128i_u *)at), least);
    __m128i high = _mm_add_epi8(_mm_loadu_si128((const __m128i_u *)at + 1), least);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(low, last)) |
           (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(high, last)) << 16;
#else
    return digits_others_by_words(at);
#endif
}

/* Returns the number written by the 1 … 8 digits at `at`. Precondition: eight bytes can be read. */
static inline uint32_t digits_value(const char *at, unsigned count)
{
    uint64_t word = digits_word(at) << 8 * (DIGITS_AT_ONCE - count);
    word = (word * 10 + (word >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    word = (word * 100 + (word >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(word * 10000 + (word >> 32));
}

/* The digits of 0000 … 9999, one byte 0 … 9 for each digit, the first in the lowest byte. */
struct digits_table {
    uint32_t group[DIGITS_GROUPS];
};

static inline void digits_fill(struct digits_table *table)
{
    for (uint32_t n = 0; n < DIGITS_GROUPS; n++)
        table->group[n] = n / 1000 | n / 100 % 10 << 8 | n / 10 % 10 << 16 | n % 10 << 24;
}

/* Writes a number at `to`, where DIGITS_PUT_ROOM bytes can be written; returns one past its last
 * digit. */
static inline char *digits_put(const struct digits_table *table, char *to, uint32_t number)
{
    const uint32_t eight_digits = 100000000;
    uint64_t digits = table->group[number / DIGITS_GROUPS % DIGITS_GROUPS] |
                      (uint64_t)table->group[number % DIGITS_GROUPS] << 32;
    unsigned zeros = (unsigned)__builtin_ctzll(digits | UINT64_C(1) << 56) / 8;
    if (__builtin_expect(number >= eight_digits, 0)) {
        to = digits_put(table, to, number / eight_digits);
        zeros = 0;
    }
    uint64_t text = htole64((digits | UINT64_C(0x3030303030303030)) >> 8 * zeros);
    memcpy(to, &text, sizeof text);
    return to + DIGITS_AT_ONCE - zeros;
}

#endif
