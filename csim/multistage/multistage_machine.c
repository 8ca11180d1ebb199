/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/multistage_machine.h"

#include "csim/multistage/multistage_network.h"
#include "csim/multistage/order.h"
#include "csim/shell/endpoint_leap.h"
#include "csim/shell/sequencer.h"

static bool connect_network(struct multistage_machine *m, struct csim_module *module,
                            const struct machine *machine)
{
    struct shell *around = &m->shell;
    bool ordered = machine_has_order(machine);
    struct multistage_network *part = m->network =
        multistage_network_new(module, "network", machine);
    if (part == NULL)
        return false;
    MULTISTAGE_NETWORK_PORTS(PORTS_INPUT_BIND, PORTS_OUTPUT_BIND)
    csim_bind(&part->lanes_i, &around->tx_lanes);
    csim_bind(&part->lanes_o, &around->rx_lanes);
    csim_bind(&part->host_rdata_o, ordered ? &m->network_rdata : &around->table_rdata);
    if (ordered)
        csim_bind(&part->order_i, &m->order);
    return true;
}

/* Who was not read gives 0. */
static void merge_words(void *state)
{
    struct multistage_machine *m = state;
    csim_put(&m->shell.table_rdata, csim_get(&m->network_rdata) | csim_get(&m->order_rdata));
}

static bool connect_order(struct multistage_machine *m, struct csim_module *module,
                          const struct machine *machine)
{
    struct shell *around = &m->shell;
    csim_signal(module, &m->order, machine_order_bits(machine), 1, "order");
    csim_signal(module, &m->network_rdata, 32, 1, "network_rdata");
    csim_signal(module, &m->order_rdata, 32, 1, "order_rdata");
    struct csim_process *merge = csim_combinational(module, "merge", merge_words);
    csim_reads(merge, &m->network_rdata);
    csim_reads(merge, &m->order_rdata);
    csim_writes(merge, &around->table_rdata);
    struct order *part = m->setting_order = order_new(module, "setting_order", machine);
    if (part == NULL)
        return false;
    ORDER_PORTS(PORTS_INPUT_BIND)
    csim_bind(&part->order_o, &m->order);
    csim_bind(&part->host_rdata_o, &m->order_rdata);
    csim_bind(&part->fetch_i, machine->reconfigures ? &around->turn : &around->fetch);
    if (machine->reconfigures)
        csim_bind(&part->length_o, &around->length);
    return true;
}

/* A row in one call, if it is one of many and nothing in it is out of the ordinary. All but what
 * moves is then as it was a row ago, or two cycles later in the first row. */
static uint64_t machine_leap(void *state, uint64_t most)
{
    struct multistage_machine *m = state;
    struct sequencer *sequencer = m->shell.sequencer;
    struct multistage_network *network = m->network;
    uint32_t edges = sequencer_edges(sequencer, network->depth);
    if (edges == 0 || edges > most || !shell_rests(&m->shell))
        return 0;
    struct wavefront_front now = {.row = csim_get(&m->shell.row)};
    struct wavefront_front next = {.fetch = true,
                                   .row = sequencer_next_row(sequencer),
                                   .tag = UINT32_C(1) << (m->shell.flit_bits + 1)};
    now.order = m->setting_order != NULL ? csim_get(&m->order) : now.row;
    if (!endpoint_leap(m->shell.endpoint, now.row, next.row,
                       transit_sources(&network->transit, now.order)))
        return 0;
    next.order = m->setting_order != NULL ? order_fetch(m->setting_order) : next.row;
    network_leap(network, &now, &next);
    sequencer_leap(sequencer);
    shell_leap(&m->shell);
    return edges;
}

struct multistage_machine *multistage_machine_new(struct csim_module *parent, const char *name,
                                                  const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct multistage_machine *m = csim_state(module, sizeof *m);
    if (m == NULL)
        return NULL;
    bool built = shell_new(&m->shell, module, machine) &&
                 (!machine_has_order(machine) || connect_order(m, module, machine)) &&
                 connect_network(m, module, machine);
    if (!machine->reconfigures)
        csim_on_leap(module, machine_leap);
    return built ? m : NULL;
}
