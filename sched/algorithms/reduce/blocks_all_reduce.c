/* SPDX-License-Identifier: Apache-2.0 */
/* blocks-all-reduce: m packets of all nodes, combined, to all nodes, for any n and m, in parts
 * (blocks_part.h), one after the other. Each n packets are a part of 2(n-1) rounds, the minimum.
 * The rest of fewer than 2n packets is divided into parts of the least total number of rounds; a
 * part may be planned for more packets than it has, because their number may divide n better.
 *
 * For n, m ≤ 64 the rounds are at most 5 above the lower bound (docs/algorithms/reduce.md). All
 * divisions are tried for n ≤ 1024, above that those into numbers near n/2^i. O(transfers); in
 * addition O(n · states²) for n ≤ 1024.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/reduce/blocks_part.h"
#include "sched/algorithms/reduce/small_all_reduce.h"
#include "sched/base/arena.h"
#include "sched/base/bits.h"

#include <stdlib.h>
#include <string.h>

#define ALL_DIVISIONS 1024 /* largest number of nodes for which all divisions are tried */
#define FEW_PARTS 64       /* more than the parts of a number below 2^32 by other divisions */

struct part {
    uint32_t packets, blocks;
};

/* The parts after `whole` parts of n packets, with their number of rounds. */
struct division {
    uint32_t whole;
    size_t count;
    struct part part[2 * ALL_DIVISIONS];
    uint64_t rounds;
};

/* Returns the rounds of a part of `blocks` packets; UINT64_MAX if there is none or no memory. */
static uint64_t part_rounds(uint32_t n, uint32_t blocks)
{
    uint64_t small = small_all_reduce_rounds(n, blocks);
    if (small != 0)
        return small;
    return blocks <= n ? blocks_part_rounds(n, blocks) : UINT64_MAX;
}

static bool part_build(const struct blocks_part *part, uint64_t *round, struct schedule *schedule,
                       struct err *err)
{
    uint64_t small = small_all_reduce_rounds(part->n, part->blocks), start = *round;
    if (small == 0)
        return blocks_part_build(part, round, schedule, err);
    *round += small;
    return small_all_reduce_build(part, start, schedule, err);
}

/* Tries all divisions: least[k] is the least number of rounds of a part of k packets, planned for
 * blocks[k]; total[k] that of k packets whose first part has first[k]. O(n · states² + rest²). */
static bool divide_all(uint32_t n, uint32_t rest, struct division *division)
{
    uint64_t *least, *total;
    uint32_t *blocks, *first;
    uint32_t most = 2 * n - 1; /* parts of more than n packets are from small_all_reduce.h */
    size_t room = most + (size_t)1;
    void *memory = arena_new((const struct arena_array[]){ARENA(least, room), ARENA(total, room),
                                                          ARENA(blocks, room), ARENA(first, room)},
                             4);
    bool known = memory != NULL;
    for (uint32_t k = most; known && k > 0; k--) {
        uint64_t rounds = part_rounds(n, k);
        bool worse = k < most && rounds >= least[k + 1];
        known = k > n || rounds != UINT64_MAX;
        least[k] = worse ? least[k + 1] : rounds;
        blocks[k] = worse ? blocks[k + 1] : k;
    }
    for (uint32_t all = 1; known && all <= rest; all++) {
        total[all] = UINT64_MAX;
        for (uint32_t k = all; k > 0; k--)
            if (least[k] < total[all] && least[k] + total[all - k] < total[all]) {
                total[all] = least[k] + total[all - k];
                first[all] = k;
            }
    }
    if (known)
        division->rounds += total[rest];
    for (uint32_t left = rest; known && left > 0; left -= first[left])
        division->part[division->count++] = (struct part){first[left], blocks[first[left]]};
    free(memory);
    return known;
}

/* Returns the number next to k, at least k if `up` and otherwise at most k, among 2^i, ⌊n/2^i⌋ and
 * ⌈n/2^i⌉. Precondition: 1 ≤ k ≤ n. */
static uint32_t near(uint32_t n, uint32_t k, bool up)
{
    uint32_t best = up ? n : 1;
    for (uint64_t power = 1; power <= n; power *= 2) {
        const uint64_t sizes[] = {power, n / power, bits_divide_up(n, power)};
        for (unsigned which = 0; which < 3; which++) {
            uint32_t size = (uint32_t)sizes[which];
            if (up ? size >= k && size < best : size <= k && size > best)
                best = size;
        }
    }
    return best;
}

/* Tries the divisions into the largest numbers of `near` in turn and one last part, planned for its
 * packets or for the number after it. O(log n · states²). */
static bool divide_near(uint32_t n, uint32_t rest, struct division *division)
{
    struct part part[FEW_PARTS];
    size_t count = 0;
    uint64_t before = 0;
    uint64_t least = rest > 0 ? UINT64_MAX : 0;
    for (uint32_t left = rest; left > 0 && count < FEW_PARTS; count++) {
        const uint32_t blocks[] = {left, near(n, left, true)};
        for (unsigned which = 0; which < 2; which++) {
            uint64_t rounds = part_rounds(n, blocks[which]);
            if (rounds == UINT64_MAX)
                return false;
            if (before + rounds >= least)
                continue;
            least = before + rounds;
            division->count = count + 1;
            memcpy(division->part, part, count * sizeof *part);
            division->part[count] = (struct part){left, blocks[which]};
        }
        uint32_t taken = near(n, left, false);
        part[count] = (struct part){taken, taken};
        before += part_rounds(n, taken);
        left -= taken;
    }
    division->rounds += least;
    return true;
}

static bool divide(const struct collective *collective, struct division *division)
{
    uint32_t n = collective->n, m = collective->m;
    bool all = n <= ALL_DIVISIONS;
    division->whole = m / n - (all && m >= n); /* the last n packets may be divided otherwise */
    division->count = 0;
    division->rounds = UINT64_C(2) * division->whole * (n - 1);
    uint32_t rest = m - division->whole * n;
    return all ? divide_all(n, rest, division) : divide_near(n, rest, division);
}

static uint64_t blocks_end(const struct collective *collective)
{
    struct division division;
    return divide(collective, &division) ? division.rounds : ALGORITHM_UNKNOWN;
}

static bool blocks_build(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    struct division division;
    uint32_t n = collective->n;
    uint64_t round = 0;
    struct blocks_part part = {.n = n, .blocks = n, .packets = n};
    if (!divide(collective, &division))
        return err_no_memory(err, "the parts of %u packets", collective->m);
    bool built = schedule_reserve(schedule, division.rounds, (size_t)division.rounds * n, err);
    for (uint32_t which = 0; built && which < division.whole; which++, part.before += n)
        built = part_build(&part, &round, schedule, err);
    for (size_t which = 0; built && which < division.count; which++) {
        part.packets = division.part[which].packets;
        part.blocks = division.part[which].blocks;
        built = part_build(&part, &round, schedule, err);
        part.before += part.packets;
    }
    return built;
}

const struct algorithm algorithm_blocks_all_reduce = {
    .name = "blocks-all-reduce",
    .summary = "an all-reduce of any number of packets, in parts of few rounds",
    .source = "ours, after Träff, arXiv 2410.14234, and Bar-Noy, Kipnis, Schieber, PPL 3",
    .models = 1u << MODEL_SEND_RECEIVE,
    .kind = COLLECTIVE_ALL_REDUCE,
    .end = blocks_end,
    .build = blocks_build,
};
