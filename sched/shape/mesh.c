/* SPDX-License-Identifier: Apache-2.0 */
/* mesh: lines of k_1, k_2, … processors along the dimensions. There is no machine with this
 * topology. */
#include "sched/base/compare.h"
#include "sched/shape/grid.h"

static bool make(unsigned axes, const uint32_t side[], struct topology *topology, struct err *err)
{
    return grid_make(TOPOLOGY_MESH, axes, side, topology, err);
}

static bool read_topology(struct scan *scan, struct topology *topology, struct err *err)
{
    return grid_read(TOPOLOGY_MESH, scan, topology, err);
}

static uint32_t distance(const struct topology *mesh, uint32_t node, uint32_t other)
{
    uint32_t links = 0;
    for (unsigned axis = 1; axis <= mesh->axes; axis++) {
        uint32_t k = mesh->side[axis], from = node % k, to = other % k;
        links += MAX(from, to) - MIN(from, to);
        node /= k;
        other /= k;
    }
    return links;
}

static bool joins(const struct topology *mesh, uint32_t node, uint32_t other)
{
    return distance(mesh, node, other) == 1;
}

/* At the ends of a side a node has one link along it, else two. */
static uint32_t degree(const struct topology *mesh, uint32_t node)
{
    uint32_t links = 0;
    for (unsigned axis = 1; axis <= mesh->axes; axis++) {
        uint32_t k = mesh->side[axis], place = node % k;
        links += (place > 0 ? 1u : 0) + (place + 1 < k ? 1u : 0);
        node /= k;
    }
    return links;
}

static uint32_t arc(const struct topology *mesh, uint32_t node, uint32_t neighbour)
{
    return grid_arc(mesh, grid_dimension(mesh, node, neighbour), neighbour > node);
}

/* Goes along the dimensions in turn, beginning with one that depends on the packet. */
static uint32_t next(const struct topology *mesh, const struct topology_route *route,
                     uint32_t source, uint32_t at, uint32_t wanted)
{
    (void)source;
    unsigned axis = grid_first_dimension(mesh, route->packet, at, wanted);
    uint32_t place = grid_place(mesh, at, axis);
    bool forward = grid_place(mesh, wanted, axis) > place;
    return grid_at(mesh, at, axis, forward ? place + 1 : place - 1);
}

static uint32_t far(const struct topology *mesh)
{
    uint32_t links = 0;
    for (unsigned axis = 1; axis <= mesh->axes; axis++)
        links += mesh->side[axis] - 1;
    return links;
}

const struct topology_row topology_mesh_row = {
    .name = "mesh",
    .title = "mesh",
    .field = "mesh",
    .machines = "none",
    .joins = joins,
    .link = "link",
    .joined = GRID_JOINED,
    .arc = arc,
    .dimension = grid_dimension,
    .next = next,
    .far = far,
    .distance = distance,
    .degree = degree,
    .make = make,
    .numbers = GRID_NUMBERS,
    .read = read_topology,
    .text = grid_text,
};
