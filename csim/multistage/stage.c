/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/stage.h"

#include <string.h>

#include "csim/shell/host_port.h"
#include "csim/shell/wide_words.h"
#include "sched/machine/expand.h"

/* -- The setting of a setting index ------------------------------------------------------------ */

static const uint32_t *find_table(struct stage *s, uint32_t setting_index)
{
    return s->table + (size_t)setting_index * s->words;
}

static const uint32_t *find_mask(struct stage *s, uint32_t setting_index)
{
    masks_settings(&s->switches.net, s->table[setting_index], s->computed);
    return s->computed;
}

/* A stage without a table computes its settings from a tag. */
static const uint32_t *find_tag(struct stage *s, uint32_t setting_index)
{
    struct tag tag = tags_read(&s->switches.net, setting_index);
    tags_settings(&s->switches.net, tag, s->number, s->shift, s->computed);
    return s->computed;
}

/* -- The table --------------------------------------------------------------------------------- */

static uint32_t stage_host_row(const struct stage *s)
{
    return ports_low(csim_get(&s->host_row_i), s->row_bits);
}

static void stage_load_row(struct stage *s, uint32_t row)
{
    if (s->find == find_mask)
        csim_put(&s->mask_o, s->table[row]);
    else
        memcpy(csim_write(&s->setting_o), find_table(s, row), s->words * sizeof *s->table);
}

static void stage_host_write(struct stage *s)
{
    uint32_t column = csim_get(&s->host_column_i), word = csim_get(&s->host_data_i);
    if (s->find == find_mask)
        s->table[stage_host_row(s)] = ports_low(word, s->switches.net.levels);
    else if (column < s->words)
        s->table[(size_t)stage_host_row(s) * s->words + column] =
            ports_low(word, stage_column_bits(&s->switches.net, s->number, column));
}

void stage_load(struct stage *s, bool fetch, uint32_t setting_index)
{
    if (s->table == NULL) {
        s->tag = fetch ? setting_index : s->tag;
        s->tagged |= fetch;
        return;
    }
    bool host = csim_get(&s->host_bank_i) == s->number;
    bool host_re = host && csim_get(&s->host_re_memory_i);
    if (fetch || host_re)
        stage_load_row(s, host_re ? stage_host_row(s) : setting_index);
    if (host && csim_get(&s->host_we_table_i))
        stage_host_write(s);
}

void stage_show(struct stage *s)
{
    if (s->find == find_mask)
        masks_settings(&s->switches.net, csim_get(&s->mask_o), csim_write(&s->setting_o));
    else if (s->tagged)
        memcpy(csim_write(&s->setting_o), find_tag(s, s->tag), s->words * sizeof(uint32_t));
}

static void stage_reset(void *state)
{
    struct stage *s = state;
    if (s->table != NULL)
        memset(s->table, 0, s->table_size);
    s->tagged = false;
}

/* -- Building ---------------------------------------------------------------------------------- */

static void stage_ports(struct stage *self, struct csim_module *module,
                        const struct machine *machine, uint32_t wave_lanes)
{
    csim_input(module, &self->ce_i, 1, 1, "ce_i");
    csim_input(module, &self->fetch_i, 1, wave_lanes, "fetch_i");
    csim_input(module, &self->setting_index_i,
               !machine_has_setting_index(machine) ? machine->log2_rows
                                                   : machine_setting_index_bits(machine),
               wave_lanes, "setting_index_i");
    csim_input(module, &self->flow_i, 1, wave_lanes, "flow_i");
#define INPUT(name, width) csim_input(module, &self->name##_i, (width), 1, #name "_i");
    HOST_TABLE_PORTS(INPUT)
#undef INPUT
    csim_input(module, &self->lanes_i, wide_words_lane_bits(machine) + 1, self->switches.lanes_in,
               "lanes_i");
    csim_output(module, &self->lanes_o, wide_words_lane_bits(machine) + 1, self->switches.lanes_out,
                "lanes_o");
    csim_output(module, &self->setting_o, stage_column_bits(&self->switches.net, self->number, 0),
                self->words, "setting_o");
    if (machine_has_masks(machine))
        csim_output(module, &self->mask_o, machine->network.levels, 1, "mask_o");
}

/* Allocates the table, the memory to compute its rows in, or both. */
static bool stage_memory(struct stage *s, struct csim_module *module, const struct machine *machine)
{
    bool tags = machine_has_tags(machine), masks = machine_has_masks(machine);
    s->find = tags ? find_tag : masks ? find_mask : find_table;
    s->table_size = ((size_t)machine_columns(machine, s->number) << s->row_bits) * sizeof *s->table;
    s->table = tags ? NULL : csim_alloc(module, s->table_size);
    s->shift = tags ? csim_alloc(module, sizeof *s->shift << machine->network.levels) : NULL;
    s->computed = tags || masks ? csim_alloc(module, s->words * sizeof *s->computed) : NULL;
    return tags ? s->shift != NULL && s->computed != NULL
                : s->table != NULL && (!masks || s->computed != NULL);
}

struct stage *stage_new(struct csim_module *parent, const struct machine *machine, unsigned number,
                        unsigned registers, unsigned depth)
{
    struct csim_module *module = csim_module(parent, "stage%u", number);
    struct stage *s = csim_state(module, sizeof *s);
    if (s == NULL)
        return NULL;
    s->number = number;
    s->words = multistage_columns(&machine->network, number);
    s->registers = registers;
    s->row_bits = machine_log2_table_rows(machine);
    if (!stage_memory(s, module, machine) ||
        !stage_switches_new(&s->switches, module, machine, number))
        return NULL;
    csim_on_reset(module, stage_reset);
    stage_ports(s, module, machine, registers == 0 ? 1 : depth);
    return s;
}
