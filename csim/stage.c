#include "stage.h"

#include <string.h>

#include "host_port.h"

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

static void stage_table(void *state)
{
    struct stage *s = state;
    bool fetch = csim_read(&s->fetch_i)[s->at];
    bool host_re = csim_get(&s->host_re_i) && csim_get(&s->host_stage_i) == s->number;
    if (fetch || host_re) {
        uint32_t row = host_re ? csim_get(&s->host_row_i) : csim_read(&s->row_i)[s->at];
        const uint32_t *setting = s->table + (size_t)row * s->words;
        memcpy(csim_write(&s->setting_o), setting, s->words * sizeof *setting);
        stage_switches_load(&s->switches, setting);
    }
    uint32_t column = csim_get(&s->host_column_i);
    if (csim_get(&s->host_strobe_i) && csim_get(&s->host_stage_i) == s->number && column < s->words)
        s->table[(size_t)csim_get(&s->host_row_i) * s->words + column] =
            ports_low(csim_get(&s->host_wdata_i), s->word_bits);
}

static void stage_edge(void *state)
{
    struct stage *s = state;
    if (csim_get(&s->ce_i))
        stage_switch(s);
    stage_table(s);
}

static void stage_reset(void *state)
{
    struct stage *s = state;
    memset(s->table, 0, s->table_size);
    stage_switches_load(&s->switches, s->table);
    s->zero = true;
}

static void stage_ports(struct stage *s, struct csim_module *module, const struct machine *machine,
                        uint32_t wave_lanes)
{
    csim_input(module, &s->ce_i, 1, 1, "ce_i");
    csim_input(module, &s->fetch_i, 1, wave_lanes, "fetch_i");
    csim_input(module, &s->row_i, machine->log2_rows, wave_lanes, "row_i");
    csim_input(module, &s->flow_i, 1, wave_lanes, "flow_i");
    csim_input(module, &s->lanes_i, machine->width + 1, s->switches.lanes_in, "lanes_i");
    csim_output(module, &s->lanes_o, machine->width + 1, s->switches.lanes_out, "lanes_o");
    csim_input(module, &s->host_strobe_i, 1, 1, "host_strobe_i");
    csim_input(module, &s->host_re_i, 1, 1, "host_re_i");
    csim_input(module, &s->host_stage_i, host_port_stage_width(machine), 1, "host_stage_i");
    csim_input(module, &s->host_row_i, machine->log2_rows, 1, "host_row_i");
    csim_input(module, &s->host_column_i, host_port_column_width(machine), 1, "host_column_i");
    csim_input(module, &s->host_wdata_i, 32, 1, "host_wdata_i");
    csim_output(module, &s->setting_o, s->word_bits, s->words, "setting_o");
}

static void stage_processes(struct stage *s, struct csim_module *module, bool registered)
{
    struct csim_process *table = csim_clocked(module, "table", registered ? stage_edge : stage_table);
    csim_reads(table, &s->ce_i);
    csim_reads(table, &s->fetch_i);
    csim_reads(table, &s->row_i);
    csim_reads(table, &s->host_strobe_i);
    csim_reads(table, &s->host_re_i);
    csim_reads(table, &s->host_stage_i);
    csim_reads(table, &s->host_row_i);
    csim_reads(table, &s->host_column_i);
    csim_reads(table, &s->host_wdata_i);
    csim_writes(table, &s->setting_o);
    struct csim_process *column = registered ? table : csim_combinational(module, "wire", stage_wire);
    csim_reads(column, &s->flow_i);
    csim_reads(column, &s->lanes_i);
    csim_reads(column, &s->setting_o);
    csim_writes(column, &s->lanes_o);
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
    s->word_bits = stage_word_bits(machine, number);
    s->at = registers == 0 ? 0 : registers - 1;
    s->table_size = ((size_t)s->words << machine->log2_rows) * sizeof *s->table;
    s->table = csim_alloc(module, s->table_size);
    if (s->table == NULL || !stage_switches_new(&s->switches, module, &machine->network, number))
        return NULL;
    csim_on_reset(module, stage_reset);
    stage_ports(s, module, machine, registers == 0 ? 1 : depth);
    stage_processes(s, module, stage_registered(machine, number));
    return s;
}
