/* SPDX-License-Identifier: Apache-2.0 */
/* csim_elaborate: checks the design, orders the processes and gives every signal its wire. */
#include "csim/kernel/kernel.h"
#include "sched/base/text.h"

#include <stdlib.h>
#include <string.h>

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct csim_object *)a)->path, ((const struct csim_object *)b)->path);
}

/* Sorts the index of all objects by path and rejects two adjacent entries with the same path. */
static bool index_objects(struct csim *sim, struct err *err)
{
    size_t count = sim->module_count + sim->nets.count + sim->process_count;
    free(sim->index);
    sim->index_count = 0;
    sim->index = calloc(count, sizeof *sim->index);
    if (sim->index == NULL)
        return err_no_memory(err, "the names of %zu objects", count);
    for (size_t m = 0; m < sim->module_count; m++)
        sim->index[sim->index_count++].path = sim->modules[m]->path;
    for (size_t p = 0; p < sim->process_count; p++)
        sim->index[sim->index_count++].path = sim->processes[p]->path;
    for (size_t n = 0; n < sim->nets.count; n++)
        sim->index[sim->index_count++] =
            (struct csim_object){sim->nets.at[n]->path, sim->nets.at[n]};
    qsort(sim->index, count, sizeof *sim->index, by_path);
    for (size_t o = 1; o < count; o++)
        if (by_path(&sim->index[o - 1], &sim->index[o]) == 0)
            return err_set(err, ERR_NAME, "%s: declared twice; expected names that differ",
                           sim->index[o].path);
    return true;
}

static bool check_binding(const struct csim_net *port, struct err *err)
{
    const struct csim_net *to = port->bound;
    if (to == NULL) {
        const char *around = port->module->parent == NULL ? "" : port->module->parent->path;
        return err_set(err, ERR_UNBOUND, "%s: bound to nothing; expected a signal or port of %s",
                       port->path, around[0] == '\0' ? "the root" : around);
    }
    if (port->width != to->width || port->elements != to->elements)
        return err_set(err, ERR_WIDTH,
                       "%s: %u element%s of %u bit%s bound to %s of %u element%s of %u bit%s; "
                       "expected the same",
                       port->path, port->elements, text_s(port->elements), port->width,
                       text_s(port->width), to->path, to->elements, text_s(to->elements), to->width,
                       text_s(to->width));
    return true;
}

/* Follows every net's bindings to its signal. A binding always goes one module up, so this ends. */
static bool resolve_bindings(struct csim *sim, struct err *err)
{
    for (size_t n = 0; n < sim->nets.count; n++) {
        struct csim_net *net = sim->nets.at[n];
        net->driver = NULL;
        net->signal = NULL;
        if (net->kind != CSIM_SIGNAL && !check_binding(net, err))
            return false;
    }
    for (size_t n = 0; n < sim->nets.count; n++) {
        struct csim_net *net = sim->nets.at[n];
        struct csim_net *signal = net;
        while (signal->kind != CSIM_SIGNAL)
            signal = signal->bound;
        net->signal = signal;
        if (net->has_initial)
            signal->initial = net->initial;
    }
    return true;
}

/* Checks that every signal has exactly one driver. */
static bool find_drivers(struct csim *sim, struct err *err)
{
    for (size_t p = 0; p < sim->process_count; p++) {
        struct csim_process *process = sim->processes[p];
        for (size_t w = 0; w < process->writes.count; w++) {
            struct csim_net *signal = process->writes.at[w]->signal;
            if (signal->external || (signal->driver != NULL && signal->driver != process))
                return err_set(err, ERR_TWO_DRIVERS,
                               "%s: written by %s and by %s; expected one driver", signal->path,
                               signal->external ? "the testbench" : signal->driver->path,
                               process->path);
            signal->driver = process;
        }
    }
    for (size_t n = 0; n < sim->nets.count; n++) {
        const struct csim_net *net = sim->nets.at[n];
        if (net->kind == CSIM_SIGNAL && net->driver == NULL && !net->external)
            return err_set(err, ERR_UNDRIVEN,
                           "%s: written by nothing; expected a process, or to be declared external",
                           net->path);
    }
    return true;
}

/* Rejects reads of what a view shows, because it is not computed while the model runs. */
static bool check_reads(struct csim *sim, struct err *err)
{
    for (size_t p = 0; p < sim->process_count; p++) {
        const struct csim_process *process = sim->processes[p];
        for (size_t r = 0; r < process->reads.count; r++) {
            const struct csim_net *signal = process->reads.at[r]->signal;
            if (signal->driver != NULL && signal->driver->kind == CSIM_VIEW)
                return err_set(err, ERR_MISUSE,
                               "%s: reads %s, which the view %s shows; expected a signal that a "
                               "process or the testbench writes",
                               process->path, signal->path, signal->driver->path);
        }
    }
    return true;
}

/* Returns the combinational process that computes a net which a process reads, or NULL. */
static struct csim_process *computed_by(const struct csim_net *read)
{
    struct csim_process *driver = read->signal->driver;
    return driver != NULL && driver->kind == CSIM_COMBINATIONAL ? driver : NULL;
}

/* Reports the loop that closes when `last` waits for `first`, which is open: from `first` in the
 * direction of the data. A text that is too long is cut. */
static bool report_loop(const struct csim_process *first, const struct csim_process *last,
                        struct err *err)
{
    char circle[400] = "";
    size_t length = 0;
    for (const struct csim_process *process = last;; process = process->waiter) {
        const struct csim_net *signal = process->reads.at[process->cursor - 1]->signal;
        text_append(circle, sizeof circle, " -> %s -> %s", signal->path, process->path);
        length++;
        if (process == first)
            break;
    }
    return err_set(err, ERR_LOOP,
                   "%s: a combinational loop of %zu: %s%s; expected a register in it", first->path,
                   length, first->path, circle);
}

/* Places a process in calls[] after all processes that compute its inputs: a depth-first walk whose
 * stack is linked through `waiter`. */
static bool place(struct csim *sim, struct csim_process *root, struct err *err)
{
    struct csim_process *top = root;
    top->status = CSIM_OPEN;
    top->waiter = NULL;
    while (top != NULL) {
        if (top->cursor == top->reads.count) {
            top->status = CSIM_PLACED;
            sim->calls[sim->call_count++] = (struct csim_call){top->run, top->module->state};
            top = top->waiter;
            continue;
        }
        struct csim_process *driver = computed_by(top->reads.at[top->cursor++]);
        if (driver == NULL || driver->status == CSIM_PLACED)
            continue;
        if (driver->status == CSIM_OPEN)
            return report_loop(driver, top, err);
        driver->status = CSIM_OPEN;
        driver->waiter = top;
        top = driver;
    }
    return true;
}

static void append_calls(struct csim *sim, enum csim_process_kind kind)
{
    for (size_t p = 0; p < sim->process_count; p++) {
        struct csim_process *process = sim->processes[p];
        if (process->kind == kind)
            sim->calls[sim->call_count++] =
                (struct csim_call){process->run, process->module->state};
    }
}

static bool order_processes(struct csim *sim, struct err *err)
{
    free(sim->calls);
    sim->call_count = 0;
    sim->calls = calloc(sim->process_count + 1, sizeof *sim->calls);
    if (sim->calls == NULL)
        return err_no_memory(err, "%zu processes", sim->process_count);
    for (size_t p = 0; p < sim->process_count; p++) {
        sim->processes[p]->status = CSIM_UNSEEN;
        sim->processes[p]->cursor = 0;
    }
    for (size_t p = 0; p < sim->process_count; p++) {
        struct csim_process *process = sim->processes[p];
        if (process->kind == CSIM_COMBINATIONAL && process->status == CSIM_UNSEEN &&
            !place(sim, process, err))
            return false;
    }
    sim->combinational = sim->call_count;
    append_calls(sim, CSIM_CLOCKED);
    sim->clocked_end = sim->call_count;
    append_calls(sim, CSIM_VIEW);
    return true;
}

static bool is_register(const struct csim_net *signal)
{
    return signal->driver != NULL && signal->driver->kind == CSIM_CLOCKED;
}

size_t csim_element_bytes(const struct csim_net *signal)
{
    return csim_padded(signal->elements) * (is_register(signal) ? 2 : 1) * sizeof(uint32_t);
}

/* Sets up the wire of a signal. A scalar is stored in the wire, a vector in one or two buffers of
 * its own. */
static bool lay_wire(struct csim_net *signal, struct csim_wire *wire, uint8_t *written,
                     struct err *err)
{
    bool two = is_register(signal);
    uint32_t *now = wire->cell;
    size_t stride = 1;
    if (signal->elements > 1) {
        stride = csim_padded(signal->elements);
        free(signal->element_memory);
        now = signal->element_memory = csim_aligned_zeros(csim_element_bytes(signal));
        if (now == NULL)
            return err_set(err, ERR_TOO_BIG, "%s: no memory for %u element%s", signal->path,
                           signal->elements, text_s(signal->elements));
    }
    wire->now = now;
    wire->next = two ? now + stride : now;
    wire->written = written;
    signal->wire = wire;
    return true;
}

/* Sets up all wires, registers first, so that a commit walks only the head of the array. Each
 * register has its own flag; all other wires share one flag, after those that a commit examines. */
static bool lay_wires(struct csim *sim, struct err *err)
{
    size_t signals = 0;
    for (size_t n = 0; n < sim->nets.count; n++)
        signals += sim->nets.at[n]->kind == CSIM_SIGNAL;
    free(sim->wires);
    sim->wires = csim_aligned_zeros(signals * sizeof *sim->wires);
    free(sim->written);
    sim->written = csim_aligned_zeros(signals + CSIM_FLAGS_AT_ONCE);
    if (sim->wires == NULL || sim->written == NULL)
        return err_no_memory(err, "%zu signals", signals);
    size_t placed = 0;
    for (int registers = 1; registers >= 0; registers--) {
        for (size_t n = 0; n < sim->nets.count; n++) {
            struct csim_net *net = sim->nets.at[n];
            if (net->kind != CSIM_SIGNAL || is_register(net) != (registers == 1))
                continue;
            size_t flag = registers == 1 ? placed
                                         : (sim->registers + CSIM_FLAGS_AT_ONCE - 1) /
                                               CSIM_FLAGS_AT_ONCE * CSIM_FLAGS_AT_ONCE;
            if (!lay_wire(net, &sim->wires[placed++], sim->written + flag, err))
                return false;
        }
        if (registers == 1)
            sim->registers = placed;
    }
    return true;
}

static void fill_handles(struct csim *sim)
{
    for (size_t n = 0; n < sim->nets.count; n++) {
        struct csim_net *net = sim->nets.at[n];
        net->wire = net->signal->wire;
        switch (net->kind) {
        case CSIM_INPUT:
            net->handle.in->wire = net->wire;
            break;
        case CSIM_OUTPUT:
            net->handle.out->wire = net->wire;
            break;
        case CSIM_SIGNAL:
            net->handle.signal->wire = net->wire;
            break;
        }
    }
}

bool csim_elaborate(struct csim *sim, struct err *err)
{
    if (sim == NULL)
        return err_no_memory(err, "a simulator");
    if (sim->error.code == ERR_NONE && sim->elaborated)
        return err_set(err, ERR_MISUSE, "csim: elaborated twice; expected once");
    if (sim->error.code != ERR_NONE)
        return err_copy(err, &sim->error);
    if (!index_objects(sim, err) || !resolve_bindings(sim, err) || !find_drivers(sim, err) ||
        !check_reads(sim, err) || !order_processes(sim, err) || !lay_wires(sim, err))
        return false;
    fill_handles(sim);
    sim->elaborated = true;
    csim_reset(sim);
    return true;
}
