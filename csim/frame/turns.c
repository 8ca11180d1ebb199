/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/frame/turns.h"

static void turns_edge(void *state)
{
    struct turns *t = state;
    uint32_t word = csim_get(&t->period_i), period = word & 0xffff, first = word >> 16;
    uint32_t beat = csim_get(&t->beat_o), base = csim_get(&t->base_o);
    if (csim_get(&t->rst_i) || csim_get(&t->start_i)) {
        beat = ports_low(first, t->beat_bits);
        base = 0;
    } else if (csim_get(&t->fetch_i)) {
        bool last = beat == ports_low(period - 1, t->beat_bits);
        beat = last ? 0 : ports_low(beat + 1, t->beat_bits);
        base = last ? ports_low(base + period, t->base_bits) : base;
    }
    ports_set(&t->beat_o, beat);
    ports_set(&t->base_o, base);
}

struct turns *turns_new(struct csim_module *parent, const char *name, const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct turns *self = csim_state(module, sizeof *self);
    if (self == NULL)
        return NULL;
    self->beat_bits = machine->log2_period;
    self->base_bits = machine_offset_bits(machine);
    struct csim_process *process = csim_clocked(module, "edge", turns_edge);
    TURNS_PORTS(PORTS_INPUT_DECLARE, PORTS_OUTPUT_DECLARE)
    return self;
}
