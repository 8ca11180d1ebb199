/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/stage.h"

#include <string.h>

#include "csim/frame/host_port.h"
#include "sched/machine/expand_masks.h"

static void stage_switch(struct stage *s)
{
    if (csim_read(&s->flow_i)[s->at]) {
        stage_switches_pass(&s->switches, csim_read(&s->setting_o), csim_write(&s->lanes_o),
                            csim_read(&s->lanes_i));
        s->zero = false;
    } else if (!s->zero) {
        memset(csim_write(&s->lanes_o), 0, s->switches.lanes_out * sizeof(uint32_t));
        s->zero = true;
    }
}

/* A combinational output that is not written keeps its value, which is 0 then. */
static void stage_wire(void *state)
{
    stage_switch(state);
}

static uint32_t stage_host_row(const struct stage *s)
{
    return ports_low(csim_get(&s->host_row_i), s->row_bits);
}

/* A stage without a table computes its settings from a tag. */
static void stage_compute(struct stage *s)
{
    if (!csim_read(&s->fetch_i)[s->at])
        return;
    uint32_t word = csim_read(&s->order_i)[s->at];
    uint32_t *setting = csim_write(&s->setting_o);
    tags_settings(&s->switches.net, tags_read(&s->switches.net, word), s->number, s->way, setting);
    stage_switches_load(&s->switches, setting);
}

/* Is a row of the table read, and which? */
static bool stage_reads(const struct stage *s, uint32_t *row)
{
    bool host_re = csim_get(&s->host_re_memory_i) && csim_get(&s->host_unit_i) == s->number;
    *row = host_re ? stage_host_row(s) : csim_read(&s->order_i)[s->at];
    return host_re || csim_read(&s->fetch_i)[s->at];
}

static void stage_masks(struct stage *s)
{
    uint32_t row;
    if (stage_reads(s, &row)) {
        uint32_t *setting = csim_write(&s->setting_o);
        csim_write(&s->mask_o)[0] = s->table[row];
        masks_settings(&s->switches.net, s->table[row], setting);
        stage_switches_load(&s->switches, setting);
    }
    if (csim_get(&s->host_we_table_i) && csim_get(&s->host_unit_i) == s->number)
        s->table[stage_host_row(s)] = ports_low(csim_get(&s->host_data_i), s->switches.net.levels);
}

static void stage_table(struct stage *s)
{
    uint32_t row;
    if (stage_reads(s, &row)) {
        const uint32_t *setting = s->table + (size_t)row * s->words;
        memcpy(csim_write(&s->setting_o), setting, s->words * sizeof *setting);
        stage_switches_load(&s->switches, setting);
    }
    uint32_t column = csim_get(&s->host_column_i);
    if (csim_get(&s->host_we_table_i) && csim_get(&s->host_unit_i) == s->number &&
        column < s->words)
        s->table[(size_t)stage_host_row(s) * s->words + column] = ports_low(
            csim_get(&s->host_data_i), stage_column_bits(&s->switches.net, s->number, column));
}

/* In most cycles neither a row nor the host asks for anything. */
static void stage_load(void *state)
{
    struct stage *s = state;
    if (csim_read(&s->fetch_i)[s->at] | csim_get(&s->host_re_memory_i) |
        csim_get(&s->host_we_table_i))
        s->load(s);
}

static void stage_edge(void *state)
{
    struct stage *s = state;
    if (csim_get(&s->ce_i))
        stage_switch(s);
    stage_load(s);
}

static void stage_reset(void *state)
{
    struct stage *s = state;
    if (s->table != NULL)
        memset(s->table, 0, s->table_size);
    stage_switches_load(&s->switches, csim_read(&s->setting_o));
    s->zero = true;
}

static void stage_ports(struct stage *s, struct csim_module *module, const struct machine *machine,
                        uint32_t wave_lanes)
{
    csim_input(module, &s->ce_i, 1, 1, "ce_i");
    csim_input(module, &s->fetch_i, 1, wave_lanes, "fetch_i");
    csim_input(module, &s->order_i,
               !machine_has_order(machine) ? machine->log2_rows : machine_order_bits(machine),
               wave_lanes, "order_i");
    csim_input(module, &s->flow_i, 1, wave_lanes, "flow_i");
    csim_input(module, &s->lanes_i, machine->width + 1, s->switches.lanes_in, "lanes_i");
    csim_output(module, &s->lanes_o, machine->width + 1, s->switches.lanes_out, "lanes_o");
    csim_output(module, &s->setting_o, stage_column_bits(&s->switches.net, s->number, 0), s->words,
                "setting_o");
    if (machine_has_masks(machine))
        csim_output(module, &s->mask_o, machine->network.levels, 1, "mask_o");
}

static void stage_processes(struct stage *self, struct csim_module *module,
                            const struct machine *machine)
{
    bool registered = stage_registered(machine, self->number);
    struct csim_process *process =
        csim_clocked(module, "table", registered ? stage_edge : stage_load);
    csim_reads(process, &self->ce_i);
    csim_reads(process, &self->fetch_i);
    csim_reads(process, &self->order_i);
    HOST_TABLE_PORTS(PORTS_INPUT_DECLARE)
    csim_writes(process, &self->setting_o);
    if (self->load == stage_masks)
        csim_writes(process, &self->mask_o);
    struct csim_process *column =
        registered ? process : csim_combinational(module, "wire", stage_wire);
    csim_reads(column, &self->flow_i);
    csim_reads(column, &self->lanes_i);
    csim_reads(column, &self->setting_o);
    csim_writes(column, &self->lanes_o);
}

/* A table, or room to compute its rows in. */
static bool stage_memory(struct stage *s, struct csim_module *module, const struct machine *machine)
{
    if (machine_has_tags(machine)) {
        s->way = csim_alloc(module, sizeof *s->way << machine->network.levels);
        return s->way != NULL;
    }
    s->table_size = ((size_t)machine_columns(machine, s->number) << s->row_bits) * sizeof *s->table;
    s->table = csim_alloc(module, s->table_size);
    return s->table != NULL;
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
    s->at = registers == 0 ? 0 : registers - 1;
    s->row_bits = machine_log2_table_rows(machine);
    s->load = machine_has_tags(machine)    ? stage_compute
              : machine_has_masks(machine) ? stage_masks
                                           : stage_table;
    if (!stage_memory(s, module, machine) ||
        !stage_switches_new(&s->switches, module, &machine->network, number))
        return NULL;
    csim_on_reset(module, stage_reset);
    stage_ports(s, module, machine, registers == 0 ? 1 : depth);
    stage_processes(s, module, machine);
    return s;
}
