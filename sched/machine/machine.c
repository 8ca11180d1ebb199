/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/machine.h"

const struct machine_kind_row machine_kind_rows[MACHINE_KINDS] = {
    [MACHINE_MULTISTAGE] = {.top = "multistage_machine",
                            .topology = TOPOLOGY_COMPLETE,
                            .combines = true},
    [MACHINE_FAT_TREE] = {"fat-tree", "fat-tree[,pad=D]",
                          "the routers of the schedule's tree, which follow tables; at most 65536 "
                          "leaves (rtl: 1024)",
                          .top = "fat_tree_machine", .topology = TOPOLOGY_TREE, .hops = true,
                          .combines = true},
    [MACHINE_FAT_TREE_AUTO] =
        {"fat-tree-auto", "fat-tree-auto[,pad=D]",
         "the same tree of self-timed routers: destination headers, queues, up first, children in "
         "turn",
         .top = "fat_tree_machine", .topology = TOPOLOGY_TREE, .hops = true, .header_flits = 2},
    [MACHINE_CUBE] = {"cube", "cube[,pad=D]",
                      "the routers of the schedule's hypercube, which follow tables; at most 12 "
                      "dimensions (rtl: 7)",
                      .top = "cube_machine", .topology = TOPOLOGY_HYPERCUBE, .hops = true,
                      .combines = true, .node_memories = true},
    [MACHINE_CUBE_AUTO] = {
        "cube-auto", "cube-auto[,pad=D]",
        "the same hypercube, self-timed: it ranks its packets and broadcasts them by itself "
        "(cube-broadcast)",
        .top = "cube_auto_machine", .topology = TOPOLOGY_HYPERCUBE, .hops = true, .header_flits = 1,
        .autonomous = true}};

const struct machine_settings_row machine_settings_rows[MACHINE_SETTINGS_KINDS] = {
#define SETTINGS_ROW(name, text, what, setting_index, tags, masks) \
    {text, what, setting_index, tags, masks},
    MACHINE_SETTINGS_TABLE(SETTINGS_ROW)
#undef SETTINGS_ROW
};

bool machine_has_topology(const struct machine *machine, const struct topology *topology)
{
    bool complete = topology_joins_all(topology);
    return machine_hops(machine) ? !complete && topology_same_links(topology, &machine->topology)
                                 : complete;
}
