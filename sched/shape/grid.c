/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/shape/grid.h"

#include "sched/base/scan.h"
#include "sched/base/text.h"

#include <inttypes.h>

/* Number of links out of a node along a side of k nodes, at most. */
static uint32_t side_arcs(uint32_t k)
{
    return k > 2 ? 2 : 1;
}

bool grid_make(enum topology_kind kind, unsigned axes, const uint32_t side[],
               struct topology *topology, struct err *err)
{
    const char *name = topology_rows[kind]->name;
    if (axes < 1 || axes > TOPOLOGY_MAX_HEIGHT)
        return err_set(err, ERR_RANGE, "%s: %u dimension%s; expected 1 … %d", name, axes,
                       text_s(axes), TOPOLOGY_MAX_HEIGHT);
    *topology = (struct topology){.kind = kind, .axes = axes, .endpoints = 1};
    uint64_t nodes = 1;
    for (unsigned axis = 1; axis <= axes; axis++) {
        uint32_t k = side[axis - 1];
        nodes *= k;
        if (k < 2 || nodes > TOPOLOGY_MAX_NODES)
            return err_set(err, ERR_RANGE,
                           "%s: %" PRIu32
                           " nodes along dimension %u; expected 2 or more, and at most %" PRIu32
                           " nodes in all",
                           name, k, axis, TOPOLOGY_MAX_NODES);
        topology->side[axis] = k;
        topology->arcs += side_arcs(k);
    }
    topology->nodes = topology->all = (uint32_t)nodes;
    return true;
}

bool grid_read(enum topology_kind kind, struct scan *scan, struct topology *topology,
               struct err *err)
{
    uint32_t side[TOPOLOGY_MAX_HEIGHT];
    unsigned axes = 0;
    char one[SCAN_WORD], all[SCAN_WORD];
    snprintf(one, sizeof one, "side of the %s", topology_rows[kind]->title);
    snprintf(all, sizeof all, "the sides of the %s", topology_rows[kind]->title);
    for (scan_blanks(scan); scan_peek(scan) >= '0' && scan_peek(scan) <= '9'; scan_blanks(scan)) {
        uint64_t number;
        if (axes == TOPOLOGY_MAX_HEIGHT)
            return scan_error(scan, err, ERR_FIELD_RANGE, "more than %d dimensions; expected fewer",
                              TOPOLOGY_MAX_HEIGHT);
        if (!scan_number(scan, one, 2, TOPOLOGY_MAX_NODES, &number, err))
            return false;
        side[axes++] = (uint32_t)number;
    }
    if (axes == 0)
        return scan_unexpected(scan, all, err);
    struct err inner = {0};
    if (grid_make(kind, axes, side, topology, &inner))
        return true;
    inner.code = ERR_FIELD_RANGE;
    return scan_error_at(scan, &inner, err);
}

const char *grid_text(const struct topology *grid, char text[TOPOLOGY_TEXT])
{
    text[0] = '\0';
    for (unsigned axis = 1; axis <= grid->axes; axis++)
        text_append(text, TOPOLOGY_TEXT, axis > 1 ? " %" PRIu32 : "%" PRIu32, grid->side[axis]);
    return text;
}

/* Returns the product of the sides of lower dimensions: the weight of a coordinate in a node's
 * number. */
static uint32_t weight(const struct topology *grid, unsigned dimension)
{
    uint32_t below = 1;
    for (unsigned axis = 1; axis < dimension; axis++)
        below *= grid->side[axis];
    return below;
}

uint32_t grid_place(const struct topology *grid, uint32_t node, unsigned dimension)
{
    return node / weight(grid, dimension) % grid->side[dimension];
}

uint32_t grid_at(const struct topology *grid, uint32_t node, unsigned dimension, uint32_t place)
{
    uint32_t below = weight(grid, dimension);
    return node - node / below % grid->side[dimension] * below + place * below;
}

unsigned grid_dimension(const struct topology *grid, uint32_t node, uint32_t other)
{
    unsigned found = 0;
    for (unsigned axis = 1; axis <= grid->axes; axis++) {
        bool differ = node % grid->side[axis] != other % grid->side[axis];
        if (differ && found != 0)
            return 0;
        found = differ ? axis : found;
        node /= grid->side[axis];
        other /= grid->side[axis];
    }
    return found;
}

unsigned grid_first_dimension(const struct topology *grid, uint32_t packet, uint32_t node,
                              uint32_t other)
{
    unsigned axis = packet % grid->axes + 1;
    while (grid_place(grid, node, axis) == grid_place(grid, other, axis))
        axis = axis % grid->axes + 1;
    return axis;
}

uint32_t grid_arc(const struct topology *grid, unsigned dimension, bool forward)
{
    uint32_t index = 0;
    for (unsigned axis = 1; axis < dimension; axis++)
        index += side_arcs(grid->side[axis]);
    return index + (!forward && grid->side[dimension] > 2);
}
