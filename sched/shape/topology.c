/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/shape/topology.h"

#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct topology topology_complete(uint32_t nodes)
{
    return (struct topology){.kind = TOPOLOGY_COMPLETE, .nodes = nodes, .all = nodes};
}

/* Nodes of all levels, root last. The routers are fewer than the leaves, as every k_i is 2 or
 * more. */
static void number_nodes(struct topology *topology)
{
    uint32_t count = topology->nodes;
    topology->first[0] = 0;
    for (unsigned level = 1; level <= topology->height; level++) {
        topology->first[level] = topology->first[level - 1] + count;
        count /= topology->children[level];
    }
    topology->all = topology->first[topology->height + 1] = topology->first[topology->height] + 1;
}

bool topology_tree(unsigned height, const uint32_t children[], const uint32_t capacity[],
                   struct topology *topology, struct err *err)
{
    if (height < 1 || height > TOPOLOGY_MAX_HEIGHT)
        return err_set(err, ERR_RANGE, "tree: %u levels; expected 1 … %d", height,
                       TOPOLOGY_MAX_HEIGHT);
    *topology = (struct topology){.kind = TOPOLOGY_TREE, .height = height, .leaves = {1}};
    uint64_t leaves = 1;
    for (unsigned level = 1; level <= height; level++) {
        uint32_t k = children[level - 1], c = capacity[level - 1];
        uint32_t most = level == 1 ? 1 : TOPOLOGY_MAX_CAPACITY;
        leaves *= k;
        if (k < 2 || leaves > TOPOLOGY_MAX_NODES)
            return err_set(err, ERR_RANGE,
                           "tree: %" PRIu32
                           " children at level %u; expected 2 or more, and at most %" PRIu32
                           " leaves",
                           k, level, TOPOLOGY_MAX_NODES);
        if (c < 1 || c > most)
            return err_set(err, ERR_RANGE, "capacity: %" PRIu32 " links at level %u; expected 1%s",
                           c, level, level == 1 ? "" : " … 65536");
        topology->children[level] = k;
        topology->capacity[level] = c;
        topology->leaves[level] = (uint32_t)leaves;
    }
    topology->nodes = (uint32_t)leaves;
    number_nodes(topology);
    return true;
}

bool topology_hypercube(uint64_t dimensions, struct topology *topology, struct err *err)
{
    if (dimensions < 1 || dimensions > TOPOLOGY_MAX_DIMENSIONS)
        return err_set(err, ERR_RANGE, "hypercube: %" PRIu64 " dimensions; expected 1 … %d",
                       dimensions, TOPOLOGY_MAX_DIMENSIONS);
    uint32_t nodes = UINT32_C(1) << dimensions;
    *topology = (struct topology){.kind = TOPOLOGY_HYPERCUBE,
                                  .nodes = nodes,
                                  .all = nodes,
                                  .dimensions = (unsigned)dimensions};
    return true;
}

/* Read numbers with commas between. Returns how many there are, 0 if the text is anything else. */
static unsigned parse_list(const char *text, uint32_t number[TOPOLOGY_MAX_HEIGHT + 1])
{
    unsigned count = 0;
    while (count <= TOPOLOGY_MAX_HEIGHT && *text >= '0' && *text <= '9') {
        char *end;
        unsigned long value = strtoul(text, &end, 10);
        number[count++] = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
        if (*end == '\0')
            return count;
        if (*end != ',')
            return 0;
        text = end + 1;
    }
    return 0;
}

bool topology_parse_tree(const char *children, const char *capacity, struct topology *topology,
                         struct err *err)
{
    uint32_t k[TOPOLOGY_MAX_HEIGHT + 1], c[TOPOLOGY_MAX_HEIGHT + 1];
    unsigned height = parse_list(children, k);
    if (height == 0)
        return err_set(
            err, ERR_OPTION,
            "--tree: '%.60s'; expected the children of a node at level 1, 2, … such as 4,4,4",
            children);
    bool constant = strcmp(capacity, "const") == 0, exponential = strcmp(capacity, "exp") == 0;
    if (!constant && !exponential && parse_list(capacity, c) != height)
        return err_set(
            err, ERR_OPTION,
            "--capacity: '%.60s'; expected the links of a branch at level 1 … %u, const or exp",
            capacity, height);
    uint64_t below = 1;
    for (unsigned level = 1; level <= height && (constant || exponential); level++) {
        c[level - 1] = constant ? 1 : below > UINT32_MAX ? UINT32_MAX : (uint32_t)below;
        below = below > UINT32_MAX ? below : below * k[level - 1];
    }
    return topology_tree(height, k, c, topology, err);
}

bool topology_equal(const struct topology *a, const struct topology *b)
{
    bool same = a->kind == b->kind && a->nodes == b->nodes && a->height == b->height;
    for (unsigned level = 1; same && level <= a->height; level++)
        same = a->children[level] == b->children[level] && a->capacity[level] == b->capacity[level];
    return same;
}

unsigned topology_level(const struct topology *topology, uint32_t node)
{
    unsigned level = 0;
    while (node >= topology->first[level + 1])
        level++;
    return level;
}

unsigned topology_meet(const struct topology *topology, uint32_t leaf, uint32_t other)
{
    unsigned level = 0;
    while (leaf / topology->leaves[level] != other / topology->leaves[level])
        level++;
    return level;
}

unsigned topology_branch(const struct topology *topology, uint32_t node, uint32_t other)
{
    uint32_t low = MIN(node, other), high = MAX(node, other);
    unsigned level = topology_level(topology, low);
    return level < topology->height && topology_parent(topology, level, low) == high ? level + 1
                                                                                     : 0;
}

uint32_t topology_move(const struct topology *topology, uint32_t node, uint32_t leaf)
{
    unsigned level = topology_level(topology, node);
    uint32_t index = topology_index(topology, level, node), by = leaf / topology->leaves[level];
    uint32_t moved = 0, weight = 1;
    for (unsigned above = level + 1; above <= topology->height; above++) {
        uint32_t k = topology->children[above];
        moved += (index % k + by % k) % k * weight;
        index /= k;
        by /= k;
        weight *= k;
    }
    return topology_node(topology, level, moved);
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
