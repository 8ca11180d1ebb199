/* SPDX-License-Identifier: Apache-2.0 */
/* The running functions of csim.h: reset, settle, edge, commit; and the access of the testbench. */
#include "csim/kernel/csim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "csim/kernel/kernel.h"
#include "sched/base/text.h"

#define HUGE_PAGE ((size_t)2 << 20)

void *csim_aligned_zeros(size_t bytes)
{
    if (bytes > SIZE_MAX - HUGE_PAGE)
        return NULL;
    size_t align = bytes < HUGE_PAGE ? 64 : HUGE_PAGE;
    size_t rounded = bytes == 0 ? align : (bytes + align - 1) / align * align;
    void *block = aligned_alloc(align, rounded);
    if (block == NULL)
        return NULL;
    /* A cycle reads memories across many nodes: with small pages every word would be on another
     * page. */
    if (align == HUGE_PAGE)
        madvise(block, rounded, MADV_HUGEPAGE);
    memset(block, 0, rounded);
    return block;
}

void csim_reset(struct csim *sim)
{
    for (size_t n = 0; n < sim->nets.count; n++) {
        const struct csim_net *net = sim->nets.at[n];
        if (net->kind != CSIM_SIGNAL)
            continue;
        for (uint32_t element = 0; element < net->elements; element++)
            net->wire->now[element] = net->initial;
        *net->wire->written = 0;
    }
    for (size_t m = 0; m < sim->module_count; m++)
        if (sim->modules[m]->reset != NULL)
            sim->modules[m]->reset(sim->modules[m]->state);
    sim->settled = false;
}

void csim_settle(struct csim *sim)
{
    if (sim->settled)
        return;
    for (size_t c = 0; c < sim->combinational; c++)
        sim->calls[c].run(sim->calls[c].state);
    sim->settled = true;
    sim->shown = false;
}

void csim_show(struct csim *sim)
{
    csim_settle(sim);
    if (sim->shown)
        return;
    for (size_t c = sim->clocked_end; c < sim->call_count; c++)
        sim->calls[c].run(sim->calls[c].state);
    sim->shown = true;
}

static void run_clocked(struct csim *sim)
{
    for (size_t c = sim->combinational; c < sim->clocked_end; c++)
        sim->calls[c].run(sim->calls[c].state);
}

static inline void swap(struct csim_wire *wire)
{
    uint32_t *now = wire->now;
    wire->now = wire->next;
    wire->next = now;
}

/* Returns the index of the lowest set flag among eight, each a byte of 0 or 1, in their word. */
static inline unsigned lowest_flag(uint64_t flags)
{
    unsigned byte = (unsigned)__builtin_ctzll(flags) / 8;
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? byte : 7 - byte;
}

/* Most registers keep their values, so their flags are examined eight at a time. */
static void commit(struct csim *sim)
{
    for (size_t first = 0; first < sim->registers; first += CSIM_FLAGS_AT_ONCE) {
        uint64_t any;
        memcpy(&any, sim->written + first, sizeof any);
        if (any == 0)
            continue;
        memset(sim->written + first, 0, sizeof any);
        for (; any != 0; any &= any - 1)
            swap(&sim->wires[first + lowest_flag(any)]);
    }
    sim->settled = false;
    sim->cycles++;
}

void csim_cycle(struct csim *sim)
{
    csim_settle(sim);
    run_clocked(sim);
    commit(sim);
    if (sim->tracing != NULL) {
        csim_show(sim);
        csim_trace_cycle(sim->tracing);
    }
}

uint64_t csim_leap(struct csim *sim, uint64_t most)
{
    if (sim->leaper == NULL || sim->tracing != NULL)
        return 0;
    csim_settle(sim);
    uint64_t cycles = sim->leap(sim->leaper->state, most);
    if (cycles != 0) {
        commit(sim);
        sim->cycles += cycles - 1;
    }
    return cycles;
}

/* The pattern that csim_audit writes to elements that a process should write: too wide for all but
 * 32-bit elements. */
#define UNWRITTEN UINT32_C(0xDEADBEEF)

static bool values_fit(const struct csim *sim, struct err *err)
{
    for (size_t n = 0; n < sim->nets.count; n++) {
        const struct csim_net *net = sim->nets.at[n];
        for (uint32_t element = 0; net->kind == CSIM_SIGNAL && element < net->elements; element++)
            if (net->wire->now[element] > csim_mask(net->width))
                return err_set(err, ERR_WIDTH,
                               "%s: element %u is 0x%" PRIX32 " after cycle %" PRIu64
                               "%s; expected %u bit%s",
                               net->path, element, net->wire->now[element], sim->cycles,
                               net->wire->now[element] == UNWRITTEN ? ", not written" : "",
                               net->width, text_s(net->width));
    }
    return true;
}

bool csim_audit(struct csim *sim, struct err *err)
{
    csim_settle(sim);
    for (size_t n = 0; n < sim->nets.count; n++) {
        const struct csim_net *net = sim->nets.at[n];
        if (net->kind == CSIM_SIGNAL && net->wire->next != net->wire->now)
            for (uint32_t element = 0; element < net->elements; element++)
                net->wire->next[element] = UNWRITTEN;
    }
    csim_cycle(sim);
    csim_show(sim);
    return values_fit(sim, err);
}

uint64_t csim_cycles(const struct csim *sim)
{
    return sim->cycles;
}

static int path_against(const void *path, const void *object)
{
    return strcmp(path, ((const struct csim_object *)object)->path);
}

struct csim_net *csim_find(const struct csim *sim, const char *path)
{
    const struct csim_object *object =
        bsearch(path, sim->index, sim->index_count, sizeof *sim->index, path_against);
    return object == NULL ? NULL : object->net;
}

size_t csim_net_count(const struct csim *sim)
{
    return sim->nets.count;
}

struct csim_net *csim_net_at(const struct csim *sim, size_t index)
{
    return sim->nets.at[index];
}

const char *csim_path(const struct csim_net *net)
{
    return net->path;
}

enum csim_kind csim_kind(const struct csim_net *net)
{
    return net->kind;
}

unsigned csim_width(const struct csim_net *net)
{
    return net->width;
}

uint32_t csim_elements(const struct csim_net *net)
{
    return net->elements;
}

const uint32_t *csim_peek(const struct csim_net *net)
{
    if (net->signal->driver != NULL && net->signal->driver->kind == CSIM_VIEW)
        csim_show(net->module->sim);
    return net->wire->now;
}

uint32_t *csim_poke(struct csim_net *net)
{
    if (!net->signal->external)
        return NULL;
    net->module->sim->settled = false;
    return net->wire->now;
}
