/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/kernel/trace.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csim/kernel/kernel.h"
#include "csim/kernel/trace_format.h"
#include "sched/base/text.h"

/* A traced signal, and the value that was written last. */
struct traced_signal {
    const struct csim_wire *wire;
    unsigned width;
    uint32_t elements;
    uint32_t variable; /* of element 0; the other elements follow */
    uint32_t *last;    /* owned */
};

struct csim_trace {
    struct csim *sim;
    const struct trace_format *format;
    void *file;
    char *path;
    struct traced_signal *signals; /* signals[signal_count] */
    size_t signal_count;
    uint32_t variables; /* declared; clk is 1 */
    bool all;           /* the next cycle writes every value: the first one, or after a gap */
    bool started;       /* a cycle was written */
};

#define CLK 1

static bool matches(const char *patterns, const char *path)
{
    if (patterns == NULL)
        return true;
    while (*patterns != '\0') {
        size_t length = strcspn(patterns, ",");
        char pattern[256];
        if (length < sizeof pattern) {
            memcpy(pattern, patterns, length);
            pattern[length] = '\0';
            if (fnmatch(pattern, path, 0) == 0)
                return true;
        }
        patterns += length + (patterns[length] == ',');
    }
    return false;
}

/* Marks the nets to be traced, and the modules around them. */
static size_t select_nets(struct csim *sim, const char *patterns)
{
    size_t selected = 0;
    for (size_t m = 0; m < sim->module_count; m++)
        sim->modules[m]->traced = false;
    for (size_t n = 0; n < sim->nets.count; n++) {
        struct csim_net *net = sim->nets.at[n];
        net->trace_var = 0;
        net->traced = matches(patterns, net->path);
        if (!net->traced)
            continue;
        selected++;
        for (struct csim_module *m = net->module; m != NULL && !m->traced; m = m->parent)
            m->traced = true;
    }
    return selected;
}

static const char *last_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot == NULL ? path : dot + 1;
}

/* Declares the variables of a net: new ones if its signal has none yet, otherwise aliases. */
static void declare_net(struct csim_trace *trace, struct csim_net *net)
{
    const struct trace_format *format = trace->format;
    struct csim_net *signal = net->signal;
    const char *name = last_name(net->path);
    uint32_t alias = signal->trace_var;
    if (net->elements == 1) {
        format->variable(trace->file, name, net->width, alias);
    } else {
        format->scope(trace->file, name);
        for (uint32_t element = 0; element < net->elements; element++) {
            char element_name[16];
            snprintf(element_name, sizeof element_name, "lane%" PRIu32, element);
            format->variable(trace->file, element_name, net->width,
                             alias == 0 ? 0 : alias + element);
        }
        format->end_scope(trace->file);
    }
    if (alias != 0)
        return;
    signal->trace_var = trace->variables + 1;
    trace->variables += net->elements;
    trace->signals[trace->signal_count++] = (struct traced_signal){.wire = net->wire,
                                                                   .width = net->width,
                                                                   .elements = net->elements,
                                                                   .variable = signal->trace_var};
}

/* Declares the scope of a module: its nets, then its modules, in order of declaration. */
static void declare_module(struct csim_trace *trace, struct csim_module *module)
{
    struct csim *sim = trace->sim;
    if (module->parent != NULL)
        trace->format->scope(trace->file, last_name(module->path));
    for (size_t n = 0; n < sim->nets.count; n++)
        if (sim->nets.at[n]->module == module && sim->nets.at[n]->traced)
            declare_net(trace, sim->nets.at[n]);
    for (size_t m = 0; m < sim->module_count; m++)
        if (sim->modules[m]->parent == module && sim->modules[m]->traced)
            declare_module(trace, sim->modules[m]);
    if (module->parent != NULL)
        trace->format->end_scope(trace->file);
}

static bool allocate_last(struct csim_trace *trace)
{
    for (size_t s = 0; s < trace->signal_count; s++) {
        trace->signals[s].last = calloc(trace->signals[s].elements, sizeof(uint32_t));
        if (trace->signals[s].last == NULL)
            return false;
    }
    return true;
}

static void free_trace(struct csim_trace *trace)
{
    for (size_t s = 0; s < trace->signal_count; s++)
        free(trace->signals[s].last);
    free(trace->signals);
    free(trace->path);
    free(trace);
}

static const struct trace_format *format_of(const char *path, struct err *err)
{
    const char *dot = strrchr(path, '.');
    const struct trace_format *formats[] = {&trace_vcd, &trace_fst};
    for (size_t f = 0; f < 2; f++) {
        if (dot == NULL || strcmp(dot, formats[f]->suffix) != 0)
            continue;
        if (formats[f]->open != NULL)
            return formats[f];
        err_set(err, ERR_TOOL,
                "%s: csim was compiled without a writer of %s; expected the package verilator when "
                "it is compiled",
                path, dot);
        return NULL;
    }
    err_set(err, ERR_OPTION, "%s: a trace of unknown format; expected a name in .vcd or .fst",
            path);
    return NULL;
}

struct csim_trace *csim_trace_open(struct csim *sim, const char *path, const char *patterns,
                                   struct err *err)
{
    const struct trace_format *format = format_of(path, err);
    if (format == NULL)
        return NULL;
    if (sim->trace_open) {
        err_set(err, ERR_MISUSE, "%s: a second trace; expected one per simulator", path);
        return NULL;
    }
    size_t selected = select_nets(sim, patterns);
    if (selected == 0) {
        err_set(err, ERR_OPTION,
                "%s: no signal is called %s; expected a full name or a pattern with *", path,
                patterns == NULL ? "anything" : patterns);
        return NULL;
    }
    struct csim_trace *trace = calloc(1, sizeof *trace);
    if (trace == NULL) {
        err_set(err, ERR_TOO_BIG, "%s: no memory for a trace", path);
        return NULL;
    }
    *trace = (struct csim_trace){.sim = sim, .format = format, .variables = CLK, .all = true};
    trace->path = strdup(path);
    trace->signals = calloc(selected, sizeof *trace->signals);
    if (trace->path == NULL || trace->signals == NULL) {
        err_set(err, ERR_TOO_BIG, "%s: no memory for %zu signal%s", path, selected,
                text_s(selected));
        free_trace(trace);
        return NULL;
    }
    trace->file = format->open(path);
    if (trace->file == NULL) {
        err_set(err, ERR_WRITE, "%s: cannot be written; expected a file in a writable folder",
                path);
        free_trace(trace);
        return NULL;
    }
    format->scope(trace->file, "TOP");
    format->variable(trace->file, "clk", 1, 0);
    declare_module(trace, csim_root(sim));
    format->end_scope(trace->file);
    if (!allocate_last(trace)) {
        err_set(err, ERR_TOO_BIG, "%s: no memory for %u variable%s", path, trace->variables,
                text_s(trace->variables));
        format->close(trace->file);
        remove(path);
        free_trace(trace);
        return NULL;
    }
    sim->trace_open = true;
    sim->tracing = trace;
    return trace;
}

void csim_trace_enable(struct csim_trace *trace, bool enable)
{
    if (enable == (trace->sim->tracing != NULL))
        return;
    trace->sim->tracing = enable ? trace : NULL;
    if (!enable && trace->started && !trace->all) {
        trace->format->time(trace->file, trace->sim->cycles * CSIM_TRACE_NS_PER_CYCLE);
        trace->format->active(trace->file, false);
        trace->all = true;
    }
}

/* Writes the elements that changed. Most elements do not change in most cycles; they are skipped by
 * the cache line. */
static void write_changes(struct csim_trace *trace, struct traced_signal *signal)
{
    const uint32_t *now = signal->wire->now;
    for (uint32_t begin = 0; begin < signal->elements; begin += CSIM_ELEMENT_BLOCK) {
        uint32_t count = signal->elements - begin < CSIM_ELEMENT_BLOCK ? signal->elements - begin
                                                                       : CSIM_ELEMENT_BLOCK;
        size_t bytes = count * sizeof *now;
        if (!trace->all && memcmp(now + begin, signal->last + begin, bytes) == 0)
            continue;
        for (uint32_t element = begin; element < begin + count; element++)
            if (trace->all || now[element] != signal->last[element])
                trace->format->change(trace->file, signal->variable + element, signal->width,
                                      now[element]);
        memcpy(signal->last + begin, now + begin, bytes);
    }
}

void csim_trace_cycle(struct csim_trace *trace)
{
    /* The edge that was just committed is the last one counted. */
    uint64_t ns = (trace->sim->cycles - 1) * CSIM_TRACE_NS_PER_CYCLE;
    trace->format->time(trace->file, ns);
    if (trace->started && trace->all)
        trace->format->active(trace->file, true);
    trace->format->change(trace->file, CLK, 1, 1);
    for (size_t s = 0; s < trace->signal_count; s++)
        write_changes(trace, &trace->signals[s]);
    trace->format->time(trace->file, ns + CSIM_TRACE_NS_PER_CYCLE / 2);
    trace->format->change(trace->file, CLK, 1, 0);
    trace->started = true;
    trace->all = false;
}

bool csim_trace_close(struct csim_trace *trace, struct err *err)
{
    if (trace == NULL)
        return true;
    trace->sim->tracing = NULL;
    trace->sim->trace_open = false;
    bool written = trace->format->close(trace->file);
    if (!written) {
        remove(trace->path);
        err_set(err, ERR_WRITE, "%s: not everything could be written; expected room on the disk",
                trace->path);
    }
    free_trace(trace);
    return written;
}
