/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/multistage_network.h"

#include <string.h>

/* -- The edge ---------------------------------------------------------------------------------- */

static struct wavefront_front network_entrance(const struct multistage_network *w)
{
    return (struct wavefront_front){
        csim_get(&w->wave_fetch_i), csim_get(&w->wave_row_i), csim_get(&w->tx_tag_i),
        w->has_setting_index ? csim_get(&w->setting_index_i) : csim_get(&w->wave_row_i)};
}

/* Outputs the flits of a entry, or zeros if it carries none. */
static void network_leave(struct multistage_network *w, const struct transit_entry *entry)
{
    if (w->operates)
        transit_operate(&w->transit, csim_get(&w->operation_i));
    if (entry->flow)
        transit_leave(&w->transit, entry, csim_write(&w->lanes_o));
    else if (!w->zero)
        memset(csim_write(&w->lanes_o), 0, w->net.ports * sizeof(uint32_t));
    w->zero = !entry->flow;
}

static void network_move(struct multistage_network *w)
{
    transit_enter(&w->transit, csim_get(&w->tx_flow_i), csim_read(&w->lanes_i));
    if (w->registered)
        network_leave(w, transit_after(&w->transit, w->depth));
}

/* Fetches, in every stage, the row whose wavefront has reached it; or the row that the host
 * reads. */
static void network_load(struct multistage_network *w, const struct wavefront_front *in, bool host)
{
    for (unsigned s = 0; s < w->stages; s++) {
        struct stage *stage = w->transit.stage[s];
        const struct wavefront_front *at =
            stage->registers == 0 ? in : wavefront_after(&w->wave, stage->registers);
        if (host || at->fetch)
            stage_load(stage, at->fetch, at->setting_index);
    }
    if (csim_get(&w->host_we_table_i))
        transit_forget(&w->transit);
    if (in->fetch)
        w->transit.setting_index = in->setting_index;
}

static void network_shift(struct multistage_network *w, const struct wavefront_front *in)
{
    wavefront_shift(&w->wave, in);
    const struct wavefront_front *out = wavefront_after(&w->wave, w->depth);
    ports_set(&w->rx_fetch_o, out->fetch);
    ports_set(&w->rx_row_o, out->row);
    ports_set(&w->rx_tag_o, out->tag);
}

void network_edge(void *state)
{
    struct multistage_network *w = state;
    const struct wavefront_front in = network_entrance(w);
    uint32_t host_re = csim_get(&w->host_re_memory_i);
    if (host_re) {
        uint32_t *at = csim_write(&w->read_at);
        at[0] = csim_get(&w->host_bank_i);
        at[1] = csim_get(&w->host_column_i);
    }
    if (w->depth != 0 && csim_get(&w->ce_i))
        network_move(w);
    bool host = host_re || csim_get(&w->host_we_table_i);
    w->loaded = host || in.fetch || w->wave.fetches != 0;
    if (w->loaded)
        network_load(w, &in, host);
    if (w->depth != 0)
        network_shift(w, &in);
}

/* -- Leaps ------------------------------------------------------------------------------------- */

void network_leap(struct multistage_network *w, const struct wavefront_front *row,
                  const struct wavefront_front *next)
{
    for (unsigned s = 0; s < w->stages; s++) {
        struct stage *stage = w->transit.stage[s];
        stage_load(stage, true, stage->registers == 0 ? next->setting_index : row->setting_index);
    }
    transit_clear(&w->transit);
    w->transit.setting_index = next->setting_index;
    wavefront_fill(&w->wave, row);
    network_shift(w, next);
}

/* -- Without a register at the exit ------------------------------------------------------------ */

/* The values at the entrance, as if they had passed a register. */
static struct transit_entry network_entering(const struct multistage_network *w)
{
    return (struct transit_entry){csim_read(&w->lanes_i), w->transit.setting_index,
                                  csim_get(&w->tx_flow_i)};
}

void network_exit(void *state)
{
    struct multistage_network *w = state;
    const struct transit_entry entering = network_entering(w);
    network_leave(w, w->depth == 0 ? &entering : transit_after(&w->transit, w->depth));
}

/* Outputs the word that the host read; 0 outside the tables. */
static void network_word(struct multistage_network *w)
{
    const uint32_t *at = csim_read(&w->read_at);
    const struct csim_signal *words = w->masks != NULL ? w->masks : w->settings;
    bool inside = w->tables && at[0] < w->stages &&
                  at[1] < (w->masks != NULL ? 1 : multistage_columns(&w->net, at[0]));
    csim_put(&w->host_rdata_o, inside ? csim_read(&words[at[0]])[at[1]] : 0);
}

/* Outputs the word that the host read, and the wavefront if no register delays it. */
void network_outputs(void *state)
{
    struct multistage_network *w = state;
    if (w->loaded)
        network_word(w);
    if (w->depth != 0)
        return;
    csim_put(&w->rx_fetch_o, csim_get(&w->wave_fetch_i));
    csim_put(&w->rx_row_o, csim_get(&w->wave_row_i));
    csim_put(&w->rx_tag_o, csim_get(&w->tx_tag_i));
}

/* -- Views ------------------------------------------------------------------------------------- */

/* Returns the number of registers before a wire: those before the stage that follows the wire, or
 * all registers except the pads that follow it. */
static unsigned registers_before(const struct multistage_network *w, unsigned wire)
{
    return wire + 1 < w->stages ? w->transit.stage[wire + 1]->registers
                                : w->depth - (w->stages + w->pads - 1 - wire);
}

static void show_lanes(struct multistage_network *w)
{
    const struct transit_entry entering = network_entering(w);
    for (unsigned wire = 0; wire + 1 < w->stages + w->pads; wire++) {
        unsigned registers = registers_before(w, wire);
        transit_show(&w->transit,
                     registers == 0 ? &entering : transit_after(&w->transit, registers),
                     wire < w->stages ? wire : w->stages - 1, csim_write(&w->lanes[wire]));
    }
}

static void show_wavefront(struct multistage_network *w)
{
    for (uint32_t lane = 0; lane < w->depth; lane++) {
        const struct wavefront_front *at = wavefront_after(&w->wave, lane + 1);
        csim_write(&w->fetch)[lane] = at->fetch;
        csim_write(&w->row)[lane] = at->row;
        csim_write(&w->tag)[lane] = at->tag;
        csim_write(&w->flow)[lane] = transit_after(&w->transit, lane + 1)->flow;
        if (w->has_setting_index)
            csim_write(&w->setting_index)[lane] = at->setting_index;
    }
}

void network_show(void *state)
{
    struct multistage_network *w = state;
    show_lanes(w);
    show_wavefront(w);
    for (unsigned s = 0; !w->settings_kept && s < w->stages; s++)
        stage_show(w->transit.stage[s]);
}

void network_reset(void *state)
{
    struct multistage_network *w = state;
    transit_reset(&w->transit);
    wavefront_reset(&w->wave);
    w->zero = w->loaded = true;
}
