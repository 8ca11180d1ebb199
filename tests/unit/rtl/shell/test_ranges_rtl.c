/* SPDX-License-Identifier: Apache-2.0 */
/* test_ranges_rtl: endpoints that split ranges, on csim and RTL in lockstep, output for output.
 *
 * State space. One Verilated machine on benes:5, on which postal-bcast and postal-pipeline of 2 … 5
 * nodes run one after another, with 1, 2, 3 and 8 packets of 2, 3, 4 and 6 flits; each packet
 * arrives in its predicted cycle, and the words of the table and the registers are read back from
 * both engines. Then drawn words (seed printed) replace ranges, splits, numbers of packets and
 * flits, switches and packets, also at nodes that are no source, in runs of both kinds: packets
 * reach other nodes, ranges are corrupt, tables are not ascending; both engines behave the same,
 * and some nodes raise flags.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/range_lab.h"
#include "tests/support/running.h"

#include <stdio.h>

#define SEED UINT64_C(20261128)
#define PORTS 5
#define RUNS 400

static const enum engine_kind both[] = {ENGINE_CSIM, ENGINE_RTL};

static void schedules_run(void **state)
{
    (void)state;
    static const uint32_t packets[] = {1, 2, 3, 8}, flits[] = {2, 3, 4, 6};
    const struct simulate_options options = {.engine_count = 2,
                                             .engine = {ENGINE_CSIM, ENGINE_RTL}};
    const struct machine machine = range_lab_machine(PORTS);
    for (uint32_t n = 2; n <= PORTS; n++)
        for (unsigned k = 0; k < 16; k++) {
            struct simulate_report report;
            struct support_job job;
            struct err err = {0};
            running("n %u, m %u, %u flits", n, packets[k / 4], flits[k % 4]);
            if (n * packets[k / 4] > 30) /* more than 64 rows */
                continue;
            range_lab_job(&machine, n, packets[k / 4], flits[k % 4], &job);
            support_true(simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err),
                         &err);
            assert_int_equal(report.checks.seen, job.schedule.transfer_count);
            support_job_free(&job);
        }
}

static void write_word(struct testbench *testbench, uint32_t address, uint32_t word)
{
    struct err err = {0};
    support_true(testbench_write(testbench, address, word, &err), &err);
}

static void words_are_read_back(void **state)
{
    (void)state;
    const struct machine machine = range_lab_machine(PORTS);
    struct testbench testbench;
    struct err err = {0};
    const uint32_t bank = machine_splits_bank(&machine), bits = UINT32_C(0x80070007);
    support_true(testbench_open(both, 2, &machine, false, &testbench, &err), &err);
    for (uint32_t row = 0; row < 8; row++)
        write_word(&testbench, machine_table_address(&machine, bank, row, 0), ~(row << 16 | row));
    for (uint32_t node = 0; node < PORTS; node++)
        write_word(&testbench, machine_program_address(&machine, MACHINE_SEND, node, 0), ~node);
    for (uint32_t row = 0; row < 8; row++) {
        uint32_t word;
        support_true(
            testbench_read(&testbench, machine_table_address(&machine, bank, row, 0), &word, &err),
            &err);
        assert_int_equal(word, ~(row << 16 | row) & bits);
    }
    for (uint32_t node = 0; node < PORTS; node++) {
        uint32_t word;
        support_true(testbench_read(&testbench,
                                    machine_program_address(&machine, MACHINE_SEND, node, 0), &word,
                                    &err),
                     &err);
        assert_int_equal(word, MACHINE_VALID | (~node & 7));
    }
    uint32_t word;
    support_true(testbench_read(&testbench, MACHINE_SPLITS, &word, &err), &err);
    assert_int_equal(word, 8);
    testbench_close(&testbench);
}

static uint32_t some(struct rng *rng, uint32_t often, uint32_t most)
{
    return rng_below(rng, 3) ? often : rng_below(rng, most + 1);
}

/* Fills the machine with drawn words, most of which belong to a possible run. The rows suffice for
 * everything that nodes may send: a run must not end while flits are under way. */
static void draw_words(struct testbench *testbench, struct rng *rng, struct run *run)
{
    const struct machine *machine = &testbench->machine;
    const uint32_t bank = machine_splits_bank(machine), latency = machine_latency(machine);
    static const uint32_t flits[] = {2, 3, 6};
    run->flits = flits[rng_below(rng, 3)];
    run->row_cycles = rng_below(rng, 3) ? run->flits : run->flits + latency + rng_below(rng, 3);
    if (run->flits == 6 && run->row_cycles == 6)
        run->row_cycles = 6 / (1 + rng_below(rng, 3));
    const bool whole_rows = run->row_cycles >= run->flits;
    run->packets = 1 + (whole_rows ? rng_below(rng, 2) : 0);
    run->rows = 64;
    write_word(testbench, MACHINE_RUN_ROWS, run->rows);
    write_word(testbench, MACHINE_RUN_FLITS, run->flits);
    write_word(testbench, MACHINE_RUN_ROW_CYCLES, run->row_cycles);
    write_word(testbench, MACHINE_RUN_PACKETS, run->packets);
    for (uint32_t row = 0; row < 8; row++)
        write_word(testbench, machine_table_address(machine, bank, row, 0),
                   machine_split_word(rng_below(rng, 2), some(rng, row, 7), some(rng, 1, 7)));
    for (uint32_t node = 0; node < PORTS; node++)
        write_word(testbench, machine_program_address(machine, MACHINE_SEND, node, 0),
                   (node == 0 || rng_below(rng, 6) == 0 ? MACHINE_VALID : 0) |
                       some(rng, PORTS - 1, whole_rows ? 7 : PORTS - 1));
    for (uint32_t row = 0; row < 64; row++)
        for (uint32_t stage = 0; stage < machine_stages(machine); stage++)
            write_word(testbench, machine_table_address(machine, stage, row, 0), rng_below(rng, 4));
    for (uint32_t slot = 0; slot < 8; slot++)
        for (uint32_t flit = 0; flit < 8; flit++)
            write_word(testbench,
                       MACHINE_ALL_NODES | machine_packet_address(machine, 0, slot, flit),
                       some(rng, MACHINE_VALID, 1) | (uint32_t)rng_below(rng, 1 << 16));
}

static bool look(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)self, (void)cycle, (void)obs, (void)err;
    return true;
}

static void any_words_behave_the_same(void **state)
{
    (void)state;
    const struct machine machine = range_lab_machine(PORTS);
    const struct testbench_observer observer = {NULL, look};
    struct rng rng = {SEED};
    struct testbench testbench;
    struct err err = {0};
    unsigned flagged = 0, stored = 0;
    printf("# seed %llu\n", (unsigned long long)SEED);
    support_true(testbench_open(both, 2, &machine, false, &testbench, &err), &err);
    for (unsigned k = 0; k < RUNS; k++) {
        struct run run = {0};
        uint64_t cycles;
        running("run %u", k);
        draw_words(&testbench, &rng, &run);
        support_true(testbench_run(&testbench, &run, &observer, &cycles, &err), &err);
        for (uint32_t wait = 0; wait < machine_latency(&machine); wait++)
            support_true(testbench_read(&testbench, MACHINE_ID, &(uint32_t){0}, &err), &err);
        for (uint32_t node = 0; node < PORTS; node++) {
            uint32_t flags, word;
            support_true(testbench_read(&testbench, machine_flags_address(node), &flags, &err),
                         &err);
            support_true(testbench_read(&testbench, machine_packet_address(&machine, node, 0, 0),
                                        &word, &err),
                         &err);
            flagged += flags != 0;
            stored += node > 0 && (word & 0xffff) >> 3 == node;
        }
    }
    assert_true(flagged > RUNS / 4 && stored > RUNS / 4);
    testbench_close(&testbench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules_run),
        cmocka_unit_test(words_are_read_back),
        cmocka_unit_test(any_words_behave_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
