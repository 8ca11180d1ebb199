/* SPDX-License-Identifier: Apache-2.0 */
/* fault_lab: runs images on a testbench that stays open, changes them, and predicts the errors that
 * must be found.
 *
 * Unlike `simulate`, a lab does not write the payload over the image's, loads one image over
 * another, and can run an image in parts.
 */
#ifndef ROUNDCAST_FAULT_LAB_H
#define ROUNDCAST_FAULT_LAB_H

#include "sched/machine/machine_address.h"
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

/* Returns whether the machine can run the algorithm; not every algorithm supports its model. */
bool fault_lab_can(const struct algorithm *algorithm, uint32_t n);

void fault_lab_fill(struct fault_lab *lab, const struct algorithm *algorithm, uint32_t n);

/* Returns whether the image implements the job's schedule. */
bool fault_lab_holds(struct fault_lab *lab, const struct image *image);

void fault_lab_assert_holds(struct fault_lab *lab);

/* Returns the word that remains at an address: the last one written to it, not one written to all
 * nodes. */
uint32_t *fault_lab_word_at(struct image *image, uint32_t address);

uint32_t *fault_lab_entry_at(struct image *image, enum machine_region program, uint32_t node,
                             uint64_t round);

/* Pairs (node, packet) with a wrong payload. */
struct fault_lab_corrupt {
    bool at[FAULT_LAB_PORTS][FAULT_LAB_PACKETS + 1];
};

/* Propagates them: adds the pairs that become corrupt because nodes forward them in the rounds
 * after `round`. */
void fault_lab_spread(const struct schedule *schedule, uint64_t round,
                      struct fault_lab_corrupt *corrupt);

/* Returns the round in which a node receives a packet; 0 for the source. */
uint64_t fault_lab_round_of(const struct schedule *schedule, uint32_t node, uint32_t packet);

/* Checks that the last run found exactly these pairs corrupt, and reported the first. */
void fault_lab_assert_corrupt(const struct fault_lab *lab, const struct fault_lab_corrupt *corrupt);

/* Runs with a packet corrupted at a node (0: none) after `rows` rows. */
bool fault_lab_holds_with(struct fault_lab *lab, uint32_t rows, uint32_t node, uint32_t packet);

#endif
