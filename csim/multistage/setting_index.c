/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/setting_index.h"

#include "sched/machine/machine_address.h"

#include <string.h>

uint32_t setting_index_fetch(struct setting_index *o)
{
    uint32_t word = o->words[csim_get(&o->setting_phase_i)],
             setting_index = ports_low(word, o->bits);
    ports_set(&o->setting_index_o, setting_index);
    if (o->word_bits > o->bits)
        ports_set(&o->length_o, word >> o->bits);
    return setting_index;
}

static void setting_index_edge(void *state)
{
    struct setting_index *o = state;
    bool mine = csim_get(&o->host_bank_i) == o->bank;
    uint32_t host_setting_phase = ports_low(csim_get(&o->host_row_i), o->setting_phase_bits);
    if (csim_get(&o->fetch_i))
        setting_index_fetch(o);
    if (csim_get(&o->host_re_memory_i))
        ports_set(&o->host_rdata_o, mine ? o->words[host_setting_phase] : 0);
    if (csim_get(&o->host_we_table_i) && mine)
        o->words[host_setting_phase] = ports_low(csim_get(&o->host_data_i), o->word_bits);
}

static void setting_index_reset(void *state)
{
    struct setting_index *o = state;
    memset(o->words, 0, o->size);
}

struct setting_index *setting_index_new(struct csim_module *parent, const char *name,
                                        const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct setting_index *self = csim_state(module, sizeof *self);
    if (self == NULL)
        return NULL;
    self->setting_phase_bits = machine->log2_period;
    self->bits = machine_setting_index_bits(machine);
    self->word_bits = machine_setting_index_word_bits(machine);
    self->bank = machine_stages(machine);
    self->size = sizeof *self->words << machine->log2_period;
    self->words = csim_alloc(module, self->size);
    if (self->words == NULL)
        return NULL;
    csim_on_reset(module, setting_index_reset);
    struct csim_process *process = csim_clocked(module, "edge", setting_index_edge);
    SETTING_INDEX_PORTS(PORTS_INPUT_DECLARE)
    PORTS_OUTPUT_DECLARE(setting_index, machine_setting_index_bits(machine))
    PORTS_OUTPUT_DECLARE(host_rdata, 32)
    PORTS_INPUT_DECLARE(fetch, 1)
    if (machine->reconfigures) {
        PORTS_OUTPUT_DECLARE(length, machine->log2_rows)
    }
    return self;
}
