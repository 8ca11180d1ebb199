#include "multistage_machine.h"

#include "multistage_network.h"

static bool connect_network(struct frame *m, struct csim_module *module, const struct machine *machine)
{
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
    csim_bind(&w->host_rdata_o, &m->table_rdata);
    return true;
}

struct multistage_machine *multistage_machine_new(struct csim_module *parent, const char *name,
                                                  const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct multistage_machine *m = csim_state(module, sizeof *m);
    if (m == NULL)
        return NULL;
    bool built = frame_new(&m->frame, module, machine) && connect_network(&m->frame, module, machine);
    return built ? m : NULL;
}
