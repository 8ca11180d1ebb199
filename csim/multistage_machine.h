/* multistage_machine: N endpoints around a multistage network, a sequencer and a host port;
 * rtl/multistage_machine.sv, to which it is equal in every output and lane register, cycle for cycle, as
 * long as the host keeps to the rules: tables, programs and packet memories are accessed while the machine
 * is idle, at the latest in the cycle before start; a run is of one of the two kinds of machine_check_run;
 * without barriers, its last latency / row_cycles rows send nothing, and the next one starts no earlier than
 * latency cycles after it is done; reset lasts latency + 3 cycles. What is under way when a run is reset may
 * be stored otherwise than in the RTL. Memories and registers are 0 at power-up.
 *
 *     host_port ──► tables, programs, packet memories, registers
 *     sequencer ──► endpoint ──► network ──► endpoint ──► obs_o
 */
#ifndef ROUNDCAST_MULTISTAGE_MACHINE_H
#define ROUNDCAST_MULTISTAGE_MACHINE_H

#include "machine.h"
#include "ports.h"

#define MULTISTAGE_MACHINE_INPUTS(X) \
    X(rst_i, 1)                      \
    X(start_i, 1)                    \
    X(host_we_i, 1)                  \
    X(host_re_i, 1)                  \
    X(host_addr_i, 32)               \
    X(host_wdata_i, 32)

#define MULTISTAGE_MACHINE_OUTPUTS(X) \
    X(host_rdata_o, 32)               \
    X(run_o, 1)                       \
    X(done_o, 1)                      \
    X(obs_strobe_o, 1)

/* The wires between the parts, by the names that they have in the RTL. */
#define MULTISTAGE_MACHINE_WIRES(X)                 \
    X(active, 1)                                    \
    X(fetch, 1)                                     \
    X(row, machine->log2_rows)                      \
    X(wave_fetch, 1)                                \
    X(wave_row, machine->log2_rows)                 \
    X(tx_en, 1)                                     \
    X(tx_last, 1)                                   \
    X(tx_flit, machine->log2_flits)                 \
    X(tx_tag, machine->log2_flits + 2)              \
    X(rx_open, 1)                                   \
    X(tx_flow, 1)                                   \
    X(ce, 1)                                        \
    X(rows, machine->log2_rows + 1)                 \
    X(flits, machine->log2_flits + 1)               \
    X(row_cycles, SEQUENCER_CYCLE_BITS)             \
    X(host_all_q, 1)                                \
    X(host_node_q, machine->log2_ports)             \
    X(host_we_table, 1)                             \
    X(host_we_send, 1)                              \
    X(host_we_recv, 1)                              \
    X(host_we_packet, 1)                            \
    X(host_re, 1)                                   \
    X(host_stage, host_port_stage_width(machine))   \
    X(host_column, host_port_column_width(machine)) \
    X(host_row, machine->log2_rows)                 \
    X(host_packet, machine->log2_packets)           \
    X(host_flit, machine->log2_flits)               \
    X(host_wdata, 32)                               \
    X(host_region, 2)                               \
    X(table_rdata, 32)                              \
    X(node_rdata, 32)                               \
    X(rx_fetch, 1)                                  \
    X(rx_row, machine->log2_rows)                   \
    X(rx_tag, machine->log2_flits + 2)              \
    X(rx_en, 1)                                     \
    X(rx_last, 1)                                   \
    X(rx_flit, machine->log2_flits)

struct multistage_machine {
#define FIELD(name, width) struct csim_signal name;
    MULTISTAGE_MACHINE_INPUTS(PORTS_INPUT_FIELD)
    MULTISTAGE_MACHINE_OUTPUTS(PORTS_OUTPUT_FIELD)
    MULTISTAGE_MACHINE_WIRES(FIELD)
#undef FIELD
    struct csim_out obs_o;                 /* [ports] */
    struct csim_signal tx_lanes, rx_lanes; /* [ports] */
    unsigned flit_bits;
};

/* A machine in `parent`, whose ports are to be bound. Precondition: machine_check. NULL if a building call
 * failed, which csim_elaborate reports. */
struct multistage_machine *multistage_machine_new(struct csim_module *parent, const char *name,
                                                  const struct machine *machine);

#endif
