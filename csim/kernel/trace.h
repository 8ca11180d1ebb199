/* SPDX-License-Identifier: Apache-2.0 */
/* trace: writes signals over time to a VCD or FST file, for GTKWave.
 *
 * Times are in ns and a cycle takes 10 ns: at edge c, at 10·c, clk rises and all signals have their
 * values settled after the edge; clk falls at 10·c + 5. The Verilated engines use the same times.
 * As in their traces, the hierarchy is rooted in a scope TOP, which contains clk:
 *
 *     TOP.clk   TOP.machine.start   TOP.machine.net.stage3.out.lane0 …
 *                                   TOP.machine.net.stage3.out.lane63
 *
 * A vector is a scope of its own with one variable per element. A port is an alias of its signal:
 * it costs a line in the header and nothing per cycle. Only changed values are written.
 *
 * A simulator has at most one trace. Without a trace, or outside its window, tracing costs one
 * branch per cycle.
 */
#ifndef ROUNDCAST_TRACE_H
#define ROUNDCAST_TRACE_H

#include "csim/kernel/csim.h"

#define CSIM_TRACE_NS_PER_CYCLE 10

#ifdef __cplusplus
extern "C" {
#endif

struct csim_trace;

/* Opens a trace of the nets whose full names match one of the patterns: comma-separated shell
 * patterns such as "machine.seq.*,*.stage0.out", where * also matches dots; NULL selects all nets.
 * The suffix of the file, .vcd or .fst, selects the format. The trace is enabled from the next
 * cycle on. Precondition: csim_elaborate. Errors, with NULL and no file written: E101 a suffix that
 * is neither, or patterns that match nothing; E202 the file cannot be written; E707 another trace
 * is open; E104; E501 a format that was left out when csim was compiled. */
struct csim_trace *csim_trace_open(struct csim *sim, const char *path, const char *patterns,
                                   struct err *err);

/* Enables or disables the trace from the next cycle on. While it is disabled, the file shows all
 * values as unknown. */
void csim_trace_enable(struct csim_trace *trace, bool enable);

/* Completes the file and frees the trace. E202 if writing failed; then there is no file. NULL is
 * allowed. */
bool csim_trace_close(struct csim_trace *trace, struct err *err);

#ifdef __cplusplus
}
#endif

#endif
