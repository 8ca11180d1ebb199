/* SPDX-License-Identifier: Apache-2.0 */
/* dut_csim: the csim engine behind dut.h. */
#ifndef ROUNDCAST_DUT_CSIM_H
#define ROUNDCAST_DUT_CSIM_H

#include "sched/base/err.h"
#include "sched/machine/machine.h"
#include "testbench/engine/dut.h"

struct csim;

/* An engine of any shape that machine_check admits, at power-up: all memories and registers 0. It
 * is run by dut_csim_ops and freed by its destroy. NULL without memory (E104) or for a machine that
 * cannot be (E401). */
void *dut_csim_create(const struct machine *machine, struct err *err);

extern const struct dut_ops dut_csim_ops;

/* Remember an engine that was just created, so that dut_csim_rewind can make it so again; once.
 * False of one that takes much memory, or without memory. */
bool dut_csim_mark(void *self);
void dut_csim_rewind(void *self);

/* As many steps at once, up to `most`, as the engine knows how, with all inputs 0; returns how
 * many. Run, done and host_rdata were the same after each of them, and obs_strobe was 0 after all
 * but the last. 0, and nothing is done, if it knows none here, if the last step had an input that
 * is not 0, or if a trace is open. */
uint64_t dut_csim_leap(void *self, uint64_t most, struct dut_outputs *outputs);

/* The simulator in it, for callers that look at signals: the machine is the module `machine`, the
 * inputs and outputs of dut.h are the signals rst_i … obs_o of the root. */
struct csim *dut_csim_simulator(void *self);

#endif
