/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/multistage_machine.h"

#include "csim/multistage/multistage_network.h"
#include "csim/multistage/setting_index.h"
#include "csim/shell/endpoint.h"
#include "csim/shell/sequencer.h"
#include "sched/machine/machine_address.h"

static bool connect_network(struct multistage_machine *m, struct csim_module *module,
                            const struct machine *machine)
{
    struct shell *around = &m->shell;
    bool has_setting_index = machine_has_setting_index(machine);
    /* The register in which a flit waits for the word that it is combined with is the last of those
     * after the network. */
    struct machine delayed = *machine;
    delayed.pad += delayed.combines;
    delayed.combines = false;
    const bool operates = machine->combines && multistage_combines(&machine->network);
    bool merges = has_setting_index || machine->ranges;
    struct multistage_network *part = m->network =
        multistage_network_new(module, "network", &delayed, operates);
    if (part == NULL)
        return false;
    transit_number(&part->transit, around->endpoint->wide);
    MULTISTAGE_NETWORK_PORTS(PORTS_INPUT_BIND, PORTS_OUTPUT_BIND)
    if (operates)
        csim_bind(&part->operation_i, &around->operation);
    csim_bind(&part->lanes_i, &around->tx_lanes);
    csim_bind(&part->lanes_o, &around->rx_lanes);
    csim_bind(&part->host_rdata_o, merges ? &m->network_rdata : &around->table_rdata);
    if (has_setting_index)
        csim_bind(&part->setting_index_i, &m->setting_index);
    return true;
}

/* ORs the words read; a bank that was not read returns 0. */
static void merge_words(void *state)
{
    struct multistage_machine *m = state;
    uint32_t word = csim_get(&m->network_rdata);
    if (m->setting_index_memory != NULL)
        word |= csim_get(&m->setting_index_rdata);
    if (m->has_splits)
        word |= csim_get(&m->shell.splits_rdata);
    csim_put(&m->shell.table_rdata, word);
}

/* Connects the words that the host reads, of a machine with other tables than those of the stages.
 */
static void connect_words(struct multistage_machine *m, struct csim_module *module,
                          const struct machine *machine)
{
    m->has_splits = machine->ranges;
    csim_signal(module, &m->network_rdata, 32, 1, "network_rdata");
    struct csim_process *merge = csim_combinational(module, "merge", merge_words);
    csim_reads(merge, &m->network_rdata);
    if (machine_has_setting_index(machine)) {
        csim_signal(module, &m->setting_index_rdata, 32, 1, "setting_index_rdata");
        csim_reads(merge, &m->setting_index_rdata);
    }
    if (machine->ranges)
        csim_reads(merge, &m->shell.splits_rdata);
    csim_writes(merge, &m->shell.table_rdata);
}

static bool connect_setting_index(struct multistage_machine *m, struct csim_module *module,
                                  const struct machine *machine)
{
    struct shell *around = &m->shell;
    csim_signal(module, &m->setting_index, machine_setting_index_bits(machine), 1, "setting_index");
    struct setting_index *part = m->setting_index_memory =
        setting_index_new(module, "setting_index_memory", machine);
    if (part == NULL)
        return false;
    SETTING_INDEX_PORTS(PORTS_INPUT_BIND)
    csim_bind(&part->setting_index_o, &m->setting_index);
    csim_bind(&part->host_rdata_o, &m->setting_index_rdata);
    csim_bind(&part->fetch_i, machine->reconfigures ? &around->next_phase : &around->fetch);
    if (machine->reconfigures)
        csim_bind(&part->length_o, &around->length);
    return true;
}

/* Executes a row in one call if it is regular and other rows follow. All state except the packets
 * is then as it was one row earlier, or, in the first row, as it was two cycles later. */
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
    now.setting_index = m->setting_index_memory != NULL ? csim_get(&m->setting_index) : now.row;
    if (!endpoint_leap(m->shell.endpoint, now.row, next.row,
                       transit_sources(&network->transit, now.setting_index)))
        return 0;
    next.setting_index =
        m->setting_index_memory != NULL ? setting_index_fetch(m->setting_index_memory) : next.row;
    network_leap(network, &now, &next);
    sequencer_leap(sequencer);
    shell_leap(&m->shell, edges);
    return edges;
}

struct multistage_machine *multistage_machine_new(struct csim_module *parent, const char *name,
                                                  const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct multistage_machine *m = csim_state(module, sizeof *m);
    if (m == NULL)
        return NULL;
    if (!shell_new(&m->shell, module, machine))
        return NULL;
    if (machine_has_setting_index(machine) || machine->ranges)
        connect_words(m, module, machine);
    bool built =
        (!machine_has_setting_index(machine) || connect_setting_index(m, module, machine)) &&
        connect_network(m, module, machine);
    if (!machine->reconfigures && !machine->ranges && !machine->combines &&
        !multistage_combines(&machine->network))
        csim_on_leap(module, machine_leap);
    return built ? m : NULL;
}
