/* fat_tree_lab: a run of a fat tree machine beside what a reference expects of it, for test_fat_tree.c and
 * test_fat_tree_auto.c. A lab counts differences, so that a test can also ask for some.
 */
#ifndef ROUNDCAST_FAT_TREE_LAB_H
#define ROUNDCAST_FAT_TREE_LAB_H

#include "testbench/run/bench.h"
#include "testbench/unit/support/fat_tree_reference.h"
#include "testbench/unit/support/support.h"

/* The engines that run in lockstep: the first of them, or all. */
static const enum engine_kind lab_engines[] = {ENGINE_CSIM, ENGINE_RTL};
#define LAB_CSIM 1
#define LAB_ALL (sizeof lab_engines / sizeof *lab_engines)

#define LAB_SLOTS 4 /* of a leaf that are filled at first */

struct lab {
    struct machine machine;
    struct run run;
    struct reference reference;
    struct rng rng;
    uint32_t packets;   /* packets that there are, numbered from 1 */
    uint32_t *payload;  /* [packets + 1][flits] */
    uint32_t *memory;   /* [leaves][slots]: the packet there */
    uint32_t *expected; /* [rows][leaves]: the observation, valid bit and slot */
    struct image image; /* programs, packets and tables */
    struct bench bench;
    uint32_t strobes, receipts, differ; /* of the run */
    uint32_t router_flags, leaf_flags;  /* the OR of all */
    uint32_t level_flags[8];            /* the OR of those of its routers */
};

static inline uint32_t lab_slots(const struct lab *lab)
{
    return 1u << lab->machine.log2_packets;
}

static inline uint32_t *lab_memory(struct lab *lab, uint32_t leaf, uint32_t slot)
{
    return &lab->memory[leaf * lab_slots(lab) + slot];
}

static inline void lab_word(struct lab *lab, uint32_t address, uint32_t word)
{
    struct err err = {0};
    assert_true(machine_has_address(&lab->machine, address));
    support_true(image_append(&lab->image, address, word, &err), &err);
}

/* A machine for the tree, with random widths and the buffers given. */
static inline struct lab lab_open(uint64_t seed, enum machine_kind kind, unsigned height,
                                  const uint32_t children[], const uint32_t capacity[], unsigned pad,
                                  unsigned log2_flits, unsigned log2_rows)
{
    struct err err = {0};
    struct topology tree;
    struct lab lab = {.rng = {seed}};
    support_true(topology_tree(height, children, capacity, &tree, &err), &err);
    lab.machine = (struct machine){.kind = kind,
                                   .pad = pad,
                                   .width = 12 + reference_draw(&lab.rng, 20),
                                   .log2_packets = 3,
                                   .log2_flits = log2_flits,
                                   .log2_rows = log2_rows,
                                   .reads = 1};
    lab.machine.topology = tree;
    for (unsigned level = 1; level <= height; level++)
        lab.machine.depth[level] = lab.machine.queue[level] = 1;
    lab.reference = reference_open(height, children, capacity, 1u << log2_rows);
    lab.memory = reference_words((size_t)lab.reference.leaves * lab_slots(&lab));
    lab.expected = reference_words((size_t)lab.reference.leaves << log2_rows);
    return lab;
}

static inline void lab_close(struct lab *lab)
{
    reference_close(&lab->reference);
    image_free(&lab->image);
    free(lab->payload);
    free(lab->memory);
    free(lab->expected);
}

/* Nothing is left of an image that ran before on the same machine; to be called first. */
static inline void lab_forget(struct lab *lab)
{
    bool tables = lab->machine.kind == MACHINE_FAT_TREE;
    for (int program = MACHINE_SEND; program <= (tables ? MACHINE_RECEIVE : MACHINE_SEND); program++)
        for (uint32_t row = 0; row < 1u << lab->machine.log2_rows; row++)
            lab_word(lab,
                     MACHINE_ALL_NODES |
                         machine_program_address(&lab->machine, (enum machine_region)program, 0, row),
                     0);
    for (uint32_t word = 0; word < lab_slots(lab) << lab->machine.log2_flits; word++)
        lab_word(lab, MACHINE_ALL_NODES | (machine_packet_address(&lab->machine, 0, 0, 0) + word), 0);
}

/* Every leaf gets a packet of random words in its first `slots` slots. */
static inline void lab_fill(struct lab *lab, uint32_t slots)
{
    uint32_t leaves = lab->reference.leaves, flits = lab->run.flits;
    lab->packets = leaves * slots;
    lab->payload = reference_words((size_t)(lab->packets + 1) * flits);
    for (uint32_t packet = 1; packet <= lab->packets; packet++) {
        *lab_memory(lab, (packet - 1) / slots, (packet - 1) % slots) = packet;
        for (uint32_t flit = 0; flit < flits; flit++)
            lab->payload[packet * flits + flit] = reference_draw(&lab->rng, 1u << lab->machine.width);
    }
}

/* The packets of all leaves into the image, as they are now. */
static inline void lab_load_packets(struct lab *lab)
{
    for (uint32_t leaf = 0; leaf < lab->reference.leaves; leaf++)
        for (uint32_t slot = 0; slot < lab_slots(lab); slot++)
            for (uint32_t flit = 0; *lab_memory(lab, leaf, slot) != 0 && flit < lab->run.flits; flit++)
                lab_word(lab, machine_packet_address(&lab->machine, leaf, slot, flit),
                         MACHINE_VALID | lab->payload[*lab_memory(lab, leaf, slot) * lab->run.flits + flit]);
}

/* Row `row` puts `got` into the leaves, in these slots. */
static inline void lab_receive(struct lab *lab, uint32_t row, uint32_t leaf, uint32_t packet, uint32_t slot)
{
    lab->expected[row * lab->reference.leaves + leaf] = MACHINE_VALID | slot;
    *lab_memory(lab, leaf, slot) = packet;
}

/* -- Running ------------------------------------------------------------------------------------- */

/* Every cycle of the run: is there an observation, and what is it? */
static inline bool lab_observe(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)err;
    struct lab *lab = self;
    uint64_t row = cycle / lab->run.row_cycles, in_row = cycle % lab->run.row_cycles;
    bool due = in_row == lab->run.flits - 1 + lab->machine.pad;
    lab->strobes += obs != NULL;
    lab->differ += due != (obs != NULL);
    for (uint32_t leaf = 0; due && obs != NULL && leaf < lab->reference.leaves; leaf++) {
        uint32_t expected = lab->expected[row * lab->reference.leaves + leaf];
        uint32_t seen = obs[leaf] & MACHINE_VALID ? obs[leaf] : obs[leaf] & ~MACHINE_OBS_PACKET;
        lab->receipts += obs[leaf] >> 31;
        lab->differ += seen != expected;
    }
    return true;
}

static inline uint32_t lab_read(struct lab *lab, uint32_t address)
{
    struct err err = {0};
    uint32_t word = 0;
    support_true(bench_read(&lab->bench, address, &word, &err), &err);
    return word;
}

/* What stands in the leaves after the run. */
static inline void lab_compare_memories(struct lab *lab)
{
    struct err err = {0};
    uint32_t word[64];
    for (uint32_t leaf = 0; leaf < lab->reference.leaves; leaf++)
        for (uint32_t slot = 0; slot < lab_slots(lab); slot++) {
            uint32_t packet = *lab_memory(lab, leaf, slot);
            uint32_t address = machine_packet_address(&lab->machine, leaf, slot, 0);
            support_true(bench_read_block(&lab->bench, address, lab->run.flits, word, &err), &err);
            for (uint32_t flit = 0; flit < lab->run.flits; flit++)
                lab->differ +=
                    word[flit] !=
                    (packet == 0 ? 0 : (MACHINE_VALID | lab->payload[packet * lab->run.flits + flit]));
        }
}

static inline void lab_read_flags(struct lab *lab)
{
    lab->router_flags = lab->leaf_flags = 0;
    memset(lab->level_flags, 0, sizeof lab->level_flags);
    for (uint32_t leaf = 0; leaf < lab->reference.leaves; leaf++)
        lab->leaf_flags |= lab_read(lab, machine_flags_address(leaf));
    for (uint32_t node = lab->reference.leaves; node < lab->reference.nodes; node++) {
        uint32_t flags = lab_read(lab, machine_router_flags_address(node - lab->reference.leaves));
        lab->router_flags |= flags;
        lab->level_flags[lab->reference.level[node]] |= flags;
    }
}

/* Load the image again, run, and count what differs from the reference. */
static inline void lab_again(struct lab *lab)
{
    struct err err = {0};
    uint64_t cycles;
    lab->strobes = lab->receipts = lab->differ = 0;
    support_true(bench_load(&lab->bench, &lab->image, &err), &err);
    support_true(machine_check_run(&lab->machine, &lab->run, "test", &err), &err);
    struct bench_observer observer = {lab, lab_observe};
    support_true(bench_run(&lab->bench, &lab->run, &observer, &cycles, &err), &err);
    lab->differ += cycles != (uint64_t)lab->run.rows * lab->run.row_cycles;
    lab->differ += lab_read(lab, MACHINE_STEPS) != lab->reference.steps;
    lab_compare_memories(lab);
    lab_read_flags(lab);
}

static inline void lab_load_run(struct lab *lab)
{
    lab_word(lab, MACHINE_RUN_ROWS, lab->run.rows);
    lab_word(lab, MACHINE_RUN_FLITS, lab->run.flits);
    lab_word(lab, MACHINE_RUN_ROW_CYCLES, lab->run.row_cycles);
    lab_word(lab, MACHINE_RUN_SINGLE_PORT, lab->run.single_port);
}

/* A machine at power-up runs the image; it stays open. */
static inline void lab_start(struct lab *lab)
{
    struct err err = {0};
    lab->image.machine = lab->machine;
    lab->image.run = lab->run;
    support_true(bench_open(lab_engines, LAB_CSIM, &lab->machine, false, &lab->bench, &err), &err);
    lab_again(lab);
}

/* Nothing but what the reference expects, and no flag. */
static inline void lab_assert_right(const struct lab *lab)
{
    assert_int_equal(lab->differ, 0);
    assert_int_equal(lab->strobes, lab->run.rows);
    assert_int_equal(lab->router_flags, 0);
    assert_int_equal(lab->leaf_flags, 0);
}

#endif
