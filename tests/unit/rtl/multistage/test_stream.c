/* SPDX-License-Identifier: Apache-2.0 */
/* test_stream: runs without barriers on csim and RTL, compared with a reference that models no
 * pipeline.
 *
 * State space. Machines: one for each latency 0, 1 and 6 (if every space is exhausted also 3, 4 and
 * 8) at 8 ports on both engines in lockstep; on csim alone 2 … 128 ports with latencies up to 13.
 * Each machine runs all runs of 1 … F flits (on csim alone a 5th of the 16, all in `make test-all`)
 * with every legal length of a row, and runs with barriers between them: among them 2 flits at
 * latency 1 in rows of 1 cycle (lambda 3/2, the word that is received is sent on in the next
 * cycle), 4 at 6 in rows of 2 (5/2), 3 at 4 in rows of 1 (7/3), 4 at 8 in rows of 4 (3), 1 at 3
 * (4). In every row idle nodes begin to send a random packet to random idle nodes, so that
 * transfers overlap and follow each other, and with two slots a node sends words that are still
 * arriving. Faults are rare, frequent or absent: entries missing, superfluous, of another packet,
 * continued or not; a switch; words that are not held.
 *
 * The following are compared with the reference: every observation with its cycle, every lane of
 * every pipeline register of csim in every cycle, all memories and flags afterwards; and in runs
 * without faults, receipts with the plan and machine_arrival_cycle. A word is forwarded only in
 * runs of one flit or of rows of one cycle.
 *
 * Also tested: reading back programs; auditing csim's registers in runs; a reset at every cycle of
 * a run, which must not affect the next run.
 *
 * Counter-cases: test_stream_faults.c.
 */
#include "csim/kernel/csim.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "testbench/engine/dut_csim.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/stream_lab.h"
#include "tests/support/support.h"

#include <inttypes.h>

/* -- Runs of all lengths ----------------------------------------------------------------------- */

struct sum {
    uint64_t runs, transfers, receipts, forwarded, lanes, raised[3];
};

static void add(struct sum *sum, const struct stream_reference *s,
                const struct stream_lab_watch *watch)
{
    sum->runs++;
    sum->transfers += s->transfers;
    sum->receipts += watch->receipts;
    sum->forwarded += s->forwarded;
    sum->lanes += watch->lanes;
    for (unsigned flag = 0; flag < 3; flag++)
        sum->raised[flag] += s->raised[flag];
}

static void run_rates(struct testbench *testbench, const struct run *clocking, struct sum *sum)
{
    static const struct stream_reference_rates rates[] = {
        {80, 0, 0}, {100, 0, 3}, {60, 4, 4}, {80, 25, 20}};
    for (unsigned which = 0; which < sizeof rates / sizeof *rates; which++) {
        struct stream_reference s;
        struct image image;
        uint64_t seed =
            STREAM_LAB_SEED + clocking->flits * 1000 + clocking->row_cycles * 10 + which;
        stream_reference_draw(&testbench->machine, clocking, &rates[which], seed, &s, &image);
        struct stream_lab_watch watch = stream_lab_run(testbench, &s, &image, which == 0);
        if (watch.differ != 0)
            fail_msg("%" PRIu64 " words differ: flits %u, row cycles %u, latency %u, rates %u",
                     watch.differ, clocking->flits, clocking->row_cycles, s.latency, which);
        assert_int_equal(watch.receipts, s.receipts);
        if (which == 0)
            assert_int_equal(s.receipts, s.transfers);
        assert_int_equal(s.transfers > 0,
                         machine_packet_rows(clocking) <= stream_reference_senders(&s));
        if (clocking->flits > 1 && clocking->row_cycles > 1)
            assert_int_equal(s.forwarded, 0);
        add(sum, &s, &watch);
        image_free(&image);
        stream_reference_free(&s);
    }
}

/* Runs every legal length of a row, from one cycle more than barriers require down to 1. */
static void run_lengths(struct testbench *testbench, uint32_t flits, uint32_t rows, struct sum *sum)
{
    uint32_t latency = machine_latency(&testbench->machine);
    for (uint32_t row_cycles = flits + latency + 1; row_cycles > 0; row_cycles--) {
        const struct run clocking = {.rows = rows, .flits = flits, .row_cycles = row_cycles};
        struct err err = {0};
        if (machine_check_run(&testbench->machine, &clocking, "test", &err))
            run_rates(testbench, &clocking, sum);
    }
}

static void print_counts(const struct sum *sum)
{
    print_message("seed %" PRIu64 ": %" PRIu64 " runs, %" PRIu64 " transfers, %" PRIu64
                  " receipts, %" PRIu64 " words forwarded, %" PRIu64 " on lanes, flags %" PRIu64
                  " %" PRIu64 " %" PRIu64 "\n",
                  STREAM_LAB_SEED, sum->runs, sum->transfers, sum->receipts, sum->forwarded,
                  sum->lanes, sum->raised[0], sum->raised[1], sum->raised[2]);
    assert_true(sum->receipts > 1000 && sum->raised[0] > 20 && sum->raised[1] > 20 &&
                sum->raised[2] > 20);
}

struct pipeline {
    unsigned latency, pipe, pad;
};

/* Words are forwarded in every machine, in runs of one flit. */
static void lockstep(void **state)
{
    const struct pipeline *pipeline = *state;
    const struct machine machine = stream_lab_machine(pipeline->pipe, pipeline->pad);
    struct testbench testbench;
    struct err err = {0};
    struct sum sum = {0};
    assert_int_equal(machine_latency(&machine), pipeline->latency);
    support_true(testbench_open(stream_lab_engines, 2, &machine, false, &testbench, &err), &err);
    for (uint32_t flits = 1; flits <= 4; flits++)
        run_lengths(&testbench, flits, 64, &sum);
    print_counts(&sum);
    assert_true(sum.forwarded > 0);
    testbench_close(&testbench);
}

/* Other widths of a lane, tables of several words, packets of several blocks. */
static void csim_of_other_shapes(void **state)
{
    (void)state;
    static const struct machine machines[] = {
        MULTISTAGE(1, 1, 0, 31, 1, 4, 5), MULTISTAGE(1, 0, 0, 1, 2, 4, 5),
        MULTISTAGE(2, 1, 3, 16, 1, 4, 5), MULTISTAGE(4, 2, 4, 16, 2, 4, 5),
        MULTISTAGE(5, 1, 2, 16, 1, 4, 5), MULTISTAGE(6, 1, 0, 16, 1, 4, 5),
        MULTISTAGE(7, 1, 0, 13, 1, 4, 4), MULTISTAGE(7, 5, 6, 16, 3, 4, 4),
    };
    const struct dut_ops ops = dut_csim_ops; /* only stepped, so that it can be inspected */
    struct sum sum = {0};
    for (size_t which = 0; which < sizeof machines / sizeof *machines; which++) {
        struct testbench testbench;
        struct err err = {0};
        support_true(
            testbench_open(stream_lab_engines, 1, &machines[which], false, &testbench, &err), &err);
        testbench.engine[0].ops = &ops;
        for (uint32_t flits = 1; flits <= 16; flits += running_stride(5))
            run_lengths(&testbench, flits, 1u << machines[which].log2_rows, &sum);
        testbench_close(&testbench);
    }
    print_counts(&sum);
    assert_true(sum.forwarded > 1000);
}

/* -- Programs ---------------------------------------------------------------------------------- */

/* Only the receive program stores whether a packet continues. */
static void programs_read_back(void **state)
{
    (void)state;
    const struct machine machine = stream_lab_machine(1, 1);
    const uint32_t bits = MACHINE_VALID | MACHINE_MORE | 1;
    struct testbench testbench;
    struct err err = {0};
    support_true(testbench_open(stream_lab_engines, 2, &machine, false, &testbench, &err), &err);
    for (uint32_t node = 0; node < 8; node++)
        for (uint32_t which = 0; which < 8; which++) {
            uint32_t send = machine_program_address(&machine, MACHINE_SEND, node, which), word;
            uint32_t receive = machine_program_address(&machine, MACHINE_RECEIVE, node, which);
            uint32_t written = which << 30 | which >> 2 | UINT32_C(0x3ffffffe);
            support_true(testbench_write(&testbench, send, written, &err), &err);
            support_true(testbench_write(&testbench, receive, written, &err), &err);
            support_true(testbench_write(&testbench, send + 8, 0, &err), &err);
            support_true(testbench_read(&testbench, send, &word, &err), &err);
            assert_int_equal(word, written & bits & ~MACHINE_MORE);
            support_true(testbench_read(&testbench, receive, &word, &err), &err);
            assert_int_equal(word, written & bits);
        }
    testbench_close(&testbench);
}

/* -- What csim_cycle trusts -------------------------------------------------------------------- */

static void audited_step(void *self, const struct dut_inputs *inputs, struct dut_outputs *outputs)
{
    struct csim *sim = dut_csim_simulator(self);
    struct err err = {0};
    *csim_poke(csim_find(sim, "rst_i")) = inputs->rst;
    *csim_poke(csim_find(sim, "start_i")) = inputs->start;
    *csim_poke(csim_find(sim, "host_we_i")) = inputs->host_we;
    *csim_poke(csim_find(sim, "host_re_i")) = inputs->host_re;
    *csim_poke(csim_find(sim, "host_addr_i")) = inputs->host_addr;
    *csim_poke(csim_find(sim, "host_wdata_i")) = inputs->host_wdata;
    support_true(csim_audit(sim, &err), &err);
    *outputs = (struct dut_outputs){.run = *csim_peek(csim_find(sim, "run_o")),
                                    .done = *csim_peek(csim_find(sim, "done_o")),
                                    .obs_strobe = *csim_peek(csim_find(sim, "obs_strobe_o")),
                                    .host_rdata = *csim_peek(csim_find(sim, "host_rdata_o")),
                                    .obs = csim_peek(csim_find(sim, "obs_o"))};
}

/* A register must be written whole or not at all, and values must fit their width. */
static void audited_runs(void **state)
{
    (void)state;
    struct dut_ops ops = dut_csim_ops;
    ops.step = audited_step;
    const struct machine machines[] = {stream_lab_machine(0, 0), stream_lab_machine(5, 0),
                                       stream_lab_machine(1, 1)};
    for (unsigned which = 0; which < 3; which++) {
        struct testbench testbench;
        struct err err = {0};
        struct sum sum = {0};
        support_true(
            testbench_open(stream_lab_engines, 1, &machines[which], false, &testbench, &err), &err);
        testbench.engine[0].ops = &ops;
        for (uint32_t flits = 1; flits <= 4; flits++)
            run_lengths(&testbench, flits, 16, &sum);
        assert_true(sum.receipts > 0);
        testbench.engine[0].ops = &dut_csim_ops;
        testbench_close(&testbench);
    }
}

/* -- A reset in the middle --------------------------------------------------------------------- */

/* A reset at every cycle of a run; the next run, of either kind, is unaffected. */
static void reset_ends_a_run(void **state)
{
    (void)state;
    const struct machine machine = stream_lab_machine(1, 1);
    const struct run runs[] = {{.rows = 8, .flits = 4, .row_cycles = 2},
                               {.rows = 3, .flits = 4, .row_cycles = 10}};
    struct testbench testbench;
    struct err err = {0};
    support_true(testbench_open(stream_lab_engines, 2, &machine, false, &testbench, &err), &err);
    for (unsigned cut = 0; cut < 2 * (30 + 4); cut++) {
        struct stream_reference s;
        struct image image;
        stream_reference_draw(&machine, &runs[cut % 2], &(struct stream_reference_rates){100, 5, 5},
                              STREAM_LAB_SEED + cut, &s, &image);
        support_true(testbench_load(&testbench, &image, &err), &err);
        stream_lab_step(&testbench, false, true, 1);
        stream_lab_step(&testbench, false, false, cut / 2);
        stream_lab_step(&testbench, true, false, 1);
        stream_lab_step(&testbench, false, false, machine_latency(&machine) + 2);
        image_free(&image);
        stream_reference_free(&s);
        stream_reference_draw(&machine, &runs[cut / 2 % 2],
                              &(struct stream_reference_rates){80, 5, 5}, ~cut, &s, &image);
        assert_int_equal(stream_lab_run(&testbench, &s, &image, false).differ, 0);
        image_free(&image);
        stream_reference_free(&s);
    }
    testbench_close(&testbench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {.name = "lockstep_latency_0",
         .test_func = lockstep,
         .initial_state = &(struct pipeline){0, 0, 0}},
        {.name = "lockstep_latency_1",
         .test_func = lockstep,
         .initial_state = &(struct pipeline){1, 5, 0}},
        {.name = "lockstep_latency_6",
         .test_func = lockstep,
         .initial_state = &(struct pipeline){6, 1, 1}},
        cmocka_unit_test(csim_of_other_shapes),
        cmocka_unit_test(programs_read_back),
        cmocka_unit_test(audited_runs),
        cmocka_unit_test(reset_ends_a_run),
    };
    const struct CMUnitTest others[] = {
        {.name = "lockstep_latency_3",
         .test_func = lockstep,
         .initial_state = &(struct pipeline){3, 2, 1}},
        {.name = "lockstep_latency_4",
         .test_func = lockstep,
         .initial_state = &(struct pipeline){4, 2, 2}},
        {.name = "lockstep_latency_8",
         .test_func = lockstep,
         .initial_state = &(struct pipeline){8, 1, 3}},
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return running_exhaustive() ? failed + cmocka_run_group_tests(others, NULL, NULL) : failed;
}
