/* SPDX-License-Identifier: Apache-2.0 */
/* host_runs: shared parts of the tests that run random words (test_host_random, test_host_few). */
#ifndef ROUNDCAST_HOST_RUNS_H
#define ROUNDCAST_HOST_RUNS_H

#include "sched/base/rng.h"
#include "sched/machine/machine_run.h"
#include "tests/support/host_lab.h"

/* The endpoints of a processor have one list, of packets that no other has, in slots from `first`
 * on; the first word of each says which it is. Of 8 packets as many as `valid` are held. */
void host_runs_list(struct host_lab *lab, struct rng *rng, unsigned valid, uint32_t processor,
                    uint32_t first, uint32_t length);

void host_runs_registers(struct host_lab *lab, const struct run *run);

/* A cycle in which a register is read, which shows nothing though it is of all nodes, or none. */
void host_runs_cycle(struct host_lab *lab, struct rng *rng);

/* Steps until the run is done; a self-timed machine may end before `rows`. */
void host_runs_finish(struct host_lab *lab, const struct run *run, struct rng *rng);

#endif
