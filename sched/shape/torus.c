/* SPDX-License-Identifier: Apache-2.0 */
/* torus: rings of k_1, k_2, … processors along the dimensions. There is no machine with this
 * topology. */
#include "sched/base/compare.h"
#include "sched/base/scan.h"
#include "sched/base/text.h"
#include "sched/shape/topology.h"

#include <inttypes.h>
#include <stdlib.h>

/* Number of links out of a node along a ring of k nodes. */
static uint32_t ring_arcs(uint32_t k)
{
    return k > 2 ? 2 : 1;
}

/* Makes a torus. E102 naming the dimension and the legal range. */
static bool make(unsigned axes, const uint32_t side[], struct topology *topology, struct err *err)
{
    if (axes < 1 || axes > TOPOLOGY_MAX_HEIGHT)
        return err_set(err, ERR_RANGE, "torus: %u dimension%s; expected 1 … %d", axes, text_s(axes),
                       TOPOLOGY_MAX_HEIGHT);
    *topology = (struct topology){.kind = TOPOLOGY_TORUS, .axes = axes, .endpoints = 1};
    uint64_t nodes = 1;
    for (unsigned axis = 1; axis <= axes; axis++) {
        uint32_t k = side[axis - 1];
        nodes *= k;
        if (k < 2 || nodes > TOPOLOGY_MAX_NODES)
            return err_set(err, ERR_RANGE,
                           "torus: %" PRIu32
                           " nodes along dimension %u; expected 2 or more, and at most %" PRIu32
                           " nodes in all",
                           k, axis, TOPOLOGY_MAX_NODES);
        topology->side[axis] = k;
        topology->arcs += ring_arcs(k);
    }
    topology->nodes = topology->all = (uint32_t)nodes;
    return true;
}

bool topology_parse_torus(const char *sides, struct topology *topology, struct err *err)
{
    uint32_t side[TOPOLOGY_MAX_HEIGHT + 1];
    unsigned axes = topology_parse_list(sides, TOPOLOGY_MAX_HEIGHT + 1, side);
    return axes > 0
               ? make(axes, side, topology, err)
               : err_set(err, ERR_OPTION,
                         "{torus}: '%.60s'; expected the nodes along dimension 1, 2, … such as 4,4",
                         sides);
}

/* Returns the product of the sides of lower dimensions: the weight of a coordinate in a node's
 * number. */
static uint32_t weight(const struct topology *torus, unsigned dimension)
{
    uint32_t below = 1;
    for (unsigned axis = 1; axis < dimension; axis++)
        below *= torus->side[axis];
    return below;
}

uint32_t topology_torus_place(const struct topology *torus, uint32_t node, unsigned dimension)
{
    return node / weight(torus, dimension) % torus->side[dimension];
}

uint32_t topology_torus_next(const struct topology *torus, uint32_t node, unsigned dimension,
                             bool forward)
{
    uint32_t below = weight(torus, dimension), k = torus->side[dimension];
    uint32_t place = node / below % k, to = (place + (forward ? 1 : k - 1)) % k;
    return node - place * below + to * below;
}

uint32_t topology_torus_distance(const struct topology *torus, uint32_t node, uint32_t other)
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

/* Returns the only dimension along which two nodes differ; 0 if there is none, or more than one. */
static unsigned dimension(const struct topology *torus, uint32_t node, uint32_t other)
{
    unsigned found = 0;
    for (unsigned axis = 1; axis <= torus->axes; axis++) {
        bool differ = node % torus->side[axis] != other % torus->side[axis];
        if (differ && found != 0)
            return 0;
        found = differ ? axis : found;
        node /= torus->side[axis];
        other /= torus->side[axis];
    }
    return found;
}

static bool joins(const struct topology *torus, uint32_t node, uint32_t other)
{
    return topology_torus_distance(torus, node, other) == 1;
}

/* Links are numbered by dimension; along a dimension, the forward link is first. */
static uint32_t arc(const struct topology *torus, uint32_t node, uint32_t neighbour)
{
    unsigned along = dimension(torus, node, neighbour);
    uint32_t index = 0;
    for (unsigned axis = 1; axis < along; axis++)
        index += ring_arcs(torus->side[axis]);
    return index + (topology_torus_next(torus, node, along, true) != neighbour);
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

/* Reads `4 4 8`: the sides. */
static bool read_topology(struct scan *scan, struct topology *topology, struct err *err)
{
    uint32_t side[TOPOLOGY_MAX_HEIGHT];
    unsigned axes = 0;
    for (scan_blanks(scan); scan_peek(scan) >= '0' && scan_peek(scan) <= '9'; scan_blanks(scan)) {
        uint64_t number;
        if (axes == TOPOLOGY_MAX_HEIGHT)
            return scan_error(scan, err, ERR_FIELD_RANGE, "more than %d dimensions; expected fewer",
                              TOPOLOGY_MAX_HEIGHT);
        if (!scan_number(scan, "side of the torus", 2, TOPOLOGY_MAX_NODES, &number, err))
            return false;
        side[axes++] = (uint32_t)number;
    }
    if (axes == 0)
        return scan_unexpected(scan, "the sides of the torus", err);
    struct err inner = {0};
    if (make(axes, side, topology, &inner))
        return true;
    inner.code = ERR_FIELD_RANGE;
    return scan_error_at(scan, &inner, err);
}

static const char *text_of(const struct topology *torus, char text[TOPOLOGY_TEXT])
{
    text[0] = '\0';
    for (unsigned axis = 1; axis <= torus->axes; axis++)
        text_append(text, TOPOLOGY_TEXT, axis > 1 ? " %" PRIu32 : "%" PRIu32, torus->side[axis]);
    return text;
}

const struct topology_row topology_torus_row = {
    .name = "torus",
    .title = "torus",
    .field = "torus",
    .machines = "none",
    .joins = joins,
    .link = "link",
    .joined = "nodes that differ by 1 along one dimension",
    .arc = arc,
    .dimension = dimension,
    .move = move,
    .read = read_topology,
    .text = text_of,
};
