/* SPDX-License-Identifier: Apache-2.0 */
/* range_lab: jobs on machines whose endpoints split ranges. */
#ifndef ROUNDCAST_RANGE_LAB_H
#define ROUNDCAST_RANGE_LAB_H

#include "sched/base/rational.h"
#include "sched/machine/machine.h"
#include "testbench/run/testbench.h"
#include "tests/support/support.h"

/* Returns a machine on a Beneš network of `ports` ports with one register more than stages, 8
 * packets of 8 flits, 64 rows and 8 splits. */
struct machine range_lab_machine(uint32_t ports);

/* Builds postal-bcast, or with m > 1 postal-pipeline, from node 0 to n nodes; the λ is that of the
 * machine with packets of `flits` flits. */
void range_lab_job(const struct machine *machine, uint32_t n, uint32_t m, uint32_t flits,
                   struct support_job *job);

#define RANGE_LAB_RECEIPTS 200 /* at most, of a run */

/* The completed receipts, by cycle and node, and the nodes with flags. */
struct range_lab_seen {
    uint32_t nodes, complete, unexpected, others;
    struct {
        uint64_t cycle;
        uint32_t node, packet;
    } receipt[RANGE_LAB_RECEIPTS];
};

/* Runs the image that the testbench has loaded. */
void range_lab_run(struct testbench *testbench, const struct image *image,
                   struct range_lab_seen *seen);

#endif
