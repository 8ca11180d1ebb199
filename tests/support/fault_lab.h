/* SPDX-License-Identifier: Apache-2.0 */
/* fault_lab: run images on a testbench that stays open, break them, and say what must be found.
 *
 * Unlike `simulate`, a lab does not write the payload over the image's, loads one image over
 * another, and can run an image in parts.
 */
#ifndef ROUNDCAST_FAULT_LAB_H
#define ROUNDCAST_FAULT_LAB_H

#include "testbench/run/testbench.h"
#include "testbench/scoreboard/scoreboard.h"
#include "tests/support/support.h"

#define FAULT_LAB_SEED UINT64_C(20240612)

enum {
    FAULT_LAB_PORTS = 8,
    FAULT_LAB_LOG2_PORTS = 3,
    FAULT_LAB_STAGES = 5,
    FAULT_LAB_SWITCHES = 4,
    FAULT_LAB_PACKETS = 3,
    FAULT_LAB_FLITS = 4
};

struct fault_lab {
    struct machine machine;
    struct testbench testbench;
    struct support_job job;
    struct scoreboard_report report;
    struct err err;
};

/* Not every algorithm keeps the model of the machine. */
bool fault_lab_can(const struct algorithm *algorithm, uint32_t n);

void fault_lab_fill(struct fault_lab *lab, const struct algorithm *algorithm, uint32_t n);

/* Does the image do what the job's schedule says? */
bool fault_lab_holds(struct fault_lab *lab, const struct image *image);

void fault_lab_assert_holds(struct fault_lab *lab);

/* The word that stays at an address: the last one for it, not one for all nodes. */
uint32_t *fault_lab_word_at(struct image *image, uint32_t address);

uint32_t *fault_lab_entry_at(struct image *image, enum machine_region program, uint32_t node,
                             uint64_t round);

/* The pairs (node, packet) whose payload is wrong. */
struct fault_lab_corrupt {
    bool at[FAULT_LAB_PORTS][FAULT_LAB_PACKETS + 1];
};

/* Carry them on: what nodes make of them by sending in the rounds after `round`. */
void fault_lab_spread(const struct schedule *schedule, uint64_t round,
                      struct fault_lab_corrupt *corrupt);

/* The round in which a node receives a packet; 0 for the source. */
uint64_t fault_lab_round_of(const struct schedule *schedule, uint32_t node, uint32_t packet);

/* The last run found exactly these corrupt, and named the first. */
void fault_lab_assert_corrupt(const struct fault_lab *lab, const struct fault_lab_corrupt *corrupt);

/* Run with a packet corrupt at a node (0: nothing corrupt) after `rows` rows. */
bool fault_lab_holds_with(struct fault_lab *lab, uint32_t rows, uint32_t node, uint32_t packet);

#endif
