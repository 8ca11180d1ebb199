/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/multistage_network.h"

#include <string.h>

#include "csim/frame/host_port.h"
#include "csim/frame/pad.h"
#include "csim/multistage/stage.h"

static void line_shift(struct wave_line *line, uint32_t in, uint32_t depth)
{
    const uint32_t *now = csim_read(&line->lanes);
    if (now[0] != in)
        line->uneven = depth;
    if (line->uneven == 0)
        return;
    uint32_t *next = csim_write(&line->lanes);
    next[0] = in;
    memcpy(next + 1, now, (depth - 1) * sizeof *next);
    line->uneven--;
}

static void network_edge(void *state)
{
    struct multistage_network *w = state;
    if (csim_get(&w->host_re_memory_i)) {
        uint32_t *at = csim_write(&w->read_at);
        at[0] = csim_get(&w->host_unit_i);
        at[1] = csim_get(&w->host_column_i);
    }
    if (w->depth == 0)
        return;
    line_shift(&w->fetch, csim_get(&w->wave_fetch_i), w->depth);
    line_shift(&w->row, csim_get(&w->wave_row_i), w->depth);
    line_shift(&w->tag, csim_get(&w->tx_tag_i), w->depth);
    if (w->ordered)
        line_shift(&w->order, csim_get(&w->order_i), w->depth);
    if (csim_get(&w->ce_i))
        line_shift(&w->flow, csim_get(&w->tx_flow_i), w->depth);
}

/* The end of the wavefront, and the word that the host read. */
static void network_outputs(void *state)
{
    struct multistage_network *w = state;
    const uint32_t *at = csim_read(&w->read_at);
    bool wired = w->depth == 0;
    uint32_t last = w->depth - 1;
    csim_put(&w->rx_fetch_o, wired ? csim_get(&w->wave_fetch_i) : csim_read(&w->fetch.lanes)[last]);
    csim_put(&w->rx_row_o, wired ? csim_get(&w->wave_row_i) : csim_read(&w->row.lanes)[last]);
    csim_put(&w->rx_tag_o, wired ? csim_get(&w->tx_tag_i) : csim_read(&w->tag.lanes)[last]);
    const struct csim_signal *words = w->masks != NULL ? w->masks : w->settings;
    bool inside = w->tables && at[0] < w->stages &&
                  at[1] < (w->masks != NULL ? 1 : multistage_columns(&w->net, at[0]));
    csim_put(&w->host_rdata_o, inside ? csim_read(&words[at[0]])[at[1]] : 0);
}

static void network_reset(void *state)
{
    struct multistage_network *w = state;
    w->fetch.uneven = w->row.uneven = w->tag.uneven = w->flow.uneven = w->order.uneven = 0;
}

static void network_line_new(struct multistage_network *w, struct csim_module *module,
                             struct csim_process *edge, struct wave_line *line, const char *name,
                             unsigned width)
{
    if (w->depth == 0)
        return;
    csim_signal(module, &line->lanes, width, w->depth, "%s", name);
    csim_writes(edge, &line->lanes);
}

static void network_processes(struct multistage_network *self, struct csim_module *module,
                              const struct machine *machine)
{
    struct csim_process *edge = csim_clocked(module, "edge", network_edge);
    network_line_new(self, module, edge, &self->fetch, "fetch", 1);
    network_line_new(self, module, edge, &self->row, "row", machine->log2_rows);
    network_line_new(self, module, edge, &self->tag, "tag", machine->log2_flits + 2);
    network_line_new(self, module, edge, &self->flow, "flow", 1);
    if (self->ordered)
        network_line_new(self, module, edge, &self->order, "order", machine_order_bits(machine));
    csim_signal(module, &self->read_at, 32, 2, "read_at");
    csim_writes(edge, &self->read_at);

    struct csim_process *process = csim_combinational(module, "outputs", network_outputs);
    MULTISTAGE_NETWORK_PORTS(PORTS_INPUT_DECLARE, PORTS_OUTPUT_DECLARE)
    PORTS_OUTPUT_DECLARE(host_rdata, 32)
    if (self->ordered) {
        PORTS_INPUT_DECLARE(order, machine_order_bits(machine))
    }
    csim_reads(process, &self->read_at);
    for (unsigned s = 0; s < self->stages; s++)
        csim_reads(process, self->masks != NULL ? &self->masks[s] : &self->settings[s]);
    if (self->depth == 0)
        return;
    csim_reads(process, &self->fetch.lanes);
    csim_reads(process, &self->row.lanes);
    csim_reads(process, &self->tag.lanes);
}

static void network_connect_host(struct multistage_network *around, struct stage *part)
{
    HOST_TABLE_PORTS(PORTS_INPUT_PASS)
}

static void network_connect_stage(struct multistage_network *w, struct stage *s, unsigned registers)
{
    network_connect_host(w, s);
    csim_bind(&s->ce_i, &w->ce_i);
    csim_bind(&s->setting_o, &w->settings[s->number]);
    if (w->masks != NULL)
        csim_bind(&s->mask_o, &w->masks[s->number]);
    if (registers == 0) {
        csim_bind(&s->fetch_i, &w->wave_fetch_i);
        csim_bind(&s->order_i, w->ordered ? &w->order_i : &w->wave_row_i);
        csim_bind(&s->flow_i, &w->tx_flow_i);
    } else {
        csim_bind(&s->fetch_i, &w->fetch.lanes);
        csim_bind(&s->order_i, w->ordered ? &w->order.lanes : &w->row.lanes);
        csim_bind(&s->flow_i, &w->flow.lanes);
    }
}

/* Between the wires: stage or pad `wire` stands before w->lanes[wire], the last before lanes_o. */
static void network_connect_lanes(struct multistage_network *w, unsigned wire, struct csim_in *in,
                                  struct csim_out *out)
{
    if (wire == 0)
        csim_bind(in, &w->lanes_i);
    else
        csim_bind(in, &w->lanes[wire - 1]);
    if (wire == w->stages + w->pads - 1)
        csim_bind(out, &w->lanes_o);
    else
        csim_bind(out, &w->lanes[wire]);
}

static bool network_columns(struct multistage_network *w, struct csim_module *module,
                            const struct machine *machine)
{
    unsigned registers = 0;
    for (unsigned s = 0; s < w->stages; s++) {
        struct stage *stage = stage_new(module, machine, s, registers, w->depth);
        if (stage == NULL)
            return false;
        network_connect_stage(w, stage, registers);
        network_connect_lanes(w, s, &stage->lanes_i, &stage->lanes_o);
        registers += stage_registered(machine, s);
    }
    for (unsigned p = 0; p < w->pads; p++, registers++) {
        struct pad *pad = pad_new(module, machine, p, registers, w->depth);
        if (pad == NULL)
            return false;
        csim_bind(&pad->ce_i, &w->ce_i);
        if (registers == 0)
            csim_bind(&pad->flow_i, &w->tx_flow_i);
        else
            csim_bind(&pad->flow_i, &w->flow.lanes);
        network_connect_lanes(w, w->stages + p, &pad->lanes_i, &pad->lanes_o);
    }
    return true;
}

struct multistage_network *multistage_network_new(struct csim_module *parent, const char *name,
                                                  const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct multistage_network *w = csim_state(module, sizeof *w);
    if (w == NULL)
        return NULL;
    w->net = machine->network;
    w->ordered = machine_has_order(machine);
    w->tables = !machine_has_tags(machine);
    w->stages = machine_stages(machine);
    w->pads = machine->pad;
    w->depth = machine_latency(machine);
    w->lanes = csim_alloc(module, (w->stages + w->pads) * sizeof *w->lanes);
    w->settings = csim_alloc(module, w->stages * sizeof *w->settings);
    bool masks = machine_has_masks(machine);
    w->masks = masks ? csim_alloc(module, w->stages * sizeof *w->masks) : NULL;
    if (w->lanes == NULL || w->settings == NULL || (masks && w->masks == NULL))
        return NULL;
    csim_on_reset(module, network_reset);
    uint32_t ports = machine_ports(machine);
    csim_input(module, &w->lanes_i, machine->width + 1, ports, "lanes_i");
    csim_output(module, &w->lanes_o, machine->width + 1, ports, "lanes_o");
    for (unsigned wire = 0; wire + 1 < w->stages + w->pads; wire++)
        csim_signal(module, &w->lanes[wire], machine->width + 1,
                    wire < w->stages ? multistage_lanes(&w->net, wire + 1) : ports, "lanes%u",
                    wire + 1);
    for (unsigned s = 0; s < w->stages; s++)
        csim_signal(module, &w->settings[s], stage_column_bits(&w->net, s, 0),
                    multistage_columns(&w->net, s), "setting%u", s);
    for (unsigned s = 0; w->masks != NULL && s < w->stages; s++)
        csim_signal(module, &w->masks[s], w->net.levels, 1, "mask%u", s);
    network_processes(w, module, machine);
    return network_columns(w, module, machine) ? w : NULL;
}
