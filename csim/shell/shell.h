/* SPDX-License-Identifier: Apache-2.0 */
/* shell: the parts around the network of every machine: pins, sequencer, host port, endpoints, and
 * the wires between them, with the names that they have in the RTL.
 *
 *     host_port ──► tables, programs, packet memories, registers
 *     sequencer ──► endpoint ──► tx_lanes   network   rx_lanes ──► endpoint ──► obs_o
 *
 * The network drives rx_lanes, table_rdata and the wavefront at the receivers: rx_fetch, rx_row,
 * rx_tag.
 */
#ifndef ROUNDCAST_SHELL_H
#define ROUNDCAST_SHELL_H

#include "csim/kernel/ports.h"
#include "csim/shell/host_port.h"
#include "sched/machine/machine.h"

/* Inputs: member, name of the pin, bits. */
#define SHELL_INPUTS(X)             \
    X(rst_pin, "rst_i", 1)          \
    X(start_pin, "start_i", 1)      \
    X(host_we, "host_we_i", 1)      \
    X(host_re, "host_re_i", 1)      \
    X(host_addr, "host_addr_i", 32) \
    X(host_wdata, "host_wdata_i", 32)

#define SHELL_OUTPUTS(X) \
    X(host_rdata, 32)    \
    X(host_error, 1)     \
    X(busy, 1)           \
    X(run, 1)            \
    X(done, 1)           \
    X(error, 1)          \
    X(irq, 1)            \
    X(obs_strobe, 1)

/* rst: the reset, extended until the pipeline is empty; extension: its remaining cycles; extends:
 * whether any remain after this one; start: a start that is obeyed. */
#define SHELL_WIRES(X)                  \
    X(rst, 1)                           \
    X(start, 1)                         \
    X(extension, 32)                    \
    X(extends, 1)                       \
    X(active, 1)                        \
    X(fetch, 1)                         \
    X(row, machine->log2_rows)          \
    X(wave_fetch, 1)                    \
    X(wave_row, machine->log2_rows)     \
    X(tx_en, 1)                         \
    X(tx_last, 1)                       \
    X(tx_flit, machine->log2_flits)     \
    X(tx_tag, machine->log2_flits + 2)  \
    X(rx_open, 1)                       \
    X(tx_flow, 1)                       \
    X(ce, 1)                            \
    X(rows, machine->log2_rows + 1)     \
    X(flits, machine->log2_flits + 1)   \
    X(row_cycles, SEQUENCER_CYCLE_BITS) \
    HOST_PORT_ACCESS(X)                 \
    X(state, 2)                         \
    X(enable, 2)                        \
    X(runs, 16)                         \
    X(cycles, 32)                       \
    X(cause, 32)                        \
    X(node_first, 32)                   \
    X(table_rdata, 32)                  \
    X(node_rdata, 32)                   \
    X(rx_fetch, 1)                      \
    X(rx_row, machine->log2_rows)       \
    X(rx_tag, machine->log2_flits + 2)  \
    X(rx_en, 1)                         \
    X(rx_last, 1)                       \
    X(rx_flit, machine->log2_flits)

struct sequencer;
struct endpoint;
struct setting_counter;
struct stream_stop;
struct events;

/* Member names omit the suffix of a pin, such as the _i of host_we_i, so that the tables of ports
 * (ports.h) can bind them. */
struct shell {
#define INPUT(name, pin, width) struct csim_in name;
#define OUTPUT(name, width) struct csim_out name;
#define WIRE(name, width) struct csim_signal name;
    SHELL_INPUTS(INPUT)
    SHELL_OUTPUTS(OUTPUT)
    SHELL_WIRES(WIRE)
#undef INPUT
#undef OUTPUT
#undef WIRE
    struct csim_signal period, setting_phase, base; /* of machines with a setting period */
    struct csim_signal packets;      /* of machines with a setting period or ranges */
    struct csim_signal splits_rdata; /* of ranges: the word read from the table of splits */
    struct csim_signal rx_setting_phase, rx_base; /* of computed programs */
    /* of computed programs, which can be streams (stream_stop.h) */
    struct csim_signal stream, stop, ending, take, taken;
    /* of routers, whose network drives `steps` and router_first (events.h) */
    struct csim_signal single_port, steps, router_first;
    /* For machines with reconfiguration: `next_phase` is set with a `fetch` that begins a setting,
     * `pause` while a setting changes; the setting index drives `length`. */
    struct csim_signal next_phase, pause, length, reconfigure;

    struct csim_signal operation; /* of machines that combine */
    /* In cube-auto, nodes drive `finish` and list[ports], endpoints list_count[ports]; with
     * computed programs, stream_stop drives `finish`. */
    struct csim_signal finish, list, list_count;
    struct csim_out obs;                   /* [ports] */
    struct csim_signal tx_lanes, rx_lanes; /* [ports] */
    unsigned flit_bits;
    uint32_t latency; /* cycles */
    /* its parts */
    struct sequencer *sequencer;
    struct host_port *host_port;
    struct endpoint *endpoint;
    struct events *events;
    /* counters of the rows sent and of the rows received; NULL if absent */
    struct setting_counter *setting_counter[2];
    struct stream_stop *stream_stop; /* NULL if absent */
};

/* Builds the shell of `machine` in `module`, whose state begins with *shell. False if a building
 * call failed. */
bool shell_new(struct shell *shell, struct csim_module *module, const struct machine *machine);

/* Returns whether the testbench drives no request and no earlier request is under way. */
bool shell_rests(const struct shell *shell);

/* Simulates the leap of a row (sequencer.h) that takes `edges` cycles: its last flits have arrived,
 * the packets that they complete are observed, and the next row has been fetched. */
void shell_leap(struct shell *shell, uint32_t edges);

#endif
