/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/multistage_network.h"

#include "csim/kernel/ports.h"
#include "csim/shell/wide_words.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"

/* -- Pipeline registers ------------------------------------------------------------------------ */

/* A further pipeline register after a network, for all lanes. Its module has the ports that a
 * trace shows; the network moves the flits of all its registers (transit.h). */

struct pad {
    struct csim_in ce_i;
    struct csim_in flow_i; /* [depth], as of a stage */
    struct csim_in lanes_i;
    struct csim_out lanes_o;
};

/* Builds pad `number` in `parent`, after `registers` of the network's `depth` pipeline registers,
 * as stage_new. NULL if a building call failed. */
static struct pad *pad_new(struct csim_module *parent, const struct machine *machine,
                           unsigned number, unsigned registers, unsigned depth)
{
    struct csim_module *module = csim_module(parent, "pad%u", number);
    struct pad *p = csim_state(module, sizeof *p);
    if (p == NULL)
        return NULL;
    uint32_t lanes = machine_ports(machine);
    csim_input(module, &p->ce_i, 1, 1, "ce_i");
    csim_input(module, &p->flow_i, 1, registers == 0 ? 1 : depth, "flow_i");
    csim_input(module, &p->lanes_i, wide_words_lane_bits(machine) + 1, lanes, "lanes_i");
    csim_output(module, &p->lanes_o, wide_words_lane_bits(machine) + 1, lanes, "lanes_o");
    return p;
}

/* -- Signals and processes --------------------------------------------------------------------- */

static void network_signals(struct multistage_network *w, struct csim_module *module,
                            const struct machine *machine)
{
    uint32_t ports = machine_ports(machine);
    csim_input(module, &w->lanes_i, wide_words_lane_bits(machine) + 1, ports, "lanes_i");
    csim_output(module, &w->lanes_o, wide_words_lane_bits(machine) + 1, ports, "lanes_o");
    for (unsigned wire = 0; wire + 1 < w->stages + w->pads; wire++)
        csim_signal(module, &w->lanes[wire], wide_words_lane_bits(machine) + 1,
                    wire < w->stages ? multistage_lanes(&w->net, wire + 1) : ports, "lanes%u",
                    wire + 1);
    for (unsigned s = 0; s < w->stages; s++)
        csim_signal(module, &w->settings[s], stage_column_bits(&w->net, s, 0),
                    multistage_columns(&w->net, s), "setting%u", s);
    for (unsigned s = 0; w->masks != NULL && s < w->stages; s++)
        csim_signal(module, &w->masks[s], w->net.levels, 1, "mask%u", s);
}

static void wavefront_line(struct multistage_network *w, struct csim_module *module,
                           struct csim_process *view, struct csim_signal *line, unsigned width,
                           const char *name)
{
    if (w->depth == 0)
        return;
    csim_signal(module, line, width, w->depth, "%s", name);
    csim_writes(view, line);
}

static void network_view(struct multistage_network *w, struct csim_module *module,
                         const struct machine *machine)
{
    struct csim_process *view = csim_view(module, "show", network_show);
    wavefront_line(w, module, view, &w->fetch, 1, "fetch");
    wavefront_line(w, module, view, &w->row, machine->log2_rows, "row");
    wavefront_line(w, module, view, &w->tag, machine->log2_flits + 2, "tag");
    wavefront_line(w, module, view, &w->flow, 1, "flow");
    if (w->has_setting_index)
        wavefront_line(w, module, view, &w->setting_index, machine_setting_index_bits(machine),
                       "setting_index");
    for (unsigned wire = 0; wire + 1 < w->stages + w->pads; wire++)
        csim_writes(view, &w->lanes[wire]);
    for (unsigned s = 0; !w->settings_kept && s < w->stages; s++)
        csim_writes(view, &w->settings[s]);
}

static void network_processes(struct multistage_network *self, struct csim_module *module,
                              const struct machine *machine)
{
    struct csim_process *edge = csim_clocked(module, "edge", network_edge);
    csim_signal(module, &self->read_at, 32, 2, "read_at");
    csim_writes(edge, &self->read_at);
    for (unsigned s = 0; self->settings_kept && s < self->stages; s++)
        csim_writes(edge, &self->settings[s]);
    for (unsigned s = 0; self->masks != NULL && s < self->stages; s++)
        csim_writes(edge, &self->masks[s]);

    struct csim_process *outputs = csim_combinational(module, "outputs", network_outputs);
    csim_output(module, &self->host_rdata_o, 32, 1, "host_rdata_o");
    csim_writes(outputs, &self->host_rdata_o);
    csim_reads(outputs, &self->read_at);
    for (unsigned s = 0; self->tables && s < self->stages; s++)
        csim_reads(outputs, self->masks != NULL ? &self->masks[s] : &self->settings[s]);

    struct csim_process *process = self->depth == 0 ? outputs : edge;
    MULTISTAGE_NETWORK_PORTS(PORTS_INPUT_DECLARE, PORTS_OUTPUT_DECLARE)
    if (self->has_setting_index) {
        PORTS_INPUT_DECLARE(setting_index, machine_setting_index_bits(machine))
    }
    struct csim_process *leave =
        self->registered ? edge : csim_combinational(module, "exit", network_exit);
    if (self->operates) {
        csim_input(module, &self->operation_i, MACHINE_OPERATOR_BITS, 1, "operation_i");
        csim_reads(leave, &self->operation_i);
    }
    csim_reads(leave, &self->lanes_i);
    csim_reads(leave, &self->tx_flow_i);
    csim_writes(leave, &self->lanes_o);
}

/* -- Parts ------------------------------------------------------------------------------------- */

static void network_connect_host(struct multistage_network *around, struct stage *part)
{
    HOST_TABLE_PORTS(PORTS_INPUT_PASS)
}

static void network_connect_stage(struct multistage_network *w, struct stage *s)
{
    network_connect_host(w, s);
    csim_bind(&s->ce_i, &w->ce_i);
    csim_bind(&s->setting_o, &w->settings[s->number]);
    if (w->masks != NULL)
        csim_bind(&s->mask_o, &w->masks[s->number]);
    if (s->registers == 0) {
        csim_bind(&s->fetch_i, &w->wave_fetch_i);
        csim_bind(&s->setting_index_i, w->has_setting_index ? &w->setting_index_i : &w->wave_row_i);
        csim_bind(&s->flow_i, &w->tx_flow_i);
    } else {
        csim_bind(&s->fetch_i, &w->fetch);
        csim_bind(&s->setting_index_i, w->has_setting_index ? &w->setting_index : &w->row);
        csim_bind(&s->flow_i, &w->flow);
    }
}

/* Connects a stage or pad to the lanes before and after it: stage or pad `wire` drives
 * w->lanes[wire], the last one lanes_o. */
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

static bool network_parts(struct multistage_network *w, struct csim_module *module,
                          const struct machine *machine)
{
    unsigned registers = 0;
    for (unsigned s = 0; s < w->stages; s++) {
        struct stage *stage = stage_new(module, machine, s, registers, w->depth);
        if (stage == NULL)
            return false;
        w->transit.stage[s] = stage;
        network_connect_stage(w, stage);
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
            csim_bind(&pad->flow_i, &w->flow);
        network_connect_lanes(w, w->stages + p, &pad->lanes_i, &pad->lanes_o);
    }
    return true;
}

static bool network_memory(struct multistage_network *w, struct csim_module *module,
                           const struct machine *machine)
{
    bool masks = machine_has_masks(machine);
    w->lanes = csim_alloc(module, (w->stages + w->pads) * sizeof *w->lanes);
    w->settings = csim_alloc(module, w->stages * sizeof *w->settings);
    w->masks = masks ? csim_alloc(module, w->stages * sizeof *w->masks) : NULL;
    return w->lanes != NULL && w->settings != NULL && (!masks || w->masks != NULL) &&
           transit_new(&w->transit, module, machine) && wavefront_new(&w->wave, module, w->depth);
}

struct multistage_network *multistage_network_new(struct csim_module *parent, const char *name,
                                                  const struct machine *machine, bool operates)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct multistage_network *w = csim_state(module, sizeof *w);
    if (w == NULL)
        return NULL;
    w->net = machine->network;
    w->operates = operates;
    w->has_setting_index = machine_has_setting_index(machine);
    w->tables = !machine_has_tags(machine);
    w->settings_kept = w->tables && !machine_has_masks(machine);
    w->stages = machine_stages(machine);
    w->pads = machine->pad;
    w->depth = machine_latency(machine);
    w->registered = w->pads != 0 || stage_registered(machine, w->stages - 1);
    if (!network_memory(w, module, machine))
        return NULL;
    csim_on_reset(module, network_reset);
    network_signals(w, module, machine);
    network_view(w, module, machine);
    network_processes(w, module, machine);
    return network_parts(w, module, machine) ? w : NULL;
}
