/* SPDX-License-Identifier: Apache-2.0 */
/* The building functions of csim.h: declarations and bindings. Checks that require the whole design
 * are in elaborate.c. */
#include "csim/kernel/kernel.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Keeps the first mistake for csim_elaborate. */
#define fail(sim, number, ...) \
    ((sim)->error.code == ERR_NONE ? (void)err_set(&(sim)->error, (number), __VA_ARGS__) : (void)0)

static void fail_memory(struct csim *sim)
{
    fail(sim, ERR_TOO_BIG, "csim: no memory for the model");
}

/* Reserves room for one more element of an array. Returns false without memory; the array is then
 * unchanged. */
static bool reserve_of(size_t each, void *array, size_t count, size_t *capacity)
{
    if (count < *capacity)
        return true;
    size_t wanted = *capacity == 0 ? 8 : *capacity * 2;
    void *old;
    memcpy(&old, array, sizeof old); /* `array` is the address of a pointer of any type */
    void *grown = reallocarray(old, wanted, each);
    if (grown == NULL)
        return false;
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

/* Reserves room for one more element of an array of pointers. */
static bool reserve(void *array, size_t count, size_t *capacity)
{
    return reserve_of(sizeof(void *), array, count, capacity);
}

static bool append_net(struct csim_net_list *list, struct csim_net *net)
{
    if (!reserve(&list->at, list->count, &list->capacity))
        return false;
    list->at[list->count++] = net;
    return true;
}

static bool open_for_building(struct csim_module *module)
{
    if (module == NULL)
        return false;
    if (module->sim->elaborated)
        fail(module->sim, ERR_MISUSE, "%s: a declaration after elaboration; expected it before",
             module->path[0] == '\0' ? "csim" : module->path);
    return !module->sim->elaborated;
}

static bool is_identifier(const char *name)
{
    if (!isalpha((unsigned char)name[0]) && name[0] != '_')
        return false;
    for (const char *c = name; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            return false;
    return true;
}

/* Returns "parent.name", owned by the caller. Returns NULL after a failure, which it records. */
static char *make_path(struct csim_module *parent, const char *format, va_list args)
{
    char *name = NULL;
    char *path = NULL;
    if (vasprintf(&name, format, args) < 0) {
        fail_memory(parent->sim);
        return NULL;
    }
    const char *dot = parent->path[0] == '\0' ? "" : ".";
    if (asprintf(&path, "%s%s%s", parent->path, dot, name) < 0) {
        fail_memory(parent->sim);
        path = NULL;
    } else if (!is_identifier(name)) {
        fail(parent->sim, ERR_NAME, "%s: '%s' is no name; expected a C identifier", path, name);
    }
    free(name);
    return path;
}

static char *make_plain_path(struct csim_module *parent, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *path = make_path(parent, format, args);
    va_end(args);
    return path;
}

/* Adds a module, which takes ownership of `path`; `path` may be NULL. */
static struct csim_module *add_module(struct csim *sim, struct csim_module *parent, char *path)
{
    struct csim_module *module = calloc(1, sizeof *module);
    if (path == NULL || module == NULL ||
        !reserve(&sim->modules, sim->module_count, &sim->module_capacity)) {
        fail_memory(sim);
        free(module);
        free(path);
        return NULL;
    }
    *module = (struct csim_module){.sim = sim, .parent = parent, .path = path};
    sim->modules[sim->module_count++] = module;
    return module;
}

struct csim *csim_create(void)
{
    struct csim *sim = calloc(1, sizeof *sim);
    if (sim != NULL && add_module(sim, NULL, strdup("")) == NULL) {
        csim_destroy(sim);
        return NULL;
    }
    return sim;
}

void csim_destroy(struct csim *sim)
{
    if (sim == NULL)
        return;
    for (size_t m = 0; m < sim->module_count; m++) {
        free(sim->modules[m]->path);
        free(sim->modules[m]);
    }
    for (size_t n = 0; n < sim->nets.count; n++) {
        free(sim->nets.at[n]->element_memory);
        free(sim->nets.at[n]->path);
        free(sim->nets.at[n]);
    }
    for (size_t p = 0; p < sim->process_count; p++) {
        free(sim->processes[p]->reads.at);
        free(sim->processes[p]->writes.at);
        free(sim->processes[p]->path);
        free(sim->processes[p]);
    }
    for (size_t b = 0; b < sim->block_count; b++)
        free(sim->blocks[b].at);
    for (size_t p = 0; p < sim->pool_count; p++) {
        free(sim->pools[p]->at);
        free(sim->pools[p]);
    }
    free(sim->modules);
    free(sim->nets.at);
    free(sim->processes);
    free(sim->blocks);
    free(sim->pools);
    free(sim->index);
    free(sim->calls);
    free(sim->wires);
    free(sim->written);
    free(sim->mark);
    free(sim);
}

struct csim_module *csim_root(struct csim *sim)
{
    return sim == NULL ? NULL : sim->modules[0];
}

struct csim_module *csim_module(struct csim_module *parent, const char *name, ...)
{
    if (!open_for_building(parent))
        return NULL;
    va_list args;
    va_start(args, name);
    char *path = make_path(parent, name, args);
    va_end(args);
    return add_module(parent->sim, parent, path);
}

void *csim_alloc(struct csim_module *module, size_t bytes)
{
    if (!open_for_building(module))
        return NULL;
    struct csim *sim = module->sim;
    void *block = csim_aligned_zeros(bytes);
    if (block == NULL ||
        !reserve_of(sizeof *sim->blocks, &sim->blocks, sim->block_count, &sim->block_capacity)) {
        fail_memory(sim);
        free(block);
        return NULL;
    }
    sim->blocks[sim->block_count++] = (struct csim_block){block, bytes};
    return block;
}

void *csim_state(struct csim_module *module, size_t bytes)
{
    if (!open_for_building(module))
        return NULL;
    if (module->state != NULL) {
        fail(module->sim, ERR_MISUSE, "%s: a second state; expected one per module", module->path);
        return NULL;
    }
    module->state = csim_alloc(module, bytes);
    return module->state;
}

struct csim_pool *csim_pool(struct csim_module *module)
{
    if (!open_for_building(module))
        return NULL;
    struct csim *sim = module->sim;
    struct csim_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL ||
        !reserve_of(sizeof *sim->pools, &sim->pools, sim->pool_count, &sim->pool_capacity)) {
        fail_memory(sim);
        free(pool);
        return NULL;
    }
    sim->pools[sim->pool_count++] = pool;
    return pool;
}

bool csim_pool_grow(struct csim_pool *pool, size_t bytes)
{
    if (bytes <= pool->bytes)
        return true;
    const size_t room = bytes < 2 * pool->bytes ? 2 * pool->bytes : bytes;
    void *larger = realloc(pool->at, room);
    if (larger == NULL)
        return false;
    *pool = (struct csim_pool){larger, room};
    return true;
}

void csim_on_reset(struct csim_module *module, void (*reset)(void *state))
{
    if (open_for_building(module))
        module->reset = reset;
}

void csim_on_leap(struct csim_module *module, uint64_t (*leap)(void *state, uint64_t most))
{
    if (!open_for_building(module))
        return;
    if (module->sim->leaper != NULL) {
        fail(module->sim, ERR_MISUSE, "%s: leaps beside %s; expected one module that leaps",
             module->path, module->sim->leaper->path);
        return;
    }
    module->sim->leaper = module;
    module->sim->leap = leap;
}

/* Adds a net that has no handle yet. Returns NULL after a failure, which it records. */
static struct csim_net *add_net(struct csim_module *module, enum csim_kind kind, unsigned width,
                                uint32_t elements, const char *format, va_list args)
{
    if (!open_for_building(module))
        return NULL;
    char *path = make_path(module, format, args);
    if (path == NULL)
        return NULL;
    if (width < 1 || width > 32 || elements < 1 || elements > CSIM_MAX_ELEMENTS) {
        fail(module->sim, ERR_WIDTH,
             "%s: %u bits, %u elements; expected 1 … 32 bits, 1 … %u elements", path, width,
             elements, CSIM_MAX_ELEMENTS);
        free(path);
        return NULL;
    }
    struct csim_net *net = calloc(1, sizeof *net);
    if (net == NULL || !append_net(&module->sim->nets, net)) {
        fail_memory(module->sim);
        free(net);
        free(path);
        return NULL;
    }
    *net = (struct csim_net){
        .module = module, .path = path, .kind = kind, .width = width, .elements = elements};
    return net;
}

void csim_input(struct csim_module *module, struct csim_in *port, unsigned width, uint32_t elements,
                const char *name, ...)
{
    va_list args;
    va_start(args, name);
    *port = (struct csim_in){.net = add_net(module, CSIM_INPUT, width, elements, name, args)};
    va_end(args);
    if (port->net != NULL)
        port->net->handle.in = port;
}

void csim_output(struct csim_module *module, struct csim_out *port, unsigned width,
                 uint32_t elements, const char *name, ...)
{
    va_list args;
    va_start(args, name);
    *port = (struct csim_out){.net = add_net(module, CSIM_OUTPUT, width, elements, name, args)};
    va_end(args);
    if (port->net != NULL)
        port->net->handle.out = port;
}

void csim_signal(struct csim_module *module, struct csim_signal *signal, unsigned width,
                 uint32_t elements, const char *name, ...)
{
    va_list args;
    va_start(args, name);
    *signal =
        (struct csim_signal){.net = add_net(module, CSIM_SIGNAL, width, elements, name, args)};
    va_end(args);
    if (signal->net != NULL)
        signal->net->handle.signal = signal;
}

void csim_bind_nets(struct csim_net *port, struct csim_net *to)
{
    if (port == NULL || to == NULL || !open_for_building(port->module))
        return;
    struct csim *sim = port->module->sim;
    if (port->kind == CSIM_SIGNAL)
        fail(sim, ERR_MISUSE, "%s: a signal is bound to %s; expected a port", port->path, to->path);
    else if (port->bound != NULL)
        fail(sim, ERR_MISUSE, "%s: bound to %s and to %s; expected one binding", port->path,
             port->bound->path, to->path);
    else if (to->module != port->module->parent)
        fail(sim, ERR_MISUSE, "%s: bound to %s; expected a signal or port of the module around %s",
             port->path, to->path, port->module->path);
    else if (port->kind == CSIM_OUTPUT && to->kind == CSIM_INPUT)
        fail(sim, ERR_MISUSE,
             "%s: an output is bound to the input %s; expected a signal or an output", port->path,
             to->path);
    else
        port->bound = to;
}

void csim_external_net(struct csim_net *net)
{
    if (net == NULL || !open_for_building(net->module))
        return;
    if (net->kind != CSIM_SIGNAL)
        fail(net->module->sim, ERR_MISUSE, "%s: a port is declared external; expected a signal",
             net->path);
    net->external = true;
}

void csim_initial_net(struct csim_net *net, uint32_t value)
{
    if (net == NULL || !open_for_building(net->module))
        return;
    if (value > csim_mask(net->width))
        fail(net->module->sim, ERR_WIDTH, "%s: initial value %u; expected %u bits", net->path,
             value, net->width);
    net->initial = value;
    net->has_initial = true;
}

static struct csim_process *add_process(struct csim_module *module, const char *name,
                                        enum csim_process_kind kind, void (*run)(void *state))
{
    if (!open_for_building(module))
        return NULL;
    struct csim *sim = module->sim;
    char *path = make_plain_path(module, "%s", name);
    struct csim_process *process = calloc(1, sizeof *process);
    if (path == NULL || process == NULL ||
        !reserve(&sim->processes, sim->process_count, &sim->process_capacity)) {
        fail_memory(sim);
        free(process);
        free(path);
        return NULL;
    }
    *process = (struct csim_process){.module = module, .path = path, .kind = kind, .run = run};
    sim->processes[sim->process_count++] = process;
    return process;
}

struct csim_process *csim_combinational(struct csim_module *module, const char *name,
                                        void (*run)(void *state))
{
    return add_process(module, name, CSIM_COMBINATIONAL, run);
}

struct csim_process *csim_clocked(struct csim_module *module, const char *name,
                                  void (*run)(void *state))
{
    return add_process(module, name, CSIM_CLOCKED, run);
}

struct csim_process *csim_view(struct csim_module *module, const char *name,
                               void (*run)(void *state))
{
    return add_process(module, name, CSIM_VIEW, run);
}

/* Returns whether the process may access this net. */
static bool within_reach(struct csim_process *process, const struct csim_net *net)
{
    if (process == NULL || net == NULL || !open_for_building(process->module))
        return false;
    if (net->module != process->module)
        fail(process->module->sim, ERR_MISUSE,
             "%s: touches %s; expected a signal or port of its own module", process->path,
             net->path);
    return true;
}

void csim_process_reads(struct csim_process *process, struct csim_net *net)
{
    if (within_reach(process, net) && !append_net(&process->reads, net))
        fail_memory(process->module->sim);
}

void csim_process_writes(struct csim_process *process, struct csim_net *net)
{
    if (!within_reach(process, net))
        return;
    if (net->kind == CSIM_INPUT)
        fail(process->module->sim, ERR_MISUSE,
             "%s: writes the input %s; expected a signal or an output", process->path, net->path);
    if (!append_net(&process->writes, net))
        fail_memory(process->module->sim);
}
