/* SPDX-License-Identifier: Apache-2.0 */
/* kernel: the definitions of the opaque types of csim.h; for the files of csim only.
 *
 *     csim ─┬─ modules[] ── name, parent, state, reset       in order of declaration, parents first
 *           ├─ nets[] ───── a signal, or a port bound to a net one module up … up to a signal
 *           ├─ processes[] ─ reads[], writes[]
 *           │                                                 made by csim_elaborate:
 *           ├─ index[] ──── every object by its path, sorted
 *           ├─ wires[] ──── one per signal, registers first: a commit walks wires[0 … registers)
 *           └─ calls[] ──── combinational processes in topological order, the clocked ones, views
 */
#ifndef ROUNDCAST_CSIM_KERNEL_H
#define ROUNDCAST_CSIM_KERNEL_H

#include "csim/kernel/csim.h"

struct csim_module {
    struct csim *sim;
    struct csim_module *parent; /* NULL for the root */
    char *path;                 /* "" for the root */
    void *state;
    void (*reset)(void *state);
    bool traced; /* the open trace shows one of its nets */
};

struct csim_net {
    struct csim_module *module;
    char *path;
    enum csim_kind kind;
    unsigned width;
    uint32_t elements;
    uint32_t initial;
    bool external;
    bool has_initial;
    struct csim_net *bound; /* a port's binding; NULL for a signal */
    union {                 /* the user's handle, by kind, filled in by csim_elaborate */
        struct csim_in *in;
        struct csim_out *out;
        struct csim_signal *signal;
    } handle;

    /* Found by csim_elaborate. */
    struct csim_net *signal;     /* the signal at the end of the bindings; itself for a signal */
    struct csim_process *driver; /* a signal's only writer; NULL when external */
    struct csim_wire *wire;
    uint32_t *element_memory; /* a vector signal's one or two buffers; owned */

    bool traced;        /* the open trace shows this net */
    uint32_t trace_var; /* a signal's first variable in the open trace; 0: it has none yet */
};

/* A growing array of nets. */
struct csim_net_list {
    struct csim_net **at;
    size_t count;
    size_t capacity;
};

struct csim_process {
    struct csim_module *module;
    char *path;
    enum csim_process_kind { CSIM_COMBINATIONAL, CSIM_CLOCKED, CSIM_VIEW } kind;
    void (*run)(void *state);
    struct csim_net_list reads;
    struct csim_net_list writes;

    /* While csim_elaborate orders the combinational ones. */
    enum { CSIM_UNSEEN, CSIM_OPEN, CSIM_PLACED } status;
    size_t cursor;               /* number of its reads examined so far */
    struct csim_process *waiter; /* the process that waits for this one */
};

/* An entry of the index: exactly one of a module, a net and a process. */
struct csim_object {
    const char *path;
    struct csim_net *net; /* NULL for a module or a process */
};

struct csim_call {
    void (*run)(void *state);
    void *state;
};

struct csim_block {
    void *at;
    size_t bytes;
};

struct csim {
    /* Used in every cycle. */
    struct csim_call *calls;
    size_t combinational; /* calls[0 … combinational) */
    size_t clocked_end;   /* calls[combinational … clocked_end); then views */
    size_t call_count;
    struct csim_wire *wires;
    size_t registers;
    uint8_t *written; /* the flags of the registers, then one for all other wires */
    uint64_t cycles;
    bool settled;
    bool shown;                 /* the views have run since it was settled */
    struct csim_trace *tracing; /* NULL unless a trace is open and enabled */
    struct csim_module *leaper; /* the module that can leap, or NULL */
    uint64_t (*leap)(void *state, uint64_t most);

    bool trace_open;
    bool elaborated;
    struct err error; /* the first mistake in a building call */
    struct csim_module **modules;
    size_t module_count, module_capacity;
    struct csim_net_list nets;
    struct csim_process **processes;
    size_t process_count, process_capacity;
    struct csim_block *blocks; /* states and RAMs */
    size_t block_count, block_capacity;
    struct csim_pool **pools;
    size_t pool_count, pool_capacity;
    struct csim_object *index;
    size_t index_count;
    struct csim_mark *mark; /* NULL without csim_mark */
};

/* Returns the mask of the bits that a value of this width may use. */
static inline uint32_t csim_mask(unsigned width)
{
    return UINT32_MAX >> (32 - width);
}

/* Number of register flags that a commit examines at once. */
#define CSIM_FLAGS_AT_ONCE 8

/* Returns the size in bytes of one buffer of a vector signal's elements. */
size_t csim_element_bytes(const struct csim_net *signal);

/* Allocates `bytes` zeroed bytes, 64-byte aligned; the caller passes them to free. NULL without
 * memory. */
void *csim_aligned_zeros(size_t bytes);

/* Runs the views, unless nothing has changed since they last ran. */
void csim_show(struct csim *sim);

/* Writes the values of the cycle that was just committed to the trace. Called once per cycle, after
 * settling, while tracing is enabled. */
void csim_trace_cycle(struct csim_trace *trace);

#endif
