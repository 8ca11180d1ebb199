/* SPDX-License-Identifier: Apache-2.0 */
/* The multistage machine on csim, against a reference that moves whole packets, row by row.
 *
 * The reference follows the switches from each receiver to its sender using only
 * sched/shape/multistage.h, and keeps programs, memories and flags in plain arrays. It predicts
 * every observation and, by machine_arrival_cycle, its cycle; the final contents of the memories;
 * and the flags. The reference does not depend on a routing algorithm: settings are random, so any
 * permutation occurs, and programs are random too.
 *
 * Shapes: Beneš networks of powers of two and other sizes, omega, Clos, with one and more words in
 * a table row, pipe 0 … 3, pad 0 and 2 (including no register at all), packets of 1 … 11 flits (a
 * single flit is forwarded in the cycle after it was stored; 8 flits are a block, 11 a block and a
 * part); several runs on each shape, in which faults are rare, frequent or absent. With two packets
 * per node, most rows send on the packets that the row before received; these are counted. Some
 * shapes run under csim_audit; up to N = 8 every stage register is compared in every cycle. The
 * lockstep test compares the machine with the RTL outside of these runs too. */
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "testbench/engine/dut_csim.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/machine_reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct machine shape(unsigned log2_ports, unsigned pipe, unsigned pad)
{
    return (struct machine){.network = multistage_benes(UINT32_C(1) << log2_ports),
                            .pipe = pipe,
                            .pad = pad,
                            .width = 13,
                            .log2_packets = 1,
                            .log2_flits = 4,
                            .log2_rows = 2};
}

static struct multistage network_of(const char *text)
{
    struct machine machine = {0};
    struct err err = {0};
    if (!machine_parse_network(text, &machine, &err))
        fail_msg("%s", err.text);
    return machine.network;
}

/* Runs 1, 2, 8 and 11 flits with rows as close as possible and with a gap; then checks the
 * memories. */
static void run_all(struct machine_reference *b, uint32_t busy, uint32_t wrong, uint32_t bare)
{
    static const uint32_t flits[] = {1, 2, 8, 11};
    unsigned latency = machine_latency(&b->machine);
    machine_reference_load_tables(b);
    machine_reference_load_programs(b, busy, wrong);
    machine_reference_load_memories(b, bare);
    for (unsigned f = 0; f < 4; f++)
        machine_reference_run(b, &(struct run){.rows = b->rows - f % 2,
                                               .flits = flits[f],
                                               .row_cycles = flits[f] + latency + f % 3});
    machine_reference_check_memories(b);
}

static void every_shape_moves_packets(void **unused)
{
    (void)unused;
    static const char *const networks[] = {
        "benes:2",          "benes:4",     "benes:8",    "benes:32",   "benes:64",
        "benes:128",        "benes:3",     "benes:5",    "benes:6",    "benes:7",
        "benes:22",         "benes:70",    "omega:2",    "omega:8",    "omega:64",
        "clos:2,2,2",       "clos:3,2,4",  "clos:5,4,3", "clos:8,8,8", "benes:27,radix=3",
        "benes:64,radix=4", "waksman:4",   "waksman:6",  "waksman:64", "multicast:2",
        "multicast:8",      "multicast:64"};
    uint32_t seen[3] = {0}, forwarded = 0, valid = 0;
    for (unsigned which = 0; which < sizeof networks / sizeof *networks; which++)
        for (unsigned pipe = 0; pipe <= 3; pipe++)
            for (unsigned pad = 0; pad <= 2; pad += 2) {
                struct machine_reference b;
                struct machine machine = shape(1, pipe, pad);
                machine.network = network_of(networks[which]);
                if (pipe > machine_stages(&machine))
                    continue;
                machine_reference_open(&b, machine, which * 100 + pipe * 10 + pad);
                run_all(&b, 100, 0, 0);
                for (uint32_t node = 0; node < b.nodes; node++)
                    assert_int_equal(b.flags[node], 0);
                run_all(&b, 70, 0, 1);
                run_all(&b, 80, 20, 10);
                for (unsigned flag = 0; flag < 3; flag++)
                    seen[flag] += b.seen[flag];
                forwarded += b.forwarded;
                valid += b.valid;
                machine_reference_close(&b);
            }
    assert_true(seen[0] > 100 && seen[1] > 100 && seen[2] > 100);
    assert_true(forwarded > 1000 && valid > 10000);
}

/* csim_cycle assumes that a register is written whole or not at all, and that values fit their
 * width. */
static void audited_runs(void **unused)
{
    (void)unused;
    static const struct {
        unsigned log2_ports, pipe, pad;
    } shapes[] = {{1, 0, 0}, {2, 1, 0}, {3, 1, 0}, {3, 2, 1}, {4, 0, 2}, {4, 3, 0}};
    for (unsigned s = 0; s < 6; s++) {
        struct machine_reference b;
        machine_reference_open(&b, shape(shapes[s].log2_ports, shapes[s].pipe, shapes[s].pad), s);
        b.audited = true;
        run_all(&b, 100, 0, 0);
        run_all(&b, 80, 20, 10);
        machine_reference_close(&b);
    }
}

static void tables_and_programs_read_back(void **unused)
{
    (void)unused;
    static const char *const networks[] = {"benes:2",    "benes:8",    "benes:64",
                                           "benes:128",  "benes:256",  "benes:100",
                                           "clos:5,4,3", "clos:8,8,8", "clos:3,2,4"};
    for (unsigned which = 0; which < sizeof networks / sizeof *networks; which++) {
        struct machine_reference b;
        struct machine shaped = shape(1, 1, 0);
        shaped.network = network_of(networks[which]);
        machine_reference_open(&b, shaped, which);
        const struct machine *machine = &b.machine;
        machine_reference_load_tables(&b);
        machine_reference_load_programs(&b, 50, 50);
        machine_reference_load_memories(&b, 50);
        for (uint32_t row = 0; row < b.rows; row++) {
            for (unsigned stage = 0; stage < machine_stages(machine); stage++)
                for (uint32_t column = 0; column < multistage_columns(&machine->network, stage);
                     column++)
                    assert_int_equal(machine_reference_read(
                                         &b, machine_table_address(machine, stage, row, column)),
                                     machine_reference_row_of(&b, row, stage)[column]);
            for (uint32_t node = 0; node < b.nodes; node++) {
                size_t at = (size_t)node * b.rows + row;
                assert_int_equal(machine_reference_read(
                                     &b, machine_program_address(machine, MACHINE_SEND, node, row)),
                                 b.send[at]);
                assert_int_equal(
                    machine_reference_read(
                        &b, machine_program_address(machine, MACHINE_RECEIVE, node, row)),
                    b.receive[at]);
            }
        }
        machine_reference_check_memories(&b);
        machine_reference_close(&b);
    }
}

/* A read is made every cycle; each word appears at the third edge after its address, and stays
 * until the next word. */
static void reads_follow_each_other(void **unused)
{
    (void)unused;
    struct machine_reference b;
    machine_reference_open(&b, shape(3, 1, 2), 1);
    machine_reference_load_memories(&b, 50);
    for (uint32_t cycle = 0; cycle < 8 * 16 + 2; cycle++) {
        uint32_t address = machine_packet_address(&b.machine, cycle / 16 % 8, 1, cycle % 16);
        uint32_t word = machine_reference_step(&b, (struct dut_inputs){.host_re = cycle < 8 * 16,
                                                                       .host_addr = address})
                            .host_rdata;
        if (cycle >= 2)
            assert_int_equal(
                word, machine_reference_packet_of(&b, (cycle - 2) / 16, 1)[(cycle - 2) % 16]);
    }
    assert_int_equal(machine_reference_idle(&b, 5).host_rdata,
                     machine_reference_packet_of(&b, 7, 1)[15]);
    machine_reference_close(&b);
}

static void registers_report_the_shape(void **unused)
{
    (void)unused;
    struct machine_reference b;
    machine_reference_open(&b, shape(4, 2, 2), 1);
    static const uint32_t built[] = {MACHINE_ID_WORD, 16, 13, 2, 16, 4, 3 + 2, 0};
    for (uint32_t reg = 0; reg < 8; reg++)
        assert_int_equal(machine_reference_read(&b, reg), built[reg]);
    machine_reference_load_run(&b, &(struct run){.rows = 3, .flits = 7, .row_cycles = 12});
    assert_int_equal(machine_reference_read(&b, MACHINE_RUN_ROWS), 3);
    assert_int_equal(machine_reference_read(&b, MACHINE_RUN_FLITS), 7);
    assert_int_equal(machine_reference_read(&b, MACHINE_RUN_ROW_CYCLES), 12);
    assert_int_equal(machine_reference_read(&b, MACHINE_STATUS), 0);
    machine_reference_step(&b, (struct dut_inputs){.start = true});
    assert_int_equal(machine_reference_read(&b, MACHINE_STATUS), 1);
    machine_reference_idle(&b, 3 * 12);
    assert_int_equal(machine_reference_read(&b, MACHINE_STATUS), 2);
    machine_reference_close(&b);
}

static void one_write_reaches_all_nodes(void **unused)
{
    (void)unused;
    struct machine_reference b;
    machine_reference_open(&b, shape(5, 1, 0), 1);
    machine_reference_write(&b, MACHINE_ALL_NODES | machine_packet_address(&b.machine, 3, 1, 2),
                            MACHINE_VALID | 77);
    machine_reference_write(
        &b, MACHINE_ALL_NODES | machine_program_address(&b.machine, MACHINE_SEND, 9, 3),
        MACHINE_VALID);
    machine_reference_write(
        &b, MACHINE_ALL_NODES | machine_program_address(&b.machine, MACHINE_RECEIVE, 0, 2), 1);
    machine_reference_idle(&b, 1);
    for (uint32_t node = 0; node < b.nodes; node++) {
        assert_int_equal(machine_reference_read(&b, machine_packet_address(&b.machine, node, 1, 2)),
                         MACHINE_VALID | 77);
        assert_int_equal(machine_reference_read(&b, machine_packet_address(&b.machine, node, 1, 1)),
                         0);
        assert_int_equal(
            machine_reference_read(&b, machine_program_address(&b.machine, MACHINE_SEND, node, 3)),
            MACHINE_VALID);
        assert_int_equal(machine_reference_read(
                             &b, machine_program_address(&b.machine, MACHINE_RECEIVE, node, 2)),
                         1);
    }
    machine_reference_close(&b);
}

/* A run of no rows is done after four cycles, and the flags of the previous run are cleared. */
static void no_rows_are_done_at_once(void **unused)
{
    (void)unused;
    struct machine_reference b;
    machine_reference_open(&b, shape(3, 1, 0), 1);
    run_all(&b, 80, 50, 50);
    machine_reference_load_run(&b, &(struct run){.rows = 0, .flits = 1, .row_cycles = 6});
    bool run = machine_reference_step(&b, (struct dut_inputs){.start = true}).run;
    struct dut_outputs outputs = machine_reference_idle(&b, 1);
    assert_true(outputs.done && !outputs.run && !run);
    assert_true(machine_reference_idle(&b, 10).done);
    for (uint32_t node = 0; node < b.nodes; node++)
        assert_int_equal(machine_reference_read(&b, machine_flags_address(node)), 0);
    machine_reference_close(&b);
}

/* Reset at every cycle in the middle of a run: afterwards the machine is idle, and the next run is
 * unaffected. */
static void reset_ends_a_run(void **unused)
{
    (void)unused;
    struct machine_reference b;
    machine_reference_open(&b, shape(3, 2, 1), 1);
    const struct run run = {.rows = 3, .flits = 11, .row_cycles = 11 + 3};
    for (unsigned cut = 0; cut < 3 * 14 + 5; cut++) {
        machine_reference_load_tables(&b);
        machine_reference_load_programs(&b, 80, 10);
        machine_reference_load_run(&b, &run);
        machine_reference_step(&b, (struct dut_inputs){.start = true});
        machine_reference_idle(&b, cut);
        machine_reference_reset(&b);
        for (unsigned cycle = 0; cycle < 20; cycle++) {
            struct dut_outputs outputs = machine_reference_idle(&b, 1);
            assert_true(!outputs.run && !outputs.done && !outputs.obs_strobe);
        }
        assert_int_equal(machine_reference_read(&b, MACHINE_RUN_ROWS), 0);
        machine_reference_load_memories(&b, 5);
        machine_reference_run(&b, &run);
        machine_reference_check_memories(&b);
    }
    machine_reference_close(&b);
}

/* Counter-case: flipping a switch of a live circuit sends two packets to wrong places, so that the
 * observations or the stored packets differ from the reference. */
static void a_flipped_switch_shows(void **unused)
{
    (void)unused;
    struct machine_reference b;
    machine_reference_open(&b, shape(3, 1, 0), 5);
    machine_reference_load_tables(&b);
    machine_reference_load_programs(&b, 100, 0);
    for (unsigned stage = 0; stage < machine_stages(&b.machine); stage++)
        for (uint32_t sw = 0; sw < 4; sw++) {
            machine_reference_load_memories(&b, 0);
            uint32_t flipped = machine_reference_row_of(&b, 0, stage)[0] ^ 1u << sw;
            machine_reference_write(&b, machine_table_address(&b.machine, stage, 0, 0), flipped);
            machine_reference_load_run(&b, &(struct run){.rows = 1, .flits = 8, .row_cycles = 13});
            machine_reference_step(&b, (struct dut_inputs){.start = true});
            machine_reference_idle(&b, 20);
            machine_reference_write(&b, machine_table_address(&b.machine, stage, 0, 0),
                                    machine_reference_row_of(&b, 0, stage)[0]);
            uint32_t flight[8 * 16] = {0};
            machine_reference_row(&b, 0, 8, flight);
            unsigned differ = 0;
            for (uint32_t node = 0; node < b.nodes; node++)
                for (uint32_t packet = 0; packet < b.packets; packet++)
                    differ += machine_reference_read(
                                  &b, machine_packet_address(&b.machine, node, packet, 7)) !=
                              machine_reference_packet_of(&b, node, packet)[7];
            assert_int_equal(differ, 2);
        }
    machine_reference_close(&b);
}

/* More ports than the RTL supports; two rows, the second of which forwards what the first
 * delivered. */
static void many_ports(void **unused)
{
    (void)unused;
    struct machine_reference b;
    struct machine machine = shape(13, 3, 0);
    machine.log2_flits = 1;
    machine_reference_open(&b, machine, 1);
    machine_reference_load_tables(&b);
    machine_reference_load_programs(&b, 90, 2);
    machine_reference_load_memories(&b, 1);
    machine_reference_run(
        &b, &(struct run){.rows = 4, .flits = 2, .row_cycles = 2 + machine_latency(&machine)});
    machine_reference_check_memories(&b);
    machine_reference_close(&b);
}

static void a_machine_that_cannot_be_is_refused(void **unused)
{
    (void)unused;
    struct err err = {0};
    struct machine machine = shape(3, 6, 0);
    assert_null(dut_csim_create(&machine, &err));
    assert_int_equal(err.code, ERR_NETWORK);
}

static void a_trace_is_written(void **unused)
{
    (void)unused;
    char message[100] = "";
    char file[] = "/tmp/test_csim_machine_XXXXXX.fst";
    int descriptor = mkstemps(file, 4);
    assert_true(descriptor >= 0);
    close(descriptor);
    struct machine_reference b;
    machine_reference_open(&b, shape(3, 1, 0), 1);
    assert_false(dut_csim_ops.trace_open(b.dut, "/nowhere/x.fst", message, sizeof message));
    assert_non_null(strstr(message, "/nowhere/x.fst"));
    assert_true(dut_csim_ops.trace_open(b.dut, file, message, sizeof message));
    dut_csim_ops.trace_enable(b.dut, true);
    run_all(&b, 100, 0, 0);
    dut_csim_ops.trace_enable(b.dut, false);
    machine_reference_idle(&b, 10);
    assert_true(dut_csim_ops.trace_close(b.dut, message, sizeof message));
    assert_int_equal(access(file, R_OK), 0);
    remove(file);
    machine_reference_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_moves_packets),
        cmocka_unit_test(audited_runs),
        cmocka_unit_test(tables_and_programs_read_back),
        cmocka_unit_test(reads_follow_each_other),
        cmocka_unit_test(registers_report_the_shape),
        cmocka_unit_test(one_write_reaches_all_nodes),
        cmocka_unit_test(no_rows_are_done_at_once),
        cmocka_unit_test(reset_ends_a_run),
        cmocka_unit_test(a_flipped_switch_shows),
        cmocka_unit_test(many_ports),
        cmocka_unit_test(a_machine_that_cannot_be_is_refused),
        cmocka_unit_test(a_trace_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
