/* SPDX-License-Identifier: Apache-2.0 */
/* tree: trees whose leaves are processors and whose other nodes are routers. */
#include "sched/base/compare.h"
#include "sched/base/scan.h"
#include "sched/base/text.h"
#include "sched/shape/topology.h"
#include "sched/shape/wiring.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers the nodes of all levels, the root last. There are fewer routers than leaves, because
 * every k_i is 2 or more. */
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

/* Numbers the routers of all levels, the root last: the nodes above the leaves. */
static void number_routers(struct topology *topology)
{
    topology->router_levels = topology->height;
    topology->routers = topology->all - topology->nodes;
    topology->router_node = topology->nodes;
    for (unsigned level = 1; level <= topology->height; level++) {
        topology->router_first[level] = topology->first[level] - topology->nodes;
        topology->router_ports[level] = topology->children[level] * topology->capacity[level] +
                                        wiring_parent_lanes(topology, level);
    }
    topology->router_first[topology->height + 1] = topology->routers;
}

bool topology_tree(unsigned height, const uint32_t children[], const uint32_t capacity[],
                   struct topology *topology, struct err *err)
{
    if (height < 1 || height > TOPOLOGY_MAX_HEIGHT)
        return err_set(err, ERR_RANGE, "tree: %u level%s; expected 1 … %d", height, text_s(height),
                       TOPOLOGY_MAX_HEIGHT);
    *topology = (struct topology){
        .kind = TOPOLOGY_TREE, .height = height, .leaves = {1}, .endpoints = capacity[0]};
    uint64_t leaves = 1;
    for (unsigned level = 1; level <= height; level++) {
        uint32_t k = children[level - 1], c = capacity[level - 1];
        leaves *= k;
        if (k < 2 || leaves > TOPOLOGY_MAX_NODES)
            return err_set(err, ERR_RANGE,
                           "tree: %" PRIu32
                           " children at level %u; expected 2 or more, and at most %" PRIu32
                           " leaves",
                           k, level, TOPOLOGY_MAX_NODES);
        if (c < 1 || c > TOPOLOGY_MAX_CAPACITY)
            return err_set(err, ERR_RANGE,
                           "capacity: %" PRIu32 " links at level %u; expected 1 … %" PRIu32, c,
                           level, TOPOLOGY_MAX_CAPACITY);
        topology->children[level] = k;
        topology->capacity[level] = c;
        topology->leaves[level] = (uint32_t)leaves;
    }
    if (leaves * capacity[0] > TOPOLOGY_MAX_NODES)
        return err_set(err, ERR_RANGE,
                       "capacity: %" PRIu32 " links at level 1 of %" PRIu64
                       " leaves; expected at most %" PRIu32 " links of all leaves",
                       capacity[0], leaves, TOPOLOGY_MAX_NODES);
    topology->nodes = (uint32_t)leaves;
    number_nodes(topology);
    number_routers(topology);
    return true;
}

unsigned topology_parse_list(const char *text, unsigned most, uint32_t number[])
{
    unsigned count = 0;
    while (count < most && *text >= '0' && *text <= '9') {
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
    unsigned height = topology_parse_list(children, TOPOLOGY_MAX_HEIGHT + 1, k);
    if (height == 0)
        return err_set(
            err, ERR_OPTION,
            "{tree}: '%.60s'; expected the children of a node at level 1, 2, … such as 4,4,4",
            children);
    bool constant = strcmp(capacity, "const") == 0, exponential = strcmp(capacity, "exp") == 0;
    if (!constant && !exponential &&
        topology_parse_list(capacity, TOPOLOGY_MAX_HEIGHT + 1, c) != height)
        return err_set(
            err, ERR_OPTION,
            "{capacity}: '%.60s'; expected the links of a branch at level 1 … %u, const or exp",
            capacity, height);
    uint64_t below = 1;
    for (unsigned level = 1; level <= height && (constant || exponential); level++) {
        c[level - 1] = constant ? 1 : below > UINT32_MAX ? UINT32_MAX : (uint32_t)below;
        below = below > UINT32_MAX ? below : below * k[level - 1];
    }
    return topology_tree(height, k, c, topology, err);
}

uint32_t topology_lanes(const struct topology *topology, uint32_t node)
{
    if (topology->any)
        return topology->capacity[1];
    unsigned above = topology_level(topology, node) + 1;
    return above <= topology->height ? topology->capacity[above] : 1;
}

unsigned topology_level(const struct topology *topology, uint32_t node)
{
    unsigned level = 0;
    while (node >= topology->first[level + 1])
        level++;
    return level;
}

uint32_t topology_narrowest(const struct topology *topology, unsigned level)
{
    uint32_t lanes = topology->capacity[1];
    for (unsigned below = 2; below <= level; below++)
        lanes = MIN(lanes, topology->capacity[below]);
    return lanes;
}

uint32_t topology_ancestor(const struct topology *topology, uint32_t node, unsigned level)
{
    unsigned own = topology_level(topology, node);
    uint64_t leaf = (uint64_t)topology_index(topology, own, node) * topology->leaves[own];
    return topology_node(topology, level, (uint32_t)(leaf / topology->leaves[level]));
}

uint64_t topology_flow(const struct topology *topology, unsigned level)
{
    uint64_t flow = topology->capacity[1];
    for (unsigned below = 2; below <= level; below++) {
        uint64_t most = topology->children[below - 1] * flow;
        flow = MIN(topology->capacity[below], most);
    }
    return flow;
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
    if (topology->any)
        return high < topology->all && low < high && topology->parent[low] == high ? 1 : 0;
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

static bool joins(const struct topology *tree, uint32_t node, uint32_t other)
{
    return topology_branch(tree, node, other) != 0;
}

static uint32_t router_port(const struct topology *tree, unsigned level, uint32_t router,
                            uint32_t neighbour, uint32_t lane)
{
    if (neighbour > router)
        return wiring_parent_port(tree, level, lane);
    uint32_t child = topology_index(tree, level - 1, neighbour) % tree->children[level];
    return wiring_child_port(tree, level, child, lane);
}

/* Reads the word `half-duplex`, if it is there. */
static bool read_duplex(struct scan *scan, struct topology *topology, struct err *err)
{
    char word[SCAN_WORD];
    scan_blanks(scan);
    if (scan_peek(scan) < 'a' || scan_peek(scan) > 'z')
        return true;
    if (!scan_word(scan, "", word, err))
        return false;
    topology->half_duplex = strcmp(word, "half-duplex") == 0;
    return topology->half_duplex ||
           scan_error(scan, err, ERR_SYNTAX, "'%s'; expected 'half-duplex' or the end of the line",
                      word);
}

/* Reads the numbers up to the next word: at most `most` of them, each at least `least`. */
static bool read_list(struct scan *scan, const char *what, uint32_t least, unsigned most,
                      uint32_t list[], unsigned *count, struct err *err)
{
    const char *many = strcmp(what, "parents") == 0 ? what : "levels";
    *count = 0;
    for (scan_blanks(scan); scan_peek(scan) >= '0' && scan_peek(scan) <= '9'; scan_blanks(scan)) {
        uint64_t number;
        if (*count == most)
            return scan_error(scan, err, ERR_FIELD_RANGE, "more than %u %s; expected fewer", most,
                              many);
        if (!scan_number(scan, what, least, UINT32_MAX, &number, err))
            return false;
        list[(*count)++] = (uint32_t)number;
    }
    return true;
}

/* Reads `4 4 4 capacity 1 4 16`, the children and lanes of the levels 1, 2, …, or `parents 4 4 5 6
 * 5 6 capacity 1`, a tree given by parents; either can be followed by `half-duplex`. */
static bool read_topology(struct scan *scan, struct topology *topology, struct err *err)
{
    uint32_t list[TOPOLOGY_MAX_PARENTS], lanes[TOPOLOGY_MAX_HEIGHT];
    unsigned count, levels;
    char word[SCAN_WORD];
    scan_blanks(scan);
    bool any = scan_peek(scan) == 'p';
    if (any && (!scan_word(scan, "'parents'", word, err) ||
                (strcmp(word, "parents") != 0 &&
                 !scan_error(scan, err, ERR_SYNTAX, "'%s'; expected 'parents'", word))))
        return false;
    if (!read_list(scan, any ? "parents" : "children", any ? 0 : 1,
                   any ? TOPOLOGY_MAX_PARENTS - 1 : TOPOLOGY_MAX_HEIGHT, list, &count, err) ||
        !scan_word(scan, any ? "parents, or 'capacity'" : "children, or 'capacity'", word, err))
        return false;
    if (strcmp(word, "capacity") != 0)
        return scan_error(scan, err, ERR_SYNTAX, "'%s'; expected 'capacity'", word);
    if (!read_list(scan, "capacity", 1, TOPOLOGY_MAX_HEIGHT, lanes, &levels, err))
        return false;
    if (levels != (any ? 1 : count))
        return scan_error(scan, err, ERR_SYNTAX, "levels: %u, capacities: %u; expected as many",
                          any ? 1 : count, levels);
    struct err inner = {0};
    if (any ? topology_parents(count, list, lanes[0], topology, &inner)
            : topology_tree(count, list, lanes, topology, &inner))
        return read_duplex(scan, topology, err);
    inner.code = ERR_FIELD_RANGE;
    return scan_error_at(scan, &inner, err);
}

static const char *text_of(const struct topology *tree, char text[TOPOLOGY_TEXT])
{
    snprintf(text, TOPOLOGY_TEXT, "%s", tree->any ? "parents " : "");
    for (uint32_t node = 0; tree->any && node + 1 < tree->all; node++)
        text_append(text, TOPOLOGY_TEXT, "%u ", tree->parent[node]);
    for (unsigned level = 1; !tree->any && level <= tree->height; level++)
        text_append(text, TOPOLOGY_TEXT, "%" PRIu32 " ", tree->children[level]);
    text_append(text, TOPOLOGY_TEXT, "capacity");
    for (unsigned level = 1; level <= tree->height; level++)
        text_append(text, TOPOLOGY_TEXT, " %" PRIu32, tree->capacity[level]);
    if (tree->half_duplex)
        text_append(text, TOPOLOGY_TEXT, " half-duplex");
    return text;
}

/* In a tree defined by its parents: steps down to the child above the wanted leaf, or up. */
static uint32_t next_of_any(const struct topology *tree, uint32_t at, uint32_t wanted)
{
    if (!topology_is_below(tree, wanted, at))
        return topology_above(tree, at);
    uint32_t child = wanted;
    while (topology_above(tree, child) != at)
        child = topology_above(tree, child);
    return child;
}

static uint32_t next(const struct topology *tree, const struct topology_route *route,
                     uint32_t source, uint32_t at, uint32_t wanted)
{
    (void)route;
    (void)source;
    if (tree->any)
        return next_of_any(tree, at, wanted);
    unsigned level = topology_level(tree, at);
    bool below = wanted / tree->leaves[level] == topology_index(tree, level, at);
    return below ? topology_node(tree, level - 1, wanted / tree->leaves[level - 1])
                 : topology_parent(tree, level, at);
}

static uint32_t far(const struct topology *tree)
{
    return tree->any ? tree->all : 2 * tree->height;
}

const struct topology_row topology_tree_row = {
    .name = "tree",
    .title = "tree",
    .field = "tree",
    .machines = "fat-tree or fat-tree-auto, of the schedule's tree",
    .joins = joins,
    .link = "branch",
    .joined = "a parent and its child",
    .next = next,
    .far = far,
    .move = topology_move,
    .router_port = router_port,
    .read = read_topology,
    .text = text_of,
};
