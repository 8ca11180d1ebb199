/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/link.h"

#include "csim/shell/wide_words.h"

#include <string.h>

static void link_edge(void *state)
{
    struct link *l = state;
    bool flow = csim_get(&l->flow_i);
    if (!csim_get(&l->ce_i) || (!flow && l->busy == 0))
        return;
    size_t bytes = l->lanes * sizeof *l->rows;
    const uint32_t *in = csim_read(&l->lanes_i);
    uint32_t *out = csim_write(&l->lanes_o);
    if (l->depth == 1) {
        memcpy(out, in, bytes);
    } else {
        uint32_t *oldest = l->rows + (size_t)l->at * l->lanes;
        memcpy(out, oldest, bytes);
        memcpy(oldest, in, bytes);
        l->at = l->at + 2 == l->depth ? 0 : l->at + 1;
    }
    l->busy = flow ? l->depth : l->busy - 1;
}

static void link_reset(void *state)
{
    struct link *l = state;
    memset(l->rows, 0, (size_t)l->depth * l->lanes * sizeof *l->rows);
    l->at = l->busy = 0;
}

struct link *link_new(struct csim_module *parent, const char *name, const struct machine *machine,
                      uint32_t lanes)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct link *self = csim_state(module, sizeof *self);
    if (self == NULL)
        return NULL;
    self->lanes = lanes;
    self->depth = machine->pad;
    self->rows = csim_alloc(module, (size_t)self->depth * lanes * sizeof *self->rows);
    if (self->rows == NULL)
        return NULL;
    csim_on_reset(module, link_reset);
    csim_input(module, &self->lanes_i, wide_words_lane_bits(machine) + 1, lanes, "lanes_i");
    csim_output(module, &self->lanes_o, wide_words_lane_bits(machine) + 1, lanes, "lanes_o");
    struct csim_process *process = csim_clocked(module, "edge", link_edge);
    PORTS_INPUT_DECLARE(ce, 1)
    PORTS_INPUT_DECLARE(flow, 1)
    csim_reads(process, &self->lanes_i);
    csim_writes(process, &self->lanes_o);
    return self;
}
