/* SPDX-License-Identifier: Apache-2.0 */
/* host_runs: shared parts of the tests that run random words. */
#ifndef ROUNDCAST_HOST_RUNS_H
#define ROUNDCAST_HOST_RUNS_H

#include "sched/base/rng.h"
#include "sched/machine/machine_run.h"
#include "tests/support/host_lab.h"

/* Writes the list of a processor, which is the same for all its endpoints: packets that no other
 * processor has, in slots from `first` on. The first word of each packet identifies it. Of 8
 * packets, `valid` are held. */
void host_runs_list(struct host_lab *lab, struct rng *rng, unsigned valid, uint32_t processor,
                    uint32_t first, uint32_t length);

/* Draws a run of all rows of a machine with ranges. */
struct run host_runs_draw_ranges(const struct machine *machine, struct rng *rng);

/* Writes words for the run, most of which belong to ranges that can arrive: the table of splits,
 * the sources and the first words of packets. The rows suffice for everything that nodes may send,
 * because a run must not end while flits are under way. Precondition: machine with ranges. */
void host_runs_ranges(struct host_lab *lab, const struct run *run, struct rng *rng);

/* Writes programs of a stream, in which no packet is sent or received before its row: when a stop
 * replaces the number of packets, the packets of the current row are still under way, and the RTL
 * compares them with the new number. Precondition: run->stream. */
void host_runs_stream(struct host_lab *lab, const struct run *run, struct rng *rng);

void host_runs_registers(struct host_lab *lab, const struct run *run);

/* Executes a cycle with a read of a register, or with none. A register read addressed to all nodes
 * outputs no observation. On machines with computed programs, a cycle in 64 stops a stream. */
void host_runs_cycle(struct host_lab *lab, struct rng *rng);

/* Steps until the run is done; a self-timed machine may end before `rows`. */
void host_runs_finish(struct host_lab *lab, const struct run *run, struct rng *rng);

/* Starts the run of the registers, and steps until it is done. */
void host_runs_again(struct host_lab *lab, const struct run *run, struct rng *rng);

/* The same, after writing the registers. */
void host_runs_run(struct host_lab *lab, const struct run *run, struct rng *rng);

#endif
