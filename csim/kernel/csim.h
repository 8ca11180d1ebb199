/* SPDX-License-Identifier: Apache-2.0 */
/* csim: a simulator of synchronous hardware in the style of SystemC, in C, with one clock.
 *
 *     SystemC                      csim
 *     sc_module                    csim_module, with its state in a struct (csim_state)
 *     sc_in, sc_out, sc_signal     struct csim_in, csim_out, csim_signal in that struct
 *     SC_METHOD, sensitive <<      csim_combinational, csim_reads
 *     SC_METHOD on clk.pos()       csim_clocked
 *     read(), write()              csim_read, csim_write; csim_get, csim_put for scalars
 *
 * A signal has a width of 1 … 32 bits and a number of elements. One element is a scalar; more are a
 * vector: contiguous uint32_t, 64-byte aligned, padded to a multiple of 16 elements, so that a
 * vector loop may run over the padding (values left there are never read). A value uses only its
 * low `width` bits; csim_audit checks that.
 *
 * One cycle, from one edge to just after the next:
 *
 *     poke ─► settle: combinational processes, ─► edge: clocked processes, ─► commit: registers
 *             in one fixed order                  in order of declaration     swap now and next
 *
 * Not thread-safe; two simulators share nothing. csim/README.md is the tutorial.
 */
#ifndef ROUNDCAST_CSIM_H
#define ROUNDCAST_CSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"

#define CSIM_MAX_ELEMENTS (UINT32_C(1) << 24)

/* Vectors are padded to a multiple of this many elements (64 bytes). */
#define CSIM_ELEMENT_BLOCK 16

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the storage, in elements, of a vector of `elements` elements, at most
 * CSIM_MAX_ELEMENTS. */
static inline uint32_t csim_padded(uint32_t elements)
{
    return (elements + CSIM_ELEMENT_BLOCK - 1) / CSIM_ELEMENT_BLOCK * CSIM_ELEMENT_BLOCK;
}

struct csim;         /* a simulator */
struct csim_module;  /* a node of the hierarchy; owns nets, processes, state */
struct csim_process; /* a function of a module's state, with what it reads and writes */
struct csim_net;     /* a signal or a port, as the kernel knows it: name, shape, binding */

/* The storage of a signal's value. Private to the kernel; public only so that an access takes two
 * loads. */
struct csim_wire {
    uint32_t *now;
    uint32_t *next;   /* equal to `now` unless the signal is a register */
    uint8_t *written; /* a register: whether csim_write was called since the last commit */
    uint32_t cell[2]; /* a scalar's values, so that they share a cache line with their wire */
};

/* Handles: members of a module's struct. `wire` is NULL until csim_elaborate. They differ in what
 * the compiler accepts: csim_write on a csim_in does not compile. */
struct csim_in {
    const struct csim_wire *wire;
    struct csim_net *net;
};
struct csim_out {
    struct csim_wire *wire;
    struct csim_net *net;
};
struct csim_signal {
    struct csim_wire *wire;
    struct csim_net *net;
};

/* -- Building ---------------------------------------------------------------------------------- */

/* Declare modules, signals, ports and processes, bind the ports, then call csim_elaborate, which
 * checks the design, orders the processes and resolves every handle to its wire. Building functions
 * report no errors themselves: csim keeps the first mistake, csim_elaborate reports it, and the
 * NULL that a failed building function returned may be passed to the next one. Only the result of
 * csim_state must be checked before it is filled in. Names are C identifiers, unique in their
 * module; the full name of an object is its path from the root, `machine.net.stage3.in`. Handles
 * must not move until csim_destroy; handles in a csim_state do not. */

/* Returns a simulator with an empty, nameless root module; NULL without memory. */
struct csim *csim_create(void);

/* Frees the simulator and everything declared in it, states included. NULL is allowed. Close an
 * open trace first. */
void csim_destroy(struct csim *sim);

/* Returns the root module; NULL for NULL. */
struct csim_module *csim_root(struct csim *sim);

/* Declares a module in `parent`; the name is formatted as by printf. Returns NULL after a
 * failure. */
struct csim_module *csim_module(struct csim_module *parent, const char *name, ...)
    __attribute__((format(printf, 2, 3)));

/* Allocates the module's private state: `bytes` zeroed bytes, passed to its processes; at most once
 * per module. NULL without memory or after an earlier failure. It keeps everything that is not a
 * signal (RAM, internal counters). Only clocked processes change it, in place; because it is not
 * double buffered, only one of the module's processes should access each part of it. */
void *csim_state(struct csim_module *module, size_t bytes);

/* Allocates further zeroed, 64-byte aligned memory (RAM arrays, for example), freed with the
 * simulator. NULL as csim_state. */
void *csim_alloc(struct csim_module *module, size_t bytes);

/* Memory that grows while the simulator runs, freed with it. Snapshots (csim_mark) do not contain
 * it: what a module keeps there must be valid after a csim_rewind. */
struct csim_pool {
    void *at;     /* NULL at first */
    size_t bytes; /* 0 at first */
};

/* Declares an empty pool of a module. NULL as csim_state. */
struct csim_pool *csim_pool(struct csim_module *module);

/* Makes a pool at least `bytes` bytes large and keeps its content; the rest is not initialised. At
 * least doubles it, so that it may move. Returns false, with the pool unchanged, without memory. */
bool csim_pool_grow(struct csim_pool *pool, size_t bytes);

/* Registers `reset`, which sets the private state to its initial value. csim_reset and
 * csim_elaborate call it with the module's state, after all signals have their initial values. */
void csim_on_reset(struct csim_module *module, void (*reset)(void *state));

/* Registers `leap`, which csim_leap calls with the module's state to simulate many cycles at once.
 * All signals are settled at the call, and the signals that the testbench drives keep their values.
 * `leap` returns the number of cycles simulated, up to `most`, with every register of the simulator
 * (csim_write) and all private state as that many edges would leave them; or 0 without an
 * observable change. At most one module per simulator: E707. */
void csim_on_leap(struct csim_module *module, uint64_t (*leap)(void *state, uint64_t most));

/* Declares an input port, an output port or a signal of a module: width 1 … 32 bits, elements 1 …
 * CSIM_MAX_ELEMENTS (E703), named as by printf (E705). */
void csim_input(struct csim_module *module, struct csim_in *port, unsigned width, uint32_t elements,
                const char *name, ...) __attribute__((format(printf, 5, 6)));
void csim_output(struct csim_module *module, struct csim_out *port, unsigned width,
                 uint32_t elements, const char *name, ...) __attribute__((format(printf, 5, 6)));
void csim_signal(struct csim_module *module, struct csim_signal *signal, unsigned width,
                 uint32_t elements, const char *name, ...) __attribute__((format(printf, 5, 6)));

/* csim_bind(port, to): binds a port (csim_in or csim_out) to a signal or port of the module around
 * its own, of the same width and elements, given by their handles' addresses. An output cannot be
 * bound to an input. Each port is bound exactly once. */
#define csim_bind(port, to) csim_bind_nets((port)->net, (to)->net)
void csim_bind_nets(struct csim_net *port, struct csim_net *to);

/* csim_external(signal): the testbench drives this signal. If it leaves the signal at its initial
 * value, the signal is a constant. Signals only, not ports. */
#define csim_external(signal) csim_external_net((signal)->net)
void csim_external_net(struct csim_net *net);

/* csim_initial(net, value): the value of every element after reset, where it is not 0. Set it once,
 * at the signal or at the port that drives it. It has no effect on a combinational signal. */
#define csim_initial(of, value) csim_initial_net((of)->net, (value))
void csim_initial_net(struct csim_net *net, uint32_t value);

/* Declares a process: `run` is called with the module's state, so call csim_state first. Exactly
 * one process writes a signal, and the kind of the process decides the kind of the signal:
 *
 *     combinational   the signal has one value. The process runs in every cycle, after those that
 *                     write what it reads, and must write all elements of all its outputs.
 *     clocked         the signal is a register: processes read its present value, and this process
 *                     writes its next value at the edge.
 *     shown           a view computes it, on demand: for a trace or for csim_peek. No process may
 *                     read it. It shows values that a model can compute and does not store.
 *     external        no process: the testbench writes it (csim_poke).
 */
struct csim_process *csim_combinational(struct csim_module *module, const char *name,
                                        void (*run)(void *state));
struct csim_process *csim_clocked(struct csim_module *module, const char *name,
                                  void (*run)(void *state));
struct csim_process *csim_view(struct csim_module *module, const char *name,
                               void (*run)(void *state));

/* Declare what a process reads and writes: signals and ports of its own module, by the address of
 * the handle. A combinational process that does not declare a read may run too early. */
#define csim_reads(process, from) csim_process_reads((process), (from)->net)
#define csim_writes(process, to) csim_process_writes((process), (to)->net)
void csim_process_reads(struct csim_process *process, struct csim_net *net);
void csim_process_writes(struct csim_process *process, struct csim_net *net);

/* Checks the design, orders its processes, allocates memory, resolves the handles and resets all
 * signals. The text of an error begins with the full name of the faulty object. If it returns
 * false, nothing is resolved; missing declarations may be added and the call repeated, but a
 * mistake in a building call (E703, E705, E707, E104) is permanent.
 *   E701 unbound       a port is bound to nothing
 *   E702 two-drivers   two processes, or a process and the testbench, write one signal
 *   E703 width         a binding between two widths or element counts; an initial value that is too
 *                      wide
 *   E704 loop          combinational processes in a loop; the message names the whole loop
 *   E705 name          two objects of one name in a module; no identifier
 *   E706 undriven      a signal that is neither written by a process nor external
 *   E707 misuse        a process writes an input, touches another module's nets or reads what a
 *                      view shows; a binding to another level or from an output to an input; a
 *                      second binding, state or module that leaps; a declaration after elaboration
 *   E104 too-big       no memory
 * O(n log n) in objects, declared reads and writes. */
bool csim_elaborate(struct csim *sim, struct err *err);

/* -- In a process ------------------------------------------------------------------------------ */

/* csim_read(handle): the present value of the elements, `const uint32_t [elements]`; valid until
 * the process returns. Two loads. Legal on all three handles: a process may read what it writes. */
#define csim_read(handle) ((const uint32_t *)(handle)->wire->now)

/* csim_write(handle): the elements to write, all of them: `uint32_t [elements]`. Three loads and a
 * store.
 *
 * A commit swaps two pointers and copies nothing, so `next` holds the value of an earlier cycle
 * until it is written. Therefore a process that calls csim_write on a register must write all of
 * its elements. A register without a csim_write in this cycle keeps its value at no cost, so an
 * idle machine is cheap to simulate. */
#define csim_write(handle) csim_wire_write((handle)->wire)
static inline uint32_t *csim_wire_write(struct csim_wire *wire)
{
    *wire->written = 1;
    return wire->next;
}

/* Read and write the value of a scalar. */
#define csim_get(handle) (*csim_read(handle))
#define csim_put(handle, value) ((void)(*csim_write(handle) = (value)))

/* -- Running ----------------------------------------------------------------------------------- */

/* Sets all signals to their initial values, then calls the modules' reset functions in order of
 * declaration. The cycle count continues, because time in a trace never decreases. */
void csim_reset(struct csim *sim);

/* Saves a snapshot of signals, states, RAMs and the cycle count; at most once. Returns false if the
 * snapshot takes more than `most` bytes, or without memory. Precondition: csim_elaborate, no open
 * trace. */
bool csim_mark(struct csim *sim, size_t most);

/* Restores the snapshot of csim_mark, which must have succeeded. No trace may be open. O(bytes),
 * much faster than building and elaborating the design again. */
void csim_rewind(struct csim *sim);

/* Evaluates the combinational processes, unless nothing has changed since the last evaluation. */
void csim_settle(struct csim *sim);

/* Simulates one cycle: settle, edge, commit. Afterwards the registers have their new values and the
 * combinational signals still their old ones, until csim_settle. Precondition: csim_elaborate.
 * O(processes + registers) besides what the processes do. */
void csim_cycle(struct csim *sim);

/* Simulates up to `most` cycles at once if a module supports it (csim_on_leap). Returns the number
 * of cycles, 0 if none. An enabled trace needs every cycle, so the result is then 0. Precondition:
 * csim_elaborate. */
uint64_t csim_leap(struct csim *sim, uint64_t most);

/* Simulates a cycle and checks the rules that csim_cycle relies on (for tests of models). Before
 * the edge it fills the elements of every `next` with a pattern of all 32 bits, so that a element
 * that a process does not write is detected; after the edge every value must fit in its width. E703
 * with name and element. O(elements). */
bool csim_audit(struct csim *sim, struct err *err);

/* Returns the number of edges since csim_create. */
uint64_t csim_cycles(const struct csim *sim);

/* -- The testbench's view ---------------------------------------------------------------------- */

/* Returns the signal or port with this full name; NULL if there is none. Precondition:
 * csim_elaborate. O(log n). */
struct csim_net *csim_find(const struct csim *sim, const char *path);

/* Number of signals and ports, and the one at `index` in order of declaration. */
size_t csim_net_count(const struct csim *sim);
struct csim_net *csim_net_at(const struct csim *sim, size_t index);

enum csim_kind { CSIM_INPUT, CSIM_OUTPUT, CSIM_SIGNAL };

const char *csim_path(const struct csim_net *net);
enum csim_kind csim_kind(const struct csim_net *net);
unsigned csim_width(const struct csim_net *net);
uint32_t csim_elements(const struct csim_net *net);

/* Returns the present elements of a net's signal (combinational: as last settled; computed by a
 * view: settled by this call). The pointer is valid until the next csim_cycle. */
const uint32_t *csim_peek(const struct csim_net *net);

/* Returns the elements of an external signal (or of a port bound to one), which the testbench
 * writes before csim_settle or csim_cycle; the signal keeps them until the next poke. NULL if a
 * process drives it. */
uint32_t *csim_poke(struct csim_net *net);

#ifdef __cplusplus
}
#endif

#endif
