/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_faults: a wrong word in a working image of routers is detected and named.
 *
 * State space. Two trees, with lanes; on each the all-gather that floods (multiport), the
 * total exchange and a broadcast (single-port), on csim and on RTL, whose model is built once for a
 * tree and loaded again for each fault. Payload is pseudo-random with the seed of tree_machine.h,
 * so that packets differ. Exhaustive: every bit of every word of the routers' tables (on RTL: bits
 * that routers keep and that leave the word legal, machine.h); every send and receive entry
 * dropped; every output that sends from an input at which no packet has arrived; every second
 * output in a row of a single-port run.
 *
 * tree_replay.h, which shares no code with the machines, predicts the effect of each of them: the
 * first violation, word for word, and the number of violations; or that the change is not
 * observable, and the run passes. Both are counted. The numbers for csim are asserted, so that no
 * fault silently stops being detected.
 */
#include "sched/machine/machine_address.h"
#include "sched/shape/wiring.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/tree_fault_rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum class { HOLDS, LOST, LEAF_FLAG, NOT_HELD, TWICE, STEPS, CORRUPT, CLASSES };

/* The class of the first report for the flips of each job, on csim. */
static const unsigned flips[TREE_FAULT_RIG_TREES][TREE_FAULT_RIG_JOBS][CLASSES] = {
    {{1819, 56, 2, 18, 0, 0, 25}, {3983, 51, 14, 68, 52, 0, 56}, {1846, 25, 0, 47, 2, 0, 0}},
    {{2479, 124, 0, 18, 0, 0, 67}, {10525, 79, 76, 171, 123, 0, 226}, {2578, 42, 0, 66, 2, 0, 0}},
};

static enum class class_of(const struct tree_replay_reported *reported) {
    return reported->code == ERR_NONE                ? HOLDS
           : reported->code == ERR_LOST              ? LOST
           : reported->code == ERR_LATE              ? STEPS
           : reported->code == ERR_CORRUPT           ? CORRUPT
           : strstr(reported->text, ": node ")       ? LEAF_FLAG
           : strstr(reported->text, "does not hold") ? NOT_HELD
                                                     : TWICE;
}

/* -- Flipped bits ------------------------------------------------------------------------------ */

static unsigned bits_of(uint32_t count)
{
    unsigned bits = 1;
    while (1u << bits < count)
        bits++;
    return bits;
}

/* Returns whether a router keeps the bit, and the word with it is legal. Its table has no room for
 * other bits, and an output whose table selects its own input port sends an undefined word. On RTL
 * the other cases are left to test_fat_tree_rtl.c, because of their run time. */
static bool kept(const struct machine *machine, unsigned level, uint32_t column, uint32_t word,
                 unsigned bit)
{
    uint32_t ports = machine->topology.router_ports[level], sources = ports * machine->reads;
    uint32_t source = (word ^ 1u << bit) >> 16 & 0x7fff;
    if (bit < 16)
        return bit < bits_of(machine->depth[level]);
    return column % machine->reads == 0 && source < sources &&
           source / machine->reads != column / machine->reads;
}

static void flip_word(struct tree_fault_rig *rig, uint32_t router, uint32_t row, uint32_t column,
                      unsigned count[CLASSES])
{
    struct tree_fault_lab *lab = &rig->lab;
    const struct machine *machine = &lab->machine;
    unsigned level = topology_level(&machine->topology, router + machine->topology.nodes);
    uint32_t address = machine_table_address(machine, router, row, column);
    uint32_t word = *tree_replay_word(&lab->replay, address);
    for (unsigned bit = 0; bit < 32; bit++) {
        const struct image_word flipped = {address, word ^ 1u << bit};
        if (rig->kind == ENGINE_RTL && !kept(machine, level, column, word, bit))
            continue;
        struct tree_replay_reported reported = tree_fault_lab_change(lab, &flipped, 1);
        count[class_of(&reported)]++;
    }
}

static uint32_t columns_of(const struct machine *machine, uint32_t router)
{
    return machine->topology
               .router_ports[topology_level(&machine->topology, router + machine->topology.nodes)] *
           machine->reads;
}

static void flip_every_bit(struct tree_fault_rig *rig, void *unused)
{
    (void)unused;
    const struct machine *machine = &rig->lab.machine;
    unsigned count[CLASSES] = {0};
    for (uint32_t row = 0; row < rig->lab.replay.run.rows; row++)
        for (uint32_t router = 0; router < machine_routers(machine); router++)
            for (uint32_t column = 0; column < columns_of(machine, router); column++)
                flip_word(rig, router, row, column, count);
    print_message(
        "%s, %s on %s: flipped bits: first reported are %u lost packets, %u flags of leaves, "
        "%u of routers "
        "that do not hold, %u that send twice, %u steps, %u corrupt packets; %u are not "
        "observable\n",
        engine_name(rig->kind), tree_fault_rig_jobs[rig->job].algorithm,
        tree_fault_rig_trees[rig->tree].children, count[LOST], count[LEAF_FLAG], count[NOT_HELD],
        count[TWICE], count[STEPS], count[CORRUPT], count[HOLDS]);
    if (rig->kind == ENGINE_CSIM)
        assert_memory_equal(count, flips[rig->tree][rig->job], sizeof count);
    assert_true(count[LOST] > 0 && count[NOT_HELD] > 0 && count[HOLDS] > 0);
}

/* -- Meaningful words -------------------------------------------------------------------------- */

/* In the first step no router has received a packet, in the second none above level 1: a router
 * that sends then has no packet to send, which is not observable elsewhere. */
static void send_from_empty_buffers(struct tree_fault_rig *rig, void *data)
{
    struct tree_fault_lab *lab = &rig->lab;
    const struct machine *machine = &lab->machine;
    for (uint32_t router = 0; router < machine_routers(machine); router++) {
        unsigned level = topology_level(&machine->topology, router + machine->topology.nodes);
        uint32_t ports = machine->topology.router_ports[level];
        for (uint32_t output = 0; output < ports; output++)
            for (uint32_t input = 0; input < ports; input++) {
                char text[100], node[TOPOLOGY_NODE_TEXT];
                const struct image_word change = {
                    machine_table_address(machine, router, level - 1, output * machine->reads),
                    machine_send_word(input * machine->reads)};
                if (input == output)
                    continue;
                struct tree_replay_reported reported = tree_fault_lab_change(lab, &change, 1);
                snprintf(
                    text, sizeof text,
                    "after the run: router %s flags sending what it does not hold; expected no "
                    "flag",
                    topology_node_text(&machine->topology, router + machine->topology.nodes, node));
                assert_int_equal(reported.count, 1);
                support_error(&lab->err, ERR_FLAG, text);
                assert_int_equal(lab->router_flags[router], MACHINE_ROUTER_NOT_HELD);
                ++*(unsigned *)data;
            }
    }
}

/* Makes a second output send the same word as another output in a single-port run. */
static void send_twice(struct tree_fault_rig *rig, void *data)
{
    struct tree_fault_lab *lab = &rig->lab;
    const struct machine *machine = &lab->machine;
    unsigned *count = data;
    for (uint32_t row = 0; row < lab->replay.run.rows && lab->replay.run.single_port; row++)
        for (uint32_t router = 0; router < machine_routers(machine); router++) {
            uint32_t columns = columns_of(machine, router), sent = 0;
            for (uint32_t column = 0; column < columns; column += machine->reads)
                sent |= *tree_replay_word(&lab->replay,
                                          machine_table_address(machine, router, row, column));
            for (uint32_t column = 0; sent != 0 && column < columns; column += machine->reads) {
                uint32_t address = machine_table_address(machine, router, row, column);
                uint32_t word = *tree_replay_word(&lab->replay, address);
                uint32_t input = (sent >> 16 & 0x7fff) / machine->reads;
                if (!(sent & MACHINE_VALID) || word & MACHINE_VALID ||
                    input == column / machine->reads)
                    continue;
                const struct image_word change = {address, (sent & UINT32_C(0xffff0000)) | word};
                struct tree_replay_reported reported = tree_fault_lab_change(lab, &change, 1);
                assert_true(reported.count > 0 && lab->router_flags[router] & MACHINE_ROUTER_TWICE);
                count[class_of(&reported)]++;
            }
        }
}

/* Drops the entries of a send or a receipt, so that a leaf does not send, or does not expect. */
static void drop_entries(struct tree_fault_rig *rig, void *data)
{
    struct tree_fault_lab *lab = &rig->lab;
    unsigned *count = data;
    for (uint32_t row = 0; row < lab->replay.run.rows; row++)
        for (uint32_t leaf = 0; leaf < lab->machine.topology.nodes; leaf++)
            for (int program = MACHINE_SEND; program <= MACHINE_RECEIVE; program++) {
                const struct image_word change = {
                    machine_program_address(&lab->machine, (enum machine_region)program, leaf, row),
                    0};
                uint32_t word = *tree_replay_word(&lab->replay, change.address);
                char text[80];
                if (word == 0)
                    continue;
                struct tree_replay_reported reported = tree_fault_lab_change(lab, &change, 1);
                count[program - MACHINE_SEND]++;
                assert_int_equal(reported.code, ERR_LOST);
                if (program == MACHINE_SEND)
                    continue;
                snprintf(text, sizeof text,
                         "round %" PRIu32 ": node %" PRIu32 " does not receive packet %" PRIu32 ";",
                         row + 1, leaf, (word & MACHINE_OBS_PACKET) + 1);
                support_error(&lab->err, ERR_LOST, text);
                assert_int_equal(reported.count, 3); /* lost, flagged, missing in memory */
            }
}

static void flipped_bits(enum engine_kind kind)
{
    tree_fault_rig_each(kind, flip_every_bit, NULL);
}

static void empty_buffers(enum engine_kind kind)
{
    unsigned count = 0;
    tree_fault_rig_each(kind, send_from_empty_buffers, &count);
    print_message("%u sends of what is not held\n", count);
    /* jobs, routers, outputs, inputs */
    assert_int_equal(count, TREE_FAULT_RIG_JOBS * (3 * 4 * 3 + 2 * 5 * 4 + 4 * 3));
}

static void second_outputs(enum engine_kind kind)
{
    unsigned count[CLASSES] = {0};
    tree_fault_rig_each(kind, send_twice, count);
    print_message(
        "second outputs: first reported are %u packets lost or corrupt, %u flags of leaves, "
        "%u of the router\n",
        count[LOST] + count[CORRUPT], count[LEAF_FLAG], count[TWICE]);
    assert_int_equal(count[HOLDS], 0);
    assert_true(count[LEAF_FLAG] > 0 && count[TWICE] > 0);
}

static void dropped_entries(enum engine_kind kind)
{
    unsigned count[2] = {0};
    tree_fault_rig_each(kind, drop_entries, count);
    print_message("%u sends and %u receipts dropped\n", count[0], count[1]);
    assert_int_equal(count[0], 4 + 4 * 3 + 1 + 6 + 6 * 5 + 1);
    assert_int_equal(count[1], 2 * (4 * 3 + 6 * 5) + 3 + 5);
}

TREE_FAULT_RIG_ON(flipped_bits)
TREE_FAULT_RIG_ON(empty_buffers)
TREE_FAULT_RIG_ON(second_outputs)
TREE_FAULT_RIG_ON(dropped_entries)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TREE_FAULT_RIG_BOTH(flipped_bits), TREE_FAULT_RIG_BOTH(empty_buffers),
        TREE_FAULT_RIG_BOTH(second_outputs), TREE_FAULT_RIG_BOTH(dropped_entries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
