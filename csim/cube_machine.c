#include "cube_machine.h"

#include <string.h>

static bool has_routers(const struct cube_machine *m)
{
    return machine_routers(&m->base.machine) != 0;
}

/* What leaves the nodes: an idle lane is 0, so who sends is ORed. */
static void cube_join(void *state)
{
    struct cube_machine *m = state;
    uint32_t lanes = machine_ports(&m->base.machine);
    const uint32_t *endpoints = csim_read(&m->base.frame.tx_lanes);
    uint32_t *near = csim_write(&m->near);
    csim_put(&m->moving,
             csim_get(&m->base.frame.tx_flow) | (has_routers(m) ? csim_get(&m->base.flow[1]) : 0));
    if (!has_routers(m)) {
        memcpy(near, endpoints, lanes * sizeof *near);
        return;
    }
    const uint32_t *routers = csim_read(&m->router_out);
    for (uint32_t lane = 0; lane < lanes; lane++)
        near[lane] = endpoints[lane] | routers[lane];
}

static struct csim_signal *arcs_end(struct cube_machine *m)
{
    return m->base.machine.pad != 0 ? &m->far : &m->near;
}

/* What leaves a node over dimension j enters its neighbour. */
static void cube_cross(void *state)
{
    struct cube_machine *m = state;
    const struct topology *cube = &m->base.machine.topology;
    const uint32_t *from = csim_read(arcs_end(m));
    uint32_t *to = csim_write(&m->base.frame.rx_lanes);
    for (uint32_t node = 0; node < cube->nodes; node++)
        for (unsigned dimension = 1; dimension <= cube->dimensions; dimension++) {
            uint32_t other = topology_across(node, dimension);
            to[wiring_endpoint(cube, node, other)] = from[wiring_endpoint(cube, other, node)];
        }
}

static void cube_signals(struct cube_machine *m, struct csim_module *module)
{
    unsigned width = m->base.machine.width + 1;
    uint32_t lanes = machine_ports(&m->base.machine);
    csim_signal(module, &m->near, width, lanes, "near");
    csim_signal(module, &m->moving, 1, 1, "moving");
    if (has_routers(m))
        csim_signal(module, &m->router_out, width, lanes, "router_out");
    if (m->base.machine.pad != 0)
        csim_signal(module, &m->far, width, lanes, "far");
}

static void cube_processes(struct cube_machine *m, struct csim_module *module)
{
    struct csim_process *join = csim_combinational(module, "join", cube_join);
    csim_reads(join, &m->base.frame.tx_lanes);
    csim_reads(join, &m->base.frame.tx_flow);
    if (has_routers(m)) {
        csim_reads(join, &m->router_out);
        csim_reads(join, &m->base.flow[1]);
    }
    csim_writes(join, &m->near);
    csim_writes(join, &m->moving);
    struct csim_process *cross = csim_combinational(module, "cross", cube_cross);
    csim_reads(cross, arcs_end(m));
    csim_writes(cross, &m->base.frame.rx_lanes);
}

static bool connect_routers(struct cube_machine *m, struct csim_module *module)
{
    if (!has_routers(m))
        return true;
    struct router_level *l = router_machine_level(&m->base, module, 1);
    if (l == NULL)
        return false;
    csim_bind(&l->children_i, &m->base.frame.rx_lanes);
    csim_bind(&l->children_o, &m->router_out);
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
    built = built && connect_routers(m, module) &&
            (machine->pad == 0 || router_machine_link(&m->base, module, "arcs", machine_ports(machine),
                                                      &m->moving, &m->near, &m->far));
    return built ? m : NULL;
}
