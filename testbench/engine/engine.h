/* SPDX-License-Identifier: Apache-2.0 */
/* engine: finds, builds and opens the engines that execute images.
 *
 *     csim      the cycle model in C, linked in; any shape at once
 *     rtl       rtl/ compiled by Verilator, a shared library for each shape
 *     netlist   the same after synthesis by Yosys
 *
 * The libraries are built on first use and kept in the user's cache (cache.h). With
 * ROUNDCAST_ENGINES=FOLDER in the environment nothing is built: a library missing in FOLDER is an
 * error.
 */
#ifndef ROUNDCAST_ENGINE_H
#define ROUNDCAST_ENGINE_H

#include "sched/machine/machine.h"
#include "testbench/engine/dut.h"

/* enumerator, name on the command line, what it is */
#define ENGINE_TABLE(X)                                                          \
    X(CSIM, "csim", "the cycle model in C")                                      \
    X(RTL, "rtl", "rtl/ compiled by Verilator, once for every shape of machine") \
    X(NETLIST, "netlist", "the same after synthesis by Yosys")

enum engine_kind {
#define ENGINE_ENUM(name, text, what) ENGINE_##name,
    ENGINE_TABLE(ENGINE_ENUM)
#undef ENGINE_ENUM
        ENGINE_COUNT
};

struct engine {
    enum engine_kind kind;
    void *self;
    const struct dut_ops *ops;
    void *library; /* of dlopen; NULL for csim */
};

const char *engine_name(enum engine_kind kind);
const char *engine_description(enum engine_kind kind);

/* Opens an engine of that shape, in the state before reset. A `traced` engine can write waves, and
 * takes longer to build. Building may take a minute; a line on standard error reports it. Errors:
 * E401 if the engine cannot have that shape, E501 if building fails. */
bool engine_open(enum engine_kind kind, const struct machine *machine, bool traced,
                 struct engine *engine, struct err *err);

/* Compiles the library of an engine without opening it; does nothing for csim. Errors: those of
 * engine_open. */
bool engine_build(enum engine_kind kind, const struct machine *machine, bool traced,
                  struct err *err);

/* Leaps over idle cycles like dut_csim_leap (dut_csim.h). Only csim leaps, and only if its `ops`
 * point to dut_csim_ops: a caller that needs every cycle points `ops` to a copy. */
uint64_t engine_leap(const struct engine *engine, uint64_t most, struct dut_outputs *outputs);

void engine_close(struct engine *engine);

/* Enables reuse of opened engines, for processes that run many machines of few shapes: from now on
 * the cost of opening an engine is paid once per shape, while memory permits. A reused engine is in
 * the state of a new one. */
void engine_keep(void);

#endif
