#include "csim/multistage/multistage_machine.h"

#include "csim/multistage/multistage_network.h"
#include "csim/multistage/order.h"

static bool connect_network(struct multistage_machine *machine_state, struct csim_module *module,
                            const struct machine *machine)
{
    struct frame *m = &machine_state->frame;
    bool ordered = machine_has_order(machine);
    struct multistage_network *w = multistage_network_new(module, "network", machine);
    if (w == NULL)
        return false;
    csim_bind(&w->ce_i, &m->ce);
    csim_bind(&w->fetch_i, &m->wave_fetch);
    csim_bind(&w->row_i, &m->wave_row);
    csim_bind(&w->tag_i, &m->tx_tag);
    csim_bind(&w->flow_i, &m->tx_flow);
    csim_bind(&w->fetch_o, &m->rx_fetch);
    csim_bind(&w->row_o, &m->rx_row);
    csim_bind(&w->tag_o, &m->rx_tag);
    csim_bind(&w->lanes_i, &m->tx_lanes);
    csim_bind(&w->lanes_o, &m->rx_lanes);
    csim_bind(&w->host_strobe_i, &m->host_we_table);
    csim_bind(&w->host_re_i, &m->host_re);
    csim_bind(&w->host_stage_i, &m->host_stage);
    csim_bind(&w->host_row_i, &m->host_row);
    csim_bind(&w->host_column_i, &m->host_column);
    csim_bind(&w->host_wdata_i, &m->host_wdata);
    csim_bind(&w->host_rdata_o, ordered ? &machine_state->network_rdata : &m->table_rdata);
    if (ordered)
        csim_bind(&w->order_i, &machine_state->order);
    return true;
}

/* Who was not read gives 0. */
static void merge_words(void *state)
{
    struct multistage_machine *m = state;
    csim_put(&m->frame.table_rdata, csim_get(&m->network_rdata) | csim_get(&m->order_rdata));
}

static bool connect_order(struct multistage_machine *machine_state, struct csim_module *module,
                          const struct machine *machine)
{
    struct frame *m = &machine_state->frame;
    csim_signal(module, &machine_state->order, machine_order_bits(machine), 1, "order");
    csim_signal(module, &machine_state->network_rdata, 32, 1, "network_rdata");
    csim_signal(module, &machine_state->order_rdata, 32, 1, "order_rdata");
    struct csim_process *merge = csim_combinational(module, "merge", merge_words);
    csim_reads(merge, &machine_state->network_rdata);
    csim_reads(merge, &machine_state->order_rdata);
    csim_writes(merge, &m->table_rdata);
    struct order *o = order_new(module, "setting_order", machine);
    if (o == NULL)
        return false;
    csim_bind(&o->fetch_i, &m->fetch);
    csim_bind(&o->beat_i, &m->beat);
    csim_bind(&o->order_o, &machine_state->order);
    csim_bind(&o->host_strobe_i, &m->host_we_table);
    csim_bind(&o->host_re_i, &m->host_re);
    csim_bind(&o->host_stage_i, &m->host_stage);
    csim_bind(&o->host_row_i, &m->host_row);
    csim_bind(&o->host_wdata_i, &m->host_wdata);
    csim_bind(&o->host_rdata_o, &machine_state->order_rdata);
    return true;
}

struct multistage_machine *multistage_machine_new(struct csim_module *parent, const char *name,
                                                  const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct multistage_machine *m = csim_state(module, sizeof *m);
    if (m == NULL)
        return NULL;
    bool built = frame_new(&m->frame, module, machine) &&
                 (!machine_has_order(machine) || connect_order(m, module, machine)) &&
                 connect_network(m, module, machine);
    return built ? m : NULL;
}
