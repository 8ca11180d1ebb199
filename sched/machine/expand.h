/* SPDX-License-Identifier: Apache-2.0 */
/* expand: computes the settings of stages from a number instead of a table: one tag for all stages,
 * or a mask for each stage. The compiler, the image reader and csim share these rules.
 */
#ifndef ROUNDCAST_EXPAND_H
#define ROUNDCAST_EXPAND_H

#include "sched/shape/multistage.h"

/* --- Tags --------------------------------------------------------------------------------- */

/* A tag {complement, value} stands for a permutation of all N ports of a Beneš network of any size.
 * (Masks, one for each stage, describe more rounds, but few shifts.)
 *
 *     shift         {0, s}    port i sends to port (i + s) mod N, s < N
 *     complement    {1, c}    port i sends to port i xor c, c < N, a power of two
 *
 * Shifts (the rule and its proof are our own; any N; see tags_crossed): in a block of n lanes every
 * word moves s lanes cyclically, in the shorter direction: forward by t = s lanes or back by t = n
 * - s, so that t ≤ m = ⌊n/2⌋.
 *
 * Complements: in the first half of the network bit K-1-l of c crosses all switches of the stage of
 * level l; in the second half all switches are straight.
 */

struct tag {
    bool complement;
    uint32_t value;
};

/* The direction and the distance in which the words of a block move. */
struct tags_shift {
    bool back;
    uint32_t distance; /* at most half the block */
};

/* Converts a tag to the word {complement, value}, whose value has as many bits as a port; and
 * back. */
static inline uint32_t tags_word(const struct multistage *net, struct tag tag)
{
    return (uint32_t)tag.complement << net->levels | tag.value;
}
static inline struct tag tags_read(const struct multistage *net, uint32_t word)
{
    return (struct tag){word >> net->levels & 1, word & ((UINT32_C(1) << net->levels) - 1)};
}

/* Fills shift[2^level] with the shifts of the blocks of a level if all words move by `by`.
 * O(2^level). */
void tags_shifts(const struct multistage *net, uint32_t by, unsigned level,
                 struct tags_shift shift[]);

/* Returns the number of switches of a block, from the first, that are crossed in a stage. The lower
 * half has lanes 0 … a-1, the upper half lanes a … n-1; there is a switch for lane i and lane a +
 * i, i < m, both before and after the halves. Then
 *
 *     forward  before the halves all switches are straight; after them the switches i < t are
 *              crossed
 *     back     before the halves the switches i < t are crossed; after them all are straight
 *
 * and in both halves every word moves t lanes in the same direction, cyclically in the half, where
 * this may be the longer direction.
 *
 * Proof. Forward: a word on lane j of a half of q lanes moves to lane j + t of the half if j + t <
 * q. It stays there, because no switch from t on is crossed. Otherwise it moves to lane i = j + t -
 * q < t, which has a switch because t ≤ m, and crosses: from the lower half (q = a) to lane a + i =
 * j + t; from the upper half (q = n - a), where lane j of the half is lane a + j of the block, to
 * lane i = (a + j) + t - n. Back by t is forward by t from the outputs to the inputs, through the
 * same switches. A block of two has one switch, crossed if t = 1. */
static inline uint32_t tags_crossed(struct tags_shift shift, uint32_t block_lanes, bool joins)
{
    if (block_lanes == 2)
        return shift.distance & 1;
    return shift.back != joins ? shift.distance : 0;
}

/* Writes the settings of a stage, setting[multistage_columns], for any word that tags_read accepts:
 * a tag that stands for no round has the settings that rtl/multistage/rc_tag_settings.sv computes
 * for it. shift[2^(levels-1)] is working memory. O(ports). */
void tags_settings(const struct multistage *net, struct tag tag, unsigned stage,
                   struct tags_shift shift[], uint32_t setting[]);

/* --- Masks -------------------------------------------------------------------------------- */

/* Masks of K bits set the stages of a Beneš network of N = 2^K ports, by one rule for all stages:
 *
 *     switch sw is crossed if the mask and N/2 + sw have an odd number of bits in common
 *
 * Bit K-1 of the mask, which N/2 + sw always has, crosses all switches; bit j crosses the switches
 * whose numbers have bit j. So a row of the tables has K bits for a stage instead of N/2, and K
 * (2K-1) in all. The number of a switch is that of its lower lane without the bit in which its
 * lanes differ (multistage.h), so a stage is itself an affine map of its lanes. Therefore any masks
 * make an affine map: exactly the rounds that are part of affine maps have masks. affine.h finds
 * masks.
 */

/* Reports whether switch sw of a stage with this mask is crossed. */
static inline bool masks_crossed(const struct multistage *net, uint32_t mask, uint32_t sw)
{
    return __builtin_parity(mask & (net->ports / 2 + sw));
}

/* Writes the settings of a stage with this mask, setting[multistage_columns]. O(ports / 32). */
void masks_settings(const struct multistage *net, uint32_t mask, uint32_t setting[]);

#endif
