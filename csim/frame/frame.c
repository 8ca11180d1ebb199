#include "csim/frame/frame.h"

#include "csim/frame/endpoint.h"
#include "csim/frame/sequencer.h"
#include "csim/frame/turns.h"

static void frame_wires(void *state)
{
    struct frame *m = state;
    csim_put(&m->ce, csim_get(&m->active) | csim_get(&m->rst_i));
    csim_put(&m->tx_tag, csim_get(&m->tx_en) << (m->flit_bits + 1) |
                             csim_get(&m->tx_last) << m->flit_bits | csim_get(&m->tx_flit));
}

/* The wavefront reaches the receivers a cycle after its row, with the flits. */
static void frame_edge(void *state)
{
    struct frame *m = state;
    uint32_t tag = csim_get(&m->rx_open) && !csim_get(&m->rst_i) ? csim_get(&m->rx_tag) : 0;
    ports_set(&m->rx_en, tag >> (m->flit_bits + 1));
    ports_set(&m->rx_last, tag >> m->flit_bits & 1);
    ports_set(&m->rx_flit, ports_low(tag, m->flit_bits));
    ports_set(&m->obs_strobe_o, csim_get(&m->rx_last));
}

static void frame_processes(struct frame *m, struct csim_module *module)
{
    struct csim_process *wires = csim_combinational(module, "wires", frame_wires);
    csim_reads(wires, &m->active);
    csim_reads(wires, &m->rst_i);
    csim_reads(wires, &m->tx_en);
    csim_reads(wires, &m->tx_last);
    csim_reads(wires, &m->tx_flit);
    csim_writes(wires, &m->ce);
    csim_writes(wires, &m->tx_tag);
    struct csim_process *edge = csim_clocked(module, "edge", frame_edge);
    csim_reads(edge, &m->rst_i);
    csim_reads(edge, &m->rx_open);
    csim_reads(edge, &m->rx_tag);
    csim_writes(edge, &m->rx_en);
    csim_writes(edge, &m->rx_last);
    csim_writes(edge, &m->rx_flit);
    csim_writes(edge, &m->obs_strobe_o);
}

static bool connect_sequencer(struct frame *m, struct csim_module *module,
                              const struct machine *machine)
{
    struct sequencer *s = sequencer_new(module, "sequencer", machine);
    if (s == NULL)
        return false;
    csim_bind(&s->rst_i, &m->rst_i);
    csim_bind(&s->start_i, &m->start_i);
    csim_bind(&s->rows_i, &m->rows);
    csim_bind(&s->flits_i, &m->flits);
    csim_bind(&s->row_cycles_i, &m->row_cycles);
    csim_bind(&s->active_o, &m->active);
    csim_bind(&s->run_o, &m->run_o);
    csim_bind(&s->done_o, &m->done_o);
    csim_bind(&s->fetch_o, &m->fetch);
    csim_bind(&s->row_o, &m->row);
    csim_bind(&s->wave_fetch_o, &m->wave_fetch);
    csim_bind(&s->wave_row_o, &m->wave_row);
    csim_bind(&s->tx_en_o, &m->tx_en);
    csim_bind(&s->tx_last_o, &m->tx_last);
    csim_bind(&s->tx_flit_o, &m->tx_flit);
    csim_bind(&s->rx_open_o, &m->rx_open);
    if (machine_is_autonomous(machine))
        csim_bind(&s->finish_i, &m->finish);
    return true;
}

static bool connect_host_port(struct frame *m, struct csim_module *module,
                              const struct machine *machine)
{
    struct host_port *h = host_port_new(module, "host_port", machine);
    if (h == NULL)
        return false;
    csim_bind(&h->rst_i, &m->rst_i);
    csim_bind(&h->host_we_i, &m->host_we_i);
    csim_bind(&h->host_re_i, &m->host_re_i);
    csim_bind(&h->host_addr_i, &m->host_addr_i);
    csim_bind(&h->host_wdata_i, &m->host_wdata_i);
    csim_bind(&h->host_rdata_o, &m->host_rdata_o);
    csim_bind(&h->rows_o, &m->rows);
    csim_bind(&h->flits_o, &m->flits);
    csim_bind(&h->row_cycles_o, &m->row_cycles);
    csim_bind(&h->active_i, &m->active);
    csim_bind(&h->done_i, &m->done_o);
    csim_bind(&h->all_q_o, &m->host_all_q);
    csim_bind(&h->node_q_o, &m->host_node_q);
    csim_bind(&h->we_table_o, &m->host_we_table);
    csim_bind(&h->we_send_o, &m->host_we_send);
    csim_bind(&h->we_recv_o, &m->host_we_recv);
    csim_bind(&h->we_packet_o, &m->host_we_packet);
    csim_bind(&h->re_o, &m->host_re);
    csim_bind(&h->stage_o, &m->host_stage);
    csim_bind(&h->column_o, &m->host_column);
    csim_bind(&h->row_o, &m->host_row);
    csim_bind(&h->packet_o, &m->host_packet);
    csim_bind(&h->flit_o, &m->host_flit);
    csim_bind(&h->wdata_o, &m->host_wdata);
    csim_bind(&h->region_o, &m->host_region);
    csim_bind(&h->table_rdata_i, &m->table_rdata);
    csim_bind(&h->node_rdata_i, &m->node_rdata);
    if (machine_has_beats(machine)) {
        csim_bind(&h->period_o, &m->period);
        csim_bind(&h->packets_o, &m->packets);
    }
    if (machine_hops(machine)) {
        csim_bind(&h->single_port_o, &m->single_port);
        csim_bind(&h->steps_i, &m->steps);
    }
    return true;
}

/* The beats of the rows that are sent, and of those that are received if there are computed
 * programs. */
static bool connect_turns(struct frame *m, struct csim_module *module,
                          const struct machine *machine)
{
    struct turns *tx = turns_new(module, "turns", machine);
    struct turns *rx = machine->computed ? turns_new(module, "rx_turns", machine) : NULL;
    if (tx == NULL || (machine->computed && rx == NULL))
        return false;
    for (struct turns *t = tx; t != NULL; t = t == tx ? rx : NULL) {
        csim_bind(&t->rst_i, &m->rst_i);
        csim_bind(&t->start_i, &m->start_i);
        csim_bind(&t->fetch_i, t == tx ? &m->fetch : &m->rx_fetch);
        csim_bind(&t->period_i, &m->period);
        csim_bind(&t->beat_o, t == tx ? &m->beat : &m->rx_beat);
        csim_bind(&t->base_o, t == tx ? &m->base : &m->rx_base);
    }
    return true;
}

static bool connect_endpoint(struct frame *m, struct csim_module *module,
                             const struct machine *machine)
{
    struct endpoint *e = endpoint_new(module, "endpoint", machine);
    if (e == NULL)
        return false;
    csim_bind(&e->rst_i, &m->rst_i);
    csim_bind(&e->clear_i, &m->start_i);
    csim_bind(&e->flits_i, &m->flits);
    csim_bind(&e->row_cycles_i, &m->row_cycles);
    csim_bind(&e->fetch_i, &m->fetch);
    csim_bind(&e->row_i, &m->row);
    csim_bind(&e->tx_en_i, &m->tx_en);
    csim_bind(&e->tx_flit_i, &m->tx_flit);
    csim_bind(&e->lane_o, &m->tx_lanes);
    csim_bind(&e->flow_o, &m->tx_flow);
    csim_bind(&e->rx_fetch_i, &m->rx_fetch);
    csim_bind(&e->rx_row_i, &m->rx_row);
    csim_bind(&e->rx_en_i, &m->rx_en);
    csim_bind(&e->rx_last_i, &m->rx_last);
    csim_bind(&e->rx_flit_i, &m->rx_flit);
    csim_bind(&e->lane_i, &m->rx_lanes);
    csim_bind(&e->obs_o, &m->obs_o);
    csim_bind(&e->host_all_q_i, &m->host_all_q);
    csim_bind(&e->host_node_q_i, &m->host_node_q);
    csim_bind(&e->host_we_send_i, &m->host_we_send);
    csim_bind(&e->host_we_recv_i, &m->host_we_recv);
    csim_bind(&e->host_we_packet_i, &m->host_we_packet);
    csim_bind(&e->host_re_i, &m->host_re);
    csim_bind(&e->host_row_i, &m->host_row);
    csim_bind(&e->host_packet_i, &m->host_packet);
    csim_bind(&e->host_flit_i, &m->host_flit);
    csim_bind(&e->host_wdata_i, &m->host_wdata);
    csim_bind(&e->host_region_i, &m->host_region);
    csim_bind(&e->host_rdata_o, &m->node_rdata);
    if (machine->computed) {
        csim_bind(&e->packets_i, &m->packets);
        csim_bind(&e->tx_turn.beat_i, &m->beat);
        csim_bind(&e->tx_turn.base_i, &m->base);
        csim_bind(&e->rx_turn.beat_i, &m->rx_beat);
        csim_bind(&e->rx_turn.base_i, &m->rx_base);
    }
    if (machine_is_autonomous(machine)) {
        csim_bind(&e->list_i, &m->list);
        csim_bind(&e->count_o, &m->list_count);
    }
    return true;
}

bool frame_new(struct frame *m, struct csim_module *module, const struct machine *machine)
{
    m->flit_bits = machine->log2_flits;
    uint32_t ports = machine_ports(machine);
#define INPUT(name, width) csim_input(module, &m->name, (width), 1, #name);
#define OUTPUT(name, width) csim_output(module, &m->name, (width), 1, #name);
#define WIRE(name, width) csim_signal(module, &m->name, (width), 1, #name);
    FRAME_INPUTS(INPUT)
    FRAME_OUTPUTS(OUTPUT)
    FRAME_WIRES(WIRE)
#undef INPUT
#undef OUTPUT
    if (machine_hops(machine)) {
        WIRE(single_port, 1)
        WIRE(steps, machine->log2_rows + 1)
    }
    if (machine_has_beats(machine)) {
        WIRE(period, 32)
        WIRE(packets, machine->log2_packets + 1)
        WIRE(beat, machine->log2_period)
        WIRE(base, machine_offset_bits(machine))
    }
    if (machine->computed) {
        WIRE(rx_beat, machine->log2_period)
        WIRE(rx_base, machine_offset_bits(machine))
    }
    if (machine_is_autonomous(machine)) {
        WIRE(finish, 1)
        csim_signal(module, &m->list, 32, ports, "list");
        csim_signal(module, &m->list_count, machine->log2_packets, ports, "list_count");
    }
#undef WIRE
    csim_output(module, &m->obs_o, 32, ports, "obs_o");
    csim_signal(module, &m->tx_lanes, machine->width + 1, ports, "tx_lanes");
    csim_signal(module, &m->rx_lanes, machine->width + 1, ports, "rx_lanes");
    frame_processes(m, module);
    if (machine_has_beats(machine) && !connect_turns(m, module, machine))
        return false;
    return connect_sequencer(m, module, machine) && connect_host_port(m, module, machine) &&
           connect_endpoint(m, module, machine);
}
