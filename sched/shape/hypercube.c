/* SPDX-License-Identifier: Apache-2.0 */
/* hypercube: the hypercube of d dimensions. For d ≥ 2 its machines have a router of d ports at each
 * processor. */
#include "sched/base/scan.h"
#include "sched/base/text.h"
#include "sched/shape/topology.h"

#include <inttypes.h>

bool topology_hypercube(uint64_t dimensions, struct topology *topology, struct err *err)
{
    if (dimensions < 1 || dimensions > TOPOLOGY_MAX_DIMENSIONS)
        return err_set(err, ERR_RANGE, "hypercube: %" PRIu64 " dimension%s; expected 1 … %d",
                       dimensions, text_s(dimensions), TOPOLOGY_MAX_DIMENSIONS);
    uint32_t nodes = UINT32_C(1) << dimensions, d = (uint32_t)dimensions;
    uint32_t routers = d > 1 ? nodes : 0;
    *topology = (struct topology){.kind = TOPOLOGY_HYPERCUBE,
                                  .nodes = nodes,
                                  .all = nodes,
                                  .dimensions = d,
                                  .arcs = d,
                                  .router_levels = d > 1,
                                  .routers = routers,
                                  .router_first = {[2] = routers},
                                  .router_ports = {[1] = d},
                                  .endpoints = d};
    return true;
}

void topology_remove_routers(struct topology *cube)
{
    cube->router_levels = 0;
    cube->routers = 0;
    cube->router_first[2] = 0;
}

static bool joins(const struct topology *cube, uint32_t node, uint32_t other)
{
    (void)cube;
    return topology_dimension(node, other) != 0;
}

static unsigned dimension(const struct topology *cube, uint32_t node, uint32_t neighbour)
{
    (void)cube;
    return topology_dimension(node, neighbour);
}

static uint32_t arc(const struct topology *cube, uint32_t node, uint32_t neighbour)
{
    return dimension(cube, node, neighbour) - 1;
}

/* Crosses the first dimension, counted cyclically from `first`, in which the nodes differ. */
static uint32_t cross(uint32_t at, uint32_t differs, uint32_t first)
{
    uint32_t from_first = differs >> first << first;
    return at ^ (from_first != 0 ? from_first & -from_first : differs & -differs);
}

static uint32_t next(const struct topology *cube, const struct topology_route *route,
                     uint32_t source, uint32_t at, uint32_t wanted)
{
    (void)cube;
    if (route->alone && at == source)
        return topology_across(at, route->first + 1);
    return cross(at, at ^ wanted, route->alone ? route->first + 1 : route->first);
}

/* A packet that leaves its source alone can make a detour of two links. */
static uint32_t far(const struct topology *cube)
{
    return cube->dimensions + 2;
}

static uint32_t router_port(const struct topology *cube, unsigned level, uint32_t router,
                            uint32_t neighbour, uint32_t lane)
{
    (void)cube;
    (void)level;
    (void)lane;
    return topology_dimension(router, neighbour) - 1;
}

/* Reads `5`: the number of dimensions. */
static bool read_topology(struct scan *scan, struct topology *topology, struct err *err)
{
    uint64_t dimensions;
    return scan_number(scan, "number of dimensions", 1, TOPOLOGY_MAX_DIMENSIONS, &dimensions,
                       err) &&
           topology_hypercube(dimensions, topology, err);
}

static const char *text_of(const struct topology *topology, char text[TOPOLOGY_TEXT])
{
    snprintf(text, TOPOLOGY_TEXT, "%u", topology->dimensions);
    return text;
}

const struct topology_row topology_hypercube_row = {
    .name = "hypercube",
    .title = "hypercube",
    .field = "dim",
    .machines = "cube or cube-auto, of the schedule's hypercube",
    .joins = joins,
    .link = "arc",
    .joined = "numbers that differ in one bit",
    .arc = arc,
    .dimension = dimension,
    .next = next,
    .far = far,
    .several_routes = true,
    .router_port = router_port,
    .read = read_topology,
    .text = text_of,
};
