/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/order.h"

#include <string.h>

uint32_t order_fetch(struct order *o)
{
    uint32_t word = o->words[csim_get(&o->setting_phase_i)], order = ports_low(word, o->bits);
    ports_set(&o->order_o, order);
    if (o->word_bits > o->bits)
        ports_set(&o->length_o, word >> o->bits);
    return order;
}

static void order_edge(void *state)
{
    struct order *o = state;
    bool mine = csim_get(&o->host_unit_i) == o->unit;
    uint32_t host_setting_phase = ports_low(csim_get(&o->host_row_i), o->setting_phase_bits);
    if (csim_get(&o->fetch_i))
        order_fetch(o);
    if (csim_get(&o->host_re_memory_i))
        ports_set(&o->host_rdata_o, mine ? o->words[host_setting_phase] : 0);
    if (csim_get(&o->host_we_table_i) && mine)
        o->words[host_setting_phase] = ports_low(csim_get(&o->host_data_i), o->word_bits);
}

static void order_reset(void *state)
{
    struct order *o = state;
    memset(o->words, 0, o->size);
}

struct order *order_new(struct csim_module *parent, const char *name, const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct order *self = csim_state(module, sizeof *self);
    if (self == NULL)
        return NULL;
    self->setting_phase_bits = machine->log2_period;
    self->bits = machine_order_bits(machine);
    self->word_bits = machine_order_word_bits(machine);
    self->unit = machine_stages(machine);
    self->size = sizeof *self->words << machine->log2_period;
    self->words = csim_alloc(module, self->size);
    if (self->words == NULL)
        return NULL;
    csim_on_reset(module, order_reset);
    struct csim_process *process = csim_clocked(module, "edge", order_edge);
    ORDER_PORTS(PORTS_INPUT_DECLARE)
    PORTS_OUTPUT_DECLARE(order, machine_order_bits(machine))
    PORTS_OUTPUT_DECLARE(host_rdata, 32)
    PORTS_INPUT_DECLARE(fetch, 1)
    if (machine->reconfigures) {
        PORTS_OUTPUT_DECLARE(length, machine->log2_rows)
    }
    return self;
}
