/* SPDX-License-Identifier: Apache-2.0 */
/* test_operators: operators on flits above 31 bits, against operators bit by bit.
 *
 * Every operator, at the widths 1 to 70 and around 127 and 512; random flits (seed printed), half
 * of whose words are 0 or all ones, so that carries run through words and comparisons meet equal
 * ones. Up to 31 bits machine_operate gives the same. The result may take the place of an operand.
 */
#include "sched/base/rng.h"
#include "sched/machine/operators.h"
#include "tests/support/cmocka_all.h"

#include <inttypes.h>
#include <string.h>

#define SEED UINT64_C(20261127)
#define WORDS 16

static bool bit_of(const uint32_t flit[], unsigned bit)
{
    return flit[bit / 32] >> (bit % 32) & 1;
}

static bool is_above(unsigned width, const uint32_t a[], const uint32_t b[])
{
    for (unsigned bit = width; bit-- > 0;)
        if (bit_of(a, bit) != bit_of(b, bit))
            return bit_of(a, bit);
    return false;
}

/* Combines bit by bit: a ripple-carry adder, a comparison from the highest bit, and gates. */
static void reference(uint32_t which, unsigned width, const uint32_t a[], const uint32_t b[],
                      uint32_t result[WORDS])
{
    bool carry = false;
    memset(result, 0, WORDS * sizeof *result);
    for (unsigned bit = 0; bit < width; bit++) {
        const bool x = bit_of(a, bit), y = bit_of(b, bit), above = is_above(width, a, b);
        const bool out = which <= 1   ? x ^ y ^ carry
                         : which == 2 ? (above ? y : x)
                         : which == 3 ? (above ? x : y)
                         : which == 4 ? x && y
                         : which == 5 ? x || y
                                      : x != y;
        carry = (x && y) || (carry && (x || y));
        result[bit / 32] |= (uint32_t)out << (bit % 32);
    }
    for (unsigned bit = 0; which == 1 && carry && bit < width; bit++)
        result[bit / 32] |= UINT32_C(1) << (bit % 32);
}

static void draw(struct rng *rng, unsigned width, uint32_t flit[WORDS])
{
    memset(flit, 0, WORDS * sizeof *flit);
    for (unsigned word = 0; 32 * word < width; word++) {
        const uint32_t kind = rng_below(rng, 4), bits = width - 32 * word;
        flit[word] = kind == 0 ? 0 : kind == 1 ? UINT32_MAX : (uint32_t)(rng_next(rng) >> 32);
        flit[word] &= bits < 32 ? (UINT32_C(1) << bits) - 1 : UINT32_MAX;
    }
}

static void flits_are_combined_bit_by_bit(void **state)
{
    (void)state;
    static const unsigned more[] = {127, 128, 129, 511, 512};
    struct rng rng = {SEED};
    print_message("seed %" PRIu64 "\n", SEED);
    for (unsigned k = 0; k < 75; k++)
        for (uint32_t which = 0; which < 8; which++)
            for (unsigned draws = 0; draws < 20; draws++) {
                const unsigned width = k < 70 ? k + 1 : more[k - 70];
                const size_t bytes = (width + 31) / 32 * sizeof(uint32_t);
                uint32_t a[WORDS], b[WORDS], expected[WORDS], result[WORDS] = {0};
                draw(&rng, width, a);
                draw(&rng, width, b);
                reference(which, width, a, b, expected);
                machine_operate_wide(which, width, a, b, result);
                assert_memory_equal(result, expected, bytes);
                if (width < 32)
                    assert_int_equal(machine_operate(which, width, a[0], b[0]), expected[0]);
                if (draws % 2)
                    machine_operate_wide(which, width, a, b, a);
                else
                    machine_operate_wide(which, width, a, b, b);
                assert_memory_equal(draws % 2 ? a : b, expected, bytes);
            }
}

/* Each set is written and read again; texts that are no sets are rejected. */
static void sets_are_read_as_written(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        ",",
        "sum,",
        ",sum",
        "sum,sum",
        "mean",
        "sum max",
        "SUM",
        "sum,max,sum",
        "summmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"};
    char text[MACHINE_OPERATORS_TEXT];
    uint32_t set;
    for (uint32_t all = 1; all <= MACHINE_ALL_OPERATORS; all++) {
        assert_true(machine_operators_parse(machine_operators_text(all, text), &set));
        assert_int_equal(set, all);
    }
    assert_string_equal(machine_operators_text(MACHINE_ALL_OPERATORS, text),
                        "sum,saturating-sum,min,max,and,or,xor");
    assert_true(machine_operators_parse("xor,sum", &set));
    assert_int_equal(set, 1u << MACHINE_OPERATOR_XOR | 1u << MACHINE_OPERATOR_SUM);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_false(machine_operators_parse(wrong[k], &set));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flits_are_combined_bit_by_bit),
                                       cmocka_unit_test(sets_are_read_as_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
