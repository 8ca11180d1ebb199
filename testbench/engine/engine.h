/* SPDX-License-Identifier: Apache-2.0 */
/* engine: finds, builds and opens the engines that execute images.
 *
 *     csim      the cycle model in C, linked in; any shape without compilation
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

/* enumerator, name on the command line, description */
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
    void *library;              /* of dlopen; NULL for csim */
    struct engine_store *store; /* the store it was opened with; NULL: none */
};

const char *engine_name(enum engine_kind kind);
const char *engine_description(enum engine_kind kind);

/* Opens an engine of that shape, in the state before reset. A `traced` engine can write waves, and
 * takes longer to build. Building may take a minute; a line on standard error reports it. Errors:
 * E401 if the engine cannot have that shape, E501 if building fails. */
bool engine_open(enum engine_kind kind, const struct machine *machine, bool traced,
                 struct engine *engine, struct err *err);

/* Opened engines, kept by a process that runs many machines of few shapes: the cost of opening an
 * engine is paid once per shape, while memory permits. A kept engine is in the state of a new one.
 * One thread at a time may use a store. */
struct engine_store;

/* Returns an empty store; NULL with E104. Free it with engine_store_free after the last engine was
 * closed; libraries stay open. */
struct engine_store *engine_store_new(struct err *err);
void engine_store_free(struct engine_store *store);

/* As engine_open, with a store (NULL: nothing is kept), which must outlive the engine. */
bool engine_open_kept(struct engine_store *store, enum engine_kind kind,
                      const struct machine *machine, bool traced, struct engine *engine,
                      struct err *err);

/* Compiles the library of an engine without opening it; does nothing for csim. Errors: those of
 * engine_open. */
bool engine_build(enum engine_kind kind, const struct machine *machine, bool traced,
                  struct err *err);

/* Leaps over idle cycles like dut_csim_leap (dut_csim.h). Only csim leaps, and only if its `ops`
 * point to dut_csim_ops: a caller that needs every cycle points `ops` to a copy. */
uint64_t engine_leap(const struct engine *engine, uint64_t most, struct dut_outputs *outputs);

/* Checks that an engine could store all that was written to it (dut_csim_check). E104. */
bool engine_check(const struct engine *engine, struct err *err);

void engine_close(struct engine *engine);

/* -- The name of a compiled engine ------------------------------------------------------------- */

/* The name of a compiled engine. It names the engine's folder and sets the parameters of its RTL
 * (synth/parameters.awk). */

#define ENGINE_NAME_ROOM 2048

/* Writes the name "rtl-rc_multistage_machine-ports32-pipe1-pad0-width16-…[-traced]": the machine
 * and all of its parameters. */
void engine_name_of(enum engine_kind kind, const struct machine *machine, bool traced,
                    char name[ENGINE_NAME_ROOM]);

#endif
