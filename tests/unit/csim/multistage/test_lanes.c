/* SPDX-License-Identifier: Apache-2.0 */
/* The vectorised columns against one switch or lane at a time, written from the geometry of
 * benes.h: switches, switches that copy, and lanes that are looked up.
 *
 * State space: every bit of every N = 2 … 4096, so that both code paths (pairs within eight lanes,
 * and across) occur, and rows that fill part of a word, one word and several. Settings: all
 * straight, all crossed, each single switch crossed (N ≤ 64), and 16 seeded random rows. Rows for
 * lanes that copy have as many bits as there are lanes; lanes that are looked up come from fewer,
 * as many or more lanes, for every N up to 70 and one N of several blocks, and some have no source.
 * Only the padding after the last lane may be overwritten: nothing is written after the padding
 * (ASan, and a guard). */
#include "csim/multistage/lanes.h"
#include "sched/network/benes.h"
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LOG2 12
#define GUARD 16

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(*seed >> 32);
}

static void one_by_one(uint32_t *restrict out, const uint32_t *restrict in,
                       const uint32_t *restrict row, unsigned bit, uint32_t lanes)
{
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t sw = benes_switch(bit, lane);
        uint32_t crossed = row[sw / 32] >> (sw % 32) & 1;
        out[lane] = in[lane ^ crossed << bit];
    }
}

static uint32_t padded(uint32_t lanes)
{
    return (lanes + 15) / 16 * 16;
}

static uint32_t *lanes_new(uint32_t lanes)
{
    uint32_t *block = aligned_alloc(64, (padded(lanes) + GUARD) * sizeof *block);
    assert_non_null(block);
    memset(block, 0xA5, (padded(lanes) + GUARD) * sizeof *block);
    return block;
}

static uint32_t *random_lanes(uint32_t lanes, uint64_t seed)
{
    uint32_t *in = lanes_new(lanes);
    for (uint32_t lane = 0; lane < lanes; lane++)
        in[lane] = next_random(&seed);
    return in;
}

static void expect_same(const uint32_t *out, const uint32_t *expected, unsigned bit, uint32_t lanes)
{
    for (uint32_t lane = 0; lane < lanes; lane++)
        if (out[lane] != expected[lane])
            fail_msg("%u lanes, bit %u: lane %u", lanes, bit, lane);
    for (uint32_t lane = padded(lanes); lane < padded(lanes) + GUARD; lane++)
        assert_int_equal(out[lane], UINT32_C(0xA5A5A5A5));
}

static void compare_with(lanes_switch_column *column, lanes_switch_column *reference,
                         const uint32_t *row, unsigned bit, uint32_t lanes)
{
    uint32_t *in = random_lanes(lanes, lanes + bit);
    uint32_t *out = lanes_new(lanes), *expected = lanes_new(lanes);
    reference(expected, in, row, bit, lanes);
    column(out, in, row, bit, lanes);
    expect_same(out, expected, bit, lanes);
    free(in);
    free(out);
    free(expected);
}

static void compare(const uint32_t *row, unsigned bit, uint32_t lanes)
{
    compare_with(lanes_columns()->switches, one_by_one, row, bit, lanes);
    compare_with(lanes_portable.switches, one_by_one, row, bit, lanes);
}

/* Allocates a row of exactly its size, so that ASan detects a read beyond it. */
static uint32_t *row_new(unsigned log2_lanes)
{
    uint32_t *row = calloc(benes_row_words(log2_lanes), sizeof *row);
    assert_non_null(row);
    return row;
}

static void straight_and_crossed(void **unused)
{
    (void)unused;
    for (unsigned k = 1; k <= MAX_LOG2; k++) {
        uint32_t *row = row_new(k);
        for (int fill = 0; fill <= 0xFF; fill += 0xFF) {
            memset(row, fill, benes_row_words(k) * sizeof *row);
            for (unsigned bit = 0; bit < k; bit++)
                compare(row, bit, UINT32_C(1) << k);
        }
        free(row);
    }
}

static void each_switch_alone(void **unused)
{
    (void)unused;
    for (unsigned k = 1; k <= 6; k++) {
        for (uint32_t sw = 0; sw < UINT32_C(1) << (k - 1); sw++) {
            uint32_t *row = row_new(k);
            row[sw / 32] = UINT32_C(1) << (sw % 32);
            for (unsigned bit = 0; bit < k; bit++)
                compare(row, bit, UINT32_C(1) << k);
            free(row);
        }
    }
}

static void random_rows(void **unused)
{
    (void)unused;
    uint64_t seed = 1;
    for (unsigned k = 1; k <= MAX_LOG2; k++) {
        uint32_t *row = row_new(k);
        for (unsigned sample = 0; sample < 16; sample++) {
            for (uint32_t word = 0; word < benes_row_words(k); word++)
                row[word] = next_random(&seed);
            for (unsigned bit = 0; bit < k; bit++)
                compare(row, bit, UINT32_C(1) << k);
        }
        free(row);
    }
}

static void copy_one_by_one(uint32_t *restrict out, const uint32_t *restrict in,
                            const uint32_t *restrict row, unsigned bit, uint32_t lanes)
{
    for (uint32_t lane = 0; lane < lanes; lane++)
        out[lane] = row[lane / 32] >> lane % 32 & 1 ? in[lane ^ UINT32_C(1) << bit] : in[lane];
}

static void random_copies(void **unused)
{
    (void)unused;
    uint64_t seed = 1;
    for (unsigned k = 1; k <= MAX_LOG2; k++) {
        uint32_t *row = row_new(k + 1);
        for (unsigned sample = 0; sample < 16; sample++) {
            for (uint32_t word = 0; word < benes_row_words(k + 1); word++)
                row[word] = sample < 2 ? -(uint32_t)sample : next_random(&seed);
            for (unsigned bit = 0; bit < k; bit++) {
                compare_with(lanes_columns()->copies, copy_one_by_one, row, bit, UINT32_C(1) << k);
                compare_with(lanes_portable.copies, copy_one_by_one, row, bit, UINT32_C(1) << k);
            }
        }
        free(row);
    }
}

static void take_with(lanes_take_column *column, uint32_t lanes_in, uint32_t lanes)
{
    uint64_t seed = lanes;
    uint32_t *in = random_lanes(lanes_in, lanes_in), *source = lanes_new(lanes);
    uint32_t *out = lanes_new(lanes), *expected = lanes_new(lanes);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        source[lane] = next_random(&seed) % (lanes_in + 1);
        expected[lane] = source[lane] == lanes_in ? 0 : in[source[lane]];
    }
    column(out, in, source, lanes_in, lanes);
    expect_same(out, expected, 0, lanes);
    free(in);
    free(source);
    free(out);
    free(expected);
}

static void random_sources(void **unused)
{
    (void)unused;
    for (uint32_t lanes = 1; lanes <= 600; lanes += lanes < 70 ? 1 : 505)
        for (uint32_t lanes_in = lanes / 2 + 1; lanes_in <= 2 * lanes; lanes_in += lanes / 2 + 1) {
            take_with(lanes_columns()->takes, lanes_in, lanes);
            take_with(lanes_portable.takes, lanes_in, lanes);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_and_crossed), cmocka_unit_test(each_switch_alone),
        cmocka_unit_test(random_rows),          cmocka_unit_test(random_copies),
        cmocka_unit_test(random_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
