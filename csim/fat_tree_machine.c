#include "fat_tree_machine.h"

#include <stdio.h>

#include "link.h"
#include "router_level.h"
#include "wave.h"

static bool machine_leaf_sends(const struct fat_tree_machine *m)
{
    const uint32_t *lanes = csim_read(&m->frame.tx_lanes);
    bool sends = false;
    if (csim_get(&m->frame.tx_flow))
        for (uint32_t leaf = 0; !sends && leaf < m->machine.topology.nodes; leaf++)
            sends = lanes[leaf] >> m->machine.width;
    return sends;
}

static bool machine_sends(const struct fat_tree_machine *m)
{
    bool sends = false;
    for (unsigned level = 1; !sends && level <= m->machine.topology.height; level++)
        sends = csim_get(&m->flow[level]);
    return sends || machine_leaf_sends(m);
}

/* The last row in which anybody sent. */
static void machine_count(void *state)
{
    struct fat_tree_machine *m = state;
    const struct frame *f = &m->frame;
    if (csim_get(&f->rst_i) || csim_get(&f->start_i))
        ports_set(&f->steps, 0);
    else if (csim_get(&f->active) && csim_get(&f->steps) != m->row + 1 && machine_sends(m))
        ports_set(&f->steps, m->row + 1);
    if (csim_get(&f->wave_fetch))
        m->row = csim_get(&f->wave_row);
}

/* The words that the host read; levels without the router give 0. */
static void machine_read(void *state)
{
    struct fat_tree_machine *m = state;
    enum router_level_word of = csim_get(&m->frame.host_region) & 1 ? ROUTER_LEVEL_TABLE : ROUTER_LEVEL_FLAGS;
    uint32_t word = 0;
    for (unsigned level = 1; level <= m->machine.topology.height; level++)
        word |= csim_read(&m->host_words[level])[of];
    csim_put(&m->frame.table_rdata, word);
}

static void machine_reset(void *state)
{
    struct fat_tree_machine *m = state;
    m->row = 0;
}

static void machine_processes(struct fat_tree_machine *m, struct csim_module *module)
{
    struct frame *f = &m->frame;
    struct csim_process *count = csim_clocked(module, "count", machine_count);
    csim_reads(count, &f->rst_i);
    csim_reads(count, &f->start_i);
    csim_reads(count, &f->active);
    csim_reads(count, &f->wave_fetch);
    csim_reads(count, &f->wave_row);
    csim_reads(count, &f->tx_flow);
    csim_reads(count, &f->tx_lanes);
    csim_writes(count, &f->steps);
    struct csim_process *read = csim_combinational(module, "read", machine_read);
    csim_reads(read, &f->host_region);
    csim_writes(read, &f->table_rdata);
    for (unsigned level = 1; level <= m->machine.topology.height; level++) {
        csim_reads(count, &m->flow[level]);
        csim_reads(read, &m->host_words[level]);
    }
}

/* -- Signals ------------------------------------------------------------------------------------- */

/* Lanes of the branches below a level. */
static uint32_t machine_lanes(const struct fat_tree_machine *m, unsigned level)
{
    const struct topology *tree = &m->machine.topology;
    return (tree->first[level] - tree->first[level - 1]) * tree->capacity[level];
}

static void machine_signals(struct fat_tree_machine *m, struct csim_module *module)
{
    unsigned width = m->machine.width + 1;
    bool far = m->machine.pad != 0;
    for (unsigned level = 1; level <= m->machine.topology.height; level++) {
        uint32_t lanes = machine_lanes(m, level);
        csim_signal(module, &m->flow[level], 1, 1, "flow%u", level);
        csim_signal(module, &m->host_words[level], 32, ROUTER_LEVEL_WORDS, "host_words%u", level);
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

/* Where what goes up to a level, or down from it, begins and ends. */
static struct csim_signal *up_near(struct fat_tree_machine *m, unsigned level)
{
    return level == 1 ? &m->frame.tx_lanes : &m->up[level];
}
static struct csim_signal *up_end(struct fat_tree_machine *m, unsigned level)
{
    return m->machine.pad != 0 ? &m->up_far[level] : up_near(m, level);
}
static struct csim_signal *down_end(struct fat_tree_machine *m, unsigned level)
{
    return level == 1 ? &m->frame.rx_lanes : m->machine.pad != 0 ? &m->down_far[level] : &m->down[level];
}
static struct csim_signal *down_near(struct fat_tree_machine *m, unsigned level)
{
    return m->machine.pad != 0 ? &m->down[level] : down_end(m, level);
}

/* -- Parts --------------------------------------------------------------------------------------- */

static bool connect_wave(struct fat_tree_machine *m, struct csim_module *module)
{
    struct frame *f = &m->frame;
    struct wave *w = wave_new(module, "wave", &m->machine);
    if (w == NULL)
        return false;
    csim_bind(&w->fetch_i, &f->wave_fetch);
    csim_bind(&w->row_i, &f->wave_row);
    csim_bind(&w->tag_i, &f->tx_tag);
    csim_bind(&w->fetch_o, &f->rx_fetch);
    csim_bind(&w->row_o, &f->rx_row);
    csim_bind(&w->tag_o, &f->rx_tag);
    return true;
}

static bool connect_level(struct fat_tree_machine *m, struct csim_module *module, unsigned level)
{
    struct frame *f = &m->frame;
    struct router_level *l = router_level_new(module, &m->machine, level);
    if (l == NULL)
        return false;
    csim_bind(&l->rst_i, &f->rst_i);
    csim_bind(&l->clear_i, &f->start_i);
    csim_bind(&l->single_port_i, &f->single_port);
    csim_bind(&l->fetch_i, &f->fetch);
    csim_bind(&l->row_i, &f->row);
    csim_bind(&l->tx_en_i, &f->tx_en);
    csim_bind(&l->tx_flit_i, &f->tx_flit);
    csim_bind(&l->flow_o, &m->flow[level]);
    csim_bind(&l->rx_en_i, &f->rx_en);
    csim_bind(&l->rx_last_i, &f->rx_last);
    csim_bind(&l->rx_flit_i, &f->rx_flit);
    csim_bind(&l->host_we_table_i, &f->host_we_table);
    csim_bind(&l->host_re_i, &f->host_re);
    csim_bind(&l->host_router_i, &f->host_stage);
    csim_bind(&l->host_row_i, &f->host_row);
    csim_bind(&l->host_column_i, &f->host_column);
    csim_bind(&l->host_wdata_i, &f->host_wdata);
    csim_bind(&l->host_words_o, &m->host_words[level]);
    csim_bind(&l->children_i, up_end(m, level));
    csim_bind(&l->children_o, down_near(m, level));
    if (level < m->machine.topology.height) {
        csim_bind(&l->parent_i, down_end(m, level + 1));
        csim_bind(&l->parent_o, up_near(m, level + 1));
    }
    return true;
}

static bool connect_link(struct fat_tree_machine *m, struct csim_module *module, const char *name,
                         uint32_t lanes, struct csim_signal *flow, struct csim_signal *from,
                         struct csim_signal *to)
{
    struct link *l = link_new(module, name, &m->machine, lanes);
    if (l == NULL)
        return false;
    csim_bind(&l->ce_i, &m->frame.ce);
    csim_bind(&l->flow_i, flow);
    csim_bind(&l->lanes_i, from);
    csim_bind(&l->lanes_o, to);
    return true;
}

/* The registers of the branches below a level. */
static bool connect_links(struct fat_tree_machine *m, struct csim_module *module, unsigned level)
{
    if (m->machine.pad == 0)
        return true;
    char up[16], down[16];
    snprintf(up, sizeof up, "up_link%u", level);
    snprintf(down, sizeof down, "down_link%u", level);
    uint32_t lanes = machine_lanes(m, level);
    struct csim_signal *below = level == 1 ? &m->frame.tx_flow : &m->flow[level - 1];
    return connect_link(m, module, up, lanes, below, up_near(m, level), up_end(m, level)) &&
           connect_link(m, module, down, lanes, &m->flow[level], down_near(m, level), down_end(m, level));
}

struct fat_tree_machine *fat_tree_machine_new(struct csim_module *parent, const char *name,
                                              const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct fat_tree_machine *m = csim_state(module, sizeof *m);
    if (m == NULL)
        return NULL;
    m->machine = *machine;
    csim_on_reset(module, machine_reset);
    bool built = frame_new(&m->frame, module, machine);
    machine_signals(m, module);
    machine_processes(m, module);
    built = built && connect_wave(m, module);
    for (unsigned level = 1; built && level <= machine->topology.height; level++)
        built = connect_level(m, module, level) && connect_links(m, module, level);
    return built ? m : NULL;
}
