/* machine_address: where in a machine's address map (machine.h, of which this is a part) something is. */
#ifndef ROUNDCAST_MACHINE_ADDRESS_H
#define ROUNDCAST_MACHINE_ADDRESS_H

#include "sched/machine/machine.h"

/* Bits that the column takes in the address of a table word. O(h). */
unsigned machine_column_bits(const struct machine *machine);

static inline uint32_t machine_region_address(enum machine_region region)
{
    return (uint32_t)region << 28;
}

/* `unit` is a stage or a router. */
static inline uint32_t machine_table_address(const struct machine *machine, uint32_t unit, uint32_t row,
                                             uint32_t column)
{
    return machine_region_address(MACHINE_TABLE) |
           (((unit << machine->log2_rows) | row) << machine_column_bits(machine)) | column;
}

/* Stages, and the order behind them if there is one. */
static inline uint32_t machine_units(const struct machine *machine)
{
    return machine_stages(machine) + (machine_has_order(machine));
}

/* The order's word of a phase. */
static inline uint32_t machine_order_address(const struct machine *machine, uint32_t phase)
{
    return machine_table_address(machine, machine_stages(machine), phase, 0);
}

/* Columns of a row of a stage's table. */
static inline uint32_t machine_columns(const struct machine *machine, unsigned stage)
{
    return machine_has_masks(machine) ? 1 : multistage_columns(&machine->network, stage);
}

/* Bits of an order's word: a row of the tables, or a tag. */
static inline unsigned machine_order_bits(const struct machine *machine)
{
    return machine_has_tags(machine) ? 1 + machine_node_bits(machine) : machine->log2_settings;
}

/* Rows, as a power of two, of the tables of the stages and of the programs. */
static inline unsigned machine_log2_table_rows(const struct machine *machine)
{
    return machine_is_indexed(machine) ? machine->log2_settings : machine->log2_rows;
}
static inline unsigned machine_log2_program_rows(const struct machine *machine)
{
    return machine->computed ? machine->log2_period : machine->log2_rows;
}

/* What a router's output sends, in the word of the output's first column: the packet that read port `source %
 * reads` of input `source / reads` gives. What a read port gives, in the word of its column: the packet at
 * `address` of the input's buffer. */
static inline uint32_t machine_send_word(uint32_t source)
{
    return MACHINE_VALID | source << 16;
}

/* Of the send or receive program. */
static inline uint32_t machine_program_address(const struct machine *machine, enum machine_region program,
                                               uint32_t node, uint32_t row)
{
    return machine_region_address(program) | (node << machine->log2_rows) | row;
}

static inline uint32_t machine_packet_address(const struct machine *machine, uint32_t node, uint32_t slot,
                                              uint32_t flit)
{
    return machine_region_address(MACHINE_PACKET) |
           (((node << machine->log2_packets) | slot) << machine->log2_flits) | flit;
}

/* The slot of packet `packet` of a schedule, of which 1 … data are none of control; and which packet stands in a slot. */
static inline uint32_t machine_slot(const struct machine *machine, uint32_t data, uint32_t packet)
{
    uint32_t slots = UINT32_C(1) << machine->log2_packets;
    return machine_is_autonomous(machine) && packet > data ? slots - (packet - data) : packet - 1;
}
static inline uint32_t machine_packet(const struct machine *machine, uint32_t data, uint32_t slot)
{
    uint32_t slots = UINT32_C(1) << machine->log2_packets;
    return machine_is_autonomous(machine) && slot >= data ? data + slots - slot : slot + 1;
}

static inline uint32_t machine_flags_address(uint32_t node)
{
    return machine_region_address(MACHINE_FLAGS) | node;
}

static inline uint32_t machine_router_flags_address(uint32_t router)
{
    return machine_region_address(MACHINE_ROUTER_FLAGS) | router;
}

#endif
