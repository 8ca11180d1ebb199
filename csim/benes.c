#include "benes.h"

#include <string.h>

#include "host_port.h"
#include "pad.h"
#include "stage.h"

static void line_shift(struct benes_line *line, uint32_t in, uint32_t depth)
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

static void benes_edge(void *state)
{
    struct benes *b = state;
    if (csim_get(&b->host_re_i)) {
        uint32_t *at = csim_write(&b->read_at);
        at[0] = csim_get(&b->host_stage_i);
        at[1] = csim_get(&b->host_column_i);
    }
    if (b->depth == 0)
        return;
    line_shift(&b->fetch, csim_get(&b->fetch_i), b->depth);
    line_shift(&b->row, csim_get(&b->row_i), b->depth);
    line_shift(&b->tag, csim_get(&b->tag_i), b->depth);
    if (csim_get(&b->ce_i))
        line_shift(&b->flow, csim_get(&b->flow_i), b->depth);
}

/* The end of the wavefront, and the word that the host read. */
static void benes_outputs(void *state)
{
    struct benes *b = state;
    const uint32_t *at = csim_read(&b->read_at);
    bool wired = b->depth == 0;
    uint32_t last = b->depth - 1;
    csim_put(&b->fetch_o, wired ? csim_get(&b->fetch_i) : csim_read(&b->fetch.lanes)[last]);
    csim_put(&b->row_o, wired ? csim_get(&b->row_i) : csim_read(&b->row.lanes)[last]);
    csim_put(&b->tag_o, wired ? csim_get(&b->tag_i) : csim_read(&b->tag.lanes)[last]);
    csim_put(&b->host_rdata_o, at[0] < b->stages ? csim_read(&b->settings[at[0]])[at[1]] : 0);
}

static void benes_reset(void *state)
{
    struct benes *b = state;
    b->fetch.uneven = b->row.uneven = b->tag.uneven = b->flow.uneven = 0;
}

static void benes_line_new(struct benes *b, struct csim_module *module, struct csim_process *edge,
                           struct benes_line *line, const char *name, unsigned width)
{
    if (b->depth == 0)
        return;
    csim_signal(module, &line->lanes, width, b->depth, "%s", name);
    csim_writes(edge, &line->lanes);
}

static void benes_processes(struct benes *self, struct csim_module *module, const struct machine *machine)
{
    struct csim_process *edge = csim_clocked(module, "edge", benes_edge);
    benes_line_new(self, module, edge, &self->fetch, "fetch", 1);
    benes_line_new(self, module, edge, &self->row, "row", machine->log2_rows);
    benes_line_new(self, module, edge, &self->tag, "tag", machine->log2_flits + 2);
    benes_line_new(self, module, edge, &self->flow, "flow", 1);
    csim_signal(module, &self->read_at, 32, 2, "read_at");
    csim_writes(edge, &self->read_at);

    struct csim_process *process = csim_combinational(module, "outputs", benes_outputs);
    BENES_PORTS(PORTS_INPUT_DECLARE, PORTS_OUTPUT_DECLARE)
    csim_reads(process, &self->read_at);
    for (unsigned s = 0; s < self->stages; s++)
        csim_reads(process, &self->settings[s]);
    if (self->depth == 0)
        return;
    csim_reads(process, &self->fetch.lanes);
    csim_reads(process, &self->row.lanes);
    csim_reads(process, &self->tag.lanes);
}

static void benes_connect_stage(struct benes *b, struct stage *s, unsigned registers)
{
    csim_bind(&s->ce_i, &b->ce_i);
    csim_bind(&s->host_strobe_i, &b->host_strobe_i);
    csim_bind(&s->host_re_i, &b->host_re_i);
    csim_bind(&s->host_stage_i, &b->host_stage_i);
    csim_bind(&s->host_row_i, &b->host_row_i);
    csim_bind(&s->host_column_i, &b->host_column_i);
    csim_bind(&s->host_wdata_i, &b->host_wdata_i);
    csim_bind(&s->setting_o, &b->settings[s->number]);
    if (registers == 0) {
        csim_bind(&s->fetch_i, &b->fetch_i);
        csim_bind(&s->row_i, &b->row_i);
        csim_bind(&s->flow_i, &b->flow_i);
    } else {
        csim_bind(&s->fetch_i, &b->fetch.lanes);
        csim_bind(&s->row_i, &b->row.lanes);
        csim_bind(&s->flow_i, &b->flow.lanes);
    }
}

/* Between the wires: stage or pad `wire` stands before b->lanes[wire], the last before lanes_o. */
static void benes_connect_lanes(struct benes *b, unsigned wire, struct csim_in *in, struct csim_out *out)
{
    if (wire == 0)
        csim_bind(in, &b->lanes_i);
    else
        csim_bind(in, &b->lanes[wire - 1]);
    if (wire == b->stages + b->pads - 1)
        csim_bind(out, &b->lanes_o);
    else
        csim_bind(out, &b->lanes[wire]);
}

static bool benes_columns(struct benes *b, struct csim_module *module, const struct machine *machine)
{
    unsigned registers = 0;
    for (unsigned s = 0; s < b->stages; s++) {
        struct stage *stage = stage_new(module, machine, s, registers, b->depth);
        if (stage == NULL)
            return false;
        benes_connect_stage(b, stage, registers);
        benes_connect_lanes(b, s, &stage->lanes_i, &stage->lanes_o);
        registers += stage_registered(machine, s);
    }
    for (unsigned p = 0; p < b->pads; p++, registers++) {
        struct pad *pad = pad_new(module, machine, p, registers, b->depth);
        if (pad == NULL)
            return false;
        csim_bind(&pad->ce_i, &b->ce_i);
        if (registers == 0)
            csim_bind(&pad->flow_i, &b->flow_i);
        else
            csim_bind(&pad->flow_i, &b->flow.lanes);
        benes_connect_lanes(b, b->stages + p, &pad->lanes_i, &pad->lanes_o);
    }
    return true;
}

struct benes *benes_new(struct csim_module *parent, const char *name, const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct benes *b = csim_state(module, sizeof *b);
    if (b == NULL)
        return NULL;
    b->stages = machine_stages(machine);
    b->pads = machine->pad;
    b->depth = machine_latency(machine);
    b->lanes = csim_alloc(module, (b->stages + b->pads) * sizeof *b->lanes);
    b->settings = csim_alloc(module, b->stages * sizeof *b->settings);
    if (b->lanes == NULL || b->settings == NULL)
        return NULL;
    csim_on_reset(module, benes_reset);
    uint32_t ports = machine_ports(machine);
    csim_input(module, &b->lanes_i, machine->width + 1, ports, "lanes_i");
    csim_output(module, &b->lanes_o, machine->width + 1, ports, "lanes_o");
    for (unsigned wire = 0; wire + 1 < b->stages + b->pads; wire++)
        csim_signal(module, &b->lanes[wire], machine->width + 1, ports, "lanes%u", wire + 1);
    for (unsigned s = 0; s < b->stages; s++)
        csim_signal(module, &b->settings[s], ports < 64 ? ports / 2 : 32,
                    benes_row_words(machine->log2_ports), "setting%u", s);
    benes_processes(b, module, machine);
    return benes_columns(b, module, machine) ? b : NULL;
}
