/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/host_port.h"

#include "sched/machine/machine_run.h"

static bool is_stream(const struct host_port *h)
{
    return h->machine.computed && csim_get(&h->stream_o);
}

static uint32_t host_port_register(const struct host_port *h)
{
    const struct machine *machine = &h->machine;
    uint32_t word;
    if (machine_built_word(machine, h->reg, &word))
        return word;
    switch (h->reg) {
    case MACHINE_RUN_ROWS:
        return csim_get(&h->rows_o);
    case MACHINE_RUN_FLITS:
        return csim_get(&h->flits_o);
    case MACHINE_RUN_ROW_CYCLES:
        return csim_get(&h->row_cycles_o);
    case MACHINE_STATUS:
        return csim_get(&h->done_i) << 1 | csim_get(&h->busy_i);
    case MACHINE_RUN_SINGLE_PORT:
        return machine_hops(machine) ? csim_get(&h->single_port_o) : 0;
    case MACHINE_RUN_RECONFIGURE:
        return machine->reconfigures ? csim_get(&h->reconfigure_o) : 0;
    case MACHINE_RUN_PERIOD:
        return machine_has_setting_period(machine) ? csim_get(&h->period_o) : 0;
    case MACHINE_RUN_PACKETS:
        return !machine_has_run_packets(machine)
                   ? 0
                   : csim_get(&h->packets_o) | (is_stream(h) ? MACHINE_STREAM : 0);
    case MACHINE_RUN_OPERATOR:
        return machine->combines ? csim_get(&h->operation_o) : 0;
    case MACHINE_INTERRUPT_STATE:
        return csim_get(&h->state_i);
    case MACHINE_INTERRUPT_ENABLE:
        return csim_get(&h->enable_i);
    case MACHINE_RUN_COUNT:
        return csim_get(&h->runs_i);
    case MACHINE_CYCLE_COUNT:
        return csim_get(&h->cycles_i);
    case MACHINE_ERROR_CAUSE:
        return csim_get(&h->cause_i);
    case MACHINE_STEPS:
        return machine_hops(machine) ? csim_get(&h->steps_i) : 0;
    default:
        return 0;
    }
}

/* Returns the word read two cycles ago; 0 at unimplemented addresses. */
static uint32_t host_port_word(const struct host_port *h)
{
    switch (h->region2) {
    case MACHINE_REGISTER:
        return h->register_word;
    case MACHINE_TABLE:
        return csim_get(&h->table_rdata_i);
    case MACHINE_ROUTER_FLAGS:
        return machine_hops(&h->machine) ? csim_get(&h->table_rdata_i) : 0;
    case MACHINE_SEND:
    case MACHINE_RECEIVE:
    case MACHINE_PACKET:
        return csim_get(&h->node_rdata_i);
    case MACHINE_FLAGS:
        return machine_observed_flags(csim_get(&h->node_rdata_i));
    default:
        return 0;
    }
}

/* Executes the second and third cycle of a read. */
static void host_port_read(struct host_port *h)
{
    if (h->re2)
        ports_set(&h->host_rdata_o, host_port_word(h));
    if (h->re) {
        h->region2 = h->region;
        h->register_word = host_port_register(h);
        ports_set(&h->host_region_o, (h->region >> 2) << 1 | (h->region & 1));
    }
    h->re2 = h->re;
}

/* Returns whether the word that is written is the number of an operator that is built. */
static bool writes_built_operator(const struct host_port *h)
{
    uint32_t which = ports_low(csim_get(&h->host_data_o), MACHINE_OPERATOR_BITS);
    return machine_built_operators(&h->machine) >> which & 1;
}

static void host_port_write_register(struct host_port *h)
{
    uint32_t word = csim_get(&h->host_data_o);
    if (h->reg == MACHINE_RUN_ROWS)
        ports_set(&h->rows_o, ports_low(word, h->machine.log2_rows + 1));
    if (h->reg == MACHINE_RUN_FLITS)
        ports_set(&h->flits_o, ports_low(word, h->machine.log2_flits + 1));
    if (h->reg == MACHINE_RUN_ROW_CYCLES)
        ports_set(&h->row_cycles_o, ports_low(word, SEQUENCER_CYCLE_BITS));
    if (h->reg == MACHINE_RUN_PERIOD && machine_has_setting_period(&h->machine))
        ports_set(&h->period_o, word);
    if (h->reg == MACHINE_RUN_PACKETS && machine_has_run_packets(&h->machine))
        ports_set(&h->packets_o, ports_low(word, h->machine.log2_packets + 1));
    if (h->reg == MACHINE_RUN_OPERATOR && writes_built_operator(h))
        ports_set(&h->operation_o, ports_low(word, MACHINE_OPERATOR_BITS));
    if (h->reg == MACHINE_RUN_PACKETS && h->machine.computed)
        ports_set(&h->stream_o, word >> 31);
    if (h->reg == MACHINE_RUN_SINGLE_PORT && machine_hops(&h->machine))
        ports_set(&h->single_port_o, word & 1);
    if (h->reg == MACHINE_RUN_RECONFIGURE && h->machine.reconfigures)
        ports_set(&h->reconfigure_o, word);
}

/* Computes the fields of an address for the next cycle, as wide as the machine needs them. */
static void host_port_decode(struct host_port *h, const struct machine_place *at)
{
    const struct machine *machine = &h->machine;
    h->region = at->region;
    h->reg = ports_low(at->reg, MACHINE_REGISTER_BITS);
    ports_set(&h->host_register_o, h->reg);
    ports_set(&h->host_region_q_o, at->region);
    ports_set(&h->host_all_q_o, at->all);
    ports_set(&h->host_node_q_o, ports_low(at->node, machine_node_bits(machine)));
    ports_set(&h->host_bank_o, ports_low(at->bank, machine_bank_bits(machine)));
    ports_set(&h->host_column_o, at->column);
    ports_set(&h->host_row_o, at->row);
    ports_set(&h->host_packet_o, at->slot);
    ports_set(&h->host_flit_o, at->flit << machine_part_bits(machine) | at->part);
    ports_set(&h->host_data_o, csim_get(&h->host_wdata_i));
}

static void host_port_accept(struct host_port *h, bool we, bool re)
{
    struct machine_place at = {0};
    if (we || re) {
        at = machine_place_of(&h->machine, csim_get(&h->host_addr_i));
        host_port_decode(h, &at);
    }
    const enum machine_region region = at.region;
    h->re = re;
    h->we_register = we && region == MACHINE_REGISTER;
    ports_set(&h->host_we_event_o, h->we_register && machine_is_event(h->reg));
    ports_set(&h->host_we_table_o, we && region == MACHINE_TABLE);
    ports_set(&h->host_we_send_o, we && region == MACHINE_SEND);
    ports_set(&h->host_we_recv_o, we && region == MACHINE_RECEIVE);
    ports_set(&h->host_we_packet_o, we && region == MACHINE_PACKET);
    ports_set(&h->host_re_memory_o, re && region != MACHINE_REGISTER);
    ports_set(&h->host_show_o, re && at.all && region >= MACHINE_SEND && region <= MACHINE_FLAGS);
}

/* Returns whether the access stops a stream. */
static bool host_port_stops(const struct host_port *h)
{
    struct machine_place at = machine_place_of(&h->machine, csim_get(&h->host_addr_i));
    return csim_get(&h->host_we_i) && csim_get(&h->busy_i) && !csim_get(&h->rst_i) &&
           is_stream(h) && at.region == MACHINE_REGISTER &&
           ports_low(at.reg, MACHINE_REGISTER_BITS) == MACHINE_RUN_STOP;
}

/* Rejects accesses during a run or a reset, when only registers may be read and, in a run, those of
 * events written and a stream stopped: the access is removed and answered with an error three
 * cycles later. So is the write of an operator that is not built, one cycle after the access. */
static void host_port_reject(struct host_port *h, bool *we, bool *re)
{
    bool closed = csim_get(&h->busy_i) || csim_get(&h->start_i) || csim_get(&h->rst_i);
    const uint32_t address = csim_get(&h->host_addr_i);
    bool of_registers = machine_region_of(address) == MACHINE_REGISTER;
    bool reads_register = *re && of_registers;
    bool writes_event = *we && of_registers && !csim_get(&h->rst_i) && machine_is_event(address);
    ports_set(&h->host_error_o, h->rejected2);
    h->rejected2 = h->rejected || (h->we_register && h->reg == MACHINE_RUN_OPERATOR &&
                                   h->machine.combines && !writes_built_operator(h));
    bool stops = host_port_stops(h);
    h->rejected = closed && ((*we && !writes_event && !stops) || (*re && !reads_register));
    *we = *we && (!closed || writes_event || stops);
    *re = *re && (!closed || reads_register);
}

static void host_port_clear(struct host_port *h)
{
    ports_set(&h->rows_o, 0);
    ports_set(&h->flits_o, 0);
    ports_set(&h->row_cycles_o, 0);
    if (machine_hops(&h->machine))
        ports_set(&h->single_port_o, 0);
    if (h->machine.reconfigures)
        ports_set(&h->reconfigure_o, 0);
    if (h->machine.combines)
        ports_set(&h->operation_o, machine_first_operator(&h->machine));
    if (machine_has_setting_period(&h->machine))
        ports_set(&h->period_o, 0);
    if (machine_has_run_packets(&h->machine))
        ports_set(&h->packets_o, 0);
    if (h->machine.computed)
        ports_set(&h->stream_o, 0);
}

/* Passes a stop to the stream, and receives the number of its packets. Returns whether either is
 * under way. */
static bool host_port_stop(struct host_port *h, bool rst)
{
    if (!h->machine.computed)
        return false;
    bool stop =
        !rst && h->we_register && h->reg == MACHINE_RUN_STOP && csim_get(&h->host_data_o) & 1;
    bool take = csim_get(&h->take_i);
    bool pending = stop || take || csim_get(&h->stop_o);
    ports_set(&h->stop_o, stop);
    if (take && !rst)
        ports_set(&h->packets_o, ports_low(csim_get(&h->taken_i), h->machine.log2_packets + 1));
    return pending;
}

static void host_port_edge(void *state)
{
    struct host_port *h = state;
    bool we = csim_get(&h->host_we_i);
    bool re = csim_get(&h->host_re_i);
    bool rst = csim_get(&h->rst_i);
    bool stopping = host_port_stop(h, rst);
    if (h->idle && !we && !re && !rst && !stopping)
        return;
    bool pending = we || re || h->re || h->re2 || h->rejected || h->rejected2 || rst || stopping;
    host_port_reject(h, &we, &re);
    host_port_read(h);
    if (rst)
        host_port_clear(h);
    else if (h->we_register)
        host_port_write_register(h);
    host_port_accept(h, we, re);
    h->idle = !pending && !h->rejected2;
}

static void host_port_reset(void *state)
{
    struct host_port *h = state;
    h->region = h->reg = h->region2 = h->register_word = 0;
    h->we_register = h->re = h->re2 = h->rejected = h->rejected2 = false;
    h->idle = true;
}

struct host_port *host_port_new(struct csim_module *parent, const char *name,
                                const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct host_port *self = csim_state(module, sizeof *self);
    if (self == NULL)
        return NULL;
    self->machine = *machine;
    csim_on_reset(module, host_port_reset);
    struct csim_process *process = csim_clocked(module, "edge", host_port_edge);
    HOST_PORT_PORTS(PORTS_INPUT_DECLARE, PORTS_OUTPUT_DECLARE)
    if (machine_has_setting_period(machine)) {
        PORTS_OUTPUT_DECLARE(period, 32)
    }
    if (machine_has_run_packets(machine)) {
        PORTS_OUTPUT_DECLARE(packets, machine->log2_packets + 1)
    }
    if (machine->computed) {
        PORTS_OUTPUT_DECLARE(stream, 1)
        PORTS_OUTPUT_DECLARE(stop, 1)
        PORTS_INPUT_DECLARE(take, 1)
        PORTS_INPUT_DECLARE(taken, machine->log2_rows + 1)
    }
    if (machine_hops(machine)) {
        PORTS_OUTPUT_DECLARE(single_port, 1)
        PORTS_INPUT_DECLARE(steps, machine->log2_rows + 1)
    }
    if (machine->reconfigures) {
        PORTS_OUTPUT_DECLARE(reconfigure, 32)
    }
    if (machine->combines) {
        PORTS_OUTPUT_DECLARE(operation, MACHINE_OPERATOR_BITS)
    }
    return self;
}
