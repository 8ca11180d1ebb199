/* SPDX-License-Identifier: Apache-2.0 */
/* tree_parents: trees that are given by a list of parents. */
#include "sched/shape/topology.h"

#include <inttypes.h>
#include <string.h>

/* Checks that a node has a parent with a higher number and, if it is not a leaf, children of its
 * own. E102. */
static bool check_node(uint32_t count, const uint32_t parent[], uint32_t node, uint32_t leaves,
                       struct err *err)
{
    bool is_parent = false;
    if (parent[node] <= node || parent[node] > count)
        return err_set(err, ERR_RANGE,
                       "parents: parent %" PRIu32 " of node %" PRIu32 "; expected %" PRIu32
                       " … %" PRIu32 ", a node that follows it",
                       parent[node], node, node + 1, count);
    for (uint32_t child = 0; child < node; child++)
        is_parent = is_parent || parent[child] == node;
    return is_parent == (node >= leaves) ||
           err_set(err, ERR_RANGE,
                   "parents: node %" PRIu32 " has no child; expected the leaves first", node);
}

bool topology_parents(uint32_t count, const uint32_t parent[], uint32_t lanes,
                      struct topology *topology, struct err *err)
{
    uint32_t leaves = count;
    if (count < 2 || count >= TOPOLOGY_MAX_PARENTS)
        return err_set(err, ERR_RANGE, "parents: %" PRIu32 " parents; expected 2 … %d", count,
                       TOPOLOGY_MAX_PARENTS - 1);
    if (lanes < 1 || lanes > TOPOLOGY_MAX_CAPACITY)
        return err_set(err, ERR_RANGE,
                       "capacity: %" PRIu32 " links of a branch; expected 1 … %" PRIu32, lanes,
                       TOPOLOGY_MAX_CAPACITY);
    for (uint32_t node = 0; node < count; node++)
        leaves = parent[node] < leaves ? parent[node] : leaves;
    for (uint32_t node = 0; node < count; node++)
        if (!check_node(count, parent, node, leaves, err))
            return false;
    if (leaves < 2)
        return err_set(err, ERR_RANGE, "parents: a single leaf; expected 2 or more");
    *topology = (struct topology){.kind = TOPOLOGY_TREE,
                                  .nodes = leaves,
                                  .all = count + 1,
                                  .height = 1,
                                  .children = {[1] = leaves},
                                  .capacity = {[1] = lanes, [2] = lanes},
                                  .leaves = {1, leaves},
                                  .first = {0, leaves, count + 1},
                                  .endpoints = lanes,
                                  .any = true};
    for (uint32_t node = 0; node < count; node++)
        topology->parent[node] = (uint16_t)parent[node];
    return true;
}

bool topology_parse_parents(const char *parents, const char *capacity, struct topology *topology,
                            struct err *err)
{
    uint32_t parent[TOPOLOGY_MAX_PARENTS], lanes = 1;
    unsigned count = topology_parse_list(parents, TOPOLOGY_MAX_PARENTS, parent);
    if (count == 0)
        return err_set(err, ERR_OPTION,
                       "{parents}: '%.60s'; expected the parents of nodes 0, 1, … such as "
                       "4,4,5,6,5,6, at most %d",
                       parents, TOPOLOGY_MAX_PARENTS - 1);
    if (strcmp(capacity, "const") != 0 && topology_parse_list(capacity, 1, &lanes) != 1)
        return err_set(err, ERR_OPTION,
                       "{capacity}: '%.60s'; expected the links of every branch, or const, with "
                       "{parents}",
                       capacity);
    return topology_parents(count, parent, lanes, topology, err);
}

uint32_t topology_above(const struct topology *topology, uint32_t node)
{
    return topology->any ? topology->parent[node]
                         : topology_parent(topology, topology_level(topology, node), node);
}

bool topology_is_below(const struct topology *topology, uint32_t leaf, uint32_t node)
{
    while (leaf < node)
        leaf = topology_above(topology, leaf);
    return leaf == node;
}
