/* SPDX-License-Identifier: Apache-2.0 */
/* trace: signals over time into a VCD or FST file, for GTKWave.
 *
 * Time is in ns and a cycle takes 10: edge c is at 10·c, where clk rises and all signals are shown
 * as they have settled after it; clk falls at 10·c + 5. This is what the Verilated engines write
 * too, and like theirs the hierarchy is rooted in a scope TOP, with clk in it:
 *
 *     TOP.clk   TOP.machine.start   TOP.machine.net.stage3.out.lane0 …
 *                                   TOP.machine.net.stage3.out.lane63
 *
 * A vector is a scope of its own with one variable per lane. A port is an alias of its signal: it
 * costs a line in the header and nothing per cycle. Only what changed is written.
 *
 * A simulator has at most one trace; without one, or outside its window, a cycle pays one branch
 * for it.
 */
#ifndef ROUNDCAST_TRACE_H
#define ROUNDCAST_TRACE_H

#include "csim/kernel/csim.h"

#define CSIM_TRACE_NS_PER_CYCLE 10

#ifdef __cplusplus
extern "C" {
#endif

struct csim_trace;

/* Open a trace of the nets whose full names match one of the patterns: shell patterns as in
 * "machine.seq.*,*.stage0.out", separated by commas, where * crosses dots; NULL is everything. The
 * file's suffix, .vcd or .fst, chooses the format. Enabled from the next cycle on.
 * Precondition: csim_elaborate. Errors, with NULL and no file written: E101 a suffix that is
 * neither, or patterns that match nothing; E202 the file cannot be written; E707 another trace is
 * open; E104; E501 a format that was left out when csim was compiled. */
struct csim_trace *csim_trace_open(struct csim *sim, const char *path, const char *patterns,
                                   struct err *err);

/* Open or close the window from the next cycle on. The file shows the time between as unknown. */
void csim_trace_enable(struct csim_trace *trace, bool enable);

/* Finish the file and free the trace. E202 if not everything could be written: there is no
 * file then. NULL is allowed. */
bool csim_trace_close(struct csim_trace *trace, struct err *err);

#ifdef __cplusplus
}
#endif

#endif
