/* SPDX-License-Identifier: Apache-2.0 */
/* test_wide_words: the numbers of flits above 31 bits.
 *
 * Random replacements of parts (seed printed), at widths of 2 to 16 parts with a bit of the flit,
 * compared with an array of flits: each number has the bits of its flit, equal flits have equal
 * numbers, different flits different ones, and numbers below 2^30 are the flits themselves. The
 * table grows past several sizes. A rewind brings back the numbers of the snapshot, also after the
 * table has grown, and new flits then get correct numbers; a reset empties the table.
 *
 * Counter-case. A part that the flit does not have reads as 0, and replacing it changes nothing.
 */
#include "csim/shell/wide_words.h"
#include "sched/base/rng.h"
#include "sched/machine/operators.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <string.h>

#define SEED UINT64_C(20261127)
#define FLITS 500
#define PARTS 16

/* Flits and their numbers. */
struct lab {
    struct csim *sim;
    struct wide_words *words;
    struct rng rng;
    unsigned width;
    uint32_t number[FLITS], flit[FLITS][PARTS];
};

static void lab_open(struct lab *lab, unsigned width)
{
    const struct machine machine = {.width = width};
    struct err err = {0};
    *lab = (struct lab){.sim = csim_create(), .rng = {SEED + width}, .width = width};
    assert_non_null(lab->sim);
    lab->words = wide_words_new(csim_root(lab->sim), &machine);
    assert_non_null(lab->words);
    support_true(csim_elaborate(lab->sim, &err), &err);
}

static uint32_t mask_of(unsigned width, uint32_t part)
{
    uint32_t mask = 0;
    for (unsigned bit = 0; bit < 32; bit++)
        mask |= 32 * part + bit < width ? UINT32_C(1) << bit : 0;
    return mask;
}

/* Replaces a part of a random flit; few values, so that flits meet again. */
static void replace_one(struct lab *lab)
{
    const uint32_t which = rng_below(&lab->rng, FLITS), part = rng_below(&lab->rng, PARTS);
    const uint32_t bits =
        rng_below(&lab->rng, 2) ? (uint32_t)rng_next(&lab->rng) * 2 : rng_below(&lab->rng, 3);
    lab->number[which] = wide_words_replace(lab->words, lab->number[which], part, bits);
    lab->flit[which][part] = bits & mask_of(lab->width, part);
}

static bool is_small(const uint32_t flit[PARTS])
{
    uint32_t above = flit[0] >> 30;
    for (unsigned part = 1; part < PARTS; part++)
        above |= flit[part];
    return above == 0;
}

static void check_all(const struct lab *lab)
{
    for (uint32_t a = 0; a < FLITS; a++) {
        assert_int_equal(lab->number[a] >> 31, 0);
        for (uint32_t part = 0; part < PARTS; part++)
            assert_int_equal(wide_words_bits(lab->words, lab->number[a], part), lab->flit[a][part]);
        if (is_small(lab->flit[a]))
            assert_int_equal(lab->number[a], lab->flit[a][0]);
        for (uint32_t b = 0; b < a; b++)
            assert_true((lab->number[a] == lab->number[b]) ==
                        (memcmp(lab->flit[a], lab->flit[b], sizeof lab->flit[a]) == 0));
    }
    assert_false(wide_words_failed(lab->words));
}

static void numbers_stand_for_flits(void **state)
{
    (void)state;
    static const unsigned widths[] = {32, 33, 64, 100, 127, 511, 512};
    print_message("seed %" PRIu64 "\n", SEED);
    for (size_t which = 0; which < sizeof widths / sizeof *widths; which++) {
        static struct lab lab;
        lab_open(&lab, widths[which]);
        for (unsigned k = 0; k < 20; k++) {
            for (unsigned n = 0; n < 400; n++)
                replace_one(&lab);
            check_all(&lab);
        }
        csim_destroy(lab.sim);
    }
}

static void either_bit_is_in_the_or(void **state)
{
    (void)state;
    static struct lab lab;
    lab_open(&lab, 100);
    for (unsigned n = 0; n < 4000; n++)
        replace_one(&lab);
    for (unsigned n = 0; n < 4000; n++) {
        const uint32_t a = rng_below(&lab.rng, FLITS), b = rng_below(&lab.rng, FLITS),
                       either = wide_words_operate(lab.words, MACHINE_OPERATOR_OR, lab.number[a],
                                                   lab.number[b]);
        for (uint32_t part = 0; part < PARTS; part++)
            assert_int_equal(wide_words_bits(lab.words, either, part),
                             lab.flit[a][part] | lab.flit[b][part]);
    }
    csim_destroy(lab.sim);
}

static void a_rewind_brings_numbers_back(void **state)
{
    (void)state;
    static struct lab lab, kept;
    lab_open(&lab, 512);
    for (unsigned n = 0; n < 100; n++)
        replace_one(&lab);
    assert_true(csim_mark(lab.sim, SIZE_MAX));
    kept = lab;
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned n = 0; n < 3000; n++)
            replace_one(&lab);
        check_all(&lab);
        csim_rewind(lab.sim);
        const struct rng rng = lab.rng;
        lab = kept;
        lab.rng = rng; /* other flits than in the round before */
        check_all(&lab);
    }
    csim_reset(lab.sim);
    memset(lab.number, 0, sizeof lab.number);
    memset(lab.flit, 0, sizeof lab.flit);
    for (unsigned n = 0; n < 3000; n++)
        replace_one(&lab);
    check_all(&lab);
    csim_destroy(lab.sim);
}

static void a_missing_part_is_zero(void **state)
{
    (void)state;
    static struct lab lab;
    lab_open(&lab, 64);
    const uint32_t number = wide_words_replace(lab.words, 0, 1, 5);
    assert_int_equal(wide_words_bits(lab.words, number, 1), 5);
    assert_int_equal(wide_words_bits(lab.words, number, 2), 0);
    assert_int_equal(wide_words_replace(lab.words, number, 2, 1), number);
    csim_destroy(lab.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_stand_for_flits), cmocka_unit_test(either_bit_is_in_the_or),
        cmocka_unit_test(a_rewind_brings_numbers_back), cmocka_unit_test(a_missing_part_is_zero)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
