/* SPDX-License-Identifier: Apache-2.0 */
/* cube_auto_lab: self-timed hypercubes under test: one machine for all sets of sources of a
 * size. */
#ifndef ROUNDCAST_CUBE_AUTO_LAB_H
#define ROUNDCAST_CUBE_AUTO_LAB_H

#include "sched/machine/machine.h"
#include "tests/support/cube_runs.h"
#include "tests/support/support.h"

/* Returns a machine whose memories hold any set of up to `packets` packets, of `flits` flits. */
struct machine cube_auto_lab_machine(const struct topology *cube, unsigned pad, uint32_t packets,
                                     uint32_t flits);

/* Builds cube-broadcast of a set, on a machine that holds it. */
void cube_auto_lab_job(const struct machine *machine, const struct cube_runs_set *set,
                       uint32_t flits, struct support_job *job);

/* Returns 2⌈K/d⌉ + 4d. */
uint64_t cube_auto_lab_rounds(const struct topology *cube, uint32_t packets);

/* Runs a set. All checks must pass, and the nodes must detect the end. Returns the number of
 * receipts checked. */
uint64_t cube_auto_lab_run(const struct machine *machine, const struct cube_runs_set *set,
                           uint32_t flits, bool rtl);

#endif
