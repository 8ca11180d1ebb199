/* SPDX-License-Identifier: Apache-2.0 */
#include "waves/layout.h"

#include "sched/base/text.h"
#include "sched/shape/wiring.h"

#include <inttypes.h>

void groups_run(const struct layout *layout)
{
    layout_begin(layout, true, "run");
    layout_vector(layout, "clk", layout_find(layout, NAMES_CLK, 0), FILTERS_NONE, LAYOUT_PLAIN);
    layout_vector(layout, "start", layout_find(layout, NAMES_START, 0), FILTERS_NONE, LAYOUT_PLAIN);
    layout_vector(layout, "run", layout_find(layout, NAMES_RUN, 0), FILTERS_NONE, LAYOUT_PLAIN);
    layout_vector(layout, "done", layout_find(layout, NAMES_DONE, 0), FILTERS_NONE, LAYOUT_PLAIN);
    layout_row(layout, layout_find(layout, NAMES_ROW, 0));
    const struct names_vector flit = layout_find(layout, NAMES_TX_FLIT, 0);
    const struct names_bits bits[] = {{layout_find(layout, NAMES_TX_EN, 0), 0, 1},
                                      {flit, 0, flit.width}};
    layout_bits(layout, "flit", bits, 2, FILTERS_FLITS, LAYOUT_ORANGE);
    layout_end(layout, true, "run");
}

/* Writes when data flows and when the switch reconfigures, which are never at the same time. */
void groups_switch(const struct layout *layout)
{
    if (!layout->save->machine->reconfigures || !layout_inside(layout))
        return;
    layout_begin(layout, true, "switch");
    layout_vector(layout, "data flows", layout_find(layout, NAMES_TX_EN, 0), FILTERS_NONE,
                  LAYOUT_ORANGE);
    layout_vector(layout, "setting_changes", layout_find(layout, NAMES_PAUSE, 0), FILTERS_NONE,
                  LAYOUT_RED);
    layout_end(layout, true, "switch");
}

/* Writes {enable, valid, packet}: the leftmost bit of `enable`, and the lowest bits of `packet`, a
 * field whose higher bits are 0 */
static void put_packet(const struct layout *layout, const char *label, struct names_vector enable,
                       struct names_bits valid, struct names_bits packet)
{
    unsigned spare = packet.count - layout->save->machine->log2_packets;
    packet.first += spare;
    packet.count -= spare;
    const struct names_bits bits[] = {{enable, 0, 1}, valid, packet};
    layout_bits(layout, label, bits, 3, FILTERS_PACKETS, LAYOUT_BLUE);
}

/* Writes the packet whose flit is on the output lane. The word of the program is held until that of
 * the next row is read; if rows follow each other directly, that is one cycle before the last flit.
 * In this case, with barriers, the packet is shown one cycle earlier, while its flits are read;
 * without barriers the flits themselves are shown, because a packet may begin with any flit. */
static void put_sends(const struct layout *layout, const char *label, uint32_t node)
{
    struct names_vector send = layout_find(layout, NAMES_SEND, node);
    bool gap = layout->save->run->row_cycles > layout->save->run->flits;
    enum names_signal enable = gap ? NAMES_LANE_OUT : NAMES_TX_EN;
    if (layout->save->unit || layout->save->machine->ranges)
        layout_vector(layout, label, layout_find(layout, NAMES_LANE_OUT, node), FILTERS_WORDS,
                      LAYOUT_BLUE);
    else
        put_packet(layout, label, layout_find(layout, enable, node),
                   (struct names_bits){send, 0, 1}, (struct names_bits){send, 1, send.width - 1});
}

/* Writes the packet that is expected while a flit is on the input lane. Leaves of self-timed trees
 * and endpoints with ranges expect no particular packet and identify it by its first flit, so for
 * them the flits themselves are shown. */
void groups_put_receives(const struct layout *layout, const char *label, uint32_t node)
{
    struct names_vector lane = layout_find(layout, NAMES_LANE_IN, node);
    struct names_vector valid = layout_find(layout, NAMES_RECEIVE_VALID, node);
    struct names_vector packet = layout_find(layout, NAMES_RECEIVE_PACKET, node);
    if (machine_is_self_timed(layout->save->machine) || layout->save->machine->ranges)
        layout_vector(layout, label, lane, FILTERS_WORDS, LAYOUT_BLUE);
    else
        put_packet(layout, label, lane, (struct names_bits){valid, 0, 1},
                   (struct names_bits){packet, 0, packet.width});
}

/* Writes the observation of a node, which is part of a vector of the words of all nodes, or a
 * separate signal (csim). */
static void put_observed(const struct layout *layout, const char *label, uint32_t node)
{
    struct names_vector obs = layout_find(layout, NAMES_OBS, node);
    unsigned first = obs.width == 32 ? 0 : obs.width - 32 * (node + 1);
    put_packet(layout, label, layout_find(layout, NAMES_STROBE, 0),
               (struct names_bits){obs, first, 1}, (struct names_bits){obs, first + 4, 28});
}

#define LABEL_ROOM 40

/* Returns "node 5", in a hypercube "node 5 dimension 2", at a leaf with several links "node 5 lane
 * 1". */
static const char *node_label(const struct layout *layout, uint32_t node, char label[LABEL_ROOM])
{
    const struct topology *topology = &layout->save->machine->topology;
    uint32_t each = machine_node_endpoints(layout->save->machine);
    snprintf(label, LABEL_ROOM, "node %" PRIu32, node / each);
    if (topology->dimensions > 0)
        text_append(label, LABEL_ROOM, " dimension %" PRIu32, node % each + 1);
    else if (each > 1)
        text_append(label, LABEL_ROOM, " lane %" PRIu32, node % each);
    return label;
}

/* Writes a line for each node. */
static void put_nodes(const struct layout *layout, const char *name, bool open,
                      void (*put)(const struct layout *, const char *, uint32_t))
{
    layout_begin(layout, open, "%s", name);
    uint32_t listed = layout_list(layout, "nodes", layout->save->nodes);
    for (uint32_t node = 0; node < listed; node++) {
        char label[LABEL_ROOM];
        put(layout, node_label(layout, node, label), node);
    }
    layout_end(layout, open, "%s", name);
}

static void put_endpoints(const struct layout *layout)
{
    layout_begin(layout, true, "endpoints");
    uint32_t listed = layout_list(layout, "nodes", layout->save->nodes);
    for (uint32_t node = 0; node < listed; node++) {
        char label[LABEL_ROOM];
        layout_begin(layout, false, "%s", node_label(layout, node, label));
        put_sends(layout, "sends", node);
        groups_put_receives(layout, "receives", node);
        layout_vector(layout, "lane out", layout_find(layout, NAMES_LANE_OUT, node), FILTERS_WORDS,
                      LAYOUT_INDIGO);
        layout_vector(layout, "lane in", layout_find(layout, NAMES_LANE_IN, node), FILTERS_WORDS,
                      LAYOUT_INDIGO);
        /* {missing, unexpected, not held} */
        layout_vector(layout, "flags", layout_find(layout, NAMES_FLAGS, node), FILTERS_FLAGS,
                      LAYOUT_RED);
        layout_end(layout, false, "%s", label);
    }
    layout_end(layout, true, "endpoints");
}

void groups_nodes(const struct layout *layout)
{
    bool inside = layout_inside(layout);
    if (inside) {
        put_nodes(layout, "sends", true, put_sends);
        put_nodes(layout, "receives", true, groups_put_receives);
    }
    put_nodes(layout, "observation", false, put_observed);
    if (inside)
        put_endpoints(layout);
}

/* -- Multistage networks ----------------------------------------------------------------------- */

/* Returns the meaning of a set bit, or of a field. */
static const char *setting_label(const struct multistage *net, unsigned stage)
{
    if (multistage_has_crossbars(net))
        return "inputs";
    if (multistage_stage_combines(net, stage))
        return "to the other lane";
    return multistage_copies(net) ? "from the other lane" : "crossed";
}

void groups_stages(const struct layout *layout)
{
    const struct save *save = layout->save;
    layout_begin(layout, true, "stage by stage");
    uint32_t listed = layout_list(layout, "lanes", machine_ports(save->machine));
    for (unsigned stage = 0; stage < machine_stages(save->machine); stage++) {
        layout_begin(layout, false, "stage %u", stage);
        layout_row(layout, names_stage_row(save->engine, save->machine, stage));
        struct names_vector setting = names_stage_setting(save->engine, save->machine, stage);
        layout_vector(layout, setting_label(&save->machine->network, stage), setting, FILTERS_NONE,
                      LAYOUT_YELLOW);
        for (uint32_t lane = 0; lane < listed; lane++) {
            char label[32];
            snprintf(label, sizeof label, "lane %" PRIu32, lane);
            layout_vector(layout, label, names_stage_lane(save->engine, save->machine, stage, lane),
                          FILTERS_WORDS, LAYOUT_INDIGO);
        }
        layout_end(layout, false, "stage %u", stage);
    }
    layout_end(layout, true, "stage by stage");
}

/* -- Fat trees --------------------------------------------------------------------------------- */

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

#define LINK_ROOM (TOPOLOGY_NODE_TEXT + 40)

/* Writes a label such as "to leaf 5", "from 2:1", "to 2:1 lane 3"; lane 0 is not numbered. */
static void label_port(const struct topology *tree, enum names_direction direction,
                       struct link_end end, char label[LINK_ROOM])
{
    char node[TOPOLOGY_NODE_TEXT];
    snprintf(label, LINK_ROOM, "%s %s%s", direction == NAMES_TO ? "to" : "from",
             end.neighbour < tree->nodes ? "leaf " : "",
             topology_node_text(tree, end.neighbour, node));
    if (end.lane > 0)
        text_append(label, LINK_ROOM, " lane %" PRIu32, end.lane);
}

static void put_ports(const struct layout *layout, enum names_direction direction, unsigned level,
                      uint32_t router, uint32_t listed)
{
    const struct save *save = layout->save;
    const struct topology *tree = &save->machine->topology;
    uint32_t index = topology_index(tree, level, router);
    for (uint32_t port = 0; port < listed; port++) {
        char label[LINK_ROOM];
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

/* -- Hypercubes -------------------------------------------------------------------------------- */

/* Writes the arcs of a dimension: for each node the packet that arrives over it. */
static void put_dimension(const struct layout *layout, unsigned dimension)
{
    const struct topology *cube = &layout->save->machine->topology;
    layout_begin(layout, dimension == 1, "dimension %u", dimension);
    layout_row(layout, layout_find(layout, NAMES_WAVE_ROW, 0));
    uint32_t listed = layout_list(layout, "nodes", cube->nodes);
    for (uint32_t node = 0; node < listed; node++) {
        uint32_t from = topology_across(node, dimension);
        char label[32];
        snprintf(label, sizeof label, "%" PRIu32 " to %" PRIu32, from, node);
        groups_put_receives(layout, label, wiring_endpoint(cube, node, from, 0));
    }
    layout_end(layout, dimension == 1, "dimension %u", dimension);
}

void groups_cube(const struct layout *layout)
{
    layout_begin(layout, true, "the hypercube, dimension by dimension");
    for (unsigned dimension = 1; dimension <= layout->save->machine->topology.dimensions;
         dimension++)
        put_dimension(layout, dimension);
    layout_end(layout, true, "the hypercube, dimension by dimension");
}
