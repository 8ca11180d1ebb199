/* SPDX-License-Identifier: Apache-2.0 */
/* csim: a simulator of synchronous hardware in the style of SystemC, in C, with one clock.
 *
 *     SystemC                      csim
 *     sc_module                    csim_module, with its state in a struct of yours (csim_state)
 *     sc_in, sc_out, sc_signal     struct csim_in, csim_out, csim_signal in that struct
 *     SC_METHOD, sensitive <<      csim_combinational, csim_reads
 *     SC_METHOD on clk.pos()       csim_clocked
 *     read(), write()              csim_read, csim_write; csim_get, csim_put for scalars
 *
 * A signal has a width of 1 … 32 bits and a number of lanes. One lane is a scalar; more are a
 * vector: contiguous uint32_t, 64-byte aligned, padded to a multiple of 16 lanes, so that a vector
 * loop may run over the padding (what it leaves there is never looked at). A value uses only its
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

#define CSIM_MAX_LANES (UINT32_C(1) << 24)

/* Vectors are padded to a multiple of this many lanes (64 bytes). */
#define CSIM_LANE_BLOCK 16

#ifdef __cplusplus
extern "C" {
#endif

/* Lanes of storage of a vector of so many, at most CSIM_MAX_LANES. */
static inline uint32_t csim_padded(uint32_t lanes)
{
    return (lanes + CSIM_LANE_BLOCK - 1) / CSIM_LANE_BLOCK * CSIM_LANE_BLOCK;
}

struct csim;         /* a simulator */
struct csim_module;  /* a node of the hierarchy; owns nets, processes, state */
struct csim_process; /* a function of a module's state, with what it reads and writes */
struct csim_net;     /* a signal or a port, as the kernel knows it: name, shape, binding */

/* Where a signal's value is. Belongs to the kernel; here only so that access is two loads. */
struct csim_wire {
    uint32_t *now;
    uint32_t *next;   /* equal to `now` unless the signal is a register */
    uint8_t *written; /* a register: whether csim_write was called since the last commit */
    uint32_t cell[2]; /* a scalar's values, so that they share a cache line with their wire */
};

/* Handles: members of a module's struct. `wire` is NULL until csim_elaborate. They differ in what
 * the compiler lets one do: csim_write on a csim_in does not compile. */
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

/* Declare modules, signals, ports and processes, bind the ports, then csim_elaborate, which checks
 * the whole, orders the processes and resolves every handle to its wire. Building functions never
 * fail on their own: the first mistake is kept and reported by csim_elaborate, and what a failed
 * one returned (NULL) may be given to the next. Only csim_state's result must be checked before it
 * is filled in. Names are C identifiers, unique in their module; an object is called by its path
 * from the root, `machine.net.stage3.in`. The handles must stay where they are until destroyed,
 * which those in a csim_state do. */

/* A simulator with an empty, nameless root module; NULL without memory. */
struct csim *csim_create(void);

/* Frees everything that was declared in it, states included. NULL is allowed. A trace that is open
 * must be closed first. */
void csim_destroy(struct csim *sim);

/* NULL for NULL. */
struct csim_module *csim_root(struct csim *sim);

/* A module in a module, named as by printf. */
struct csim_module *csim_module(struct csim_module *parent, const char *name, ...)
    __attribute__((format(printf, 2, 3)));

/* The module's private state: `bytes` zeroed bytes that its processes are given; at most once per
 * module. NULL without memory or after an earlier failure. It keeps everything that is no signal
 * (RAM, counters nobody sees), and is changed by clocked processes only, in place; since it is not
 * double buffered, only one of the module's processes should touch each part of it. */
void *csim_state(struct csim_module *module, size_t bytes);

/* More zeroed, 64-byte aligned memory (RAM arrays and the like) that lives as long as the
 * simulator. NULL as csim_state. */
void *csim_alloc(struct csim_module *module, size_t bytes);

/* Called with the module's state by csim_reset and by csim_elaborate, after all signals have their
 * initial values: puts private state to its initial value. */
void csim_on_reset(struct csim_module *module, void (*reset)(void *state));

/* Let csim_leap ask `leap`, with the module's state, to do the work of many cycles at once. It is
 * called settled, and what the testbench drives stays as it is. It returns how many cycles it has
 * done, up to `most`, with every register of the simulator (csim_write) and all private state as
 * that many edges would leave them; or 0, with nothing changed that anybody could see. Of one
 * module in a simulator: E707. */
void csim_on_leap(struct csim_module *module, uint64_t (*leap)(void *state, uint64_t most));

/* Declare an input port, an output port or a signal of a module: width 1 … 32 bits, lanes 1 …
 * CSIM_MAX_LANES (E703), named as by printf (E705). */
void csim_input(struct csim_module *module, struct csim_in *port, unsigned width, uint32_t lanes,
                const char *name, ...) __attribute__((format(printf, 5, 6)));
void csim_output(struct csim_module *module, struct csim_out *port, unsigned width, uint32_t lanes,
                 const char *name, ...) __attribute__((format(printf, 5, 6)));
void csim_signal(struct csim_module *module, struct csim_signal *signal, unsigned width,
                 uint32_t lanes, const char *name, ...) __attribute__((format(printf, 5, 6)));

/* csim_bind(port, to): bind a port (csim_in or csim_out) to a signal or port of the module around
 * its own, of the same width and lanes, given by their handles' addresses. An output cannot be
 * bound to an input. Each port is bound exactly once. */
#define csim_bind(port, to) csim_bind_nets((port)->net, (to)->net)
void csim_bind_nets(struct csim_net *port, struct csim_net *to);

/* csim_external(signal): the testbench drives this signal (and may leave it at its initial value:
 * that is how a constant is made). Signals only, not ports. */
#define csim_external(signal) csim_external_net((signal)->net)
void csim_external_net(struct csim_net *net);

/* csim_initial(net, value): the value of every lane after reset, where it is not 0. Give it once,
 * at the signal or at the port that drives it. Of no use for a combinational signal. */
#define csim_initial(of, value) csim_initial_net((of)->net, (value))
void csim_initial_net(struct csim_net *net, uint32_t value);

/* A process: `run` is called with the module's state (so csim_state comes first). One process
 * writes a signal, and its kind decides what the signal is:
 *
 *     combinational   the signal has one value. The process runs in every cycle, after those that
 *                     write what it reads, and must write all lanes of all its outputs.
 *     clocked         the signal is a register: it has a value now, which everybody reads, and a
 *                     next one, which the process writes at the edge.
 *     shown           a view computes it, and runs only when somebody looks: a trace, or csim_peek.
 *                     No process may read it. It shows what a model knows without keeping it.
 *     external        no process: the testbench writes it (csim_poke).
 */
struct csim_process *csim_combinational(struct csim_module *module, const char *name,
                                        void (*run)(void *state));
struct csim_process *csim_clocked(struct csim_module *module, const char *name,
                                  void (*run)(void *state));
struct csim_process *csim_view(struct csim_module *module, const char *name,
                               void (*run)(void *state));

/* What a process reads and writes: signals and ports of its own module, by the address of the
 * handle. A combinational process that does not declare a read may run too early. */
#define csim_reads(process, from) csim_process_reads((process), (from)->net)
#define csim_writes(process, to) csim_process_writes((process), (to)->net)
void csim_process_reads(struct csim_process *process, struct csim_net *net);
void csim_process_writes(struct csim_process *process, struct csim_net *net);

/* Check, order, allocate, resolve, reset. The text of an error begins with the full name of what is
 * wrong. After a false nothing is resolved; what is missing may be added and it may be called
 * again, except that a mistake in a building call (E703, E705, E707, E104) stays.
 *   E701 unbound       a port is bound to nothing
 *   E702 two-drivers   two processes, or a process and the testbench, write one signal
 *   E703 width         a binding between two widths or lane counts; an initial value that is too
 *                      wide
 *   E704 loop          combinational processes in a circle; names the whole circle
 *   E705 name          two objects of one name in a module; no identifier
 *   E706 undriven      a signal that is neither written by a process nor external
 *   E707 misuse        a process writes an input, touches another module's nets or reads what a
 *                      view shows; a binding to another level or from an output to an input; a
 *                      second binding, state or module that leaps; a declaration after elaboration
 *   E104 too-big       no memory
 * O(n log n) in objects, declared reads and writes. */
bool csim_elaborate(struct csim *sim, struct err *err);

/* -- In a process ------------------------------------------------------------------------------ */

/* csim_read(handle): the lanes now, `const uint32_t [lanes]`; valid until the process returns.
 * Two loads. Legal on all three handles: a process may read what it writes. */
#define csim_read(handle) ((const uint32_t *)(handle)->wire->now)

/* csim_write(handle): the lanes to write, all of them: `uint32_t [lanes]`. Three loads and a store.
 *
 * A commit swaps two pointers and copies nothing, so `next` holds the value of some earlier cycle
 * until it is written. Hence the rule for registers: csim_write is the promise to write all lanes.
 * A register on which csim_write was not called in this cycle holds its value, and costs nothing:
 * that is how an idle machine idles. */
#define csim_write(handle) csim_wire_write((handle)->wire)
static inline uint32_t *csim_wire_write(struct csim_wire *wire)
{
    *wire->written = 1;
    return wire->next;
}

/* The same for a scalar's value. */
#define csim_get(handle) (*csim_read(handle))
#define csim_put(handle, value) ((void)(*csim_write(handle) = (value)))

/* -- Running ----------------------------------------------------------------------------------- */

/* All signals get their initial value, then the modules' reset functions run, in order of
 * declaration. The count of cycles goes on: time does not turn back. */
void csim_reset(struct csim *sim);

/* Remember how all is now: signals, states, RAMs, the count of cycles; once. False if that takes
 * more than `most` bytes, or without memory. Precondition: csim_elaborate, no open trace. */
bool csim_mark(struct csim *sim, size_t most);

/* Make all as it was at csim_mark, which has to have succeeded. No trace may be open. O(bytes): it
 * takes much less than to build and elaborate a design again. */
void csim_rewind(struct csim *sim);

/* Evaluate the combinational processes, unless nothing was poked since the last time. */
void csim_settle(struct csim *sim);

/* One cycle: settle, edge, commit. Afterwards the registers are new and the combinational signals
 * still old, until csim_settle. Precondition: csim_elaborate. O(processes + registers) besides what
 * the processes do. */
void csim_cycle(struct csim *sim);

/* Up to `most` cycles at once, if a module knows how (csim_on_leap); how many, 0 if it does not. A
 * trace that is enabled must see each cycle, so then it is 0. Precondition: csim_elaborate. */
uint64_t csim_leap(struct csim *sim, uint64_t most);

/* A csim_cycle that also checks what csim_cycle trusts (for tests of models): before the edge, the
 * lanes of every `next` are filled with a pattern of all 32 bits, so that a lane which a process
 * forgot shows; after it, every value must fit in its width. E703 with name and lane. O(lanes). */
bool csim_audit(struct csim *sim, struct err *err);

/* The number of edges since csim_create. */
uint64_t csim_cycles(const struct csim *sim);

/* -- The testbench's view ---------------------------------------------------------------------- */

/* A signal or port by its full name; NULL if there is none. Precondition: csim_elaborate.
 * O(log n). */
struct csim_net *csim_find(const struct csim *sim, const char *path);

/* All of them in order of declaration. */
size_t csim_net_count(const struct csim *sim);
struct csim_net *csim_net_at(const struct csim *sim, size_t index);

enum csim_kind { CSIM_INPUT, CSIM_OUTPUT, CSIM_SIGNAL };

const char *csim_path(const struct csim_net *net);
enum csim_kind csim_kind(const struct csim_net *net);
unsigned csim_width(const struct csim_net *net);
uint32_t csim_lanes(const struct csim_net *net);

/* The lanes of a net's signal as they are now (combinational ones: as last settled; those of a
 * view: as they are settled now). The pointer is valid until the next csim_cycle. */
const uint32_t *csim_peek(const struct csim_net *net);

/* The lanes of an external signal (or of a port bound to one), to be written by the testbench
 * before csim_settle or csim_cycle; they stay until the next poke. NULL if a process drives it. */
uint32_t *csim_poke(struct csim_net *net);

#ifdef __cplusplus
}
#endif

#endif
