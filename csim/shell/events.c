/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/events.h"

enum { EVENT_DONE = 1, EVENT_ERROR = 2 };

/* Returns the bits that the host writes to a register in this cycle. */
static uint32_t written(const struct events *e, enum machine_register which)
{
    bool writes = csim_get(&e->host_we_event_i) && csim_get(&e->host_register_i) == which;
    return writes ? csim_get(&e->host_data_i) & (EVENT_DONE | EVENT_ERROR) : 0;
}

static uint32_t cause_of(const struct events *e)
{
    uint32_t node = csim_get(&e->node_first_i);
    return node != 0 || !e->hops ? node : csim_get(&e->router_first_i);
}

static void events_clear(struct events *e)
{
    e->done = e->ends = false;
    ports_set(&e->state_o, 0);
    ports_set(&e->enable_o, 0);
    ports_set(&e->runs_o, 0);
    ports_set(&e->cause_o, 0);
    ports_set(&e->error_o, 0);
    ports_set(&e->irq_o, 0);
}

/* Updates the interrupts; `sets` are those of the run. */
static void events_interrupt(struct events *e, uint32_t sets)
{
    uint32_t state = csim_get(&e->state_o) & ~written(e, MACHINE_INTERRUPT_STATE);
    uint32_t enable = csim_get(&e->enable_o);
    state |= written(e, MACHINE_INTERRUPT_TEST) | sets;
    if (csim_get(&e->host_we_event_i) && csim_get(&e->host_register_i) == MACHINE_INTERRUPT_ENABLE)
        enable = written(e, MACHINE_INTERRUPT_ENABLE);
    ports_set(&e->state_o, state);
    ports_set(&e->enable_o, enable);
    ports_set(&e->irq_o, (state & enable) != 0);
}

/* Counts a cycle: start, reset and activity have their effect one cycle later. */
static void events_count(struct events *e)
{
    if (e->clears)
        ports_set(&e->cycles_o, 0);
    else if (e->counts)
        ports_set(&e->cycles_o, csim_get(&e->cycles_o) + 1);
    e->clears = csim_get(&e->rst_i) || csim_get(&e->start_i);
    e->counts = csim_get(&e->active_i);
}

static void events_edge(void *state)
{
    struct events *e = state;
    bool start = csim_get(&e->start_i), done = csim_get(&e->done_i), ends = e->ends;
    const uint32_t first = e->first;
    const bool started = e->clears;
    events_count(e);
    if (csim_get(&e->rst_i)) {
        events_clear(e);
        return;
    }
    e->ends = done && !e->done;
    e->done = done;
    if (e->ends)
        e->first = cause_of(e);
    if (ends)
        ports_set(&e->runs_o, ports_low(csim_get(&e->runs_o) + 1, 16));
    if (start) {
        ports_set(&e->cause_o, 0);
        ports_set(&e->error_o, 0);
    } else if (ends && !started && first != 0) {
        ports_set(&e->cause_o, first);
        ports_set(&e->error_o, 1);
    }
    if (ends || csim_get(&e->host_we_event_i))
        events_interrupt(e, (ends ? EVENT_DONE : 0) | (ends && first != 0 ? EVENT_ERROR : 0));
}

static void events_reset(void *state)
{
    struct events *e = state;
    e->done = e->ends = e->clears = e->counts = false;
}

struct events *events_new(struct csim_module *parent, const char *name,
                          const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct events *self = csim_state(module, sizeof *self);
    if (self == NULL)
        return NULL;
    self->hops = machine_hops(machine);
    csim_on_reset(module, events_reset);
    struct csim_process *process = csim_clocked(module, "edge", events_edge);
    EVENTS_PORTS(PORTS_INPUT_DECLARE, PORTS_OUTPUT_DECLARE)
    if (self->hops) {
        PORTS_INPUT_DECLARE(router_first, 32)
    }
    return self;
}

void events_leap(struct events *e, uint32_t edges)
{
    ports_set(&e->cycles_o, csim_get(&e->cycles_o) + e->counts + edges - 1);
    e->counts = true;
}
