/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/masks.h"

#include "sched/base/bits.h"

/* How masks are found. Let a block of 2^m lanes, number b of its level, have to take lane r to
 * A r + C b + c: A is the same for all blocks, what is added to it affine in b. With m = K and b =
 * 0 that is the map. Let r = {t, s}, where t is the top bit. split() is the way in, join() the way
 * out. A block of two lanes, m = 1, is a switch: A = 1, and it is crossed by C b + c.
 *
 * For example N = 4 and {x1, x0} → {x0, x1}: column 0 has no lower bit, so f = x0, mask 01; columns
 * of s and t are then 11 and 01. To bit 0 of q belongs the top bit of 01 + 11, which is set: g = q,
 * mask 01. The halves are switches, crossed by h: mask 01. */

/* The blocks of a level, of 2^bits lanes: column[j] is what bit j of a lane's number adds to where
 * its word goes in the block; those from `bits` on are the columns of C. basis[b] is a sum of
 * columns of s whose highest lower bit is b, 0 if there is none. */
struct blocks {
    unsigned all, bits;
    uint32_t column[AFFINE_MOST_BITS], constant;
    uint32_t basis[AFFINE_MOST_BITS];
};

/* The vector without what the basis can give of its lower bits. */
static uint32_t reduce(const struct blocks *blocks, uint32_t vector)
{
    return affine_reduce(blocks->basis, blocks->bits - 1, vector);
}

static uint32_t lower_bits(const struct blocks *blocks, uint32_t vector)
{
    return vector & ((UINT32_C(1) << (blocks->bits - 1)) - 1);
}

/* The mask of the stage on the way in: f. The column of the top bit, t, becomes that of h.
 *
 * The word goes to half h = t + f(s), with a linear f, the same for all blocks. So half h is to
 * take s to the lower bits of A {f(s), s} + h A {1, 0} + C b + c: that is of the form from which we
 * began, with {b, h} in place of b, if the lower bits of A {f(s), s} are a bijection of s. Let a
 * column mean its lower bits. The m columns of A have rank m - 1. If those of s alone have, f = 0.
 * If not, one of them, i, is a sum of those before it, and the column of t is no sum of those of s:
 * then f(s) = s_i, which adds the column of t to column i. */
static uint32_t split(struct blocks *blocks)
{
    unsigned top = blocks->bits - 1;
    uint32_t mask = 0;
    for (unsigned bit = 0; bit < top; bit++)
        blocks->basis[bit] = 0;
    for (unsigned i = 0; i < top; i++) {
        if (lower_bits(blocks, reduce(blocks, blocks->column[i])) == 0) {
            blocks->column[i] ^= blocks->column[top];
            mask = UINT32_C(1) << i;
        }
        uint32_t left = reduce(blocks, blocks->column[i]);
        blocks->basis[bits_log2_down(lower_bits(blocks, left))] = left;
    }
    return mask;
}

/* The mask of the stage on the way out: g.
 *
 * The top bit of where the word on lane q of half h goes is affine in {b, h, s}, hence in {b, h,
 * q}. Of two words with the same b and q one goes to either half, so it is h + g(b, q): the switch
 * is crossed by g. Each bit of q, each column of C, and c, less the sum of columns of A {f(s), s}
 * that has the same lower bits, has its part of g in the top bit. */
static uint32_t join(const struct blocks *blocks)
{
    unsigned top = blocks->bits - 1;
    uint32_t mask = reduce(blocks, blocks->constant) >> top << (blocks->all - 1);
    for (unsigned bit = 0; bit < top; bit++)
        mask |= reduce(blocks, UINT32_C(1) << bit) >> top << bit;
    for (unsigned bit = blocks->bits; bit < blocks->all; bit++)
        mask |= reduce(blocks, blocks->column[bit]) >> top << (bit - 1);
    return mask;
}

static void halve(struct blocks *blocks)
{
    for (unsigned j = 0; j < blocks->all; j++)
        blocks->column[j] = lower_bits(blocks, blocks->column[j]);
    blocks->constant = lower_bits(blocks, blocks->constant);
    blocks->bits--;
}

void masks_route(const struct multistage *net, const struct affine *map, uint32_t mask[])
{
    struct blocks blocks = {.all = net->levels, .bits = net->levels, .constant = map->constant};
    for (unsigned j = 0; j < net->levels; j++)
        blocks.column[j] = map->column[j];
    unsigned last = multistage_stages(net) - 1;
    for (unsigned level = 0; level + 1 < net->levels; level++) {
        mask[level] = split(&blocks);
        mask[last - level] = join(&blocks);
        halve(&blocks);
    }
    mask[net->levels - 1] = join(&blocks);
}
