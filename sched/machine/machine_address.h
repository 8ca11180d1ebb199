/* SPDX-License-Identifier: Apache-2.0 */
/* machine_address: the fields of a machine's address map, which machine.h describes; machine.h
 * includes this file. */
#ifndef ROUNDCAST_MACHINE_ADDRESS_H
#define ROUNDCAST_MACHINE_ADDRESS_H

#include "sched/machine/machine.h"

/* Number of bits of the column in the address of a table word. O(h). */
unsigned machine_column_bits(const struct machine *machine);

static inline uint32_t machine_region_address(enum machine_region region)
{
    return (uint32_t)region << 28;
}

static inline enum machine_region machine_region_of(uint32_t address)
{
    return (enum machine_region)(address >> 28 & 7);
}

/* `unit` is a stage or a router. */
static inline uint32_t machine_table_address(const struct machine *machine, uint32_t unit,
                                             uint32_t row, uint32_t column)
{
    return machine_region_address(MACHINE_TABLE) |
           (((unit << machine->log2_rows) | row) << machine_column_bits(machine)) | column;
}

/* Number of stages, plus the setting index if there is one. */
static inline uint32_t machine_units(const struct machine *machine)
{
    return machine_stages(machine) + (machine_has_setting_index(machine));
}

/* Returns the address of the setting index's word for a setting phase. */
static inline uint32_t machine_setting_index_address(const struct machine *machine,
                                                     uint32_t setting_phase)
{
    return machine_table_address(machine, machine_stages(machine), setting_phase, 0);
}

/* Number of columns in a row of a stage's table. */
static inline uint32_t machine_columns(const struct machine *machine, unsigned stage)
{
    return machine_has_masks(machine) ? 1 : multistage_columns(&machine->network, stage);
}

/* Width in bits of a setting index: a row of the tables, or a tag. */
static inline unsigned machine_setting_index_bits(const struct machine *machine)
{
    return machine_has_tags(machine) ? 1 + machine_node_bits(machine) : machine->log2_settings;
}

/* Bits of the word that stands in the setting index: how many further rows it is for, above that.
 * */
static inline unsigned machine_setting_index_word_bits(const struct machine *machine)
{
    return machine_setting_index_bits(machine) + (machine->reconfigures ? machine->log2_rows : 0);
}

/* Returns the setting index's word for `rows` rows; 1 on a machine without reconfiguration. */
static inline uint32_t machine_setting_index_word(const struct machine *machine, uint32_t rows,
                                                  uint32_t setting_index)
{
    return (rows - 1) << machine_setting_index_bits(machine) | setting_index;
}

/* log2 of the number of rows of the stages' tables, and of the programs. */
static inline unsigned machine_log2_table_rows(const struct machine *machine)
{
    return machine_is_indexed(machine) ? machine->log2_settings : machine->log2_rows;
}
static inline unsigned machine_log2_program_rows(const struct machine *machine)
{
    return machine->computed ? machine->log2_period : machine->log2_rows;
}

/* Returns the table word of a router's output: it sends the packet that read port `source % reads`
 * of input `source / reads` reads. The word of a read port's column is the packet's `address` in
 * the input's buffer. */
static inline uint32_t machine_send_word(uint32_t source)
{
    return MACHINE_VALID | source << 16;
}

/* Returns the address of a node's row in the send or receive program. */
static inline uint32_t machine_program_address(const struct machine *machine,
                                               enum machine_region program, uint32_t node,
                                               uint32_t row)
{
    return machine_region_address(program) | (node << machine->log2_rows) | row;
}

static inline uint32_t machine_packet_address(const struct machine *machine, uint32_t node,
                                              uint32_t slot, uint32_t flit)
{
    return machine_region_address(MACHINE_PACKET) |
           (((node << machine->log2_packets) | slot) << machine->log2_flits) | flit;
}

/* Returns the slot of packet `packet` of a schedule whose packets 1 … data are not control packets;
 * and the packet that a slot holds. */
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

/* The fields of an address; those that its region does not have are 0. The machine may lack the
 * place (machine_has_address). */
struct machine_place {
    enum machine_region region;
    bool all;            /* the same memory of all nodes */
    uint32_t node;       /* of programs, packets and flags */
    uint32_t unit;       /* of a table or its flags: stage, the setting index, or router */
    uint32_t row;        /* of a table or program */
    uint32_t column;     /* of a table */
    uint32_t slot, flit; /* of the packet memory */
    uint32_t reg;
};

static inline struct machine_place machine_place_of(const struct machine *machine, uint32_t address)
{
    struct machine_place place = {.region = machine_region_of(address), .all = address >> 31};
    const uint32_t field = address & UINT32_C(0x0fffffff),
                   rows = (UINT32_C(1) << machine->log2_rows) - 1;
    unsigned column_bits;
    switch (place.region) {
    case MACHINE_REGISTER:
        place.reg = field;
        break;
    case MACHINE_TABLE:
        column_bits = machine_column_bits(machine);
        place.column = field & ((UINT32_C(1) << column_bits) - 1);
        place.row = field >> column_bits & rows;
        place.unit = field >> column_bits >> machine->log2_rows;
        break;
    case MACHINE_SEND:
    case MACHINE_RECEIVE:
        place.row = field & rows;
        place.node = field >> machine->log2_rows;
        break;
    case MACHINE_PACKET:
        place.flit = field & ((UINT32_C(1) << machine->log2_flits) - 1);
        place.slot = field >> machine->log2_flits & ((UINT32_C(1) << machine->log2_packets) - 1);
        place.node = field >> machine->log2_flits >> machine->log2_packets;
        break;
    case MACHINE_FLAGS:
        place.node = field;
        break;
    case MACHINE_ROUTER_FLAGS:
        place.unit = field;
        break;
    }
    return place;
}

#endif
