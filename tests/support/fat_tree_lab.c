/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/fat_tree_lab.h"

#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/room.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

const enum engine_kind fat_tree_lab_engines[FAT_TREE_LAB_ALL] = {ENGINE_CSIM, ENGINE_RTL};

uint32_t fat_tree_lab_slots(const struct fat_tree_lab *lab)
{
    return 1u << lab->machine.log2_packets;
}

uint32_t *fat_tree_lab_memory(struct fat_tree_lab *lab, uint32_t endpoint, uint32_t slot)
{
    return &lab->memory[endpoint * fat_tree_lab_slots(lab) + slot];
}

void fat_tree_lab_word(struct fat_tree_lab *lab, uint32_t address, uint32_t word)
{
    struct err err = {0};
    assert_true(machine_has_address(&lab->machine, address));
    support_true(image_append(&lab->image, address, word, &err), &err);
}

struct fat_tree_lab fat_tree_lab_open(uint64_t seed, enum machine_kind kind, unsigned height,
                                      const uint32_t children[], const uint32_t capacity[],
                                      unsigned pad, unsigned log2_flits, unsigned log2_rows)
{
    struct err err = {0};
    struct topology tree;
    struct fat_tree_lab lab = {.rng = {seed}};
    support_true(topology_tree(height, children, capacity, &tree, &err), &err);
    lab.machine = (struct machine){.kind = kind,
                                   .pad = pad,
                                   .width = 12 + fat_tree_reference_draw(&lab.rng, 20),
                                   .log2_packets = 3,
                                   .log2_flits = log2_flits,
                                   .log2_rows = log2_rows,
                                   .reads = 1};
    lab.machine.topology = tree;
    for (unsigned level = 1; level <= height; level++)
        lab.machine.depth[level] = lab.machine.queue[level] = 1;
    lab.reference = fat_tree_reference_open(height, children, capacity, 1u << log2_rows);
    lab.memory = room_words((size_t)lab.reference.endpoints * fat_tree_lab_slots(&lab));
    lab.expected = room_words((size_t)lab.reference.endpoints << log2_rows);
    return lab;
}

void fat_tree_lab_close(struct fat_tree_lab *lab)
{
    fat_tree_reference_close(&lab->reference);
    image_free(&lab->image);
    free(lab->payload);
    free(lab->memory);
    free(lab->expected);
}

void fat_tree_lab_forget(struct fat_tree_lab *lab)
{
    bool tables = lab->machine.kind == MACHINE_FAT_TREE;
    for (int program = MACHINE_SEND; program <= (tables ? MACHINE_RECEIVE : MACHINE_SEND);
         program++)
        for (uint32_t row = 0; row < 1u << lab->machine.log2_rows; row++)
            fat_tree_lab_word(
                lab,
                MACHINE_ALL_NODES |
                    machine_program_address(&lab->machine, (enum machine_region)program, 0, row),
                0);
    for (uint32_t word = 0; word < fat_tree_lab_slots(lab) << lab->machine.log2_flits; word++)
        fat_tree_lab_word(
            lab, MACHINE_ALL_NODES | (machine_packet_address(&lab->machine, 0, 0, 0) + word), 0);
}

void fat_tree_lab_fill(struct fat_tree_lab *lab, uint32_t slots)
{
    uint32_t endpoints = lab->reference.endpoints, flits = lab->run.flits;
    lab->packets = endpoints * slots;
    lab->payload = room_words((size_t)(lab->packets + 1) * flits);
    for (uint32_t packet = 1; packet <= lab->packets; packet++) {
        *fat_tree_lab_memory(lab, (packet - 1) / slots, (packet - 1) % slots) = packet;
        for (uint32_t flit = 0; flit < flits; flit++)
            lab->payload[packet * flits + flit] =
                fat_tree_reference_draw(&lab->rng, 1u << lab->machine.width);
    }
}

void fat_tree_lab_load_packets(struct fat_tree_lab *lab)
{
    for (uint32_t endpoint = 0; endpoint < lab->reference.endpoints; endpoint++)
        for (uint32_t slot = 0; slot < fat_tree_lab_slots(lab); slot++)
            for (uint32_t flit = 0;
                 *fat_tree_lab_memory(lab, endpoint, slot) != 0 && flit < lab->run.flits; flit++)
                fat_tree_lab_word(
                    lab, machine_packet_address(&lab->machine, endpoint, slot, flit),
                    MACHINE_VALID |
                        lab->payload[*fat_tree_lab_memory(lab, endpoint, slot) * lab->run.flits +
                                     flit]);
}

void fat_tree_lab_receive(struct fat_tree_lab *lab, uint32_t row, uint32_t endpoint,
                          uint32_t packet, uint32_t slot)
{
    lab->expected[row * lab->reference.endpoints + endpoint] = MACHINE_VALID | slot;
    *fat_tree_lab_memory(lab, endpoint, slot) = packet;
}

/* -- Running ----------------------------------------------------------------------------------- */

/* Checks in every cycle of the run whether there is an observation, and its content. */
static bool fat_tree_lab_observe(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)err;
    struct fat_tree_lab *lab = self;
    uint64_t row = cycle / lab->run.row_cycles, in_row = cycle % lab->run.row_cycles;
    bool due = in_row == lab->run.flits - 1 + lab->machine.pad;
    lab->strobes += obs != NULL;
    lab->differ += due != (obs != NULL);
    for (uint32_t endpoint = 0; due && obs != NULL && endpoint < lab->reference.endpoints;
         endpoint++) {
        uint32_t expected = lab->expected[row * lab->reference.endpoints + endpoint];
        uint32_t seen =
            obs[endpoint] & MACHINE_VALID ? obs[endpoint] : obs[endpoint] & ~MACHINE_OBS_PACKET;
        lab->receipts += obs[endpoint] >> 31;
        lab->differ += seen != expected;
    }
    return true;
}

uint32_t fat_tree_lab_read(struct fat_tree_lab *lab, uint32_t address)
{
    struct err err = {0};
    uint32_t word = 0;
    support_true(testbench_read(&lab->testbench, address, &word, &err), &err);
    return word;
}

/* Compares the memories of the endpoints after the run. */
static void fat_tree_lab_compare_memories(struct fat_tree_lab *lab)
{
    struct err err = {0};
    uint32_t word[64];
    for (uint32_t endpoint = 0; endpoint < lab->reference.endpoints; endpoint++)
        for (uint32_t slot = 0; slot < fat_tree_lab_slots(lab); slot++) {
            uint32_t packet = *fat_tree_lab_memory(lab, endpoint, slot);
            uint32_t address = machine_packet_address(&lab->machine, endpoint, slot, 0);
            support_true(testbench_read_block(&lab->testbench, address, lab->run.flits, word, &err),
                         &err);
            for (uint32_t flit = 0; flit < lab->run.flits; flit++)
                lab->differ +=
                    word[flit] !=
                    (packet == 0 ? 0
                                 : (MACHINE_VALID | lab->payload[packet * lab->run.flits + flit]));
        }
}

static void fat_tree_lab_read_flags(struct fat_tree_lab *lab)
{
    lab->router_flags = lab->leaf_flags = 0;
    memset(lab->level_flags, 0, sizeof lab->level_flags);
    for (uint32_t endpoint = 0; endpoint < lab->reference.endpoints; endpoint++)
        lab->leaf_flags |= fat_tree_lab_read(lab, machine_flags_address(endpoint));
    for (uint32_t node = lab->reference.leaves; node < lab->reference.nodes; node++) {
        uint32_t flags =
            fat_tree_lab_read(lab, machine_router_flags_address(node - lab->reference.leaves));
        lab->router_flags |= flags;
        lab->level_flags[lab->reference.level[node]] |= flags;
    }
}

void fat_tree_lab_again(struct fat_tree_lab *lab)
{
    struct err err = {0};
    uint64_t cycles;
    lab->strobes = lab->receipts = lab->differ = 0;
    support_true(testbench_load(&lab->testbench, &lab->image, &err), &err);
    support_true(machine_check_run(&lab->machine, &lab->run, "test", &err), &err);
    struct testbench_observer observer = {lab, fat_tree_lab_observe};
    support_true(testbench_run(&lab->testbench, &lab->run, &observer, &cycles, &err), &err);
    lab->differ += cycles != (uint64_t)lab->run.rows * lab->run.row_cycles;
    lab->differ += fat_tree_lab_read(lab, MACHINE_STEPS) != lab->reference.steps;
    fat_tree_lab_compare_memories(lab);
    fat_tree_lab_read_flags(lab);
}

void fat_tree_lab_load_run(struct fat_tree_lab *lab)
{
    fat_tree_lab_word(lab, MACHINE_RUN_ROWS, lab->run.rows);
    fat_tree_lab_word(lab, MACHINE_RUN_FLITS, lab->run.flits);
    fat_tree_lab_word(lab, MACHINE_RUN_ROW_CYCLES, lab->run.row_cycles);
    fat_tree_lab_word(lab, MACHINE_RUN_SINGLE_PORT, lab->run.single_port);
}

void fat_tree_lab_start(struct fat_tree_lab *lab)
{
    struct err err = {0};
    lab->image.machine = lab->machine;
    lab->image.run = lab->run;
    support_true(testbench_open(fat_tree_lab_engines, FAT_TREE_LAB_CSIM, &lab->machine, false,
                                &lab->testbench, &err),
                 &err);
    fat_tree_lab_again(lab);
}

void fat_tree_lab_assert_right(const struct fat_tree_lab *lab)
{
    assert_int_equal(lab->differ, 0);
    assert_int_equal(lab->strobes, lab->run.rows);
    assert_int_equal(lab->router_flags, 0);
    assert_int_equal(lab->leaf_flags, 0);
}
