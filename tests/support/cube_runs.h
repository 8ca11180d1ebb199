/* SPDX-License-Identifier: Apache-2.0 */
/* cube_runs: runs simultaneous broadcasts on machines of hypercubes. */
#ifndef ROUNDCAST_CUBE_RUNS_H
#define ROUNDCAST_CUBE_RUNS_H

#include "sched/schedule/schedule.h"

#define CUBE_RUNS_MOST 1024 /* packets of a set */

/* A set of sources: node[0 … count-1] ascending, a node once for each of its packets. */
struct cube_runs_set {
    uint32_t count, node[CUBE_RUNS_MOST];
};

/* Returns the set of the nodes whose bits are set. */
struct cube_runs_set cube_runs_set_of(uint32_t nodes, uint64_t bits);

/* Builds the schedule of an algorithm for a set, and checks that it is legal. Algorithms without
 * sets ignore the set. */
void cube_runs_schedule(const char *name, const char *method, const struct topology *cube,
                        const struct cube_runs_set *set, struct schedule *schedule);

/* Runs each schedule on its own machine, in `rounds` rounds. Returns the number of receipts
 * checked. */
uint64_t cube_runs_alone(const struct schedule *schedule, unsigned pad, uint32_t flits);

#endif
