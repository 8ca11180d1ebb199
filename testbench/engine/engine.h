/* SPDX-License-Identifier: Apache-2.0 */
/* engine: finds, builds and opens what executes an image.
 *
 *     csim      the cycle model in C, linked in; any shape at once
 *     rtl       rtl/ compiled by Verilator, a shared library for each shape
 *     netlist   the same after synthesis by Yosys
 *
 * The libraries are built on first use and kept in the user's cache (cache.h). With
 * ROUNDCAST_ENGINES=FOLDER in the environment nothing is built: a library that does not stand ready
 * there is an error.
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

/* Open an engine of that shape, in the state before reset. One that is `traced` can write waves,
 * and takes longer to build. Building may take a minute, which a line on standard error tells.
 * Errors: E401 if the engine cannot have that shape, E501 if building fails. */
bool engine_open(enum engine_kind kind, const struct machine *machine, bool traced,
                 struct engine *engine, struct err *err);

/* Compile what such an engine is made of, before it is opened; csim is none. Errors: those of
 * engine_open. */
bool engine_build(enum engine_kind kind, const struct machine *machine, bool traced,
                  struct err *err);

/* As dut_csim_leap (dut_csim.h). Only csim leaps, and only where its `ops` are dut_csim_ops: those
 * who look into it in every cycle give it a copy of them. */
uint64_t engine_leap(const struct engine *engine, uint64_t most, struct dut_outputs *outputs);

void engine_close(struct engine *engine);

/* For processes that run many machines of few shapes, and end: from now on what opening an engine
 * takes is spent once for those of the same shape, where memory is left for it. What is opened is
 * as if it were new. */
void engine_keep(void);

#endif
