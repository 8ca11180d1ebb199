/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/affine.h"

#include "sched/base/bits.h"
#include "sched/machine/machine.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- Affine maps -------------------------------------------------------------------------- */

struct affine_part affine_begin(const struct multistage *net)
{
    return (struct affine_part){.bits = net->levels};
}

static unsigned highest_bit(uint32_t vector)
{
    return bits_log2_down(vector);
}

/* Reduces a left-hand vector by the known pairs and adds the images of the removed parts to *out.
 * Returns the remainder. */
static uint32_t reduce_pair(const struct affine_part *part, uint32_t in, uint32_t *out)
{
    for (unsigned bit = part->bits + 1; bit-- > 0;)
        if (in >> bit & 1) {
            in ^= part->in[bit];
            *out ^= part->out[bit];
        }
    return in;
}

/* Reduces a right-hand vector. Returns the remainder: 0 if the vector is a sum of images. */
static uint32_t reduce_image(const struct affine_part *part, uint32_t out)
{
    return affine_reduce(part->image, part->bits + 1, out);
}

/* Adds that the linear map takes `in` to `out`. Returns false if no invertible map does. */
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

/* Returns an image for a vector that is not a sum of known vectors: the vector itself if that is
 * possible, else the lowest free bit. */
static uint32_t free_image(const struct affine_part *part, uint32_t in)
{
    if (reduce_image(part, in) != 0)
        return in;
    uint32_t out = 1;
    while (reduce_image(part, out) == 0)
        out <<= 1;
    return out;
}

/* Returns the image of a vector; if it is not determined yet, chooses and records it. */
static uint32_t settle(struct affine_part *part, uint32_t in)
{
    uint32_t out = 0;
    if (reduce_pair(part, in, &out) == 0)
        return out;
    out = free_image(part, in);
    add_pair(part, in, out);
    return out;
}

/* If the image of a port is known, the vectors that are still free, and the images chosen for them,
 * have no bit K. If no image is known, the map is the identity. */
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

/* --- Masks of a map ----------------------------------------------------------------------- */

/* How the masks are computed. Block b of a level, a block of 2^m lanes, must take lane r to A r + C
 * b + c, where A is the same for all blocks and the constant is affine in b. With m = K and b = 0
 * this is the map itself. Let r = {t, s}, where t is the top bit. split() computes the mask of the
 * stage on the way in, join() that of the stage on the way out. A block of two lanes, m = 1, is one
 * switch: A = 1, and the switch is crossed if C b + c = 1.
 *
 * For example N = 4 and {x1, x0} → {x0, x1}: column 0 has no lower bit, so f = x0, mask 01, and the
 * columns of s and t become 11 and 01. Bit 0 of q contributes the top bit of 01 + 11, which is set:
 * g = q, mask 01. The halves are switches, crossed by h: mask 01. */

/* The blocks of a level, of 2^bits lanes. column[j] is what bit j of a lane's number adds to the
 * destination within the block; columns `bits` and up are the columns of C. basis[b] is a sum of
 * columns of s whose highest lower bit is b, or 0 if there is none. */
struct blocks {
    unsigned all, bits;
    uint32_t column[AFFINE_MOST_BITS], constant;
    uint32_t basis[AFFINE_MOST_BITS];
};

/* Returns the vector with as many of its lower bits cleared as the basis allows. */
static uint32_t reduce(const struct blocks *blocks, uint32_t vector)
{
    return affine_reduce(blocks->basis, blocks->bits - 1, vector);
}

static uint32_t lower_bits(const struct blocks *blocks, uint32_t vector)
{
    return vector & ((UINT32_C(1) << (blocks->bits - 1)) - 1);
}

/* Returns the mask of the stage on the way in: f. The column of the top bit, t, becomes the column
 * of h.
 *
 * The word is sent to half h = t + f(s), where f is linear and the same for all blocks. So half h
 * must take s to the lower bits of A {f(s), s} + h A {1, 0} + C b + c. This has the original form,
 * with {b, h} in place of b, if the lower bits of A {f(s), s} are a bijection of s. In the
 * following, columns consist of their lower bits only. The m columns of A have rank m - 1. If the
 * columns of s alone have this rank, f = 0. Otherwise one of them, column i, is a sum of the
 * columns before it, and the column of t is not a sum of the columns of s: then f(s) = s_i, which
 * adds the column of t to column i. */
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

/* Returns the mask of the stage on the way out: g.
 *
 * Consider the word that leaves half h on lane q. The top bit of its destination is affine in {b,
 * h, s}, hence in {b, h, q}. Of the two words with the same b and q, one is sent to each half, so
 * this bit is h + g(b, q), and the switch is crossed by g. To find g, take each bit of q, each
 * column of C, and c, and subtract the sum of columns of A {f(s), s} with the same lower bits: the
 * top bit of the result is the contribution to g. */
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

/* --- Rows that share a map ---------------------------------------------------------------- */

void affine_grouping_free(struct affine_grouping *maps)
{
    free(maps->index);
    free(maps->part);
    *maps = (struct affine_grouping){0};
}

static bool no_memory(struct err *err)
{
    return err_no_memory(err, "affine maps");
}

/* Adds a map of which nothing is known. */
static bool add_map(struct affine_grouping *maps, uint32_t ports, struct err *err)
{
    if (maps->count == maps->room) {
        uint32_t room = maps->room ? 2 * maps->room : 8;
        struct affine_part *part = realloc(maps->part, room * sizeof *part);
        if (part == NULL)
            return no_memory(err);
        maps->part = part;
        maps->room = room;
    }
    const struct multistage net = multistage_benes(ports);
    maps->part[maps->count++] = affine_begin(&net);
    return true;
}

static bool place_row(void *self, const struct route_rows *rows, const uint32_t to[],
                      uint32_t *which, struct err *err)
{
    struct affine_grouping *maps = self;
    while (*which < maps->count && !affine_join(&maps->part[*which], to))
        ++*which;
    if (*which < maps->count)
        return true;
    if (!add_map(maps, rows->net->ports, err))
        return false;
    if (affine_join(&maps->part[*which], to))
        return true;
    char time[ROUTE_ROWS_NAME];
    route_rows_name(rows, time);
    return err_set(err, ERR_IRREGULAR,
                   "%s: {settings}: its circuits are no affine map of the bits of the %" PRIu32
                   " port numbers; expected one, or {settings} indexed",
                   time, rows->net->ports);
}

bool affine_grouping_find(const struct schedule *schedule, const struct machine *machine,
                          const struct settings *reconfig, struct affine_grouping *maps,
                          struct err *err)
{
    *maps = (struct affine_grouping){0};
    if (!machine_check_settings(machine, err))
        return false;
    maps->index = calloc((size_t)schedule->end + 1, sizeof *maps->index);
    bool found = maps->index != NULL || no_memory(err);
    found =
        found && settings_numbers(schedule, machine, reconfig,
                                  (struct route_rows_numbering){place_row, maps}, maps->index, err);
    if (!found)
        affine_grouping_free(maps);
    return found;
}
