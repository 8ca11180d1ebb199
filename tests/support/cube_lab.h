/* SPDX-License-Identifier: Apache-2.0 */
/* cube_lab: builds and verifies schedules of hypercubes, and measures their phases. */
#ifndef ROUNDCAST_CUBE_LAB_H
#define ROUNDCAST_CUBE_LAB_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"
#include "sched/verify/verify.h"

struct topology cube_lab_make(unsigned d);

/* Builds and verifies a schedule, which must end as `algorithm_end` predicts, and no later than
 * `algorithm_guarantee`, and no earlier than the bound. */
void cube_lab_build(const char *name, const struct collective *asked, struct schedule *schedule,
                    struct verify_report *report);

/* Returns the rounds of simultaneous broadcasts, source[0 … count-1] ascending. */
uint64_t cube_lab_rounds(const char *name, const struct topology *cube, const uint32_t source[],
                         uint32_t count);

/* Returns the rounds of gather and spread of cube-broadcast with overlap: the rounds after the
 * prefix. */
uint64_t cube_lab_overlap(const struct topology *cube, const uint32_t source[], uint32_t count,
                          const char *method, uint64_t seed);

/* Number of rounds used after the first `before`, up to and including `last`: the position of the
 * last transfer. */
uint64_t cube_lab_used(const struct schedule *schedule, uint64_t before, uint64_t last);

/* Draws `count` different nodes in the same way as the golden rows. */
void cube_lab_tuple(uint32_t nodes, uint32_t count, uint64_t seed, uint32_t node[]);

/* Draws `count` nodes, each from all nodes. */
void cube_lab_multi(uint32_t nodes, uint32_t count, uint64_t seed, uint32_t node[]);

#endif
