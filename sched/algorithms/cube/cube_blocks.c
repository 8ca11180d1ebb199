/* SPDX-License-Identifier: Apache-2.0 */
/* cube-blocks-all-reduce: m packets of all nodes of a hypercube of d dimensions, combined, to all
 * nodes. With G = ⌈m/d⌉:
 *
 *     2G - 2 + d - ⌊log2 G⌋ rounds      G < 2^(d-1)
 *     2G - ⌊G / 2^(d-1)⌋ rounds         otherwise; optimal if d divides m
 *
 * A group has d packets. Packet i, from 0, of a group crosses dimensions i + 1, i + 2, …, d, 1, …,
 * i in this order, called positions 1 … d, one in a round. It is
 *
 *     folded     over positions 1 … r: half of the nodes that have partial results send them to the
 *                other half, whose bit at position l is w(l)
 *     doubled    over positions r + 1 … d: the 2^(d-r) nodes that are left exchange partial results
 *     unfolded   over positions r … 1: the nodes return results, which replace
 *
 * The packets of a group cross different dimensions, so that arcs are shared only with other
 * groups. The senders of a group are the nodes whose bits, from the dimension of the round
 * backwards, begin with a string: w(r) … w(1) unfolding, the same with its first bit inverted
 * folding, and after k free bits doubling. So groups can use a round together if their strings are
 * those of leaves of a binary tree, none the beginning of another.
 *
 * A part of G groups is folded as two halves, one after the other, and a round in which all G
 * groups are folded once more, one half with w = 0, the other with w = 1: the strings of the halves
 * are those of two trees, and become those of one. That takes f(G) = f(⌊G/2⌋) + f(⌈G/2⌉) + 1
 * rounds, which is G - 1 and uses every arc, over ⌊log2 G⌋ or ⌈log2 G⌉ positions. Then all groups
 * double at the same time, and unfold as they folded, backwards. d = 3, G = 2: the nodes that send
 * in each round, to the dimension that is crossed, of packet 1 of the group w = 0, and of that w =
 * 1:
 *
 *     round           1: dim. 1   2: dim. 2   3: dim. 3   4: dim. 1
 *     group w = 0     1 3 5 7     0 2 4 6     0 2 4 6     0 2 4 6
 *     group w = 1     0 2 4 6     1 3 5 7     1 3 5 7     1 3 5 7
 *
 * A packet with r positions folded is sent 2(2^d - 2^(d-r)) + (d-r) 2^(d-r) times: with r = d - 1
 * or d it is the minimum, 2(2^d - 1). From 2^(d-1) groups on they are divided into ⌊G / 2^(d-1)⌋
 * parts, one after the other, of fewer than 2^d groups each, so that r ≥ d - 1. Without folding it
 * is cube-doubling-all-reduce. O(transfers).
 *
 * Source: ours; recursive halving and doubling as Rabenseifner's, ICCS 2004, over rotated
 * dimensions.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/cube/cube_translates.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

struct group {
    uint32_t word; /* bit l - 1 is w(l) */
    unsigned folded;
};

enum phase { FOLD, DOUBLE, UNFOLD };

struct blocks {
    const struct topology *cube;
    uint32_t packets;
    uint32_t first;      /* number of the first group of the part */
    struct group *group; /* of the part */
    struct schedule *schedule;
    struct err *err;
};

static bool blocks_accepts(const struct collective *collective, struct err *err)
{
    return collective->sources == NULL ||
           err_set(err, ERR_ALGORITHM,
                   "{sources}: cube-blocks-all-reduce combines packets of all nodes; expected "
                   "{packets} instead");
}

static uint64_t groups_of(const struct collective *collective)
{
    return bits_divide_up(collective->m, collective->topology->dimensions);
}

/* Number of parts of so many groups. */
static uint64_t parts_of(unsigned d, uint64_t groups)
{
    return MAX(groups >> (d - 1), 1);
}

static uint64_t blocks_end(const struct collective *collective)
{
    const unsigned d = collective->topology->dimensions;
    const uint64_t groups = groups_of(collective);
    if (groups == 0)
        return 0;
    return groups >> (d - 1) > 0 ? 2 * groups - parts_of(d, groups)
                                 : 2 * groups - 2 + d - bits_log2_down((uint32_t)groups);
}

static bool blocks_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    const bool few = groups_of(collective) >> (collective->topology->dimensions - 1) == 0;
    return guarantee_set(guarantee, blocks_end(collective),
                         few ? "2G-2+d-⌊log2 G⌋, G=⌈m/d⌉" : "2G-⌊G/2^(d-1)⌋, G=⌈m/d⌉",
                         "ours: halving and doubling over rotated dimensions");
}

/* Returns the first group of a part. */
static uint32_t part_begin(uint64_t part, uint64_t parts, uint64_t groups)
{
    return (uint32_t)(part * groups / parts);
}

/* Returns the positions over which a group of a part is folded. O(log count). */
static unsigned positions_folded(uint32_t which, uint32_t count)
{
    unsigned folded = 0;
    for (uint32_t first = 0, end = count; end - first > 1; folded++) {
        const uint32_t middle = first + (end - first) / 2;
        first = which < middle ? first : middle;
        end = which < middle ? middle : end;
    }
    return folded;
}

/* Number of transfers. O(groups · log groups). */
static uint64_t count_transfers(const struct collective *collective)
{
    const unsigned d = collective->topology->dimensions;
    const uint64_t nodes = collective->topology->nodes, groups = groups_of(collective),
                   parts = parts_of(d, groups);
    uint64_t count = 0;
    for (uint64_t part = 0; part < parts; part++) {
        const uint32_t first = part_begin(part, parts, groups),
                       end = part_begin(part + 1, parts, groups);
        for (uint32_t group = first; group < end; group++) {
            const unsigned folded = positions_folded(group - first, end - first);
            const uint64_t left = nodes >> folded, before = (uint64_t)group * d;
            count += MIN(d, collective->m - before) * (2 * (nodes - left) + (d - folded) * left);
        }
    }
    return count;
}

/* Writes the transfers of a packet over a position, from 1, from the nodes with the bits `word` at
 * positions 1 … fixed. `rotation` is the dimension of position 1, from 0. Returns the place after
 * the last one. */
static struct transfer *put_packet(const struct blocks *blocks, uint32_t packet, unsigned rotation,
                                   unsigned position, uint32_t word, unsigned fixed,
                                   struct transfer *to)
{
    const unsigned d = blocks->cube->dimensions;
    const uint32_t bits = (UINT32_C(1) << fixed) - 1;
    const uint32_t free_bits = cube_rotate((blocks->cube->nodes - 1) & ~bits, rotation, d),
                   given = cube_rotate(word & bits, rotation, d),
                   across = cube_rotate(UINT32_C(1) << (position - 1), rotation, d);
    uint32_t chosen = 0;
    do {
        *to++ = (struct transfer){given | chosen, (given | chosen) ^ across, packet};
        chosen = (chosen - free_bits) & free_bits;
    } while (chosen != 0);
    return to;
}

/* Writes the transfers of a group in a round. In DOUBLE it is the round number `round` of the
 * phase, from 0; then a group may have none. */
static struct transfer *put_group(const struct blocks *blocks, uint32_t which, enum phase phase,
                                  unsigned round, struct transfer *to)
{
    const struct group *group = &blocks->group[which];
    const unsigned d = blocks->cube->dimensions, folded = group->folded,
                   position = phase == DOUBLE ? folded + 1 + round : folded;
    const uint64_t before = (uint64_t)(blocks->first + which) * d;
    const uint32_t last = position > 0 ? UINT32_C(1) << (position - 1) : 0;
    for (unsigned i = 0; i < d && before + i < blocks->packets && position <= d; i++)
        to = put_packet(blocks, (uint32_t)before + i + 1, i, position,
                        phase == FOLD ? group->word ^ last : group->word, folded, to);
    return to;
}

/* Appends a round of the groups first … end - 1 of the part. E104. */
static bool put_round(const struct blocks *blocks, uint32_t first, uint32_t end, enum phase phase,
                      unsigned round)
{
    struct schedule *schedule = blocks->schedule;
    const size_t most = (size_t)blocks->cube->nodes * blocks->cube->dimensions;
    struct transfer *const transfer =
        schedule_open_step(schedule, schedule->end + 1, most, blocks->err);
    struct transfer *to = transfer;
    if (transfer == NULL)
        return false;
    for (uint32_t which = first; which < end; which++)
        to = put_group(blocks, which, phase, round, to);
    const size_t count = (size_t)(to - transfer), before = schedule->transfer_count;
    schedule_close_step(schedule, count);
    bool set = true;
    for (size_t k = 0; set && phase == UNFOLD && k < count; k++)
        set = schedule_set_combining(schedule, before + k, COMBINING_REPLACE, blocks->err);
    return set;
}

/* Folds the groups first … end - 1 of the part. E104. */
static bool fold(const struct blocks *blocks, uint32_t first, uint32_t end)
{
    const uint32_t middle = first + (end - first) / 2;
    if (end - first == 1)
        return true;
    if (!fold(blocks, first, middle) || !fold(blocks, middle, end))
        return false;
    for (uint32_t which = first; which < end; which++) {
        struct group *group = &blocks->group[which];
        group->word |= (uint32_t)(which >= middle) << group->folded++;
    }
    return put_round(blocks, first, end, FOLD, 0);
}

/* Unfolds them, as they were folded, backwards. E104. */
static bool unfold(const struct blocks *blocks, uint32_t first, uint32_t end)
{
    const uint32_t middle = first + (end - first) / 2;
    if (end - first == 1)
        return true;
    if (!put_round(blocks, first, end, UNFOLD, 0))
        return false;
    for (uint32_t which = first; which < end; which++)
        blocks->group[which].folded--;
    return unfold(blocks, middle, end) && unfold(blocks, first, middle);
}

/* Appends a part of `count` groups. E104. */
static bool put_part(const struct blocks *blocks, uint32_t count)
{
    const unsigned d = blocks->cube->dimensions;
    for (uint32_t which = 0; which < count; which++)
        blocks->group[which] = (struct group){0};
    bool built = fold(blocks, 0, count);
    for (unsigned round = 0; built && round + bits_log2_down(count) < d; round++)
        built = put_round(blocks, 0, count, DOUBLE, round);
    return built && unfold(blocks, 0, count);
}

static bool blocks_build(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    const struct topology *cube = collective->topology;
    const uint64_t groups = groups_of(collective), parts = parts_of(cube->dimensions, groups);
    struct blocks blocks = {
        .cube = cube, .packets = collective->m, .schedule = schedule, .err = err};
    if (groups == 0)
        return true;
    const uint64_t transfers = count_transfers(collective),
                   most = (uint64_t)cube->nodes * cube->dimensions;
    if (!schedule_check_size(transfers, err) ||
        !schedule_reserve(schedule, blocks_end(collective), transfers + most, err))
        return false;
    blocks.group = malloc((groups / parts + 1) * sizeof *blocks.group);
    bool built = blocks.group != NULL || err_no_memory(err, "%" PRIu64 " groups", groups);
    for (uint64_t part = 0; built && part < parts; part++) {
        blocks.first = part_begin(part, parts, groups);
        built = put_part(&blocks, part_begin(part + 1, parts, groups) - blocks.first);
    }
    free(blocks.group);
    return built;
}

const struct algorithm algorithm_cube_blocks_all_reduce = {
    .name = "cube-blocks-all-reduce",
    .summary = "many packets: groups of d are halved, doubled and returned at the same time",
    .source = "ours: halving and doubling over rotated dimensions",
    .models = 1u << MODEL_ALL_PORT,
    .topology = TOPOLOGY_HYPERCUBE,
    .kind = COLLECTIVE_ALL_REDUCE,
    .usual_models = 1u << MODEL_ALL_PORT,
    .accepts = blocks_accepts,
    .end = blocks_end,
    .guarantee = blocks_guarantee,
    .build = blocks_build,
};
