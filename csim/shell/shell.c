/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/shell.h"

#include "csim/shell/endpoint.h"
#include "csim/shell/endpoint_range.h"
#include "csim/shell/events.h"
#include "csim/shell/sequencer.h"
#include "csim/shell/setting_counter.h"
#include "csim/shell/stream_stop.h"
#include "csim/shell/wide_words.h"

/* Computes reset and start. A reset of one cycle suffices, and only an idle machine obeys a
 * start. */
static void shell_control(void *state)
{
    struct shell *m = state;
    uint32_t extension = csim_get(&m->extension);
    bool pin = csim_get(&m->rst_pin), rst = pin || extension != 0;
    csim_put(&m->rst, rst);
    csim_put(&m->start, csim_get(&m->start_pin) && !csim_get(&m->active) && !rst);
    csim_put(&m->extends, pin || extension > 1);
}

static void shell_wires(void *state)
{
    struct shell *m = state;
    csim_put(&m->ce, csim_get(&m->active) | csim_get(&m->rst));
    csim_put(&m->tx_tag, csim_get(&m->tx_en) << (m->flit_bits + 1) |
                             csim_get(&m->tx_last) << m->flit_bits | csim_get(&m->tx_flit));
}

/* Updates the registers at the edge. The wavefront reaches the receivers one cycle after its row,
 * with the flits. */
static void shell_edge(void *state)
{
    struct shell *m = state;
    uint32_t tag = csim_get(&m->rx_open) && !csim_get(&m->rst) ? csim_get(&m->rx_tag) : 0;
    ports_set(&m->rx_en, tag >> (m->flit_bits + 1));
    ports_set(&m->rx_last, tag >> m->flit_bits & 1);
    ports_set(&m->rx_flit, ports_low(tag, m->flit_bits));
    ports_set(&m->obs_strobe, csim_get(&m->rx_last) | csim_get(&m->host_show));
    uint32_t extension = csim_get(&m->extension);
    ports_set(&m->extension, csim_get(&m->rst_pin) ? m->latency + 2
                             : extension != 0      ? extension - 1
                                                   : 0);
}

static void shell_processes(struct shell *m, struct csim_module *module)
{
    struct csim_process *control = csim_combinational(module, "control", shell_control);
    csim_reads(control, &m->rst_pin);
    csim_reads(control, &m->start_pin);
    csim_reads(control, &m->active);
    csim_reads(control, &m->extension);
    csim_writes(control, &m->rst);
    csim_writes(control, &m->start);
    csim_writes(control, &m->extends);
    struct csim_process *wires = csim_combinational(module, "wires", shell_wires);
    csim_reads(wires, &m->active);
    csim_reads(wires, &m->rst);
    csim_reads(wires, &m->tx_en);
    csim_reads(wires, &m->tx_last);
    csim_reads(wires, &m->tx_flit);
    csim_writes(wires, &m->ce);
    csim_writes(wires, &m->tx_tag);
    struct csim_process *edge = csim_clocked(module, "edge", shell_edge);
    csim_reads(edge, &m->rst);
    csim_reads(edge, &m->rst_pin);
    csim_reads(edge, &m->rx_open);
    csim_reads(edge, &m->rx_tag);
    csim_reads(edge, &m->host_show);
    csim_writes(edge, &m->rx_en);
    csim_writes(edge, &m->rx_last);
    csim_writes(edge, &m->rx_flit);
    csim_writes(edge, &m->obs_strobe);
    csim_reads(edge, &m->extension);
    csim_writes(edge, &m->extension);
}

static bool connect_sequencer(struct shell *around, struct csim_module *module,
                              const struct machine *machine)
{
    struct sequencer *part = around->sequencer = sequencer_new(module, "sequencer", machine);
    if (part == NULL)
        return false;
    SEQUENCER_PORTS(PORTS_INPUT_BIND, PORTS_OUTPUT_BIND)
    if (part->finishes) {
        PORTS_INPUT_BIND(finish, 1)
    }
    if (part->ends) {
        PORTS_OUTPUT_BIND(ending, 1)
    }
    if (machine->reconfigures) {
        PORTS_INPUT_BIND(reconfigure, 32)
        PORTS_INPUT_BIND(length, machine->log2_rows)
        PORTS_OUTPUT_BIND(next_phase, 1)
        PORTS_OUTPUT_BIND(pause, 1)
    }
    return true;
}

static bool connect_host_port(struct shell *around, struct csim_module *module,
                              const struct machine *machine)
{
    struct host_port *part = around->host_port = host_port_new(module, "host_port", machine);
    if (part == NULL)
        return false;
    HOST_PORT_PORTS(PORTS_INPUT_BIND, PORTS_OUTPUT_BIND)
    if (machine_has_setting_period(machine)) {
        PORTS_OUTPUT_BIND(period, 32)
    }
    if (machine_has_run_packets(machine)) {
        PORTS_OUTPUT_BIND(packets, machine->log2_packets + 1)
    }
    if (machine->computed) {
        PORTS_OUTPUT_BIND(stream, 1)
        PORTS_OUTPUT_BIND(stop, 1)
        PORTS_INPUT_BIND(take, 1)
        PORTS_INPUT_BIND(taken, machine->log2_rows + 1)
    }
    if (machine_hops(machine)) {
        PORTS_OUTPUT_BIND(single_port, 1)
        PORTS_INPUT_BIND(steps, machine->log2_rows + 1)
    }
    if (machine->reconfigures) {
        PORTS_OUTPUT_BIND(reconfigure, 32)
    }
    if (machine->combines) {
        PORTS_OUTPUT_BIND(operation, MACHINE_OPERATOR_BITS)
    }
    return true;
}

/* Builds the setting counters of the rows that are sent and, with computed programs, of the rows
 * that are received. */
static bool connect_setting_counter(struct shell *m, struct csim_module *module,
                                    const struct machine *machine)
{
    struct setting_counter *tx = m->setting_counter[0] =
        setting_counter_new(module, "setting_counter", machine);
    struct setting_counter *rx = m->setting_counter[1] =
        machine->computed ? setting_counter_new(module, "rx_setting_counter", machine) : NULL;
    if (tx == NULL || (machine->computed && rx == NULL))
        return false;
    for (struct setting_counter *t = tx; t != NULL; t = t == tx ? rx : NULL) {
        csim_bind(&t->rst_i, &m->rst);
        csim_bind(&t->start_i, &m->start);
        csim_bind(&t->fetch_i, t != tx                 ? &m->rx_fetch
                               : machine->reconfigures ? &m->next_phase
                                                       : &m->fetch);
        csim_bind(&t->period_i, &m->period);
        csim_bind(&t->setting_phase_o, t == tx ? &m->setting_phase : &m->rx_setting_phase);
        csim_bind(&t->base_o, t == tx ? &m->base : &m->rx_base);
    }
    return true;
}

static bool connect_stream_stop(struct shell *around, struct csim_module *module,
                                const struct machine *machine)
{
    struct stream_stop *part = around->stream_stop =
        stream_stop_new(module, "stream_stop", machine);
    if (part == NULL)
        return false;
    STREAM_STOP_PORTS(PORTS_INPUT_BIND, PORTS_OUTPUT_BIND)
    return true;
}

static void connect_range(struct shell *around, struct endpoint_range *part)
{
    ENDPOINT_RANGE_PORTS(PORTS_INPUT_BIND, PORTS_OUTPUT_BIND)
}

static bool connect_events(struct shell *around, struct csim_module *module,
                           const struct machine *machine)
{
    struct events *part = around->events = events_new(module, "events", machine);
    if (part == NULL)
        return false;
    EVENTS_PORTS(PORTS_INPUT_BIND, PORTS_OUTPUT_BIND)
    if (machine_hops(machine)) {
        PORTS_INPUT_BIND(router_first, 32)
    }
    return true;
}

static bool connect_endpoint(struct shell *around, struct csim_module *module,
                             const struct machine *machine)
{
    struct endpoint *part = around->endpoint = endpoint_new(module, "endpoint", machine);
    if (part == NULL)
        return false;
    ENDPOINT_PORTS(PORTS_INPUT_BIND, PORTS_OUTPUT_BIND)
    csim_bind(&part->lane_o, &around->tx_lanes);
    csim_bind(&part->lane_i, &around->rx_lanes);
    csim_bind(&part->obs_o, &around->obs);
    if (machine->ranges)
        connect_range(around, part->range);
    if (machine->computed) {
        PORTS_INPUT_BIND(packets, machine->log2_packets + 1)
        PORTS_INPUT_BIND(stream, 1)
        csim_bind(&part->tx_phase.setting_phase_i, &around->setting_phase);
        csim_bind(&part->tx_phase.base_i, &around->base);
        csim_bind(&part->rx_phase.setting_phase_i, &around->rx_setting_phase);
        csim_bind(&part->rx_phase.base_i, &around->rx_base);
    }
    if (machine->combines) {
        PORTS_INPUT_BIND(operation, MACHINE_OPERATOR_BITS)
    }
    if (machine_is_autonomous(machine)) {
        csim_bind(&part->list_i, &around->list);
        csim_bind(&part->count_o, &around->list_count);
    }
    return true;
}

bool shell_new(struct shell *m, struct csim_module *module, const struct machine *machine)
{
    m->flit_bits = machine->log2_flits;
    m->latency = machine_latency(machine);
    uint32_t ports = machine_ports(machine);
#define INPUT(name, pin, width) csim_input(module, &m->name, (width), 1, (pin));
#define OUTPUT(name, width) csim_output(module, &m->name, (width), 1, #name "_o");
#define WIRE(name, width) csim_signal(module, &m->name, (width), 1, #name);
    SHELL_INPUTS(INPUT)
    SHELL_OUTPUTS(OUTPUT)
    SHELL_WIRES(WIRE)
#undef INPUT
#undef OUTPUT
    if (machine_hops(machine)) {
        WIRE(single_port, 1)
        WIRE(steps, machine->log2_rows + 1)
        WIRE(router_first, 32)
    }
    if (machine_has_setting_period(machine)) {
        WIRE(period, 32)
        WIRE(setting_phase, machine->log2_period)
        WIRE(base, machine_offset_bits(machine))
    }
    if (machine_has_run_packets(machine)) {
        WIRE(packets, machine->log2_packets + 1)
    }
    if (machine->ranges) {
        WIRE(splits_rdata, 32)
    }
    if (machine->computed) {
        WIRE(rx_setting_phase, machine->log2_period)
        WIRE(rx_base, machine_offset_bits(machine))
        WIRE(stream, 1)
        WIRE(stop, 1)
        WIRE(ending, 1)
        WIRE(take, 1)
        WIRE(taken, machine->log2_rows + 1)
        WIRE(finish, 1)
    }
    if (machine->reconfigures) {
        WIRE(next_phase, 1)
        WIRE(pause, 1)
        WIRE(length, machine->log2_rows)
        WIRE(reconfigure, 32)
    }
    if (machine->combines) {
        WIRE(operation, MACHINE_OPERATOR_BITS)
    }
    if (machine_is_autonomous(machine)) {
        WIRE(finish, 1)
        csim_signal(module, &m->list, 32, ports, "list");
        csim_signal(module, &m->list_count, machine->log2_packets, ports, "list_count");
    }
#undef WIRE
    csim_output(module, &m->obs, 32, ports, "obs_o");
    csim_signal(module, &m->tx_lanes, wide_words_lane_bits(machine) + 1, ports, "tx_lanes");
    csim_signal(module, &m->rx_lanes, wide_words_lane_bits(machine) + 1, ports, "rx_lanes");
    shell_processes(m, module);
    if (machine_has_setting_period(machine) && !connect_setting_counter(m, module, machine))
        return false;
    if (machine->computed && !connect_stream_stop(m, module, machine))
        return false;
    return connect_sequencer(m, module, machine) && connect_host_port(m, module, machine) &&
           connect_endpoint(m, module, machine) && connect_events(m, module, machine);
}

bool shell_rests(const struct shell *m)
{
    uint32_t asked =
        csim_get(&m->rst) | csim_get(&m->start_pin) | csim_get(&m->host_we) | csim_get(&m->host_re);
    return !asked && m->host_port->idle &&
           (m->stream_stop == NULL || stream_stop_rests(m->stream_stop));
}

void shell_leap(struct shell *m, uint32_t edges)
{
    events_leap(m->events, edges);
    ports_set(&m->rx_en, 0);
    ports_set(&m->rx_last, 0);
    ports_set(&m->rx_flit, 0);
    ports_set(&m->obs_strobe, 1);
    for (int direction = 0; direction < 2; direction++)
        if (m->setting_counter[direction] != NULL)
            setting_counter_pass(m->setting_counter[direction]);
    if (m->stream_stop != NULL)
        stream_stop_leap(m->stream_stop, ports_low(m->sequencer->row, m->sequencer->row_bits));
}
