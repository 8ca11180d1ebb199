/* SPDX-License-Identifier: Apache-2.0 */
/* dut_csim: implements dut.h with csim. */
#ifndef ROUNDCAST_DUT_CSIM_H
#define ROUNDCAST_DUT_CSIM_H

#include "sched/base/err.h"
#include "sched/machine/machine.h"
#include "testbench/engine/dut.h"

struct csim;

/* Creates an engine of any shape that machine_check accepts, in its power-up state: all memories
 * and registers are 0. dut_csim_ops runs and destroys it. NULL without memory (E104) or for an
 * invalid machine (E401). */
void *dut_csim_create(const struct machine *machine, struct err *err);

extern const struct dut_ops dut_csim_ops;

/* Saves the state of a newly created engine, once, so that dut_csim_rewind can restore it. Returns
 * false if the engine is too large, or without memory. */
bool dut_csim_mark(void *self);
void dut_csim_rewind(void *self);

/* Checks that the engine has had memory for all flits that were written to it; its outputs are
 * undefined from the first one on for which it had none. E104. */
bool dut_csim_check(void *self, struct err *err);

/* Executes up to `most` steps at once, with all inputs 0, and returns their number. Run, done and
 * host_rdata had the same values after each step, and obs_strobe was 0 after all but the last.
 * Returns 0 and does nothing if csim cannot leap from this state, if the last step had an input
 * other than 0, or if a trace is open. */
uint64_t dut_csim_leap(void *self, uint64_t most, struct dut_outputs *outputs);

/* Returns the simulator of the engine, for callers that read signals: the machine is the module
 * `machine`; the inputs and outputs of dut.h are the signals rst_i … obs_o of the root. */
struct csim *dut_csim_simulator(void *self);

#endif
