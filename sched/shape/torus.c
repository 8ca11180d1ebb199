/* SPDX-License-Identifier: Apache-2.0 */
/* torus: rings of k_1, k_2, … processors along the dimensions. There is no machine with this
 * topology. */
#include "sched/base/compare.h"
#include "sched/shape/grid.h"

static bool make(unsigned axes, const uint32_t side[], struct topology *topology, struct err *err)
{
    return grid_make(TOPOLOGY_TORUS, axes, side, topology, err);
}

static bool read_topology(struct scan *scan, struct topology *topology, struct err *err)
{
    return grid_read(TOPOLOGY_TORUS, scan, topology, err);
}

static uint32_t distance(const struct topology *torus, uint32_t node, uint32_t other)
{
    uint32_t links = 0;
    for (unsigned axis = 1; axis <= torus->axes; axis++) {
        uint32_t k = torus->side[axis];
        uint32_t ahead = (other % k + k - node % k) % k;
        links += MIN(ahead, k - ahead);
        node /= k;
        other /= k;
    }
    return links;
}

static bool joins(const struct topology *torus, uint32_t node, uint32_t other)
{
    return distance(torus, node, other) == 1;
}

static uint32_t degree(const struct topology *torus, uint32_t node)
{
    (void)node;
    return torus->arcs;
}

/* Returns the next node along a dimension: forward, or back. */
static uint32_t step(const struct topology *torus, uint32_t node, unsigned dimension, bool forward)
{
    uint32_t k = torus->side[dimension], place = grid_place(torus, node, dimension);
    return grid_at(torus, node, dimension, (place + (forward ? 1 : k - 1)) % k);
}

static uint32_t arc(const struct topology *torus, uint32_t node, uint32_t neighbour)
{
    unsigned along = grid_dimension(torus, node, neighbour);
    return grid_arc(torus, along, step(torus, node, along, true) == neighbour);
}

/* Goes along the dimensions in turn, beginning with one that depends on the packet, each the
 * shorter way round. If both directions are equally long, the packets of every other turn through
 * the dimensions go backwards. */
static uint32_t next(const struct topology *torus, const struct topology_route *route,
                     uint32_t source, uint32_t at, uint32_t wanted)
{
    (void)source;
    unsigned axis = grid_first_dimension(torus, route->packet, at, wanted);
    uint32_t k = torus->side[axis];
    uint32_t ahead = (grid_place(torus, wanted, axis) + k - grid_place(torus, at, axis)) % k;
    bool forward = 2 * ahead < k || (2 * ahead == k && route->packet / torus->axes % 2 == 0);
    return step(torus, at, axis, forward);
}

static uint32_t far(const struct topology *torus)
{
    uint32_t links = 0;
    for (unsigned axis = 1; axis <= torus->axes; axis++)
        links += torus->side[axis] / 2;
    return links;
}

/* Moves a node by the coordinates of `processor`: an automorphism that maps node 0 to it. */
static uint32_t move(const struct topology *torus, uint32_t node, uint32_t processor)
{
    uint32_t moved = 0, below = 1;
    for (unsigned axis = 1; axis <= torus->axes; axis++) {
        uint32_t k = torus->side[axis];
        moved += (node % k + processor % k) % k * below;
        below *= k;
        node /= k;
        processor /= k;
    }
    return moved;
}

const struct topology_row topology_torus_row = {
    .name = "torus",
    .title = "torus",
    .field = "torus",
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
    .move = move,
    .read = read_topology,
    .text = grid_text,
};
