/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/wave.h"

#include <string.h>

static void wave_wires(void *state)
{
    struct wave *w = state;
    csim_put(&w->rx_fetch_o, csim_get(&w->wave_fetch_i));
    csim_put(&w->rx_row_o, csim_get(&w->wave_row_i));
    csim_put(&w->rx_tag_o, csim_get(&w->tx_tag_i));
}

static void wave_edge(void *state)
{
    struct wave *w = state;
    struct wave_front in = {csim_get(&w->wave_fetch_i), csim_get(&w->wave_row_i),
                            csim_get(&w->tx_tag_i)};
    struct wave_front out = in;
    if (w->depth > 1) {
        out = w->in_flight[w->at];
        w->in_flight[w->at] = in;
        w->at = w->at + 2 == w->depth ? 0 : w->at + 1;
    }
    ports_set(&w->rx_fetch_o, out.fetch);
    ports_set(&w->rx_row_o, out.row);
    ports_set(&w->rx_tag_o, out.tag);
}

static void wave_reset(void *state)
{
    struct wave *w = state;
    memset(w->in_flight, 0, sizeof w->in_flight);
    w->at = 0;
}

struct wave *wave_new(struct csim_module *parent, const char *name, const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct wave *self = csim_state(module, sizeof *self);
    if (self == NULL)
        return NULL;
    self->depth = machine->pad;
    csim_on_reset(module, wave_reset);
    struct csim_process *process = self->depth == 0
                                       ? csim_combinational(module, "wires", wave_wires)
                                       : csim_clocked(module, "edge", wave_edge);
    WAVE_PORTS(PORTS_INPUT_DECLARE, PORTS_OUTPUT_DECLARE)
    return self;
}
