/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_draw: random small programs for GPUs. */
#ifndef ROUNDCAST_MSCCL_DRAW_H
#define ROUNDCAST_MSCCL_DRAW_H

#include "sched/base/rng.h"
#include "tests/support/msccl_program.h"

/* Draws a custom collective of 2 to 4 GPUs and 2 to 13 steps, which move up to `most` chunks: as
 * many sends as receipts on each connection, in an order that often comes to its end, with waits
 * that often order the steps. `forwards`: some receive and send in one step. */
void msccl_draw(struct rng *rng, int most, bool forwards, struct program *program);

/* Changes some steps of a program to the types that combine. */
void msccl_draw_combining(struct rng *rng, struct program *program);

#endif
