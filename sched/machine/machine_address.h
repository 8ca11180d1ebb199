/* SPDX-License-Identifier: Apache-2.0 */
/* machine_address: the address map of a machine, and the words at its addresses.
 *
 * The compiler writes images in terms of the map, which is described at enum machine_region; csim
 * decodes it, and the testbench reads back through it; the RTL decodes it independently
 * (rtl/shell/rc_host_port.sv has the same picture). docs/machine.md describes all of it for
 * software that drives a machine.
 */
#ifndef ROUNDCAST_MACHINE_ADDRESS_H
#define ROUNDCAST_MACHINE_ADDRESS_H

#include "sched/machine/machine_registers.h"
#include "sched/machine/machine_run.h"

/* The address map.
 *
 *     address of a 32-bit word
 *     31      all nodes: a write changes the memory of every node, a read shows every node's word
 *             on the observation port
 *     30..28  region
 *             0  register [5:0]              machine_registers.h
 *             1  table, multistage {stage, row, column}  fields of multistage.h; no bits
 *                                                        for a single column
 *                   its index      {stages, phase, 0}    a row of the tables, or a tag (expand.h)
 *                   of masks       {stage, row, 0}       the stage's mask (expand.h)
 *                   reconfig       {stages, phase, 0}    {rows - 1, a row of the tables, or a tag}
 *                   of splits      {the last, split, 0}  {gives, others[14:0], nodes[15:0]}
 *                   routers        {router, row, column} {valid, source[14:0], address[15:0]}
 *             2  send program      {node, row}           {valid, received, combine, packet}
 *                   computed       {node, phase}         {valid, offset}
 *                   ranges         {node, 0}             {valid, last node of the range}
 *             3  receive program   {node, row}           {valid, more, combine, own, packet}
 *                   computed       {node, phase}         {valid, offset}
 *             4  packet memory     {node, packet, flit, part}
 *                                                        {held, word}; of flits above 31 bits, a
 *                                                        part (machine_parts)
 *             5  flags             {node}                {missing, unexpected, not held}, read only
 *             6  router flags      {router}              {overflow, twice, not held}, read only
 *
 * Bit 31 of a word is its valid or held bit. Bit 30 of a receive program's word is set if the
 * packet continues in the next row, which occurs only in a run without barriers; bit 29, on
 * machines that combine, if the packet is combined with the one in its slot. On machines that keep
 * a node's own packets apart (keeps_own), that is the one received before; bit 28 is set if the
 * host reads the packet combined with the node's own; and in a send program, bit 30 is set if what
 * was received is sent, and bit 29 if it is combined with the node's own. Fields are as wide as the
 * capacities require, the last one in the lowest bits. Packet p of a schedule is in slot p-1 of the
 * packet memory. A region, node, bank or column that a machine does not have reads as 0.
 *
 * Nodes of a self-timed hypercube have no programs: row i of a send program is packet i, from 0, of
 * those that start at the node, and all endpoints of the node have the same list. A word that is
 * not valid empties the list; a valid word in row i makes its length i + 1. No node knows the
 * number of packets before the run; therefore control packets, which the nodes generate, are at the
 * end of the packet memory, the first of them in the last slot. */
enum machine_region {
    MACHINE_REGISTER,
    MACHINE_TABLE,
    MACHINE_SEND,
    MACHINE_RECEIVE,
    MACHINE_PACKET,
    MACHINE_FLAGS,
    MACHINE_ROUTER_FLAGS
};

#define MACHINE_ID_WORD UINT32_C(0x526e6402) /* "Rnd", version 2 */
#define MACHINE_REGISTERS (UINT32_C(1) << MACHINE_REGISTER_BITS)
/* The registers of the run have numbers below this one. */
#define MACHINE_RUN_REGISTERS UINT32_C(32)
/* The registers of events have the highest sixteen numbers. */
#define MACHINE_FIRST_EVENT UINT32_C(48)
#define MACHINE_ALL_NODES UINT32_C(0x80000000)
#define MACHINE_VALID UINT32_C(0x80000000)
#define MACHINE_MORE UINT32_C(0x40000000)
#define MACHINE_RECEIVED UINT32_C(0x40000000)
#define MACHINE_COMBINE UINT32_C(0x20000000)
#define MACHINE_OWN UINT32_C(0x10000000)
#define MACHINE_STREAM UINT32_C(0x80000000) /* in register MACHINE_RUN_PACKETS */

/* Flags of an endpoint, in a flags word; shifted by MACHINE_OBS_FLAGS in an observation. */
#define MACHINE_NOT_HELD 1u
#define MACHINE_UNEXPECTED 2u
#define MACHINE_MISSING 4u

/* Flags of a router. */
#define MACHINE_ROUTER_NOT_HELD 1u /* sends from an address at which no packet was stored */
#define MACHINE_ROUTER_TWICE 2u    /* sends more than one packet in a row of a single-port run */
/* self-timed: a packet arrived at a full queue, or overwrote one that is still needed */
#define MACHINE_ROUTER_OVERFLOW 4u

/* An observation: {valid, missing, unexpected, not held, packet[27:0]}. */
#define MACHINE_OBS_FLAGS 28
#define MACHINE_OBS_PACKET UINT32_C(0x0fffffff)

static inline uint32_t machine_observed_flags(uint32_t observed)
{
    return observed >> MACHINE_OBS_FLAGS & 7;
}

/* Returns the word {valid, offset} of a computed program. */
static inline uint32_t machine_offset_word(const struct machine *machine, int32_t offset)
{
    return MACHINE_VALID | ((uint32_t)offset & ((UINT32_C(1) << machine_offset_bits(machine)) - 1));
}

/* Returns the word {valid, packet} of a stored program that corresponds to a computed entry when
 * `base` = number of the period · period is added. A packet before the first is no packet, and a
 * packet after the last of `packets` is the last, or in a stream (MACHINE_STREAM in `packets`) no
 * packet. The result is in the packet memory for any three values, because its number has no more
 * bits (rtl/shell/rc_periodic_packet.sv). Precondition: base has machine_offset_bits. */
static inline uint32_t machine_computed(const struct machine *machine, uint32_t entry,
                                        uint32_t base, uint32_t packets)
{
    unsigned unused = 32 - machine_offset_bits(machine);
    int32_t sum = ((int32_t)(entry << unused) >> unused) + (int32_t)base;
    bool stream = packets & MACHINE_STREAM;
    packets &= ~MACHINE_STREAM;
    bool after = sum >= 0 && (uint32_t)sum >= packets;
    if (!(entry & MACHINE_VALID) || sum < 0 || (stream && after))
        return 0;
    uint32_t packet = after ? packets - 1 : (uint32_t)sum;
    return MACHINE_VALID | (packet & ((UINT32_C(1) << machine->log2_packets) - 1));
}

/* Number of bits of the column in the address of a table word. O(h). */
unsigned machine_column_bits(const struct machine *machine);

/* Number of bits of the stage or router in an address, at least 1. O(h). */
unsigned machine_bank_bits(const struct machine *machine);

/* Number of columns of a table in addresses: that of the bank with most; 0 for routers without
 * tables. O(h). */
uint32_t machine_most_columns(const struct machine *machine);

/* Number of bits of the widest field of an address below its region: FieldBits of a bus wrapper
 * (rtl/bus). At least MACHINE_REGISTER_BITS. O(h). */
unsigned machine_field_bits(const struct machine *machine);

static inline uint32_t machine_region_address(enum machine_region region)
{
    return (uint32_t)region << 28;
}

static inline enum machine_region machine_region_of(uint32_t address)
{
    return (enum machine_region)(address >> 28 & 7);
}

/* Returns the address of a table word; `bank` is a stage or a router. */
static inline uint32_t machine_table_address(const struct machine *machine, uint32_t bank,
                                             uint32_t row, uint32_t column)
{
    return machine_region_address(MACHINE_TABLE) |
           (((bank << machine->log2_rows) | row) << machine_column_bits(machine)) | column;
}

/* Number of stages, plus the setting index and the table of splits if there are any. */
static inline uint32_t machine_banks(const struct machine *machine)
{
    return machine_stages(machine) + machine_has_setting_index(machine) + machine->ranges;
}

/* Unit of the table of splits: the last one. Precondition: ranges. */
static inline uint32_t machine_splits_bank(const struct machine *machine)
{
    return machine_banks(machine) - 1;
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

/* Number of bits of a setting index: a row of the tables, or a tag. */
static inline unsigned machine_setting_index_bits(const struct machine *machine)
{
    return machine_has_tags(machine) ? 1 + machine_node_bits(machine) : machine->log2_settings;
}

/* Number of bits of a word of the setting index: the setting index and, with reconfiguration, the
 * number of further rows above it. */
static inline unsigned machine_setting_index_word_bits(const struct machine *machine)
{
    return machine_setting_index_bits(machine) + (machine->reconfigures ? machine->log2_rows : 0);
}

/* Returns the setting index's word for `rows` rows; `rows` is 1 on a machine without
 * reconfiguration. */
static inline uint32_t machine_setting_index_word(const struct machine *machine, uint32_t rows,
                                                  uint32_t setting_index)
{
    return (rows - 1) << machine_setting_index_bits(machine) | setting_index;
}

/* Reports whether stages or routers have tables. */
static inline bool machine_has_tables(const struct machine *machine)
{
    return machine_hops(machine) ? !machine_is_self_timed(machine) && machine_routers(machine) > 0
                                 : !machine_has_tags(machine);
}

/* log2 of the number of rows of the stages' tables; and of the programs. */
static inline unsigned machine_log2_table_rows(const struct machine *machine)
{
    return machine_is_indexed(machine) ? machine->log2_settings : machine->log2_rows;
}
static inline unsigned machine_log2_program_rows(const struct machine *machine)
{
    return machine->ranges ? 0 : machine->computed ? machine->log2_period : machine->log2_rows;
}

/* Number of bits of the number in a word of a program: a slot, an offset, or a node. */
static inline unsigned machine_program_bits(const struct machine *machine)
{
    return machine->ranges     ? machine_node_bits(machine)
           : machine->computed ? machine_offset_bits(machine)
                               : machine->log2_packets;
}

/* A word of the table of splits (sched/schedule/ranges.h): {gives, others, nodes}. */
#define MACHINE_SPLIT_OTHERS 16 /* shift of `others` */
static inline uint32_t machine_split_word(bool gives, uint32_t others, uint32_t nodes)
{
    return (gives ? MACHINE_VALID : 0) | others << MACHINE_SPLIT_OTHERS | nodes;
}

/* The first flit of a packet on a machine with ranges: {first, last} node of the range that its
 * receiver, the first, serves. */
static inline uint32_t machine_range_word(const struct machine *machine, uint32_t first,
                                          uint32_t last)
{
    return first << machine_node_bits(machine) | last;
}

/* Returns the table word of a router's output: it sends the packet that read port `source % reads`
 * of input `source / reads` reads. The word of a read port's column is the packet's `address` in
 * the input's buffer. */
static inline uint32_t machine_send_word(uint32_t source)
{
    return MACHINE_VALID | source << 16;
}

/* Bits of the words of a router that combines packets: the output sends the result of the row, in
 * place of a source; the packet of read port 0 of the input is an operand of that result. */
#define MACHINE_RESULT (UINT32_C(1) << 30)
#define MACHINE_OPERAND (UINT32_C(1) << 29)

/* Returns the address of a node's row in the send or receive program. */
static inline uint32_t machine_program_address(const struct machine *machine,
                                               enum machine_region program, uint32_t node,
                                               uint32_t row)
{
    return machine_region_address(program) | (node << machine->log2_rows) | row;
}

/* Returns the address of part 0 of a flit; the other parts follow it. */
static inline uint32_t machine_packet_address(const struct machine *machine, uint32_t node,
                                              uint32_t slot, uint32_t flit)
{
    return machine_region_address(MACHINE_PACKET) |
           ((((node << machine->log2_packets) | slot) << machine->log2_flits) | flit)
               << machine_part_bits(machine);
}

/* Returns the address of word `which` of a packet: part which % parts of flit which / parts. */
static inline uint32_t machine_packet_word_address(const struct machine *machine, uint32_t node,
                                                   uint32_t slot, uint32_t which)
{
    const uint32_t parts = machine_parts(machine);
    return machine_packet_address(machine, node, slot, which / parts) + which % parts;
}

/* Returns a part of a flit as the packet memory has it once the flit is held. `bits` are the bits
 * of the flit in this part. */
static inline uint32_t machine_part_word(const struct machine *machine, uint32_t part,
                                         uint32_t bits)
{
    return bits | (part + 1 == machine_parts(machine) ? MACHINE_VALID : 0);
}

/* machine_slot: returns the slot of a packet of a schedule whose packets 1 … data are not control
 * packets. machine_packet: returns the packet that a slot holds. */
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

/* The fields of an address; fields that its region does not have are 0. The machine need not have
 * the address (machine_has_address). */
struct machine_place {
    enum machine_region region;
    bool all;                  /* the same memory of all nodes */
    uint32_t node;             /* of programs, packets and flags */
    uint32_t bank;             /* of a table or its flags: stage, the setting index, or router */
    uint32_t row;              /* of a table or program */
    uint32_t column;           /* of a table */
    uint32_t slot, flit, part; /* of the packet memory */
    uint32_t reg;
};

static inline struct machine_place machine_place_of(const struct machine *machine, uint32_t address)
{
    struct machine_place place = {.region = machine_region_of(address), .all = address >> 31};
    const uint32_t field = address & UINT32_C(0x0fffffff),
                   rows = (UINT32_C(1) << machine->log2_rows) - 1;
    unsigned column_bits, part_bits;
    switch (place.region) {
    case MACHINE_REGISTER:
        place.reg = field;
        break;
    case MACHINE_TABLE:
        column_bits = machine_column_bits(machine);
        place.column = field & ((UINT32_C(1) << column_bits) - 1);
        place.row = field >> column_bits & rows;
        place.bank = field >> column_bits >> machine->log2_rows;
        break;
    case MACHINE_SEND:
    case MACHINE_RECEIVE:
        place.row = field & rows;
        place.node = field >> machine->log2_rows;
        break;
    case MACHINE_PACKET:
        part_bits = machine_part_bits(machine);
        place.part = field & ((UINT32_C(1) << part_bits) - 1);
        place.flit = field >> part_bits & ((UINT32_C(1) << machine->log2_flits) - 1);
        place.slot = field >> (part_bits + machine->log2_flits) &
                     ((UINT32_C(1) << machine->log2_packets) - 1);
        place.node = field >> part_bits >> machine->log2_flits >> machine->log2_packets;
        break;
    case MACHINE_FLAGS:
        place.node = field;
        break;
    case MACHINE_ROUTER_FLAGS:
        place.bank = field;
        break;
    }
    return place;
}

/* Reports whether a register, whose number is in the low bits of `address`, reports events; such a
 * register may be written during a run. */
static inline bool machine_is_event(uint32_t address)
{
    return address % MACHINE_REGISTERS >= MACHINE_FIRST_EVENT;
}

/* Finds the word of register `which` if it describes the machine (registers 0 … 7 and 32 … 47 of
 * docs/machine.md). Returns false for other registers. O(h). */
bool machine_built_word(const struct machine *machine, uint32_t which, uint32_t *word);

/* Finds the word of register `which` in a run. Returns false if runs of this machine do not use the
 * register. */
bool machine_run_word(const struct machine *machine, const struct run *run, uint32_t which,
                      uint32_t *word);

/* Reports whether a word can be written at the address. */
bool machine_has_address(const struct machine *machine, uint32_t address);

#endif
