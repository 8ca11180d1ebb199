/* SPDX-License-Identifier: Apache-2.0 */
/* host_port: decodes the host's accesses to the registers, tables and memories;
 * rtl/shell/rc_host_port.sv, and sched/machine/machine.h for the addresses.
 *
 * In a tree `stage` is the router of a table or of flags, and there are two more registers.
 *
 * The node of an access is output one cycle later, together with its other fields, so that the
 * endpoints need not store it.
 */
#ifndef ROUNDCAST_HOST_PORT_H
#define ROUNDCAST_HOST_PORT_H

#include "csim/kernel/ports.h"
#include "csim/shell/sequencer.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"

/* Width in bits of an address field; 1 where the address map needs none, because a signal has at
 * least one bit. */
static inline unsigned host_port_column_width(const struct machine *machine)
{
    unsigned bits = machine_column_bits(machine);
    return bits == 0 ? 1 : bits;
}

/* Width in bits of {flit, part} in the address of a packet memory. */
static inline unsigned host_port_flit_width(const struct machine *machine)
{
    return machine->log2_flits + machine_part_bits(machine);
}

/* The outputs that are inputs of modules with tables. */
#define HOST_TABLE_PORTS(INPUT)                         \
    INPUT(host_we_table, 1)                             \
    INPUT(host_re_memory, 1)                            \
    INPUT(host_bank, machine_bank_bits(machine))        \
    INPUT(host_row, machine->log2_rows)                 \
    INPUT(host_column, host_port_column_width(machine)) \
    INPUT(host_data, 32)

/* The fields of an access, one cycle after it; the region also one cycle later, for read data.
 * host_show: all nodes are read; host_we_event: a register of events is written (events.h). */
#define HOST_PORT_ACCESS(OUTPUT)                         \
    OUTPUT(host_all_q, 1)                                \
    OUTPUT(host_node_q, machine_node_bits(machine))      \
    OUTPUT(host_we_table, 1)                             \
    OUTPUT(host_we_event, 1)                             \
    OUTPUT(host_register, MACHINE_REGISTER_BITS)         \
    OUTPUT(host_we_send, 1)                              \
    OUTPUT(host_we_recv, 1)                              \
    OUTPUT(host_we_packet, 1)                            \
    OUTPUT(host_re_memory, 1)                            \
    OUTPUT(host_show, 1)                                 \
    OUTPUT(host_region_q, 3)                             \
    OUTPUT(host_bank, machine_bank_bits(machine))        \
    OUTPUT(host_column, host_port_column_width(machine)) \
    OUTPUT(host_row, machine->log2_rows)                 \
    OUTPUT(host_packet, machine->log2_packets)           \
    OUTPUT(host_flit, host_port_flit_width(machine))     \
    OUTPUT(host_data, 32)                                \
    OUTPUT(host_region, 2)

#define HOST_PORT_PORTS(INPUT, OUTPUT)       \
    INPUT(rst, 1)                            \
    INPUT(host_we, 1)                        \
    INPUT(host_re, 1)                        \
    INPUT(host_addr, 32)                     \
    INPUT(host_wdata, 32)                    \
    OUTPUT(host_rdata, 32)                   \
    OUTPUT(host_error, 1)                    \
    /* run registers and status */           \
    OUTPUT(rows, machine->log2_rows + 1)     \
    OUTPUT(flits, machine->log2_flits + 1)   \
    OUTPUT(row_cycles, SEQUENCER_CYCLE_BITS) \
    INPUT(start, 1)                          \
    INPUT(busy, 1)                           \
    INPUT(done, 1)                           \
    HOST_PORT_ACCESS(OUTPUT)                 \
    INPUT(state, 2)                          \
    INPUT(enable, 2)                         \
    INPUT(runs, 16)                          \
    INPUT(cycles, 32)                        \
    INPUT(cause, 32)                         \
    INPUT(table_rdata, 32)                   \
    INPUT(node_rdata, 32)

struct host_port {
    HOST_PORT_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
    struct csim_out period_o;  /* of machines with a setting period */
    struct csim_out packets_o; /* of machines with a setting period or ranges */
    /* of machines with computed programs: the run is a stream, the host stops it, and the packets
     * that it then has */
    struct csim_out stream_o, stop_o;
    struct csim_in take_i, taken_i;
    struct csim_out single_port_o; /* of trees */
    struct csim_in steps_i;
    struct csim_out reconfigure_o; /* of machines with reconfiguration */
    struct csim_out operation_o;   /* of machines that combine */
    struct machine machine;
    uint32_t region, reg; /* of the access one cycle ago */
    bool we_register, re;
    uint32_t region2, register_word; /* of the read two cycles ago */
    bool re2;
    bool rejected, rejected2; /* accesses one and two cycles ago */
    bool idle;                /* no access is under way */
};

/* Builds a host port in `parent`; NULL if a building call failed. */
struct host_port *host_port_new(struct csim_module *parent, const char *name,
                                const struct machine *machine);

#endif
