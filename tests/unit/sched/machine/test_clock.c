/* SPDX-License-Identifier: Apache-2.0 */
/* test_clock: the flits and registers that implement λ.
 *
 * Exhaustive: networks of 2 … 64 ports, λ = p/q with q ≤ 6 and p ≤ 24, up to 24 flits needed: the
 * chosen values satisfy λ = 1 + L/F exactly, with no more flits than the next multiple of q, and
 * rejected values have no solution. Rationals: valid and invalid texts.
 */
#include "sched/machine/clock.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_run.h"
#include "tests/support/cmocka_all.h"

#include <string.h>

static struct machine network(unsigned log2_ports, unsigned pipe, unsigned pad)
{
    return (struct machine){.network = multistage_benes(UINT32_C(1) << log2_ports),
                            .pipe = pipe,
                            .pad = pad,
                            .width = 16,
                            .log2_packets = 4,
                            .log2_flits = 6,
                            .log2_rows = 6};
}

/* Returns whether λ = 1 + L/F, by cross multiplication. */
static bool makes(const struct machine *machine, uint32_t flits, struct rational lambda)
{
    return (uint64_t)lambda.denominator * (flits + machine_latency(machine)) ==
           (uint64_t)lambda.numerator * flits;
}

static void check_registers(unsigned log2_ports, struct rational lambda, uint32_t needed)
{
    struct machine machine = network(log2_ports, 1, 0);
    struct err err = {0};
    uint32_t flits, q = lambda.denominator, wanted = (needed + q - 1) / q * q;
    uint32_t latency = wanted / q * (lambda.numerator - q);
    bool chosen =
        clock_registers(&machine, &(struct clock_request){lambda, needed, 0, false}, &flits, &err);
    /* Pad registers alone reach every latency up to the maximum pad; pipelined stages reach some
     * larger latencies. */
    if (latency <= MACHINE_MAX_PAD)
        assert_true(chosen);
    if (latency > machine_stages(&machine) + MACHINE_MAX_PAD)
        assert_false(chosen);
    if (!chosen) {
        assert_int_equal(err.code, ERR_NETWORK);
        assert_non_null(strstr(err.text, "registers; expected at most"));
        return;
    }
    assert_int_equal(flits, wanted);
    assert_true(makes(&machine, flits, lambda));
    assert_true(machine_check(&machine, &err));
    /* The registers that were found give the same flits again. */
    uint32_t again;
    assert_true(
        clock_flits(&machine, &(struct clock_request){lambda, needed, 0, false}, &again, &err));
    assert_int_equal(again, latency > 0 ? flits : needed);
}

static void test_registers(void **state)
{
    (void)state;
    for (unsigned log2_ports = 1; log2_ports <= 6; log2_ports++)
        for (uint32_t q = 1; q <= 6; q++)
            for (uint32_t p = q; p <= 24; p++)
                for (uint32_t needed = 1; needed <= 24; needed++)
                    check_registers(log2_ports, rational_make(p, q), needed);
}

static void test_fewer_flits(void **state)
{
    (void)state;
    struct machine machine = network(5, 1, 0);
    struct err err = {0};
    uint32_t flits;
    assert_false(
        clock_registers(&machine, &(struct clock_request){{41, 1}, 4, 0, false}, &flits, &err));
    assert_true(
        clock_registers(&machine, &(struct clock_request){{41, 1}, 4, 0, true}, &flits, &err));
    assert_int_equal(flits, 1);
    assert_true(makes(&machine, 1, (struct rational){41, 1}));
    assert_false(
        clock_registers(&machine, &(struct clock_request){{80, 1}, 4, 0, true}, &flits, &err));
    assert_non_null(strstr(err.text, "λ = 80 with 1 flit needs 79 registers"));
    assert_false(
        clock_registers(&machine, &(struct clock_request){{5, 2}, 3, 3, true}, &flits, &err));
    assert_non_null(strstr(err.text, "flits: 3; expected a multiple of 2"));
}

static void test_flits(void **state)
{
    (void)state;
    static const struct {
        unsigned pipe, pad;
        struct rational lambda;
        uint32_t needed, given, flits; /* 0: rejected */
        const char *text;
    } cases[] = {
        {1, 0, {5, 2}, 4, 0, 6, ""}, /* 9 registers */
        {1, 0, {5, 2}, 9, 6, 6, ""},
        {1, 0, {5, 2}, 4, 4, 0, "flits: 4; expected 6 for λ = 5/2"},
        {1, 0, {7, 2}, 4, 0, 0, "9 registers; expected a multiple of 5 for λ = 7/2"},
        {1, 0, {10, 1}, 4, 0, 1, ""},
        {1, 0, {1, 1}, 4, 0, 0, "9 registers; expected pipe=0,pad=0 for λ = 1"},
        {0, 0, {1, 1}, 4, 0, 4, ""},
        {0, 0, {1, 1}, 4, 7, 7, ""},
        {0, 0, {2, 1}, 4, 0, 0, "0 registers; expected a multiple of 1 for λ = 2"},
        {0, 6, {5, 2}, 1, 0, 4, ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct machine machine = network(5, cases[k].pipe, cases[k].pad);
        struct err err = {0};
        uint32_t flits = 0;
        bool found = clock_flits(
            &machine,
            &(struct clock_request){cases[k].lambda, cases[k].needed, cases[k].given, false},
            &flits, &err);
        assert_int_equal(found, cases[k].flits != 0);
        if (found)
            assert_int_equal(flits, cases[k].flits);
        else
            assert_non_null(strstr(err.text, cases[k].text));
    }
}

static void test_rationals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *again;
    } good[] = {{"5/2", "5/2"},       {"5", "5"}, {"10/4", "5/2"},
                {"65535/65535", "1"}, {"0", "0"}, {"007/3", "7/3"}};
    static const char *const bad[] = {"",     "5/", "/2",    "5/0",     "2.5",   "-1",
                                      "5/2 ", " 5", "65536", "1/65536", "5/2/1", "x"};
    struct rational value;
    char text[RATIONAL_TEXT];
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        assert_true(rational_parse(good[k].text, &value));
        assert_string_equal(rational_text(value.numerator, value.denominator, text), good[k].again);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_false(rational_parse(bad[k], &value));
    assert_string_equal(rational_text(UINT64_MAX, 2, text), "18446744073709551615/2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_fewer_flits),
        cmocka_unit_test(test_flits),
        cmocka_unit_test(test_rationals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
