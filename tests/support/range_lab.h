/* SPDX-License-Identifier: Apache-2.0 */
/* range_lab: jobs on machines whose endpoints split ranges. */
#ifndef ROUNDCAST_RANGE_LAB_H
#define ROUNDCAST_RANGE_LAB_H

#include "sched/base/rational.h"
#include "sched/machine/machine.h"
#include "tests/support/support.h"

/* Returns a machine on a Beneš network of `ports` ports with one register more than stages, 8
 * packets of 8 flits, 64 rows and 8 splits. */
struct machine range_lab_machine(uint32_t ports);

/* Builds postal-bcast, or with m > 1 postal-pipeline, from node 0 to n nodes; the λ is that of the
 * machine with packets of `flits` flits. */
void range_lab_job(const struct machine *machine, uint32_t n, uint32_t m, uint32_t flits,
                   struct support_job *job);

#endif
