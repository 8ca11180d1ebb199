/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/routers/router_machine.h"

#include "csim/shell/endpoint.h"
#include "csim/shell/link.h"
#include "csim/shell/wave.h"

/* Returns the first level: 0 in self-timed hypercubes, whose nodes are level 0 (cube_auto.h),
 * otherwise 1. */
static unsigned first_level(const struct machine *machine)
{
    return machine_is_autonomous(machine) ? 0 : 1;
}

static bool endpoint_sends(const struct router_machine *m)
{
    const uint32_t *lanes = csim_read(&m->shell.tx_lanes);
    bool sends = false;
    if (csim_get(&m->shell.tx_flow))
        for (uint32_t endpoint = 0; !sends && endpoint < machine_ports(&m->machine); endpoint++)
            sends = lanes[endpoint] >> wide_words_lane_bits(&m->machine);
    return sends;
}

static bool anybody_sends(const struct router_machine *m)
{
    bool sends = false;
    for (unsigned level = first_level(&m->machine);
         !sends && level <= m->machine.topology.router_levels; level++)
        sends = csim_get(&m->flow[level]);
    return sends || endpoint_sends(m);
}

/* Records the last row in which a node or router sent, one cycle after a flit of it was on a
 * lane. */
static void count_steps(void *state)
{
    struct router_machine *m = state;
    const struct shell *f = &m->shell;
    if (csim_get(&f->rst) || csim_get(&f->start))
        ports_set(&f->steps, 0);
    else if (m->moved != 0)
        ports_set(&f->steps, m->moved);
    bool counted = m->moved == m->row + 1 || csim_get(&f->steps) == m->row + 1;
    m->moved = csim_get(&f->active) && !counted && anybody_sends(m) ? m->row + 1 : 0;
    if (csim_get(&f->wave_fetch))
        m->row = csim_get(&f->wave_row);
}

/* Combines the words that the host read; levels without the addressed router output 0. */
static void read_words(void *state)
{
    struct router_machine *m = state;
    enum router_level_word of =
        csim_get(&m->shell.host_region) & 1 ? ROUTER_LEVEL_TABLE : ROUTER_LEVEL_FLAGS;
    uint32_t word = 0;
    for (unsigned level = first_level(&m->machine); level <= m->machine.topology.router_levels;
         level++)
        word |= csim_read(&m->host_words[level])[of];
    csim_put(&m->shell.table_rdata, word);
}

/* Combines the first routers with a flag: that of the lowest level, whose routers have the lowest
 * numbers. The nodes of a self-timed hypercube and their routers have the same numbers, and share
 * their flags. */
static void first_flag(void *state)
{
    struct router_machine *m = state;
    uint32_t first = 0;
    for (unsigned level = first_level(&m->machine); level <= m->machine.topology.router_levels;
         level++) {
        uint32_t more = csim_get(&m->first[level]), number = more & MACHINE_OBS_PACKET;
        if (more != 0 && (first == 0 || number < (first & MACHINE_OBS_PACKET)))
            first = more;
        else if (more != 0 && number == (first & MACHINE_OBS_PACKET))
            first |= more;
    }
    csim_put(&m->shell.router_first,
             first == 0 ? 0 : first | UINT32_C(1) << MACHINE_ERROR_CAUSE_ROUTER_LOW);
}

static void reset(void *state)
{
    struct router_machine *m = state;
    m->row = m->moved = 0;
}

static void make_processes(struct router_machine *m, struct csim_module *module)
{
    struct shell *f = &m->shell;
    struct csim_process *count = csim_clocked(module, "count", count_steps);
    csim_reads(count, &f->rst);
    csim_reads(count, &f->start);
    csim_reads(count, &f->active);
    csim_reads(count, &f->wave_fetch);
    csim_reads(count, &f->wave_row);
    csim_reads(count, &f->tx_flow);
    csim_reads(count, &f->tx_lanes);
    csim_writes(count, &f->steps);
    struct csim_process *read = csim_combinational(module, "read", read_words);
    csim_reads(read, &f->host_region);
    csim_writes(read, &f->table_rdata);
    struct csim_process *flag = csim_combinational(module, "first", first_flag);
    csim_writes(flag, &f->router_first);
    for (unsigned level = first_level(&m->machine); level <= m->machine.topology.router_levels;
         level++) {
        csim_reads(flag, &m->first[level]);
        csim_reads(count, &m->flow[level]);
        csim_reads(read, &m->host_words[level]);
    }
}

static bool connect_wave(struct shell *around, struct csim_module *module,
                         const struct machine *machine)
{
    struct wave *part = wave_new(module, "wave", machine);
    if (part == NULL)
        return false;
    WAVE_PORTS(PORTS_INPUT_BIND, PORTS_OUTPUT_BIND)
    return true;
}

bool router_machine_new(struct router_machine *m, struct csim_module *module,
                        const struct machine *machine)
{
    m->machine = *machine;
    /* The register of endpoints that combine follows that of the links. Routers store their flits a
     * cycle earlier, which is not observable, because they send them a cycle later or more. */
    m->machine.pad = machine_latency(machine);
    csim_on_reset(module, reset);
    bool built = shell_new(&m->shell, module, machine);
    for (unsigned level = first_level(machine); level <= machine->topology.router_levels; level++) {
        csim_signal(module, &m->flow[level], 1, 1, "flow%u", level);
        csim_signal(module, &m->host_words[level], 32, ROUTER_LEVEL_WORDS, "host_words%u", level);
        csim_signal(module, &m->first[level], 32, 1, "first%u", level);
    }
    make_processes(m, module);
    return built && connect_wave(&m->shell, module, &m->machine);
}

struct router_level *router_machine_level(struct router_machine *m, struct csim_module *module,
                                          unsigned level)
{
    struct shell *around = &m->shell;
    struct router_level *part = router_level_new(module, &m->machine, level);
    if (part == NULL)
        return NULL;
    part->wide = around->endpoint->wide;
    ROUTER_LEVEL_PORTS(PORTS_INPUT_BIND)
    csim_bind(&part->flow_o, &m->flow[level]);
    csim_bind(&part->host_words_o, &m->host_words[level]);
    csim_bind(&part->first_o, &m->first[level]);
    if (m->machine.combines) {
        PORTS_INPUT_BIND(operation, MACHINE_OPERATOR_BITS)
    }
    return part;
}

bool router_machine_link(struct router_machine *m, struct csim_module *module, const char *name,
                         uint32_t lanes, struct router_link ends)
{
    struct link *l = link_new(module, name, &m->machine, lanes);
    if (l == NULL)
        return false;
    csim_bind(&l->ce_i, &m->shell.ce);
    csim_bind(&l->flow_i, ends.flow);
    csim_bind(&l->lanes_i, ends.from);
    csim_bind(&l->lanes_o, ends.to);
    return true;
}
