/* SPDX-License-Identifier: Apache-2.0 */

/* benes_dense: the looping algorithm on arrays, for full permutations.
 *
 * A network of n = 2h ports consists of h input switches, two networks of h ports (upper and lower)
 * and h output switches. The two inputs of a switch must use different halves, and so must the two
 * inputs whose outputs share a switch. So from an input that uses the upper half, go to its mate,
 * the input that is connected to the other output of its output switch: the mate uses the lower
 * half, and the input beside the mate the upper half again. Every permutation consists of such
 * loops. N = 8, h = 4, to = 3 7 4 0 2 6 1 5, from = 3 6 4 0 2 7 5 1:
 *
 *     input                         0   1   2   3   4   5   6   7
 *     output                        3   7   4   0   2   6   1   5
 *     mate     outputs differ in 4  1   0   3   2   5   4   7   6
 *     next     mate differs in 4    5   4   7   6   1   0   3   2
 *
 *     loop 0 → 5 → 0                inputs 0 and 5 use the upper half, 4 and 1 the lower half
 *     loop 2 → 7 → 2                inputs 2 and 7 use the upper half, 6 and 3 the lower half
 *     stage 0                       switches (0,4) straight, (1,5) crossed, (2,6) straight, (3,7)
 *                                   crossed
 *     stage 4                       output 0 gets input 3 from the lower half: crossed; 1 gets 6:
 *                                   crossed; 2 gets 4: crossed; 3 gets 0 from the upper half:
 *                                   straight
 *
 * and the upper half must route the inputs 0 5 2 7, now on lanes 0 1 2 3, to the lanes 3 2 0 1.
 */

#include "sched/base/compare.h"
#include "sched/network/benes.h"
#include "sched/network/benes_bits.h"
#include "sched/network/colour_walk.h"
#include "sched/shape/multistage.h"

#include <stdbool.h>
#include <string.h>

/* Each step of a walk waits for the load of the previous step. Therefore the loops of this many
 * sub-networks of one size are walked side by side; each sub-network takes h steps in all, however
 * many loops it has. */
#define WALKERS 4

/* `count` neighbouring sub-networks of 2^log2_ports ports, from lane `base` on. */
struct parts {
    unsigned log2_ports;
    uint32_t base;
    unsigned count;
};

/* Computes the next input of a walk from each input of one part: the neighbour of its mate. */
static void link_inputs(const uint32_t from[], uint32_t half, uint32_t next[])
{
    for (uint32_t output = 0; output < half; output++) {
        uint32_t low = from[output], high = from[output + half];
        next[low] = high ^ half;
        next[high] = low ^ half;
    }
}

/* Returns the first switch, from `sw` on, that no walk has met; `half`, a multiple of 8, if there
 * is none. A switch has been met when one of its two inputs is known to use the upper half. Eight
 * switches are tested in a step, the first in the lowest byte: little-endian, as all supported
 * machines are. */
static __attribute__((noinline)) uint32_t next_open(const uint8_t upper[], uint32_t sw,
                                                    uint32_t half)
{
    for (sw &= ~UINT32_C(7); sw < half; sw += 8) {
        uint64_t low, high;
        memcpy(&low, upper + sw, sizeof low);
        memcpy(&high, upper + sw + half, sizeof high);
        uint64_t open = ~(low | high) & UINT64_C(0x0101010101010101);
        if (open != 0)
            return sw + ((unsigned)__builtin_ctzll(open) >> 3);
    }
    return half;
}

/* Walks all loops of `count` parts. Inlined for each count, so that the state of the walks stays in
 * registers. */
static inline __attribute__((always_inline)) void walk(const struct benes_dense *work,
                                                       uint32_t base, uint32_t half, unsigned count)
{
    const uint32_t *next = work->next;
    uint8_t *upper = work->upper;
    uint32_t lane[WALKERS], start[WALKERS];
#pragma GCC unroll 8
    for (unsigned walker = 0; walker < count; walker++)
        lane[walker] = start[walker] = base + 2 * half * walker;
    for (uint32_t step = 0; step < half; step++) {
#pragma GCC unroll 8
        for (unsigned walker = 0; walker < count; walker++) {
            upper[lane[walker]] = 1;
            lane[walker] = next[lane[walker]];
            if (__builtin_expect(lane[walker] == start[walker], 0)) {
                uint32_t first = base + 2 * half * walker;
                start[walker] =
                    first + next_open(upper + first, start[walker] - first, half) % half;
                lane[walker] = start[walker];
            }
        }
    }
}

static void walk_loops(const struct benes_dense *work, struct parts parts)
{
    uint32_t half = UINT32_C(1) << (parts.log2_ports - 1);
    memset(work->upper + parts.base, 0, (size_t)parts.count * 2 * half);
    if (2 * half >= COLOUR_TRAILS_EDGES)
        for (uint32_t base = parts.base; base < parts.base + parts.count * 2 * half;
             base += 2 * half)
            colour_trails(work->next, work->upper,
                          (struct colour_pairs){base, half, .step = 1, .apart = half, base});
    else if (parts.count == 1)
        walk(work, parts.base, half, 1);
    else if (parts.count == 2)
        walk(work, parts.base, half, 2);
    else
        walk(work, parts.base, half, WALKERS);
}

/* Sets the input switches: a switch is crossed if its high input uses the upper half. */
static void set_inputs(const uint8_t upper[], uint32_t half, uint32_t row[])
{
    for (uint32_t sw = 0; sw < half; sw += 32)
        row[sw / 32] = benes_bits_pack(upper + half + sw);
}

/* Sets the output switches: a switch is crossed if the input of its high output uses the upper
 * half. Then computes the permutation of each half in place. The lookup is a loop of its own, so
 * that the exchange can be vectorised. */
static void set_outputs(uint32_t from[], const uint8_t upper[], uint32_t half, uint32_t row[])
{
    for (uint32_t sw = 0; sw < half; sw += 32) {
        uint32_t *low = from + sw, *high = from + sw + half;
        uint8_t crossed[32];
        for (unsigned each = 0; each < 32; each++)
            crossed[each] = upper[high[each]];
        for (unsigned each = 0; each < 32; each++) {
            uint32_t swapped = (low[each] ^ high[each]) & -(uint32_t)crossed[each];
            low[each] = (low[each] ^ swapped) & ~half;
            high[each] = (high[each] ^ swapped) | half;
        }
        row[sw / 32] = benes_bits_pack(crossed);
    }
}

static void route_block(const struct benes_dense *work, uint32_t base, uint32_t *row)
{
    uint8_t from[BENES_BLOCK];
    uint32_t setting[BENES_BLOCK_STAGES] = {0};
    uint32_t ports = UINT32_C(1) << work->log2_ports;
    unsigned log2_ports = MIN(work->log2_ports, BENES_BLOCK_LOG2);
    for (uint32_t lane = 0; lane < BENES_BLOCK; lane++)
        from[lane] = (uint8_t)(lane < ports ? work->from[base + lane] % BENES_BLOCK : lane);
    work->block(log2_ports, work->log2_inner, from, setting);
    size_t words = benes_row_words(work->log2_ports);
    uint32_t *word = row + (work->log2_ports - log2_ports) * words + base / 64;
    for (unsigned stage = 0; stage < benes_stages(log2_ports); stage++)
        word[stage * words] = setting[stage];
    for (uint32_t lane = 0; work->log2_inner > 0 && lane < BENES_BLOCK && lane < ports; lane++)
        work->from[base + lane] = base + from[lane];
}

static void route_parts(const struct benes_dense *work, struct parts parts, uint32_t *row);

/* Routes two large halves, one of them as a task for an idle thread. */
static void route_halves(const struct benes_dense *work, struct parts half, uint32_t *row)
{
    struct parts upper = {half.log2_ports, half.base, 1};
    struct parts lower = {half.log2_ports, half.base + (UINT32_C(1) << half.log2_ports), 1};
#pragma omp task
    route_parts(work, lower, row);
    route_parts(work, upper, row);
#pragma omp taskwait
}

/* Routes parts depth first, so that inner sub-networks fit in the nearest cache. The recursion ends
 * in benes_block, or at the inner networks that are left out. */
static void route_parts(const struct benes_dense *work, struct parts parts, uint32_t *row)
{
    if (parts.log2_ports == work->log2_inner)
        return;
    if (parts.log2_ports <= BENES_BLOCK_LOG2) {
        for (unsigned part = 0; part < parts.count; part++)
            route_block(work, parts.base + part * BENES_BLOCK, row);
        return;
    }
    uint32_t ports = UINT32_C(1) << parts.log2_ports;
    size_t words = benes_row_words(work->log2_ports);
    uint32_t *input_row = row + (work->log2_ports - parts.log2_ports) * words;
    uint32_t *output_row = row + (work->log2_ports + parts.log2_ports - 2) * words;
    uint32_t end = parts.base + parts.count * ports;
    for (uint32_t base = parts.base; base < end; base += ports)
        link_inputs(work->from + base, ports / 2, work->next);
    walk_loops(work, parts);
    for (uint32_t base = parts.base; base < end; base += ports) {
        set_inputs(work->upper + base, ports / 2, input_row + base / 64);
        set_outputs(work->from + base, work->upper, ports / 2, output_row + base / 64);
    }
    struct parts inner = {parts.log2_ports - 1, parts.base, 2 * parts.count};
    if (inner.count == 2 && ports / 2 >= COLOUR_TRAILS_EDGES) {
        route_halves(work, inner, row);
        return;
    }
    if (inner.count <= WALKERS) {
        route_parts(work, inner, row);
        return;
    }
    inner.count = WALKERS;
    route_parts(work, inner, row);
    inner.base += WALKERS * ports / 2;
    route_parts(work, inner, row);
}

void benes_dense_route(const struct benes_dense *work, uint32_t *row)
{
    struct parts whole = {work->log2_ports, 0, 1};
    route_parts(work, whole, row);
}

/* --- Idle ports --------------------------------------------------------------------------- */

/* A bit for each lane, 1 if a circuit is on it, moves through all stages, 64 lanes at a time. */

void benes_idle_mark(unsigned log2_ports, const uint32_t to[], uint64_t live[])
{
    uint32_t ports = UINT32_C(1) << log2_ports;
    memset(live, 0, benes_row_words(log2_ports) * sizeof live[0]);
    for (uint32_t first = 0; first < ports; first += 32) {
        uint8_t sends[32] = {0};
        uint32_t count = ports - first < 32 ? ports - first : 32;
        for (uint32_t port = 0; port < count; port++)
            sends[port] = to[first + port] != MULTISTAGE_IDLE;
        live[first / 64] |= (uint64_t)benes_bits_pack(sends) << first % 64;
    }
}

/* Straightens a stage whose switches pair lanes of one word. */
static void straighten_within(unsigned bit, uint32_t words, uint64_t live[], uint32_t row[])
{
    for (uint32_t word = 0; word < words; word++) {
        uint64_t low = live[word] & benes_bits_low(bit),
                 high = live[word] >> (1 << bit) & benes_bits_low(bit);
        uint64_t crossed = benes_bits_spread(row[word], bit) & (low | high);
        row[word] = benes_bits_close(crossed, bit);
        live[word] = benes_bits_exchange(live[word], crossed, bit);
    }
}

/* Straightens a stage whose switches pair lanes of two words. */
static void straighten_between(unsigned bit, uint32_t words, uint64_t live[], uint32_t row[])
{
    uint32_t apart = UINT32_C(1) << (bit - 6);
    for (uint32_t base = 0; base < words; base += 2 * apart) {
        for (uint32_t low = base; low < base + apart; low++, row += 2) {
            uint64_t either = live[low] | live[low + apart];
            row[0] &= (uint32_t)either;
            row[1] &= (uint32_t)(either >> 32);
            uint64_t crossed = row[0] | (uint64_t)row[1] << 32;
            benes_bits_exchange_words(&live[low], &live[low + apart], crossed);
        }
    }
}

void benes_idle_straighten(unsigned log2_ports, uint64_t live[], uint32_t *row)
{
    uint32_t words = benes_row_words(log2_ports);
    for (unsigned stage = 0; stage < benes_stages(log2_ports); stage++, row += words) {
        unsigned bit = benes_bit(log2_ports, stage);
        if (bit < 6)
            straighten_within(bit, words, live, row);
        else
            straighten_between(bit, words, live, row);
    }
}
