/* SPDX-License-Identifier: Apache-2.0 */
/* benes_block: runs one step of the recursion for all networks of one size in a block of 64 lanes
 * together.
 *
 * The terms (mate, next, loop, upper half) and the round of this example are those of
 * benes_dense.c. Here lanes are bits of a word and bytes of an array. On processors that permute 64
 * bytes in one instruction (AVX-512 VBMI) a block stays in registers and nothing is walked: every
 * lane finds the lowest lane of its loop by jumps that double (pointer jumping), without
 * mispredicted branches, which are the main cost of small loops. N = 8, to = 3 7 4 0 2 6 1 5:
 *
 *     lane       0   1   2   3   4   5   6   7
 *     next       5   4   7   6   1   0   3   2
 *     lowest     0   1   2   3   1   0   3   2      min(lane, next); another turn would reach
 *                                                   twice as far
 *     beside     1   0   3   2   0   1   2   3      lowest of the other lane of the switch
 *     upper      x       x           x       x      lowest < beside: inputs 0 2 5 7
 */
#include "sched/network/benes_block.h"

#include "sched/base/compare.h"
#include "sched/network/benes_bits.h"

#include <string.h>

/* --- Blocks of a power of two ------------------------------------------------------------- */

/* Returns the inputs that use the upper half, in all networks of 2^(bit+1) ports. */
static uint64_t walk_loops(unsigned bit, const uint8_t from[BENES_BLOCK])
{
    uint8_t next[BENES_BLOCK];
    unsigned half = 1U << bit;
    for (unsigned output = 0; output < BENES_BLOCK; output++)
        next[from[output]] = from[output ^ half] ^ (uint8_t)half;
    uint64_t upper = 0, open = benes_bits_low(bit);
    while (open != 0) {
        unsigned start = (unsigned)__builtin_ctzll(open), lane = start;
        do {
            upper |= UINT64_C(1) << lane;
            lane = next[lane];
        } while (lane != start);
        open &= ~(upper | upper >> half);
    }
    return upper;
}

/* Returns both lanes of each crossed output switch: of those whose low output gets an input from
 * the lower half. */
static uint64_t crossed_outputs(uint64_t upper, unsigned bit, const uint8_t from[BENES_BLOCK])
{
    uint8_t takes_upper[BENES_BLOCK];
    for (unsigned output = 0; output < BENES_BLOCK; output++)
        takes_upper[output] = (uint8_t)(upper >> from[output] & 1);
    uint64_t high = benes_bits_pack(takes_upper) | (uint64_t)benes_bits_pack(takes_upper + 32)
                                                       << 32;
    high &= ~benes_bits_low(bit);
    return high | high >> (1U << bit);
}

/* Computes the permutations of both halves of every network. */
static void part_halves(uint64_t crossed, unsigned bit, uint8_t from[BENES_BLOCK])
{
    uint8_t old[BENES_BLOCK], half = (uint8_t)(1U << bit);
    memcpy(old, from, BENES_BLOCK);
    for (unsigned output = 0; output < BENES_BLOCK; output++) {
        unsigned source = output ^ (unsigned)(crossed >> output & 1) << bit;
        from[output] = (uint8_t)((old[source] & ~half) | (output & half));
    }
}

/* Returns the settings of the middle stage, whose networks have two ports. */
static uint32_t last_setting(const uint8_t from[BENES_BLOCK])
{
    uint8_t crossed[BENES_BLOCK / 2];
    for (unsigned sw = 0; sw < BENES_BLOCK / 2; sw++)
        crossed[sw] = from[2 * sw] & 1;
    return benes_bits_pack(crossed);
}

void benes_block_walk(unsigned log2_ports, unsigned log2_inner, uint8_t from[BENES_BLOCK],
                      uint32_t setting[BENES_BLOCK_STAGES])
{
    for (unsigned bit = log2_ports - 1; bit > 0 && bit >= log2_inner; bit--) {
        uint64_t low = benes_bits_low(bit), upper = walk_loops(bit, from);
        uint64_t crossed = crossed_outputs(upper, bit, from);
        setting[log2_ports - 1 - bit] = benes_bits_close(upper >> (1U << bit) & low, bit);
        setting[log2_ports - 1 + bit] = benes_bits_close(crossed & low, bit);
        part_halves(crossed, bit, from);
    }
    if (log2_inner == 0)
        setting[log2_ports - 1] = last_setting(from);
}

#if defined(__x86_64__)

/* Exchanges the lanes of crossed switches, and lets each half keep only its own circuits. */
BENES_LOOPS static inline __m512i part_vector(uint64_t crossed_low, __m512i value, __m512i lanes,
                                              unsigned bit)
{
    __m512i half = _mm512_set1_epi8((char)(1 << bit)), apart = _mm512_xor_si512(lanes, half);
    __m512i swapped =
        _mm512_mask_permutexvar_epi8(value, crossed_low | crossed_low << (1U << bit), apart, value);
    return _mm512_ternarylogic_epi64(half, lanes, swapped, 0xca); /* half ? lanes : swapped */
}

BENES_LOOPS static void block_vector(unsigned log2_ports, unsigned log2_inner,
                                     uint8_t from[BENES_BLOCK],
                                     uint32_t setting[BENES_BLOCK_STAGES])
{
    uint8_t inverse[BENES_BLOCK], number[BENES_BLOCK];
    for (unsigned lane = 0; lane < BENES_BLOCK; lane++) {
        inverse[from[lane]] = (uint8_t)lane;
        number[lane] = (uint8_t)lane;
    }
    __m512i lanes = _mm512_loadu_si512(number);
    __m512i input = _mm512_loadu_si512(from), output = _mm512_loadu_si512(inverse);
    for (unsigned bit = log2_ports - 1; bit > 0 && bit >= log2_inner; bit--) {
        uint64_t low = benes_bits_low(bit);
        __m512i half = _mm512_set1_epi8((char)(1 << bit));
        __m512i mate = _mm512_permutexvar_epi8(_mm512_xor_si512(output, half), input);
        /* A loop of a network of 2^(bit+1) ports has at most 2^bit lanes of one half. */
        __m512i lowest = benes_loops_lowest(_mm512_xor_si512(mate, half), lanes, bit);
        /* Two loops pass a switch; the one with the smaller lowest lane uses the upper half. */
        __m512i beside = _mm512_permutexvar_epi8(_mm512_xor_si512(lanes, half), lowest);
        __mmask64 lower = _mm512_cmpgt_epu8_mask(lowest, beside);
        uint64_t crossed_in = lower & low;
        uint64_t crossed_out =
            _mm512_movepi8_mask(_mm512_permutexvar_epi8(input, _mm512_movm_epi8(lower))) & low;
        setting[log2_ports - 1 - bit] = (uint32_t)_pext_u64(crossed_in, low);
        setting[log2_ports - 1 + bit] = (uint32_t)_pext_u64(crossed_out, low);
        output = part_vector(crossed_in, output, lanes, bit);
        input = part_vector(crossed_out, input, lanes, bit);
    }
    if (log2_inner == 0) {
        uint64_t crossed = _mm512_cmpneq_epi8_mask(input, lanes);
        setting[log2_ports - 1] = (uint32_t)_pext_u64(crossed, benes_bits_low(0));
    }
    _mm512_storeu_si512(from, input);
}

#endif

benes_block_fn *benes_block_best(void)
{
#if defined(__x86_64__)
    if (benes_loops_here())
        return block_vector;
#endif
    return benes_block_walk;
}

/* --- Blocks of any size ------------------------------------------------------------------- */

/* Runs one step of the recursion for all blocks of one level of a tile together.
 *
 * The terms (phantom, loop, half) and a worked example are in benes_any.c. A table has the other
 * lane of each switch. After each level every half gets its permutation: output o gets input
 * σ(from[τ(o)]), where σ and τ exchange the lanes of crossed switches on the way in and on the way
 * back.
 */

static uint64_t bit_of(uint32_t lane)
{
    return UINT64_C(1) << lane;
}

/* Pairs the lanes of a block of a level. The tile begins at lane `origin` of the network, and lane
 * `phantom` of the tile is unused. Returns whether the block uses it as its phantom lane. */
static bool pair_lanes(const struct multistage *net, unsigned depth, uint32_t number,
                       uint32_t origin, uint32_t phantom, struct benes_tile_level *level)
{
    uint32_t first = multistage_first(net, depth, number),
             high = multistage_first(net, depth + 1, 2 * number + 1),
             end = multistage_first(net, depth, number + 1);
    uint32_t lower = high - first, upper = end - high, count = MIN(lower, upper);
    uint32_t sw = first / 2 - origin / 2, alone = lower > upper ? high - 1 : end - 1;
    for (uint32_t i = 0; i < count; i++) {
        level->partner[first - origin + i] = (uint8_t)(high - origin + i);
        level->partner[high - origin + i] = (uint8_t)(first - origin + i);
        level->low |= bit_of(first - origin + i);
        level->high |= bit_of(high - origin + i);
        level->switches |= bit_of(sw + i);
    }
    if (depth + 1 == net->levels)
        return false;
    if (lower == upper) {
        if (lower == 1 || net->fewer)
            level->left_out |= bit_of(first - origin + count - 1);
        return false;
    }
    level->partner[alone - origin] = (uint8_t)phantom;
    level->partner[phantom] = (uint8_t)(alone - origin);
    level->phantom |= bit_of(lower > upper ? alone - origin : phantom);
    return true;
}

static void make_tile(const struct multistage *net, uint32_t number, struct benes_tile *tile)
{
    unsigned top = benes_tile_top(net);
    uint32_t origin = multistage_first(net, top, number),
             lanes = multistage_first(net, top, number + 1) - origin;
    tile->levels = net->levels - top;
    for (unsigned below = 0; below < tile->levels; below++) {
        struct benes_tile_level *level = &tile->level[below];
        uint32_t phantom = lanes;
        for (uint32_t lane = 0; lane < BENES_TILE; lane++)
            level->partner[lane] = (uint8_t)lane;
        for (uint32_t block = number << below; block < (number + 1) << below; block++)
            phantom += pair_lanes(net, top + below, block, origin, phantom, level);
    }
}

uint32_t benes_tile_find(const struct multistage *net, uint32_t number, struct benes_tile tile[],
                         uint32_t known)
{
    unsigned below = net->levels - benes_tile_top(net);
    uint32_t block = number << below, end = (number + 1) << below, which = 0;
    uint64_t key[2] = {0, multistage_first(net, net->levels, block) % 2};
    for (; block < end; block++)
        key[0] = key[0] << 1 | (multistage_first(net, net->levels, block + 1) -
                                multistage_first(net, net->levels, block));
    while (which < known && memcmp(tile[which].key, key, sizeof key) != 0)
        which++;
    if (which == known) {
        memset(&tile[which], 0, sizeof tile[which]);
        memcpy(tile[which].key, key, sizeof key);
        make_tile(net, number, &tile[which]);
    }
    return which;
}

/* Returns the lane at which the next walk begins: the first lane that must be straight, else one
 * that no walk has met. */
static uint32_t first_of(uint64_t straight, uint64_t open)
{
    uint64_t either = straight != 0 ? straight : open;
    return (uint32_t)__builtin_ctzll(either | bit_of(BENES_TILE - 1));
}

/* Returns the inputs that use the lower halves. */
static uint64_t walk_tile_loops(const struct benes_tile_level *level,
                                const uint8_t from[BENES_TILE])
{
    uint8_t next[BENES_TILE];
    uint64_t lower = 0, straight = level->phantom, open = level->low;
    for (uint32_t output = 0; output < BENES_TILE; output++)
        next[from[output]] = level->partner[from[level->partner[output]]];
    for (uint64_t out = level->left_out; out != 0; out &= out - 1)
        straight |= bit_of(from[__builtin_ctzll(out)]);
    unsigned steps = (unsigned)__builtin_popcountll(level->low | level->phantom);
    uint32_t lane = first_of(straight, open), start = lane;
    for (unsigned step = 0; step < steps; step++) {
        lower |= bit_of(lane);
        open &= ~(bit_of(lane) | bit_of(level->partner[lane]));
        lane = next[lane];
        uint32_t closed = lane == start;
        straight &= straight - closed;
        uint32_t other = first_of(straight, open);
        lane ^= (lane ^ other) & -closed;
        start ^= (start ^ other) & -closed;
    }
    return lower;
}

/* Returns the settings of the switches, from the bits of their low lanes. It has no branch that
 * depends on a setting, because such branches cannot be predicted. */
static uint64_t settings_of(const struct benes_tile_level *level, uint64_t crossed)
{
    uint64_t setting = 0, switches = level->switches;
    for (uint64_t low = level->low; low != 0; low &= low - 1, switches &= switches - 1)
        setting |= switches & -switches & -(crossed >> __builtin_ctzll(low) & 1);
    return setting;
}

/* Finds where each lane is after the switches of a level. */
static void swap_lanes(const struct benes_tile_level *level, uint64_t crossed,
                       uint8_t swapped[BENES_TILE])
{
    for (uint32_t lane = 0; lane < BENES_TILE; lane++)
        swapped[lane] = (uint8_t)lane;
    for (; crossed != 0; crossed &= crossed - 1)
        swapped[__builtin_ctzll(crossed)] = level->partner[__builtin_ctzll(crossed)];
}

void benes_tile_walk(const struct benes_tile *tile, const uint8_t from[BENES_TILE],
                     uint64_t setting[BENES_TILE_STAGES])
{
    uint8_t inner[BENES_TILE], outer[BENES_TILE], in[BENES_TILE], out[BENES_TILE];
    unsigned last = tile->levels - 1;
    memcpy(inner, from, BENES_TILE);
    for (unsigned below = 0; below < last; below++) {
        const struct benes_tile_level *level = &tile->level[below];
        uint64_t lower = walk_tile_loops(level, inner), crossed_in = lower ^ level->low,
                 crossed_out = 0;
        for (uint32_t output = 0; output < BENES_TILE; output++)
            crossed_out |= (lower >> inner[output] & 1) << output;
        crossed_in &= level->low | level->high;
        crossed_out = (crossed_out ^ level->low) & (level->low | level->high);
        setting[below] = settings_of(level, crossed_in);
        setting[2 * last - below] = settings_of(level, crossed_out);
        swap_lanes(level, crossed_in, in);
        swap_lanes(level, crossed_out, out);
        memcpy(outer, inner, BENES_TILE);
        for (uint32_t output = 0; output < BENES_TILE; output++)
            inner[output] = in[outer[out[output]]];
    }
    uint64_t crossed = 0;
    for (uint32_t output = 0; output < BENES_TILE; output++)
        crossed |= (uint64_t)(inner[output] != output) << output;
    setting[last] = settings_of(&tile->level[last], crossed);
}

#if defined(__x86_64__)

BENES_LOOPS static inline uint64_t settings_vector(const struct benes_tile_level *level,
                                                   uint64_t crossed)
{
    return _pdep_u64(_pext_u64(crossed, level->low), level->switches);
}

BENES_LOOPS static void tile_vector(const struct benes_tile *tile, const uint8_t from[BENES_TILE],
                                    uint64_t setting[BENES_TILE_STAGES])
{
    uint8_t inverse[BENES_TILE], number[BENES_TILE];
    for (uint32_t lane = 0; lane < BENES_TILE; lane++) {
        inverse[from[lane]] = (uint8_t)lane;
        number[lane] = (uint8_t)lane;
    }
    __m512i lanes = _mm512_loadu_si512(number),
            numbers = _mm512_add_epi8(lanes, _mm512_set1_epi8(1));
    __m512i input = _mm512_loadu_si512(from), output = _mm512_loadu_si512(inverse);
    unsigned last = tile->levels - 1;
    for (unsigned below = 0; below < last; below++) {
        const struct benes_tile_level *level = &tile->level[below];
        __m512i partner = _mm512_loadu_si512(level->partner);
        uint64_t straight = level->phantom, switched = level->low | level->high;
        if (level->left_out != 0)
            straight |= _mm512_movepi8_mask(
                _mm512_permutexvar_epi8(output, _mm512_movm_epi8(level->left_out)));
        __m512i mate = _mm512_permutexvar_epi8(_mm512_permutexvar_epi8(output, partner), input);
        /* A loop of a block of up to 2^(turns+1) lanes has at most 2^turns lanes of one half. */
        __m512i lowest =
            benes_loops_lowest(_mm512_permutexvar_epi8(mate, partner),
                               _mm512_maskz_mov_epi8(~straight, numbers), last - below);
        /* Two loops pass a switch; the one with the smaller lowest number uses the lower half. */
        __mmask64 lower = _mm512_cmplt_epu8_mask(lowest, _mm512_permutexvar_epi8(partner, lowest));
        __mmask64 from_lower =
            _mm512_movepi8_mask(_mm512_permutexvar_epi8(input, _mm512_movm_epi8(lower)));
        uint64_t crossed_in = (lower ^ level->low) & switched;
        uint64_t crossed_out = (from_lower ^ level->low) & switched;
        setting[below] = settings_vector(level, crossed_in);
        setting[2 * last - below] = settings_vector(level, crossed_out);
        __m512i in = _mm512_mask_mov_epi8(lanes, crossed_in, partner);
        __m512i out = _mm512_mask_mov_epi8(lanes, crossed_out, partner);
        input = _mm512_permutexvar_epi8(_mm512_permutexvar_epi8(out, input), in);
        output = _mm512_permutexvar_epi8(_mm512_permutexvar_epi8(in, output), out);
    }
    setting[last] = settings_vector(&tile->level[last], _mm512_cmpneq_epi8_mask(input, lanes));
}

#endif

benes_tile_fn *benes_tile_best(void)
{
#if defined(__x86_64__)
    if (benes_loops_here())
        return tile_vector;
#endif
    return benes_tile_walk;
}
