/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/network/clos_planes.h"

#include "sched/network/benes_bits.h"
#include "sched/network/benes_topology.h"

#include <string.h>

struct clos_fields clos_fields_of(unsigned bits)
{
    struct clos_fields fields = {.bits = bits, .in_word = 32 / bits};
    fields.chunk = fields.in_word <= CLOS_PLANES_CHUNK ? fields.in_word : fields.in_word / 2;
    for (uint32_t lanes = 1; lanes >> fields.chunk == 0; lanes++)
        fields.spread[lanes] = fields.spread[lanes >> 1] << bits | (lanes & 1);
    return fields;
}

/* A bit of the numbers of the lanes of a word. */
static inline uint64_t lane_bits(uint32_t word, unsigned bit)
{
    return bit < 6 ? ~benes_bits_low(bit) : -(uint64_t)(word >> (bit - 6) & 1);
}

/* Words of 64 lanes, and how far a word of a plane is from that of the next. */
static inline uint32_t words_of(const struct clos_planes *planes)
{
    return benes_row_words(planes->log2_ports);
}
static inline size_t pitch(const struct clos_planes *planes)
{
    return (size_t)words_of(planes) + 1;
}

/* Adding one carries from bit to bit. */
void clos_planes_number(const struct clos_planes *planes, unsigned bit, const uint64_t live[])
{
    for (uint32_t word = 0; word < words_of(planes); word++) {
        uint64_t *plane = planes->plane + word, carry = live[word];
        for (unsigned p = 0; p + 1 < planes->count; p++, plane += pitch(planes)) {
            uint64_t input = lane_bits(word, bit + p) & live[word];
            *plane = input ^ carry;
            carry &= input;
        }
        *plane = carry;
    }
}

static void carry_within(const struct clos_planes *planes, unsigned bit, const uint32_t row[])
{
    for (uint32_t word = 0; word < words_of(planes); word++) {
        uint64_t *plane = planes->plane + word, crossed = benes_bits_spread(row[word], bit);
        for (unsigned p = 0; p < planes->count; p++, plane += pitch(planes))
            *plane = benes_bits_exchange(*plane, crossed, bit);
    }
}

static void carry_between(const struct clos_planes *planes, unsigned bit, const uint32_t row[])
{
    uint32_t apart = UINT32_C(1) << (bit - 6);
    for (uint32_t base = 0; base < words_of(planes); base += 2 * apart)
        for (uint32_t word = base; word < base + apart; word++, row += 2) {
            uint64_t *low = planes->plane + word, crossed = row[0] | (uint64_t)row[1] << 32;
            for (unsigned p = 0; p < planes->count; p++, low += pitch(planes))
                benes_bits_exchange_words(low, low + apart, crossed);
        }
}

void clos_planes_carry(const struct clos_planes *planes, unsigned bit, const uint32_t row[])
{
    if (bit < 6)
        carry_within(planes, bit, row);
    else
        carry_between(planes, bit, row);
}

/* The fields of a chunk of lanes. A word from any byte on: little-endian, as all machines that we
 * build for. */
static inline uint32_t chunk_fields(const uint32_t spread[], uint32_t mask,
                                    const struct clos_planes *planes, uint32_t lane)
{
    const char *plane = (const char *)planes->plane + lane / 8;
    uint32_t value = 0, lanes;
    for (unsigned p = 0; p < planes->count; p++, plane += pitch(planes) * sizeof(uint64_t)) {
        memcpy(&lanes, plane, sizeof lanes);
        value |= spread[lanes >> lane % 8 & mask] << p;
    }
    return value;
}

void clos_planes_put(const struct clos_planes *planes, const struct clos_fields *fields,
                     uint32_t setting[])
{
    const struct clos_planes of = *planes; /* in registers */
    uint32_t ports = UINT32_C(1) << of.log2_ports, in_word = fields->in_word, chunk = fields->chunk;
    uint32_t mask = (UINT32_C(1) << chunk) - 1, shift = chunk * fields->bits;
    for (uint32_t lane = 0; lane < ports; lane += in_word) {
        uint32_t word = chunk_fields(fields->spread, mask, &of, lane);
        if (chunk < in_word)
            word |= chunk_fields(fields->spread, mask, &of, lane + chunk) << shift;
        *setting++ = word;
    }
}

void clos_planes_live(const struct clos_planes *planes, uint64_t live[])
{
    for (uint32_t word = 0; word < words_of(planes); word++) {
        live[word] = 0;
        for (unsigned p = 0; p < planes->count; p++)
            live[word] |= planes->plane[p * pitch(planes) + word];
    }
}
