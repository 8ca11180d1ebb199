/* SPDX-License-Identifier: Apache-2.0 */
/* reduction_lab: builds and runs images of reductions, or fails the test. */
#ifndef ROUNDCAST_REDUCTION_LAB_H
#define ROUNDCAST_REDUCTION_LAB_H

#include "testbench/run/simulate.h"
#include "tests/support/support.h"

/* On csim alone, and on csim and the RTL in lockstep. */
extern const struct simulate_options reduction_lab_csim, reduction_lab_both;

/* Builds the payload and the image of job->schedule, which must be right, on a machine. With `fits`
 * the machine's memories are as small as the schedule permits. The caller frees the job. */
void reduction_lab_build(struct machine machine, bool fits, uint32_t flits, uint64_t seed,
                         struct support_job *job);

/* Runs an image with an operator. Every packet that is wanted must be the combination of the
 * contributions, and no node may have a flag. */
struct simulate_report reduction_lab_run(struct support_job *job,
                                         const struct simulate_options *options,
                                         uint32_t operation);

#endif
