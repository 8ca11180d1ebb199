/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/affine.h"

#include "sched/base/bits.h"

struct affine_part affine_begin(const struct multistage *net)
{
    return (struct affine_part){.bits = net->levels};
}

static unsigned highest_bit(uint32_t vector)
{
    return bits_log2_down(vector);
}

/* What is left of a vector on the left, and in *out what the rest goes to. */
static uint32_t reduce_pair(const struct affine_part *part, uint32_t in, uint32_t *out)
{
    for (unsigned bit = part->bits + 1; bit-- > 0;)
        if (in >> bit & 1) {
            in ^= part->in[bit];
            *out ^= part->out[bit];
        }
    return in;
}

/* What is left of a vector on the right: 0 if it is a sum of images. */
static uint32_t reduce_image(const struct affine_part *part, uint32_t out)
{
    return affine_reduce(part->image, part->bits + 1, out);
}

/* The linear map takes `in` to `out`, too. */
static bool add_pair(struct affine_part *part, uint32_t in, uint32_t out)
{
    in = reduce_pair(part, in, &out);
    if (in == 0)
        return out == 0;
    uint32_t image = reduce_image(part, out);
    if (image == 0)
        return false;
    part->in[highest_bit(in)] = in;
    part->out[highest_bit(in)] = out;
    part->image[highest_bit(image)] = image;
    return true;
}

bool affine_add(struct affine_part *part, uint32_t x, uint32_t y)
{
    uint32_t one = UINT32_C(1) << part->bits;
    return add_pair(part, one | x, one | y);
}

bool affine_join(struct affine_part *part, const uint32_t to[])
{
    struct affine_part joined = *part;
    for (uint32_t port = 0; port < UINT32_C(1) << part->bits; port++)
        if (to[port] != MULTISTAGE_IDLE && !affine_add(&joined, port, to[port]))
            return false;
    *part = joined;
    return true;
}

/* The image for a vector that is no sum of what is known: itself, or else the lowest bit that is
 * free. */
static uint32_t free_image(const struct affine_part *part, uint32_t in)
{
    if (reduce_image(part, in) != 0)
        return in;
    uint32_t out = 1;
    while (reduce_image(part, out) == 0)
        out <<= 1;
    return out;
}

/* The linear map of a vector, which is settled if it was not. */
static uint32_t settle(struct affine_part *part, uint32_t in)
{
    uint32_t out = 0;
    if (reduce_pair(part, in, &out) == 0)
        return out;
    out = free_image(part, in);
    add_pair(part, in, out);
    return out;
}

/* If some port's image is known, free vectors have no bit K on either side; else all stays where it
 * is. */
struct affine affine_complete(const struct affine_part *part)
{
    struct affine_part whole = *part;
    uint32_t one = UINT32_C(1) << part->bits;
    struct affine map = {.bits = part->bits};
    for (unsigned j = 0; j < part->bits; j++)
        map.column[j] = settle(&whole, UINT32_C(1) << j);
    map.constant = settle(&whole, one) ^ one;
    return map;
}
