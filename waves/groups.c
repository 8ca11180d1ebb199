/* SPDX-License-Identifier: Apache-2.0 */
#include "waves/groups.h"

#include "sched/base/text.h"

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

/* Writes {missing, unexpected, not held}: one vector in csim, three bits in the RTL. */
static void put_flags(const struct layout *layout, uint32_t node)
{
    struct names_vector flags = layout_find(layout, NAMES_FLAGS, node);
    const struct names_bits bits[] = {{layout_find(layout, NAMES_MISSING, node), 0, 1},
                                      {layout_find(layout, NAMES_UNEXPECTED, node), 0, 1},
                                      {layout_find(layout, NAMES_NOT_HELD, node), 0, 1}};
    layout_vector(layout, "flags", flags, FILTERS_FLAGS, LAYOUT_RED);
    layout_bits(layout, "flags", bits, 3, FILTERS_FLAGS, LAYOUT_RED);
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
        put_flags(layout, node);
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
