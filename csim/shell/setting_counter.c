/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/setting_counter.h"

void setting_counter_pass(struct setting_counter *t)
{
    uint32_t period = csim_get(&t->period_i) & 0xffff;
    uint32_t setting_phase = csim_get(&t->setting_phase_o), base = csim_get(&t->base_o);
    bool last = setting_phase == ports_low(period - 1, t->setting_phase_bits);
    ports_set(&t->setting_phase_o, last ? 0 : ports_low(setting_phase + 1, t->setting_phase_bits));
    ports_set(&t->base_o, last ? ports_low(base + period, t->base_bits) : base);
}

static void setting_counter_edge(void *state)
{
    struct setting_counter *t = state;
    if (csim_get(&t->rst_i) || csim_get(&t->start_i)) {
        ports_set(&t->setting_phase_o,
                  ports_low(csim_get(&t->period_i) >> 16, t->setting_phase_bits));
        ports_set(&t->base_o, 0);
    } else if (csim_get(&t->fetch_i)) {
        setting_counter_pass(t);
    }
}

struct setting_counter *setting_counter_new(struct csim_module *parent, const char *name,
                                            const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct setting_counter *self = csim_state(module, sizeof *self);
    if (self == NULL)
        return NULL;
    self->setting_phase_bits = machine->log2_period;
    self->base_bits = machine_offset_bits(machine);
    struct csim_process *process = csim_clocked(module, "edge", setting_counter_edge);
    SETTING_COUNTER_PORTS(PORTS_INPUT_DECLARE, PORTS_OUTPUT_DECLARE)
    return self;
}
