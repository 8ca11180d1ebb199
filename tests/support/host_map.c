/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/host_map.h"

#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

/* -- Fields ------------------------------------------------------------------------------------ */

static uint32_t host_map_low(uint32_t word, unsigned bits)
{
    return (uint32_t)(word & ((UINT64_C(1) << bits) - 1));
}

static unsigned host_map_column_bits(const struct host_map *map)
{
    /* Machines of self-timed nodes have no tables. */
    return machine_is_autonomous(&map->machine) ? 0 : machine_column_bits(&map->machine);
}

static unsigned host_map_bank_bits(const struct host_map *map)
{
    return map->banks < 3 ? 1 : bits_log2_up(map->banks);
}

unsigned host_map_bits(const struct host_map *map, uint32_t region)
{
    const struct machine *machine = &map->machine;
    unsigned node = machine_node_bits(machine);
    const unsigned bits[HOST_MAP_REGIONS] = {6,
                                             host_map_bank_bits(map) + machine->log2_rows +
                                                 host_map_column_bits(map),
                                             node + machine->log2_rows,
                                             node + machine->log2_rows,
                                             node + machine->log2_packets + machine->log2_flits,
                                             node,
                                             host_map_bank_bits(map),
                                             node};
    return bits[region];
}

/* -- Which bits are kept ----------------------------------------------------------------------- */

/* Returns the bits of a word of a stage's table, whose last column may be short. */
static uint32_t host_map_stage_mask(const struct host_map *map, unsigned stage, uint32_t column)
{
    const struct multistage *net = &map->machine.network;
    if (map->machine.settings == MACHINE_MASKS)
        return column == 0 ? (1u << net->levels) - 1 : 0;
    if (map->machine.settings == MACHINE_TAGS)
        return 0;
    unsigned bits = multistage_field_bits(net, stage), fields = multistage_fields(net, stage);
    unsigned before = column * (32 / bits), left = fields > before ? fields - before : 0;
    return host_map_low(UINT32_MAX, bits * (left < 32 / bits ? left : 32 / bits));
}

/* Returns the bits of a word of a router's table: {valid, source, slot} in the columns of first
 * read ports, with bits 30 and 29 if the router combines, and {slot} in those of others. */
static uint32_t host_map_router_mask(const struct host_map *map, uint32_t router, uint32_t column)
{
    const struct machine *machine = &map->machine;
    if (machine_is_self_timed(machine) || router >= machine_routers(machine))
        return 0;
    unsigned level = wiring_level(&machine->topology, router);
    uint32_t columns = machine->topology.router_ports[level] * machine->reads,
             depth = machine->depth[level];
    uint32_t slot = depth < 3 ? 1 : (1u << bits_log2_up(depth)) - 1;
    if (column >= columns)
        return 0;
    bool first = column % machine->reads == 0;
    const uint32_t flags = machine->combines ? UINT32_C(7) << 29 : UINT32_C(1) << 31;
    return slot | (first ? flags | ((1u << bits_log2_up(columns)) - 1) << 16 : 0);
}

static uint32_t host_map_table_mask(const struct host_map *map, uint32_t bank, uint32_t column)
{
    const struct machine *machine = &map->machine;
    if (machine_hops(machine))
        return host_map_router_mask(map, bank, column);
    if (bank < machine_stages(machine))
        return host_map_stage_mask(map, bank, column);
    if (bank >= map->banks)
        return 0;
    /* {gives, others, nodes} */
    const uint32_t nodes = (1u << machine_node_bits(machine)) - 1;
    return machine->ranges ? MACHINE_VALID | nodes << 16 | nodes
                           : host_map_low(UINT32_MAX, machine_setting_index_word_bits(machine));
}

static uint32_t host_map_node_mask(const struct host_map *map, uint32_t region)
{
    const struct machine *machine = &map->machine;
    const unsigned members = machine->shared > 1 ? bits_log2_up(machine->shared) : 0;
    uint32_t entry = machine->computed ? (1u << machine_offset_bits(machine)) - 1
                                       : (1u << machine->log2_packets) - 1;
    if (region == MACHINE_PACKET)
        return MACHINE_VALID | ((1u << machine->width) - 1);
    if (region == MACHINE_SEND && machine->ranges)
        return MACHINE_VALID | ((1u << machine_node_bits(machine)) - 1);
    if (region == MACHINE_SEND)
        return MACHINE_VALID | (machine->keeps_own ? UINT32_C(3) << 29 : 0) | entry |
               entry << members;
    if (region == MACHINE_RECEIVE && !machine_is_self_timed(machine) && !machine->ranges)
        return MACHINE_VALID | (machine->computed ? 0 : MACHINE_MORE) |
               (machine->combines ? 1u << 29 : 0) | (machine->keeps_own ? 1u << 28 : 0) | entry;
    return 0;
}

static uint32_t host_map_register_mask(const struct host_map *map, uint32_t reg)
{
    const struct machine *machine = &map->machine;
    bool setting_period = machine_has_setting_period(machine), hops = machine_hops(machine);
    switch (reg) {
    case MACHINE_RUN_ROWS:
        return (2u << machine->log2_rows) - 1;
    case MACHINE_RUN_FLITS:
        return (2u << machine->log2_flits) - 1;
    case MACHINE_RUN_ROW_CYCLES:
        return 0xffff;
    case MACHINE_RUN_SINGLE_PORT:
        return hops;
    case MACHINE_RUN_RECONFIGURE:
        return machine->reconfigures ? UINT32_MAX : 0;
    case MACHINE_RUN_PERIOD:
        return setting_period ? UINT32_MAX : 0;
    case MACHINE_RUN_PACKETS:
        return (machine->computed ? 1u << 31 : 0) | /* a stream */
               (setting_period || machine->ranges ? (2u << machine->log2_packets) - 1 : 0);
    case MACHINE_RUN_OPERATOR:
        return machine->combines ? 7 : 0;
    default:
        return 0;
    }
}

/* -- Words ------------------------------------------------------------------------------------- */

/* Returns the location of a word of a table, and the mask of its stored bits. A smaller memory
 * ignores the high bits of a row. */
static uint32_t *host_map_table(const struct host_map *map, uint32_t field, uint32_t *mask)
{
    const struct machine *machine = &map->machine;
    unsigned column_bits = host_map_column_bits(map);
    uint32_t column = host_map_low(field, column_bits);
    uint32_t row = host_map_low(field >> column_bits, machine->log2_rows);
    uint32_t bank =
        host_map_low(field >> column_bits >> machine->log2_rows, host_map_bank_bits(map));
    bool setting_index = !machine_hops(machine) && bank >= machine_stages(machine);
    *mask = host_map_table_mask(map, bank, column);
    if (setting_index)
        column = 0,
        row = host_map_low(row, machine->ranges ? machine->log2_splits : machine->log2_period);
    else if (!machine_hops(machine))
        row = host_map_low(row, machine_log2_table_rows(machine));
    return &map->word[MACHINE_TABLE][((bank << machine->log2_rows | row) << column_bits) | column];
}

/* Returns the location of a word of a node's memory; NULL if there is no such node. */
static uint32_t *host_map_node(const struct host_map *map, uint32_t region, uint32_t node,
                               uint32_t field)
{
    const struct machine *machine = &map->machine;
    unsigned bits =
        region == MACHINE_PACKET ? machine->log2_packets + machine->log2_flits : machine->log2_rows;
    uint32_t at =
        host_map_low(field, region == MACHINE_PACKET ? bits : machine_log2_program_rows(machine));
    return node < map->nodes ? &map->word[region][(node << bits) | at] : NULL;
}

static uint32_t host_map_node_of(const struct host_map *map, uint32_t region, uint32_t field)
{
    const struct machine *machine = &map->machine;
    unsigned bits =
        region == MACHINE_PACKET ? machine->log2_packets + machine->log2_flits : machine->log2_rows;
    return host_map_low(field >> bits, machine_node_bits(machine));
}

/* Records a write to a register of events: state, which ones clear; enable; test, which sets the
 * state. */
static void host_map_write_event(struct host_map *map, uint32_t reg, uint32_t bits)
{
    if (reg == 48)
        map->reg[48] &= ~bits;
    if (reg == 49)
        map->reg[49] = bits;
    if (reg == 50)
        map->reg[48] |= bits;
}

/* Returns the operators that are built: bit i stands for operator i. */
static uint32_t host_map_operators(const struct machine *machine)
{
    return !machine->combines ? 0 : machine->operators == 0 ? 0x7f : machine->operators;
}

bool host_map_rejects(const struct host_map *map, uint32_t address, uint32_t word)
{
    return map->machine.combines && (address >> 28 & 7) == MACHINE_REGISTER &&
           address % HOST_MAP_REGISTERS == MACHINE_RUN_OPERATOR &&
           !(host_map_operators(&map->machine) >> (word & 7) & 1);
}

void host_map_write(struct host_map *map, uint32_t address, uint32_t word)
{
    uint32_t region = address >> 28 & 7, field = host_map_low(address, 28), mask;
    bool all = address & MACHINE_ALL_NODES;
    if (host_map_rejects(map, address, word))
        return;
    if (region == MACHINE_REGISTER && field % HOST_MAP_REGISTERS >= HOST_MAP_EVENTS) {
        host_map_write_event(map, field % HOST_MAP_REGISTERS, word & 3);
    } else if (region == MACHINE_REGISTER) {
        mask = host_map_register_mask(map, field % HOST_MAP_REGISTERS);
        if (mask != 0)
            map->reg[field % HOST_MAP_REGISTERS] = word & mask;
    } else if (region == MACHINE_TABLE) {
        uint32_t *at = host_map_table(map, field, &mask);
        *at = mask == 0 ? *at : word & mask;
    } else if (region <= MACHINE_PACKET) {
        /* A node that combines shows a word that is not held as 0. */
        if (region == MACHINE_PACKET && machine_has_node_memories(&map->machine) &&
            !(word & MACHINE_VALID))
            word = 0;
        for (uint32_t node = 0; node < map->nodes; node++)
            if (all || node == host_map_node_of(map, region, field))
                *host_map_node(map, region, node, field) = word & host_map_node_mask(map, region);
    }
}

uint32_t host_map_read(const struct host_map *map, uint32_t address)
{
    uint32_t region = address >> 28 & 7, field = host_map_low(address, 28), mask, word = 0;
    if (region == MACHINE_REGISTER)
        return map->reg[field % HOST_MAP_REGISTERS];
    if (region == MACHINE_TABLE) {
        const uint32_t *at = host_map_table(map, field, &mask);
        return mask == 0 ? 0 : *at;
    }
    if (region > MACHINE_PACKET)
        return 0;
    for (uint32_t node = 0; node < map->nodes; node++)
        if (address & MACHINE_ALL_NODES || node == host_map_node_of(map, region, field))
            word |= *host_map_node(map, region, node, field);
    return word;
}

uint32_t host_map_shown(const struct host_map *map, uint32_t address, uint32_t node)
{
    uint32_t region = address >> 28 & 7;
    return region > MACHINE_PACKET ? 0
                                   : *host_map_node(map, region, node, host_map_low(address, 28));
}

void host_map_reset(struct host_map *map)
{
    for (uint32_t reg = MACHINE_RUN_ROWS; reg < MACHINE_KIND; reg++)
        map->reg[reg] = 0;
    for (uint32_t reg = HOST_MAP_EVENTS; reg < HOST_MAP_REGISTERS; reg++)
        map->reg[reg] = 0;
    uint32_t built = host_map_operators(&map->machine), *operator= & map->reg[MACHINE_RUN_OPERATOR];
    while (built != 0 && !(built >> *operator& 1))
        ++*operator;
}

/* Number of rows of the tables of a stage or router, by the rules of docs/machine.md. */
static uint32_t host_map_table_rows(const struct machine *machine)
{
    if (machine->kind == MACHINE_MULTISTAGE && machine->settings == MACHINE_TAGS)
        return 0;
    if (machine_is_self_timed(machine) || (machine_hops(machine) && machine_routers(machine) == 0))
        return 0;
    bool fewer = machine->settings != MACHINE_FULL || machine->reconfigures;
    return 1u << (fewer ? machine->log2_settings : machine->log2_rows);
}

/* Fills in the registers that describe the machine. */
static void host_map_built(struct host_map *map)
{
    const struct machine *machine = &map->machine;
    const bool hops = machine_hops(machine), period = machine_has_setting_period(machine);
    const uint32_t built[] = {UINT32_C(0x526e6402),
                              map->nodes,
                              machine->width,
                              1u << machine->log2_packets,
                              1u << machine->log2_flits,
                              1u << machine->log2_rows,
                              machine_latency(machine),
                              machine_routers(machine)};
    memcpy(map->reg, built, sizeof built);
    uint32_t columns = hops ? wiring_most_ports(&machine->topology) * machine->reads
                            : multistage_row_words(&machine->network);
    if (machine->settings == MACHINE_MASKS)
        columns = 1;
    if (hops && host_map_table_rows(machine) == 0)
        columns = 0;
    unsigned widest = 0;
    for (uint32_t region = 0; region < HOST_MAP_REGIONS - 1; region++)
        if (region != MACHINE_TABLE || !hops || columns != 0)
            widest = MAX(widest, host_map_bits(map, region));
    const uint32_t tables[] = {
        (hops ? 0u : (uint32_t)machine->network.kind << 8) | (uint32_t)machine->kind,
        (uint32_t)machine->settings |
            (machine->settings != MACHINE_FULL || machine->reconfigures ? 0x100u : 0) |
            (machine->computed ? 0x200u : 0) | (machine->reconfigures ? 0x400u : 0) |
            (machine->ranges ? 0x800u : 0) | (machine->combines ? 0x1000u : 0) |
            (machine->keeps_own ? 0x2000u : 0),
        host_map_table_rows(machine),
        period ? 1u << machine->log2_period : 0,
        machine->ranges ? 1 : 1u << (machine->computed ? machine->log2_period : machine->log2_rows),
        map->banks,
        columns,
        widest,
        machine->ranges ? 1u << machine->log2_splits : 0,
        hops && machine->combines ? machine->topology.endpoints
        : machine->shared > 1     ? machine->shared
                                  : 1,
        host_map_operators(machine)};
    memcpy(map->reg + 32, tables, sizeof tables);
}

struct host_map host_map_open(const struct machine *machine)
{
    struct host_map map = {.machine = *machine, .nodes = machine_ports(machine)};
    map.banks = machine_hops(machine) ? machine_routers(machine) : machine_banks(machine);
    host_map_built(&map);
    host_map_reset(&map);
    for (uint32_t region = MACHINE_TABLE; region <= MACHINE_PACKET; region++) {
        map.word[region] = calloc((size_t)1 << host_map_bits(&map, region), sizeof(uint32_t));
        assert_non_null(map.word[region]);
    }
    return map;
}

void host_map_close(struct host_map *map)
{
    for (uint32_t region = 0; region < HOST_MAP_REGIONS; region++)
        free(map->word[region]);
}
