/* SPDX-License-Identifier: Apache-2.0 */
#include "waves/groups.h"

#include "sched/base/text.h"
#include "sched/shape/wiring.h"

#include <inttypes.h>

/* The other end of a port of a router: the neighbour, and the lane of their branch. */
struct link_end {
    uint32_t neighbour, lane;
};

static struct link_end link_end_of(const struct topology *tree, unsigned level, uint32_t router,
                                   uint32_t port)
{
    uint32_t below = tree->children[level] * tree->capacity[level];
    if (port >= below)
        return (struct link_end){topology_parent(tree, level, router), port - below};
    uint32_t child = port / tree->capacity[level];
    return (struct link_end){topology_child(tree, level, router, child),
                             port % tree->capacity[level]};
}

#define LABEL_ROOM (TOPOLOGY_NODE_TEXT + 40)

/* Writes a label such as "to leaf 5", "from 2:1", "to 2:1 lane 3"; lane 0 is not numbered. */
static void label_port(const struct topology *tree, enum names_direction direction,
                       struct link_end end, char label[LABEL_ROOM])
{
    char node[TOPOLOGY_NODE_TEXT];
    snprintf(label, LABEL_ROOM, "%s %s%s", direction == NAMES_TO ? "to" : "from",
             end.neighbour < tree->nodes ? "leaf " : "",
             topology_node_text(tree, end.neighbour, node));
    if (end.lane > 0)
        text_append(label, LABEL_ROOM, " lane %" PRIu32, end.lane);
}

static void put_ports(const struct layout *layout, enum names_direction direction, unsigned level,
                      uint32_t router, uint32_t listed)
{
    const struct save *save = layout->save;
    const struct topology *tree = &save->machine->topology;
    uint32_t index = topology_index(tree, level, router);
    for (uint32_t port = 0; port < listed; port++) {
        char label[LABEL_ROOM];
        label_port(tree, direction, link_end_of(tree, level, router, port), label);
        struct names_bits lane =
            names_router_lane(save->engine, save->machine, direction, level, index, port);
        if (lane.count == lane.vector.width)
            layout_vector(layout, label, lane.vector, FILTERS_WORDS, LAYOUT_INDIGO);
        else
            layout_bits(layout, label, &lane, 1, FILTERS_WORDS, LAYOUT_INDIGO);
    }
}

static void put_router(const struct layout *layout, unsigned level, uint32_t router)
{
    const struct topology *tree = &layout->save->machine->topology;
    char node[TOPOLOGY_NODE_TEXT];
    topology_node_text(tree, router, node);
    layout_begin(layout, false, "router %s", node);
    layout_row(layout, layout_find(layout, NAMES_WAVE_ROW, 0));
    uint32_t listed = layout_list(layout, "lanes", tree->router_ports[level]);
    put_ports(layout, NAMES_TO, level, router, listed);
    put_ports(layout, NAMES_FROM, level, router, listed);
    layout_end(layout, false, "router %s", node);
}

void groups_tree(const struct layout *layout)
{
    const struct topology *tree = &layout->save->machine->topology;
    layout_begin(layout, true, "the tree, level by level");
    for (unsigned level = tree->height; level >= 1; level--) {
        layout_begin(layout, true, "level %u", level);
        uint32_t listed =
            layout_list(layout, "routers", tree->first[level + 1] - tree->first[level]);
        for (uint32_t index = 0; index < listed; index++)
            put_router(layout, level, topology_node(tree, level, index));
        layout_end(layout, true, "level %u", level);
    }
    layout_end(layout, true, "the tree, level by level");
}
