/* SPDX-License-Identifier: Apache-2.0 */
/* tree_fault_lab: a machine of routers that stays open, an image that passes on it, and changes to
 * that image, each of which must be reported as tree_replay.h predicts. */
#ifndef ROUNDCAST_TREE_FAULT_LAB_H
#define ROUNDCAST_TREE_FAULT_LAB_H

#include "testbench/run/testbench.h"
#include "testbench/scoreboard/scoreboard.h"
#include "tests/support/support.h"
#include "tests/support/tree_replay.h"

#define TREE_FAULT_LAB_FLITS 3

struct tree_fault_lab {
    struct testbench testbench;
    struct machine machine;
    struct support_job job;
    struct image rest; /* of the image: what a run changes, or may be changed for one */
    struct tree_replay replay;
    struct scoreboard_report report;
    struct err err;
    uint32_t *router_flags; /* [routers], of the last run */
};

/* Loads an image, which may be for a machine with other buffers than the lab's. */
void tree_fault_lab_load(struct tree_fault_lab *lab, const struct schedule *schedule,
                         const struct image *image);

/* Frees the image. */
void tree_fault_lab_unload(struct tree_fault_lab *lab);

void tree_fault_lab_write(struct tree_fault_lab *lab, uint32_t address, uint32_t word);

/* Runs the loaded image and returns whether it passes. A bit of the word at `spoil`, an address or
 * 0, is flipped before the run or after it. */
bool tree_fault_lab_holds(struct tree_fault_lab *lab, uint32_t spoil, uint32_t bit, bool after);

/* Runs; the report must equal the prediction of the replay. */
struct tree_replay_reported tree_fault_lab_judge(struct tree_fault_lab *lab);

/* The same with some words of the tables or programs changed; they are put back. */
struct tree_replay_reported tree_fault_lab_change(struct tree_fault_lab *lab,
                                                  const struct image_word change[], size_t count);

/* A machine on an engine, or on several in lockstep. */
void tree_fault_lab_open(struct tree_fault_lab *lab, const enum engine_kind kinds[], unsigned count,
                         const struct machine *machine);

void tree_fault_lab_close(struct tree_fault_lab *lab);

#endif
