/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/transit.h"

#include "sched/machine/machine_run.h"

#include <string.h>

/* Passes lanes from the entrance through stage `last`, under the prepared settings. */
static void pass(struct transit *t, unsigned last, uint32_t *restrict out, const uint32_t *in)
{
    for (unsigned s = 0; s < last; s++) {
        stage_pass(t->stage[s], t->between[s % 2], in);
        in = t->between[s % 2];
    }
    stage_pass(t->stage[last], out, in);
}

static void prepare(struct transit *t, uint32_t setting_index, unsigned last)
{
    for (unsigned s = 0; s <= last; s++)
        stage_prepare(t->stage[s], setting_index);
}

/* Finds the source of each output lane by passing lane numbers through the stages. Lane l has
 * number l + 1, because 0 means no source. */
static void compose(struct transit *t)
{
    pass(t, t->stages - 1, t->source, t->numbers);
    for (uint32_t lane = 0; lane < t->ports; lane++)
        t->source[lane] = t->source[lane] == 0 ? t->ports : t->source[lane] - 1;
    t->whole = true;
}

const uint32_t *transit_sources(struct transit *t, uint32_t setting_index)
{
    if (t->fresh || setting_index != t->prepared) {
        prepare(t, setting_index, t->stages - 1);
        t->prepared = setting_index;
        t->fresh = t->whole = false;
    }
    if (!t->whole)
        compose(t);
    return t->source;
}

void transit_leave(struct transit *t, const struct transit_entry *entry, uint32_t *restrict out)
{
    const bool other = t->fresh || entry->setting_index != t->prepared;
    if (other) {
        prepare(t, entry->setting_index, t->stages - 1);
        t->prepared = entry->setting_index;
        t->fresh = t->whole = false;
    }
    if (other || t->combines) {
        pass(t, t->stages - 1, out, entry->lanes);
        return;
    }
    t->take(out, entry->lanes, transit_sources(t, entry->setting_index), t->ports, t->ports);
}

void transit_show(struct transit *t, const struct transit_entry *entry, unsigned last,
                  uint32_t *restrict out)
{
    if (!entry->flow) {
        memset(out, 0, t->stage[last]->switches.lanes_out * sizeof *out);
        return;
    }
    prepare(t, entry->setting_index, last);
    pass(t, last, out, entry->lanes);
    transit_forget(t);
}

void transit_enter(struct transit *t, bool flow, const uint32_t *in)
{
    struct transit_entry *entry = &t->entry[t->oldest];
    entry->flow = flow;
    entry->setting_index = t->setting_index;
    if (flow)
        memcpy(t->memory + (size_t)t->oldest * t->padded, in, t->ports * sizeof *in);
    t->oldest = t->oldest + 1 == t->depth ? 0 : t->oldest + 1;
}

void transit_operate(struct transit *t, uint32_t operation)
{
    for (unsigned s = 0; s < t->stages; s++)
        t->stage[s]->switches.operation = operation;
}

void transit_number(struct transit *t, struct wide_words *wide)
{
    for (unsigned s = 0; t->combines && s < t->stages; s++)
        t->stage[s]->switches.wide = wide;
}

void transit_clear(struct transit *t)
{
    for (uint32_t k = 0; k < t->depth; k++)
        t->entry[k].flow = false;
}

void transit_reset(struct transit *t)
{
    transit_clear(t);
    t->setting_index = t->oldest = 0;
    transit_forget(t);
}

static bool allocate(struct transit *t, struct csim_module *module, uint32_t most_lanes)
{
    t->stage = csim_alloc(module, t->stages * sizeof(struct stage *));
    t->entry = csim_alloc(module, t->depth * sizeof *t->entry);
    t->memory = csim_alloc(module, (size_t)t->depth * t->padded * sizeof *t->memory);
    t->numbers = csim_alloc(module, t->padded * sizeof *t->numbers);
    t->source = csim_alloc(module, t->padded * sizeof *t->source);
    for (int k = 0; k < 2; k++)
        t->between[k] = csim_alloc(module, most_lanes * sizeof *t->between[k]);
    return t->stage != NULL && t->entry != NULL && t->memory != NULL && t->numbers != NULL &&
           t->source != NULL && t->between[0] != NULL && t->between[1] != NULL;
}

bool transit_new(struct transit *t, struct csim_module *module, const struct machine *machine)
{
    t->stages = machine_stages(machine);
    t->ports = machine_ports(machine);
    t->depth = machine_latency(machine);
    t->padded = csim_padded(t->ports);
    t->take = lanes_columns()->takes;
    t->combines = multistage_combines(&machine->network);
    if (!allocate(t, module, csim_padded(multistage_most_lanes(&machine->network))))
        return false;
    for (uint32_t lane = 0; lane < t->ports; lane++)
        t->numbers[lane] = lane + 1;
    for (uint32_t k = 0; k < t->depth; k++)
        t->entry[k].lanes = t->memory + (size_t)k * t->padded;
    return true;
}
