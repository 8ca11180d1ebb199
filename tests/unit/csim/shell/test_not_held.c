/* SPDX-License-Identifier: Apache-2.0 */
/* test_not_held: nodes of machines on csim that send packets which they do not hold.
 *
 * State space: machines whose endpoints share a memory in threes, and machines that combine, with
 * and without the operators min and and, × one row of sends. A node that sends a packet that is not
 * held has the flag `not held`; so has a node whose entry names a member that does not exist
 * (docs/machine.md, "Shared"). Its flit is not valid, so no receiver reports an unexpected packet.
 * Counter-cases: in the same rows nodes send packets that are held, their own or that of another
 * member; they have no such flag, and each of their receivers has `unexpected`.
 */
#include "sched/machine/machine_address.h"
#include "testbench/engine/engine.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/setting_period_lab.h"
#include "tests/support/support.h"

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

static void lab_open(struct lab *lab, const char *network)
{
    const struct setting_period_lab_how how = {MACHINE_FULL, false};
    *lab = (struct lab){.machine = setting_period_lab_machine(network, how)};
    lab->machine.width = 16;
    lab->machine.log2_packets = 3;
    lab->machine.log2_flits = 1;
    lab->machine.log2_rows = 3;
}

static void lab_start(struct lab *lab)
{
    struct err err = {0};
    support_true(engine_open(ENGINE_CSIM, &lab->machine, false, &lab->engine, &err), &err);
    step(lab, (struct dut_inputs){.rst = true});
    idle(lab, machine_latency(&lab->machine) + 3);
}

static void write_word(struct lab *lab, uint32_t address, uint32_t word)
{
    step(lab, (struct dut_inputs){.host_we = true, .host_addr = address, .host_wdata = word});
    idle(lab, 3);
    assert_false(lab->outputs.host_error);
}

/* Makes a node hold the packet of a slot. */
static void hold(struct lab *lab, uint32_t node, uint32_t slot)
{
    write_word(lab, machine_packet_address(&lab->machine, node, slot, 0), MACHINE_VALID | 5);
}

/* Makes a node send, in row 0, the packet in a slot of a member. */
static void send(struct lab *lab, uint32_t node, uint32_t member, uint32_t slot)
{
    write_word(lab, machine_program_address(&lab->machine, MACHINE_SEND, node, 0),
               MACHINE_VALID | member << lab->machine.log2_packets | slot);
}

/* Runs a row of packets of one flit, which is longer than the latency, so that they arrive. */
static void run(struct lab *lab)
{
    write_word(lab, MACHINE_RUN_ROWS, 1);
    write_word(lab, MACHINE_RUN_FLITS, 1);
    write_word(lab, MACHINE_RUN_ROW_CYCLES, 20);
    step(lab, (struct dut_inputs){.start = true});
    idle(lab, 100);
    assert_true(lab->outputs.done);
}

/* Checks which nodes have the flag `not held`, as bits, and how many receive a packet that they do
 * not expect. No node misses a packet, because none expects one. */
static void check_flags(struct lab *lab, uint32_t not_held, unsigned unexpected)
{
    uint32_t lacking = 0;
    unsigned received = 0;
    for (uint32_t node = 0; node < machine_ports(&lab->machine); node++) {
        running("flags of node %u", node);
        step(lab, (struct dut_inputs){.host_re = true, .host_addr = machine_flags_address(node)});
        idle(lab, 2);
        const uint32_t flags = lab->outputs.host_rdata;
        assert_int_equal(flags & ~(MACHINE_NOT_HELD | MACHINE_UNEXPECTED), 0);
        lacking |= (flags & MACHINE_NOT_HELD) << node;
        received += (flags & MACHINE_UNEXPECTED) != 0;
    }
    assert_int_equal(lacking, not_held);
    assert_int_equal(received, unexpected);
}

static void members_that_do_not_exist(void **state)
{
    (void)state;
    struct lab lab;
    lab_open(&lab, "benes:8");
    lab.machine.shared = 3; /* nodes 0 … 2, 3 … 5, and 6, 7 */
    lab_start(&lab);
    hold(&lab, 0, 2);
    hold(&lab, 3, 2);
    hold(&lab, 6, 2);
    send(&lab, 0, 3, 2); /* member 3 of 3 */
    send(&lab, 1, 0, 2); /* from node 0 */
    send(&lab, 3, 0, 2); /* its own */
    send(&lab, 4, 1, 2); /* its own, which it does not hold */
    send(&lab, 6, 2, 2); /* node 8 of 8 */
    send(&lab, 7, 0, 2); /* from node 6 */
    run(&lab);
    check_flags(&lab, 1u << 0 | 1u << 4 | 1u << 6, 3);
    engine_close(&lab.engine);
}

static void machines_that_combine(void **state)
{
    (void)state;
    static const uint32_t operators[] = {0, 1u << MACHINE_OPERATOR_SUM,
                                         1u << MACHINE_OPERATOR_MIN | 1u << MACHINE_OPERATOR_SUM,
                                         1u << MACHINE_OPERATOR_AND};
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
        struct lab lab;
        lab_open(&lab, "benes:4");
        lab.machine.combines = true;
        lab.machine.operators = operators[k];
        lab_start(&lab);
        hold(&lab, 1, 2);
        send(&lab, 0, 0, 2);
        send(&lab, 1, 0, 2);
        send(&lab, 3, 0, 2);
        run(&lab);
        check_flags(&lab, 1u << 0 | 1u << 3, 1);
        engine_close(&lab.engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_that_do_not_exist),
        cmocka_unit_test(machines_that_combine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
