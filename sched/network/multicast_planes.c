/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/network/multicast.h"

#include "sched/network/benes.h"
#include "sched/network/benes_bits.h"

#include <stdbool.h>
#include <string.h>

/* Transposes 8×8 bits: bit t of byte i becomes bit i of byte t. */
static inline uint64_t transpose(uint64_t bytes)
{
    uint64_t swapped = (bytes ^ bytes >> 7) & UINT64_C(0x00aa00aa00aa00aa);
    bytes ^= swapped | swapped << 7;
    swapped = (bytes ^ bytes >> 14) & UINT64_C(0x0000cccc0000cccc);
    bytes ^= swapped | swapped << 14;
    swapped = (bytes ^ bytes >> 28) & UINT64_C(0x00000000f0f0f0f0);
    return bytes ^ (swapped | swapped << 28);
}

/* Extracts bits `first` … first + 7 of 64 numbers, one word for each bit. Little-endian, as all
 * supported machines are. */
static void slice_word(const uint32_t value[64], unsigned first, uint64_t plane[8])
{
    uint8_t byte[64], bits[8][8];
    for (unsigned lane = 0; lane < 64; lane++)
        byte[lane] = (uint8_t)(value[lane] >> first);
    for (unsigned part = 0; part < 8; part++) {
        uint64_t eight;
        memcpy(&eight, byte + 8 * part, sizeof eight);
        eight = transpose(eight);
        for (unsigned p = 0; p < 8; p++)
            bits[p][part] = (uint8_t)(eight >> 8 * p);
    }
    memcpy(plane, bits, sizeof bits);
}

void multicast_planes_slice(const struct multicast_planes *planes, const uint32_t value[],
                            unsigned count, uint64_t plane[])
{
    for (size_t word = 0; word < benes_row_words(planes->log2_ports); word++, plane += count)
        for (unsigned first = 0; first < count; first += 8) {
            uint64_t eight[8];
            slice_word(value + 64 * word, first, eight);
            memcpy(plane + first, eight, (count - first < 8 ? count - first : 8) * sizeof eight[0]);
        }
}

/* The place of switches: their two lanes are bits of two words, `low` and `high`, or bits of one
 * word that are `shift` apart, the low lanes in `mask`. `within`, one word, is a constant where
 * this is inlined. */
struct place {
    size_t low, high;
    bool within;
    unsigned shift;
    uint64_t mask;
};

/* The bits of the low and of the high lanes of switches. */
struct sides {
    uint64_t low, high;
};

#define INLINE static inline __attribute__((always_inline))

INLINE struct sides load(uint64_t low, uint64_t high, struct place at)
{
    return at.within ? (struct sides){low & at.mask, low >> at.shift & at.mask}
                     : (struct sides){low, high};
}

INLINE void store(uint64_t *low, uint64_t *high, struct place at, struct sides sides)
{
    *low = at.within ? sides.low | sides.high << at.shift : sides.low;
    if (!at.within)
        *high = sides.high;
}

INLINE uint64_t choose(uint64_t which, uint64_t one, uint64_t other)
{
    return other ^ ((one ^ other) & which);
}

/* Moves each word to the lane of its index, one bit of the index. The highest bit of a index marks
 * a lane without a word. Returns the lanes that take the word of the other lane. */
INLINE struct sides concentrate(const struct multicast_planes *planes, unsigned bit,
                                struct place at)
{
    unsigned levels = planes->log2_ports;
    uint64_t *low = planes->index + at.low * (levels + 1);
    uint64_t *high = planes->index + at.high * (levels + 1);
    struct sides index = load(low[bit], high[bit], at), none = load(low[levels], high[levels], at);
    uint64_t crossed = (index.low & ~none.low) | (~index.high & at.mask);
#pragma omp simd
    for (unsigned p = bit + 1; p <= levels; p++) {
        struct sides sides = load(low[p], high[p], at);
        benes_bits_exchange_words(&sides.low, &sides.high, crossed);
        store(&low[p], &high[p], at, sides);
    }
    return (struct sides){crossed, crossed};
}

/* Moves each word to all lanes that its positions require; each copy keeps the positions on its
 * side of the middle. A lane to which no word moves takes the word that the other lane does not
 * take, which is no word. Returns the lanes that take the word of the other lane. */
INLINE struct sides copy(const struct multicast_planes *planes, unsigned bit, struct place at)
{
    unsigned levels = planes->log2_ports;
    uint64_t *low_lo = planes->lo + at.low * levels, *high_lo = planes->lo + at.high * levels;
    uint64_t *low_hi = planes->hi + at.low * levels, *high_hi = planes->hi + at.high * levels;
    struct sides lo = load(low_lo[bit], high_lo[bit], at), hi = load(low_hi[bit], high_hi[bit], at);
    uint64_t moves = (hi.low | ~lo.high) & at.mask; /* a word moves up or down */
    struct sides takes = {moves & lo.low, moves & ~hi.high};
    uint64_t fills = choose(takes.low, hi.high, hi.low);      /* all positions to the middle */
    uint64_t continues = choose(takes.high, lo.low, lo.high); /* begins after the middle */
#pragma omp simd
    for (unsigned p = 0; p < bit; p++) {
        struct sides los = load(low_lo[p], high_lo[p], at), his = load(low_hi[p], high_hi[p], at);
        store(&low_lo[p], &high_lo[p], at,
              (struct sides){choose(takes.low, los.high, los.low),
                             choose(takes.high, los.low, los.high) & continues});
        store(&low_hi[p], &high_hi[p], at,
              (struct sides){choose(takes.low, his.high, his.low) | fills,
                             choose(takes.high, his.low, his.high)});
    }
    return takes;
}

/* Marks the lanes that take the word of the other lane of their switch. In a stage that two
 * networks share, the settings of both are combined by exclusive or: after a crossing the word to
 * copy comes from the other lane. */
INLINE void take(uint32_t setting[], bool narrow, size_t word, uint64_t takes)
{
    setting[2 * word] ^= (uint32_t)takes;
    if (!narrow) /* more than 32 lanes */
        setting[2 * word + 1] ^= (uint32_t)(takes >> 32);
}

/* Sets one stage, whose switches pair positions that differ in `bit`. */
INLINE void pass_words(const struct multicast_planes *planes, unsigned bit, bool within,
                       bool copies, uint32_t setting[])
{
    unsigned lane_bit = planes->log2_ports - 1 - bit, shift = within ? 1U << lane_bit : 0;
    bool narrow = planes->log2_ports < 6;
    size_t apart = within ? 0 : (size_t)1 << (lane_bit - 6);
    for (size_t i = 0; i < benes_row_words(planes->log2_ports) >> !within; i++) {
        size_t low = i + (i & -apart), high = low + apart;
        struct place at = {low, high, within, shift,
                           within ? benes_bits_low(lane_bit) : UINT64_MAX};
        struct sides takes = copies ? copy(planes, bit, at) : concentrate(planes, bit, at);
        take(setting, narrow, low, takes.low | (within ? takes.high << shift : 0));
        if (!within)
            take(setting, narrow, high, takes.high);
    }
}

INLINE void pass_stage(const struct multicast_planes *planes, unsigned bit, bool copies,
                       uint32_t setting[])
{
    if (planes->log2_ports - 1 - bit < 6)
        pass_words(planes, bit, true, copies, setting);
    else
        pass_words(planes, bit, false, copies, setting);
}

void multicast_planes_pass(const struct multicast_planes *planes, uint32_t *row)
{
    unsigned levels = planes->log2_ports;
    size_t words = levels < 5 ? 1 : (size_t)1 << (levels - 5);
    for (unsigned bit = 0; bit < levels; bit++)
        pass_stage(planes, bit, false, row + bit * words);
    for (unsigned bit = levels; bit-- > 0;)
        pass_stage(planes, bit, true, row + (2 * levels - 2 - bit) * words);
}
