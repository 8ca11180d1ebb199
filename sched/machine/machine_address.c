/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/machine_address.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"

uint32_t machine_most_columns(const struct machine *machine)
{
    if (machine_hops(machine))
        return machine_has_tables(machine) ? wiring_most_ports(&machine->topology) * machine->reads
                                           : 0;
    return machine_has_masks(machine) ? 1 : multistage_row_words(&machine->network);
}

unsigned machine_column_bits(const struct machine *machine)
{
    if (machine_hops(machine))
        return bits_log2_up(wiring_most_ports(&machine->topology) * machine->reads);
    return bits_log2_up(machine_most_columns(machine));
}

unsigned machine_bank_bits(const struct machine *machine)
{
    const uint32_t banks =
        machine_hops(machine) ? machine_routers(machine) : machine_banks(machine);
    return bits_log2_up(MAX(banks, 2));
}

unsigned machine_field_bits(const struct machine *machine)
{
    const unsigned node = machine_node_bits(machine), rows = machine->log2_rows;
    const bool tables = machine_has_tables(machine) || !machine_hops(machine);
    const unsigned table =
        machine_bank_bits(machine) + (tables ? rows + machine_column_bits(machine) : 0);
    const unsigned programs = node + rows;
    const unsigned packets =
        node + machine->log2_packets + machine->log2_flits + machine_part_bits(machine);
    return MAX(MAX(table, programs), MAX(packets, MACHINE_REGISTER_BITS));
}

static uint32_t settings_word(const struct machine *machine)
{
    return (uint32_t)machine->settings |
           (uint32_t)machine_has_setting_index(machine) << MACHINE_SETTINGS_INDEX_LOW |
           (uint32_t)machine->computed << MACHINE_SETTINGS_COMPUTED_LOW |
           (uint32_t)machine->reconfigures << MACHINE_SETTINGS_RECONFIG_LOW |
           (uint32_t)machine->ranges << MACHINE_SETTINGS_RANGES_LOW |
           (uint32_t)machine->combines << MACHINE_SETTINGS_COMBINE_LOW |
           (uint32_t)machine->keeps_own << MACHINE_SETTINGS_OWN_LOW;
}

/* Finds the word of a register that describes the tables and programs. */
static bool tables_word(const struct machine *machine, uint32_t which, uint32_t *word)
{
    switch (which) {
    case MACHINE_KIND:
        *word =
            (uint32_t)machine->network.kind << MACHINE_KIND_NETWORK_LOW | (uint32_t)machine->kind;
        return true;
    case MACHINE_SETTINGS:
        *word = settings_word(machine);
        return true;
    case MACHINE_TABLES:
        *word = machine_has_tables(machine) ? UINT32_C(1) << machine_log2_table_rows(machine) : 0;
        return true;
    case MACHINE_SETTING_PERIOD:
        *word = machine_has_setting_period(machine) ? UINT32_C(1) << machine->log2_period : 0;
        return true;
    case MACHINE_PROGRAM_ROWS:
        *word = UINT32_C(1) << machine_log2_program_rows(machine);
        return true;
    case MACHINE_BANKS:
        *word = machine_hops(machine) ? machine_routers(machine) : machine_banks(machine);
        return true;
    case MACHINE_COLUMNS:
        *word = machine_most_columns(machine);
        return true;
    case MACHINE_SPLITS:
        *word = machine->ranges ? UINT32_C(1) << machine->log2_splits : 0;
        return true;
    case MACHINE_SHARED:
        *word = machine_has_node_memories(machine) ? machine_node_endpoints(machine)
                                                   : MAX(machine->shared, 1);
        return true;
    case MACHINE_BUILT_OPERATORS:
        *word = machine_built_operators(machine);
        return true;
    case MACHINE_FIELD_BITS:
        *word = machine_field_bits(machine);
        return true;
    default:
        return false;
    }
}

bool machine_built_word(const struct machine *machine, uint32_t which, uint32_t *word)
{
    switch (which) {
    case MACHINE_ID:
        *word = MACHINE_ID_WORD;
        return true;
    case MACHINE_PORTS:
        *word = machine_ports(machine);
        return true;
    case MACHINE_WIDTH:
        *word = machine->width;
        return true;
    case MACHINE_PACKETS:
        *word = UINT32_C(1) << machine->log2_packets;
        return true;
    case MACHINE_FLITS:
        *word = UINT32_C(1) << machine->log2_flits;
        return true;
    case MACHINE_ROWS:
        *word = UINT32_C(1) << machine->log2_rows;
        return true;
    case MACHINE_LATENCY:
        *word = machine_latency(machine);
        return true;
    case MACHINE_ROUTERS:
        *word = machine_routers(machine);
        return true;
    default:
        return tables_word(machine, which, word);
    }
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
        *word = run->single_port;
        return machine_hops(machine);
    case MACHINE_RUN_RECONFIGURE:
        *word = run->reconfigure;
        return machine->reconfigures;
    case MACHINE_RUN_PERIOD:
        *word = run->first << 16 | run->period;
        return machine_has_setting_period(machine);
    case MACHINE_RUN_PACKETS:
        *word = run->packets | (run->stream ? MACHINE_STREAM : 0);
        return machine_has_run_packets(machine);
    case MACHINE_RUN_OPERATOR:
        *word = run->operation;
        return machine->combines;
    default:
        return false;
    }
}

static bool has_setting(const struct machine *machine, uint32_t bank, uint32_t row, uint32_t column)
{
    if (machine->ranges && bank == machine_splits_bank(machine))
        return row >> machine->log2_splits == 0 && column == 0;
    if (bank >= machine_stages(machine))
        return bank < machine_banks(machine) && row >> machine->log2_period == 0 && column == 0;
    return !machine_has_tags(machine) && row >> machine_log2_table_rows(machine) == 0 &&
           column < machine_columns(machine, bank);
}

static bool has_table_word(const struct machine *machine, const struct machine_place *at)
{
    if (!machine_hops(machine))
        return has_setting(machine, at->bank, at->row, at->column);
    if (machine_is_self_timed(machine) || at->bank >= machine_routers(machine))
        return false;
    unsigned level = wiring_level(&machine->topology, at->bank);
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
        return machine_has_receive_programs(machine) && program && at.node < machine_ports(machine);
    case MACHINE_SEND:
        return program && at.node < machine_ports(machine);
    case MACHINE_PACKET:
        return at.node < machine_ports(machine) && at.part < machine_parts(machine);
    case MACHINE_FLAGS:
    case MACHINE_ROUTER_FLAGS:
        break;
    }
    return false;
}
