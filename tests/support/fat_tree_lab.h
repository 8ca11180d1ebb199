/* SPDX-License-Identifier: Apache-2.0 */
/* fat_tree_lab: compares a run of a fat tree machine with a reference, for test_fat_tree.c and
 * test_fat_tree_auto.c. A lab counts differences, so that a test can also require some.
 */
#ifndef ROUNDCAST_FAT_TREE_LAB_H
#define ROUNDCAST_FAT_TREE_LAB_H

#include "sched/machine/machine_run.h"
#include "sched/schedule/payload.h"
#include "testbench/run/testbench.h"
#include "tests/support/fat_tree_reference.h"

/* The engines that run in lockstep: the first of them, or all. */
#define FAT_TREE_LAB_CSIM 1
#define FAT_TREE_LAB_ALL 2
extern const enum engine_kind fat_tree_lab_engines[FAT_TREE_LAB_ALL];

#define FAT_TREE_LAB_SLOTS 4 /* slots of an endpoint that are filled at first */

struct fat_tree_lab {
    struct machine machine;
    struct run run;
    struct fat_tree_reference reference;
    struct rng rng;
    uint32_t packets;   /* number of packets, numbered from 1 */
    uint32_t *payload;  /* [packets + 1][flits] */
    uint32_t *memory;   /* [endpoints][slots]: the packet there */
    uint32_t *expected; /* [rows][endpoints]: the observation, valid bit and slot */
    struct image image; /* programs, packets and tables */
    struct testbench testbench;
    uint32_t strobes, receipts, differ; /* of the run */
    uint32_t router_flags, leaf_flags;  /* the OR of all */
    uint32_t level_flags[8];            /* the OR of the flags of the level's routers */
};

uint32_t fat_tree_lab_slots(const struct fat_tree_lab *lab);
uint32_t *fat_tree_lab_memory(struct fat_tree_lab *lab, uint32_t endpoint, uint32_t slot);
void fat_tree_lab_word(struct fat_tree_lab *lab, uint32_t address, uint32_t word);

/* Returns a lab with a machine for the tree, with random widths and the given buffers. */
struct fat_tree_lab fat_tree_lab_open(uint64_t seed, enum machine_kind kind, unsigned height,
                                      const uint32_t children[], const uint32_t capacity[],
                                      unsigned pad, unsigned log2_flits, unsigned log2_rows);

void fat_tree_lab_close(struct fat_tree_lab *lab);

/* Clears all state of an image that ran before on the same machine; call it first. */
void fat_tree_lab_forget(struct fat_tree_lab *lab);

/* Fills the first `slots` slots of every endpoint with packets of random words. */
void fat_tree_lab_fill(struct fat_tree_lab *lab, uint32_t slots);

/* Writes the present packets of all endpoints into the image. */
void fat_tree_lab_load_packets(struct fat_tree_lab *lab);

/* Stores `got`, the packets of row `row`, in these slots of the endpoints. */
void fat_tree_lab_receive(struct fat_tree_lab *lab, uint32_t row, uint32_t endpoint,
                          uint32_t packet, uint32_t slot);

/* -- Running ----------------------------------------------------------------------------------- */

uint32_t fat_tree_lab_read(struct fat_tree_lab *lab, uint32_t address);

/* Loads the image again, runs it, and counts the differences from the reference. */
void fat_tree_lab_again(struct fat_tree_lab *lab);

void fat_tree_lab_load_run(struct fat_tree_lab *lab);

/* Runs the image on a machine in its power-up state, and leaves the machine open. */
void fat_tree_lab_start(struct fat_tree_lab *lab);

/* Checks that there is no difference from the reference and no flag. */
void fat_tree_lab_assert_right(const struct fat_tree_lab *lab);

#endif
