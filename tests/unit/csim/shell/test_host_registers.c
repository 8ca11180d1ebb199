/* SPDX-License-Identifier: Apache-2.0 */
/* test_host_registers: registers of machines on csim, as a host reads and writes them.
 *
 * State space: two machines, one that combines with the operators saturating-sum, max and xor, and
 * one that does not combine × registers, before and after a reset; a machine with streams × the
 * cycle of a reset, or of a write to a register of events, after a stop. The words are those of
 * docs/machine.md: registers that the machine lacks read as 0 and ignore writes, and a word is read
 * three cycles after its address.
 * Counter-cases: operators that are not built and accesses during a reset are rejected, and the
 * register keeps its word. (The tests of hosts in tests/unit/rtl/shell compare csim with the RTL.)
 */
#include "sched/machine/machine_address.h"
#include "testbench/engine/engine.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/setting_period_lab.h"
#include "tests/support/support.h"

#define OPERATORS 0x4a /* saturating-sum (1), max (3) and xor (6) */

struct lab {
    struct machine machine;
    struct engine engine;
    struct dut_outputs outputs;
};

static void step(struct lab *lab, struct dut_inputs inputs)
{
    lab->engine.ops->step(lab->engine.self, &inputs, &lab->outputs);
}

static void idle(struct lab *lab, unsigned cycles)
{
    for (unsigned k = 0; k < cycles; k++)
        step(lab, (struct dut_inputs){0});
}

static void reset(struct lab *lab)
{
    step(lab, (struct dut_inputs){.rst = true});
    idle(lab, machine_latency(&lab->machine) + 3);
}

static void lab_open(struct lab *lab, bool combines)
{
    const struct setting_period_lab_how how = {MACHINE_FULL, false};
    struct err err = {0};
    *lab = (struct lab){.machine = setting_period_lab_machine("benes:4,pipe=2,pad=1", how)};
    lab->machine.width = 16;
    lab->machine.log2_packets = 3;
    lab->machine.log2_flits = 2;
    lab->machine.log2_rows = 5;
    lab->machine.combines = combines;
    lab->machine.operators = combines ? OPERATORS : 0;
    support_true(engine_open(ENGINE_CSIM, &lab->machine, false, &lab->engine, &err), &err);
    reset(lab);
}

/* Returns the word of a register, which is there three cycles after its address. */
static uint32_t read_register(struct lab *lab, uint32_t which)
{
    step(lab, (struct dut_inputs){.host_re = true, .host_addr = which});
    idle(lab, 2);
    assert_false(lab->outputs.host_error);
    return lab->outputs.host_rdata;
}

/* Writes a register. Returns whether the access was rejected. */
static bool write_register(struct lab *lab, uint32_t which, uint32_t word)
{
    bool rejected = false;
    step(lab, (struct dut_inputs){.host_we = true, .host_addr = which, .host_wdata = word});
    for (unsigned cycle = 0; cycle < 6; cycle++) {
        idle(lab, 1);
        rejected = rejected || lab->outputs.host_error;
    }
    return rejected;
}

static void operators_are_selected(void **state)
{
    (void)state;
    struct lab lab;
    lab_open(&lab, true);
    assert_int_equal(read_register(&lab, MACHINE_RUN_OPERATOR), 1); /* the first that is built */
    uint32_t selected = 1;
    for (uint32_t which = 0; which < 8; which++) {
        const bool built = OPERATORS >> which & 1;
        running("operator %u", which);
        assert_int_equal(write_register(&lab, MACHINE_RUN_OPERATOR, which), !built);
        selected = built ? which : selected;
        assert_int_equal(read_register(&lab, MACHINE_RUN_OPERATOR), selected);
    }
    reset(&lab);
    assert_int_equal(read_register(&lab, MACHINE_RUN_OPERATOR), 1);
    engine_close(&lab.engine);
    lab_open(&lab, false);
    assert_false(write_register(&lab, MACHINE_RUN_OPERATOR, 2));
    assert_int_equal(read_register(&lab, MACHINE_RUN_OPERATOR), 0);
    engine_close(&lab.engine);
}

/* Registers that are the same on both machines: written with all bits, and read again. */
static void registers_keep_their_bits(void **state)
{
    (void)state;
    static const struct {
        uint32_t which, kept;
    } registers[] = {
        {MACHINE_RUN_ROWS, 0x3f}, /* 0 … 2^5 */
        {MACHINE_RUN_FLITS, 7},   /* 0 … 2^2 */
        {MACHINE_RUN_SINGLE_PORT, 0},
        {MACHINE_RUN_RECONFIGURE, 0},
        {MACHINE_RUN_PACKETS, 0},
        {MACHINE_INTERRUPT_ENABLE, 3},
        {MACHINE_RUN_COUNT, 0},
        {20, 0},
        {31, 0},
        {63, 0},
    };
    for (int combines = 0; combines < 2; combines++) {
        struct lab lab;
        lab_open(&lab, combines);
        for (size_t k = 0; k < sizeof registers / sizeof *registers; k++) {
            running("register %u", registers[k].which);
            assert_int_equal(read_register(&lab, registers[k].which), 0);
            assert_false(write_register(&lab, registers[k].which, UINT32_MAX));
            assert_int_equal(read_register(&lab, registers[k].which), registers[k].kept);
        }
        reset(&lab);
        for (size_t k = 0; k < sizeof registers / sizeof *registers; k++)
            assert_int_equal(read_register(&lab, registers[k].which), 0);
        engine_close(&lab.engine);
    }
}

/* Runs are counted, also runs of no rows. */
static void runs_are_counted(void **state)
{
    (void)state;
    struct lab lab;
    lab_open(&lab, true);
    for (uint32_t runs = 1; runs <= 3; runs++) {
        assert_false(write_register(&lab, MACHINE_RUN_FLITS, 1));
        step(&lab, (struct dut_inputs){.start = true});
        idle(&lab, 100);
        assert_true(lab.outputs.done);
        assert_int_equal(read_register(&lab, MACHINE_RUN_COUNT), runs);
    }
    engine_close(&lab.engine);
}

/* During a reset every access but the read of a register is rejected, three cycles later. */
static void resets_close_the_port(void **state)
{
    (void)state;
    static const struct {
        bool we;
        uint32_t address;
        bool rejected;
    } cases[] = {
        {true, MACHINE_RUN_ROWS, true},     {true, MACHINE_INTERRUPT_ENABLE, true},
        {true, MACHINE_RUN_OPERATOR, true}, {true, UINT32_C(4) << 28, true},
        {false, UINT32_C(4) << 28, true},   {false, MACHINE_ID, false},
    };
    struct lab lab;
    lab_open(&lab, true);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        running("case %zu", k);
        step(&lab, (struct dut_inputs){.rst = true,
                                       .host_we = cases[k].we,
                                       .host_re = !cases[k].we,
                                       .host_addr = cases[k].address,
                                       .host_wdata = 3});
        step(&lab, (struct dut_inputs){.rst = true});
        assert_false(lab.outputs.host_error);
        step(&lab, (struct dut_inputs){.rst = true});
        assert_int_equal(lab.outputs.host_error, cases[k].rejected);
        idle(&lab, machine_latency(&lab.machine) + 3);
        assert_int_equal(read_register(&lab, MACHINE_RUN_ROWS), 0);
        assert_int_equal(read_register(&lab, MACHINE_INTERRUPT_ENABLE), 0);
        assert_int_equal(read_register(&lab, MACHINE_RUN_OPERATOR), 1);
    }
    /* A write that was accepted in the cycle before the reset has no effect. */
    step(&lab,
         (struct dut_inputs){.host_we = true, .host_addr = MACHINE_RUN_ROWS, .host_wdata = 3});
    reset(&lab);
    assert_int_equal(read_register(&lab, MACHINE_RUN_ROWS), 0);
    engine_close(&lab.engine);
}

/* Opens a machine with computed programs and starts a stream of 20 packets, whose rows take 10
 * cycles. */
static void start_stream(struct lab *lab)
{
    const struct setting_period_lab_how how = {MACHINE_TAGS, true};
    struct err err = {0};
    *lab = (struct lab){.machine = setting_period_lab_machine("benes:7", how)};
    lab->machine.width = 16;
    lab->machine.log2_packets = 5;
    lab->machine.log2_flits = 1;
    lab->machine.log2_rows = 6;
    lab->machine.log2_period = 3;
    support_true(engine_open(ENGINE_CSIM, &lab->machine, false, &lab->engine, &err), &err);
    reset(lab);
    assert_false(write_register(lab, MACHINE_RUN_ROWS, 25));
    assert_false(write_register(lab, MACHINE_RUN_FLITS, 1));
    assert_false(write_register(lab, MACHINE_RUN_ROW_CYCLES, 10));
    assert_false(write_register(lab, MACHINE_RUN_PERIOD, 1));
    assert_false(write_register(lab, MACHINE_RUN_PACKETS, MACHINE_STREAM | 20));
    step(lab, (struct dut_inputs){.start = true});
    idle(lab, 32); /* to row 3, in which the fourth packet leaves */
}

/* A stop is accepted during a stream, and replaces the number of packets; a reset in any of the
 * cycles after it leaves no trace of it. With the reset itself it is rejected. */
static void streams_are_stopped(void **state)
{
    (void)state;
    struct lab lab;
    start_stream(&lab);
    assert_false(write_register(&lab, MACHINE_RUN_STOP, 1));
    assert_false(write_register(&lab, MACHINE_RUN_STOP, 1)); /* a second stop has no effect */
    idle(&lab, 30);
    assert_false(write_register(&lab, MACHINE_RUN_STOP, 1));
    idle(&lab, 300);
    assert_true(lab.outputs.done);
    assert_int_equal(read_register(&lab, MACHINE_RUN_PACKETS), MACHINE_STREAM | 4);
    engine_close(&lab.engine);
    for (unsigned wait = 0; wait < 24; wait++) {
        running("reset %u cycles after the stop", wait);
        start_stream(&lab);
        step(&lab, (struct dut_inputs){.host_we = true,
                                       .host_addr = MACHINE_RUN_STOP,
                                       .host_wdata = 1,
                                       .rst = wait == 0});
        idle(&lab, wait);
        reset(&lab);
        assert_int_equal(read_register(&lab, MACHINE_RUN_PACKETS), 0);
        assert_int_equal(read_register(&lab, MACHINE_RUN_COUNT), 0);
        idle(&lab, 300);
        assert_false(lab.outputs.done);
        engine_close(&lab.engine);
    }
}

/* Registers of events may be written during a run, in any cycle after a stop too: the write and the
 * stop both have their effect. Other registers may not, and keep their words. */
static void events_are_written_during_a_run(void **state)
{
    (void)state;
    struct lab lab;
    for (unsigned wait = 0; wait < 24; wait++) {
        running("write %u cycles after the stop", wait);
        start_stream(&lab);
        step(&lab,
             (struct dut_inputs){.host_we = true, .host_addr = MACHINE_RUN_STOP, .host_wdata = 1});
        idle(&lab, wait);
        assert_false(write_register(&lab, MACHINE_INTERRUPT_ENABLE, 1));
        assert_int_equal(read_register(&lab, MACHINE_INTERRUPT_ENABLE), 1);
        assert_true(lab.outputs.busy && !lab.outputs.irq);
        assert_true(write_register(&lab, MACHINE_RUN_ROWS, 3));
        assert_int_equal(read_register(&lab, MACHINE_RUN_ROWS), 25);
        idle(&lab, 300);
        assert_true(lab.outputs.done && lab.outputs.irq);
        assert_int_equal(read_register(&lab, MACHINE_RUN_PACKETS), MACHINE_STREAM | 4);
        engine_close(&lab.engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_are_selected), cmocka_unit_test(registers_keep_their_bits),
        cmocka_unit_test(runs_are_counted),       cmocka_unit_test(resets_close_the_port),
        cmocka_unit_test(streams_are_stopped),    cmocka_unit_test(events_are_written_during_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
