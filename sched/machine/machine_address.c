/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/machine_address.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"

unsigned machine_column_bits(const struct machine *machine)
{
    if (machine_hops(machine))
        return bits_log2_up(wiring_most_ports(&machine->topology) * machine->reads);
    return machine_has_masks(machine) ? 0 : bits_log2_up(multistage_row_words(&machine->network));
}

unsigned machine_unit_bits(const struct machine *machine)
{
    const uint32_t units =
        machine_hops(machine) ? machine_routers(machine) : machine_units(machine);
    return bits_log2_up(MAX(units, 2));
}

unsigned machine_field_bits(const struct machine *machine)
{
    const unsigned node = machine_node_bits(machine), rows = machine->log2_rows;
    const unsigned table = machine_unit_bits(machine) + rows + machine_column_bits(machine);
    const unsigned programs = node + rows;
    const unsigned packets = node + machine->log2_packets + machine->log2_flits;
    return MAX(MAX(table, programs), MAX(packets, 4));
}

bool machine_run_word(const struct machine *machine, const struct run *run, uint32_t which,
                      uint32_t *word)
{
    switch (which) {
    case MACHINE_RUN_ROWS:
        *word = run->rows;
        return true;
    case MACHINE_RUN_FLITS:
        *word = run->flits;
        return true;
    case MACHINE_RUN_ROW_CYCLES:
        *word = run->row_cycles;
        return true;
    case MACHINE_RUN_SINGLE_PORT:
        *word = machine->reconfigures ? run->reconfigure : run->single_port;
        return machine_hops(machine) || machine->reconfigures;
    case MACHINE_RUN_PERIOD:
        *word = run->first << 16 | run->period;
        return machine_has_setting_period(machine);
    case MACHINE_RUN_PACKETS:
        *word = machine->combines ? run->operation : run->packets;
        return machine_has_setting_period(machine) || machine->combines;
    default:
        return false;
    }
}

static bool has_setting(const struct machine *machine, uint32_t unit, uint32_t row, uint32_t column)
{
    if (unit >= machine_stages(machine))
        return unit < machine_units(machine) && row >> machine->log2_period == 0 && column == 0;
    return !machine_has_tags(machine) && row >> machine_log2_table_rows(machine) == 0 &&
           column < machine_columns(machine, unit);
}

static bool has_table_word(const struct machine *machine, const struct machine_place *at)
{
    if (!machine_hops(machine))
        return has_setting(machine, at->unit, at->row, at->column);
    if (machine_is_self_timed(machine) || at->unit >= machine_routers(machine))
        return false;
    unsigned level = wiring_level(&machine->topology, at->unit);
    return at->column < machine->topology.router_ports[level] * machine->reads;
}

bool machine_has_address(const struct machine *machine, uint32_t address)
{
    const struct machine_place at = machine_place_of(machine, address);
    const bool program = at.row >> machine_log2_program_rows(machine) == 0;
    uint32_t word;
    switch (at.region) {
    case MACHINE_REGISTER:
        return !at.all && machine_run_word(machine, &(struct run){0}, at.reg, &word);
    case MACHINE_TABLE:
        return !at.all && has_table_word(machine, &at);
    case MACHINE_RECEIVE:
        return !machine_is_self_timed(machine) && program && at.node < machine_ports(machine);
    case MACHINE_SEND:
        return program && at.node < machine_ports(machine);
    case MACHINE_PACKET:
        return at.node < machine_ports(machine);
    case MACHINE_FLAGS:
    case MACHINE_ROUTER_FLAGS:
        break;
    }
    return false;
}
