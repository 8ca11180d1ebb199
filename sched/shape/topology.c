/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/shape/topology.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct topology_row *const topology_rows[TOPOLOGY_KINDS] = {
    [TOPOLOGY_COMPLETE] = &topology_complete_row,
    [TOPOLOGY_TREE] = &topology_tree_row,
    [TOPOLOGY_HYPERCUBE] = &topology_hypercube_row,
    [TOPOLOGY_TORUS] = &topology_torus_row,
};

bool topology_find(const char *name, enum topology_kind *kind)
{
    for (unsigned candidate = 0; candidate < TOPOLOGY_KINDS; candidate++)
        if (strcmp(name, topology_rows[candidate]->name) == 0) {
            *kind = (enum topology_kind)candidate;
            return true;
        }
    return false;
}

bool topology_equal(const struct topology *a, const struct topology *b)
{
    return a->half_duplex == b->half_duplex && topology_same_links(a, b);
}

bool topology_same_links(const struct topology *a, const struct topology *b)
{
    bool same = a->kind == b->kind && a->nodes == b->nodes && a->height == b->height;
    for (unsigned level = 1; same && level <= a->height; level++)
        same = a->children[level] == b->children[level] && a->capacity[level] == b->capacity[level];
    same = same && a->axes == b->axes;
    for (unsigned axis = 1; same && axis <= a->axes; axis++)
        same = a->side[axis] == b->side[axis];
    return same && a->any == b->any &&
           (!a->any || (a->all == b->all &&
                        memcmp(a->parent, b->parent, (a->all - 1) * sizeof *a->parent) == 0));
}

const char *topology_node_text(const struct topology *topology, uint32_t node,
                               char text[TOPOLOGY_NODE_TEXT])
{
    if (node < topology->nodes) {
        snprintf(text, TOPOLOGY_NODE_TEXT, "%" PRIu32, node);
    } else {
        unsigned level = topology_level(topology, node);
        snprintf(text, TOPOLOGY_NODE_TEXT, "%u:%" PRIu32, level,
                 topology_index(topology, level, node));
    }
    return text;
}
