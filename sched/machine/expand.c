/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/expand.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"

#include <string.h>

/* --- Tags --------------------------------------------------------------------------------- */

/* Converts a shift to the shorter direction in a block of `lanes` lanes. A distance has the number
 * of bits of a port number, less one for each level; a distance larger than the block, which occurs
 * only in a tag for which there is no round, wraps as in rtl/multistage/rc_tag_shifts.sv. */
static struct tags_shift shorter(const struct multistage *net, struct tags_shift shift,
                                 unsigned level, uint32_t lanes)
{
    bool reversed = 2 * shift.distance > lanes;
    uint32_t distance = reversed ? lanes - shift.distance : shift.distance;
    uint32_t mask = (UINT32_C(1) << (net->levels - level)) - 1;
    return (struct tags_shift){shift.back != reversed, distance & mask};
}

void tags_shifts(const struct multistage *net, uint32_t by, unsigned level,
                 struct tags_shift shift[])
{
    shift[0] = shorter(net, (struct tags_shift){false, by}, 0, net->ports);
    for (unsigned below = 1; below <= level; below++)
        for (uint32_t block = UINT32_C(1) << below; block-- > 0;) {
            uint32_t first = multistage_first(net, below, block),
                     end = multistage_first(net, below, block + 1);
            shift[block] = shorter(net, shift[block / 2], below, end - first);
        }
}

/* Sets the bits first … first + count - 1. */
static void set_run(uint32_t setting[], uint32_t first, uint32_t count)
{
    for (uint32_t end = first + count; first < end;) {
        uint32_t shift = first % 32, bits = end - first < 32 - shift ? end - first : 32 - shift;
        setting[first / 32] |= (UINT32_MAX >> (32 - bits)) << shift;
        first += bits;
    }
}

void tags_settings(const struct multistage *net, struct tag tag, unsigned stage,
                   struct tags_shift shift[], uint32_t setting[])
{
    unsigned level = multistage_level(net, stage);
    bool joins = multistage_joins(net, stage);
    bool complement = tag.complement && bits_is_power(net->ports);
    bool crossed = complement && !joins && tag.value >> (net->levels - 1 - level) & 1;
    memset(setting, 0, multistage_columns(net, stage) * sizeof *setting);
    tags_shifts(net, complement ? 0 : tag.value, level, shift);
    for (uint32_t block = 0; block < UINT32_C(1) << level; block++) {
        struct multistage_pairs pairs = multistage_pairs(net, stage, block);
        uint32_t lanes = multistage_first(net, level, block + 1) - pairs.low;
        uint32_t count = crossed ? pairs.count : tags_crossed(shift[block], lanes, joins);
        set_run(setting, pairs.first_switch, MIN(count, pairs.count));
    }
}

/* --- Masks -------------------------------------------------------------------------------- */

/* Bits 0 … 4 of the mask determine which of 32 switches are crossed; if the rest of the mask has an
 * odd number of bits in common with the number of the first switch, the others are crossed instead.
 */
void masks_settings(const struct multistage *net, uint32_t mask, uint32_t setting[])
{
    uint32_t switches = net->ports / 2, word = 0;
    for (uint32_t sw = 0; sw < switches && sw < 32; sw++)
        word |= (uint32_t)__builtin_parity(mask & sw) << sw;
    for (uint32_t first = 0; first < switches; first += 32) {
        uint32_t all = switches < 32 ? (UINT32_C(1) << switches) - 1 : UINT32_MAX;
        setting[first / 32] = (masks_crossed(net, mask, first) ? ~word : word) & all;
    }
}
