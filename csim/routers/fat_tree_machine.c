/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/routers/router_machine.h"

#include <stdio.h>

/* -- Signals ----------------------------------------------------------------------------------- */

/* Returns the number of lanes of the branches below a level. */
static uint32_t machine_lanes(const struct fat_tree_machine *m, unsigned level)
{
    const struct topology *tree = &m->base.machine.topology;
    return (tree->first[level] - tree->first[level - 1]) * tree->capacity[level];
}

static void machine_signals(struct fat_tree_machine *m, struct csim_module *module)
{
    unsigned width = wide_words_lane_bits(&m->base.machine) + 1;
    bool far = m->base.machine.pad != 0;
    for (unsigned level = 1; level <= m->base.machine.topology.height; level++) {
        uint32_t lanes = machine_lanes(m, level);
        if (level > 1)
            csim_signal(module, &m->up[level], width, lanes, "up%u", level);
        if (far)
            csim_signal(module, &m->up_far[level], width, lanes, "up%u_far", level);
        if (level > 1 || far)
            csim_signal(module, &m->down[level], width, lanes, "down%u", level);
        if (level > 1 && far)
            csim_signal(module, &m->down_far[level], width, lanes, "down%u_far", level);
    }
}

/* Return the signals at the two ends of a link up to a level, or down from it. */
static struct csim_signal *up_near(struct fat_tree_machine *m, unsigned level)
{
    return level == 1 ? &m->base.shell.tx_lanes : &m->up[level];
}
static struct csim_signal *up_end(struct fat_tree_machine *m, unsigned level)
{
    return m->base.machine.pad != 0 ? &m->up_far[level] : up_near(m, level);
}
static struct csim_signal *down_end(struct fat_tree_machine *m, unsigned level)
{
    return level == 1                 ? &m->base.shell.rx_lanes
           : m->base.machine.pad != 0 ? &m->down_far[level]
                                      : &m->down[level];
}
static struct csim_signal *down_near(struct fat_tree_machine *m, unsigned level)
{
    return m->base.machine.pad != 0 ? &m->down[level] : down_end(m, level);
}

/* -- Parts ------------------------------------------------------------------------------------- */

static bool connect_level(struct fat_tree_machine *m, struct csim_module *module, unsigned level)
{
    struct router_level *l = router_machine_level(&m->base, module, level);
    if (l == NULL)
        return false;
    csim_bind(&l->children_i, up_end(m, level));
    csim_bind(&l->children_o, down_near(m, level));
    if (level < m->base.machine.topology.height) {
        csim_bind(&l->parent_i, down_end(m, level + 1));
        csim_bind(&l->parent_o, up_near(m, level + 1));
    }
    return true;
}

/* Builds the registers of the branches below a level. */
static bool connect_links(struct fat_tree_machine *m, struct csim_module *module, unsigned level)
{
    if (m->base.machine.pad == 0)
        return true;
    char up[16], down[16];
    snprintf(up, sizeof up, "up_link%u", level);
    snprintf(down, sizeof down, "down_link%u", level);
    uint32_t lanes = machine_lanes(m, level);
    struct csim_signal *below = level == 1 ? &m->base.shell.tx_flow : &m->base.flow[level - 1];
    return router_machine_link(&m->base, module, up, lanes,
                               (struct router_link){below, up_near(m, level), up_end(m, level)}) &&
           router_machine_link(
               &m->base, module, down, lanes,
               (struct router_link){&m->base.flow[level], down_near(m, level), down_end(m, level)});
}

struct fat_tree_machine *fat_tree_machine_new(struct csim_module *parent, const char *name,
                                              const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct fat_tree_machine *m = csim_state(module, sizeof *m);
    if (m == NULL)
        return NULL;
    bool built = router_machine_new(&m->base, module, machine);
    machine_signals(m, module);
    for (unsigned level = 1; built && level <= machine->topology.height; level++)
        built = connect_level(m, module, level) && connect_links(m, module, level);
    return built ? m : NULL;
}
