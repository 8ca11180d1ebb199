/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/routers/router_machine.h"

#include "csim/shell/endpoint.h"
#include "sched/machine/operators.h"

#include <string.h>

static bool has_routers(const struct cube_machine *m)
{
    return machine_routers(&m->base.machine) != 0;
}

static void add_lanes(const struct cube_machine *m, uint32_t *near, const struct csim_signal *sent)
{
    const uint32_t *words = csim_read(sent), lanes = machine_ports(&m->base.machine);
    struct wide_words *wide = m->base.shell.endpoint->wide;
    for (uint32_t lane = 0; wide == NULL && lane < lanes; lane++)
        near[lane] |= words[lane];
    for (uint32_t lane = 0; wide != NULL && lane < lanes; lane++) {
        const uint32_t a = near[lane], b = words[lane], flit = ~MACHINE_VALID;
        const bool both = (a & flit) && (b & flit);
        near[lane] = !both ? a | b
                           : ((a | b) & MACHINE_VALID) |
                                 wide_words_operate(wide, MACHINE_OPERATOR_OR, a & flit, b & flit);
    }
}

/* Computes the lanes that leave the nodes. An idle lane is 0, so the senders are ORed. */
static void cube_join(void *state)
{
    struct cube_machine *m = state;
    uint32_t lanes = machine_ports(&m->base.machine);
    const uint32_t *endpoints = csim_read(&m->base.shell.tx_lanes);
    uint32_t *near = csim_write(&m->near);
    uint32_t moving = csim_get(&m->base.shell.tx_flow);
    memcpy(near, endpoints, lanes * sizeof *near);
    if (has_routers(m)) {
        add_lanes(m, near, &m->router_out);
        moving |= csim_get(&m->base.flow[1]);
    }
    if (machine_is_autonomous(&m->base.machine)) {
        add_lanes(m, near, &m->marks);
        moving |= csim_get(&m->base.flow[0]);
    }
    csim_put(&m->moving, moving);
}

static struct csim_signal *arcs_end(struct cube_machine *m)
{
    return m->base.machine.pad != 0 ? &m->far : &m->near;
}

static struct csim_signal *crossed(struct cube_machine *m)
{
    return machine_is_autonomous(&m->base.machine) ? &m->arrived : &m->base.shell.rx_lanes;
}

/* Connects each arc: flits that leave a node over dimension j enter its neighbour. */
static bool find_senders(struct cube_machine *m, struct csim_module *module)
{
    const struct topology *cube = &m->base.machine.topology;
    m->sender = csim_alloc(module, wiring_endpoints(cube) * sizeof *m->sender);
    if (m->sender == NULL)
        return false;
    for (uint32_t node = 0; node < cube->nodes; node++)
        for (unsigned dimension = 1; dimension <= cube->dimensions; dimension++) {
            uint32_t other = topology_across(node, dimension);
            m->sender[wiring_endpoint(cube, node, other, 0)] =
                wiring_endpoint(cube, other, node, 0);
        }
    return true;
}

static void cube_cross(void *state)
{
    struct cube_machine *m = state;
    uint32_t lanes = machine_ports(&m->base.machine);
    const uint32_t *from = csim_read(arcs_end(m));
    uint32_t *to = csim_write(crossed(m));
    for (uint32_t lane = 0; lane < lanes; lane++)
        to[lane] = from[m->sender[lane]];
}

/* Removes the bits of the kind, which the memories do not store. */
static void cube_strip(void *state)
{
    struct cube_machine *m = state;
    const struct shell *f = &m->base.shell;
    const uint32_t *from = csim_read(&m->arrived);
    uint32_t *to = csim_write(&f->rx_lanes), lanes = machine_ports(&m->base.machine);
    bool header = csim_get(&f->rx_en) && csim_get(&f->rx_flit) == 0;
    uint32_t kind = header ? UINT32_C(3) << (m->base.machine.width - 2) : 0;
    for (uint32_t lane = 0; lane < lanes; lane++)
        to[lane] = from[lane] & ~kind;
}

static void cube_signals(struct cube_machine *m, struct csim_module *module)
{
    unsigned width = wide_words_lane_bits(&m->base.machine) + 1;
    uint32_t lanes = machine_ports(&m->base.machine);
    csim_signal(module, &m->near, width, lanes, "near");
    csim_signal(module, &m->moving, 1, 1, "moving");
    if (has_routers(m))
        csim_signal(module, &m->router_out, width, lanes, "router_out");
    if (m->base.machine.pad != 0)
        csim_signal(module, &m->far, width, lanes, "far");
    if (machine_is_autonomous(&m->base.machine)) {
        csim_signal(module, &m->aim, 32, lanes, "aim");
        csim_signal(module, &m->marks, width, lanes, "marks");
        csim_signal(module, &m->arrived, width, lanes, "arrived");
    }
}

static void strip_process(struct cube_machine *m, struct csim_module *module)
{
    struct csim_process *strip = csim_combinational(module, "strip", cube_strip);
    csim_reads(strip, &m->arrived);
    csim_reads(strip, &m->base.shell.rx_en);
    csim_reads(strip, &m->base.shell.rx_flit);
    csim_writes(strip, &m->base.shell.rx_lanes);
}

static void cube_processes(struct cube_machine *m, struct csim_module *module)
{
    struct csim_process *join = csim_combinational(module, "join", cube_join);
    csim_reads(join, &m->base.shell.tx_lanes);
    csim_reads(join, &m->base.shell.tx_flow);
    if (has_routers(m)) {
        csim_reads(join, &m->router_out);
        csim_reads(join, &m->base.flow[1]);
    }
    if (machine_is_autonomous(&m->base.machine)) {
        csim_reads(join, &m->marks);
        csim_reads(join, &m->base.flow[0]);
        strip_process(m, module);
    }
    csim_writes(join, &m->near);
    csim_writes(join, &m->moving);
    struct csim_process *cross = csim_combinational(module, "cross", cube_cross);
    csim_reads(cross, arcs_end(m));
    csim_writes(cross, crossed(m));
}

static bool connect_routers(struct cube_machine *m, struct csim_module *module)
{
    if (!has_routers(m))
        return true;
    struct router_level *l = router_machine_level(&m->base, module, 1);
    if (l == NULL)
        return false;
    csim_bind(&l->children_i, &m->base.shell.rx_lanes);
    csim_bind(&l->children_o, &m->router_out);
    if (machine_is_autonomous(&m->base.machine))
        csim_bind(&l->aim_i, &m->aim);
    return true;
}

/* Builds and connects the nodes of a self-timed hypercube. */
static bool connect_auto(struct cube_machine *m, struct csim_module *module)
{
    if (!machine_is_autonomous(&m->base.machine))
        return true;
    struct shell *around = &m->base.shell;
    struct cube_auto *part = cube_auto_new(module, "auto", &m->base.machine);
    if (part == NULL)
        return false;
    CUBE_AUTO_PORTS(PORTS_INPUT_BIND, PORTS_OUTPUT_BIND)
    csim_bind(&part->flow_o, &m->base.flow[0]);
    csim_bind(&part->lanes_i, &m->arrived);
    csim_bind(&part->list_o, &around->list);
    csim_bind(&part->count_i, &around->list_count);
    csim_bind(&part->aim_o, &m->aim);
    csim_bind(&part->marks_o, &m->marks);
    csim_bind(&part->host_words_o, &m->base.host_words[0]);
    csim_bind(&part->first_o, &m->base.first[0]);
    return true;
}

struct cube_machine *cube_machine_new(struct csim_module *parent, const char *name,
                                      const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct cube_machine *m = csim_state(module, sizeof *m);
    if (m == NULL)
        return NULL;
    bool built = router_machine_new(&m->base, module, machine);
    cube_signals(m, module);
    cube_processes(m, module);
    built = built && find_senders(m, module) && connect_routers(m, module) &&
            connect_auto(m, module) &&
            (machine->pad == 0 ||
             router_machine_link(&m->base, module, "arcs", machine_ports(machine),
                                 (struct router_link){&m->moving, &m->near, &m->far}));
    return built ? m : NULL;
}
