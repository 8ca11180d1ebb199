/* SPDX-License-Identifier: Apache-2.0 */
#include "waves/names.h"

#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/shape/wiring.h"

#include <inttypes.h>
#include <stdio.h>

static int put_root(enum engine_kind engine, const struct machine *machine, char *text, size_t room)
{
    return engine == ENGINE_CSIM ? snprintf(text, room, "TOP.machine")
                                 : snprintf(text, room, "TOP.rc_%s", machine_row(machine)->top);
}

static const char *pattern_of(enum engine_kind engine, enum names_signal signal)
{
    static const char *const patterns[NAMES_COUNT][ENGINE_COUNT] = {
#define NAMES_ROW(signal, csim, rtl, netlist) {csim, rtl, netlist},
        NAMES_TABLE(NAMES_ROW)
#undef NAMES_ROW
    };
    return patterns[signal][engine];
}

/* Returns the width of a setting; 0 if it is several words in csim, which are not shown. */
static unsigned setting_width(const struct machine *machine, unsigned stage)
{
    const struct multistage *net = &machine->network;
    return multistage_columns(net, stage) > 1
               ? 0
               : multistage_fields(net, stage) * multistage_field_bits(net, stage);
}

static unsigned width_of(enum engine_kind engine, const struct machine *machine,
                         enum names_signal signal, unsigned stage)
{
    switch (signal) {
    case NAMES_OBS:
        return engine == ENGINE_CSIM ? 32 : 32 * machine_ports(machine);
    case NAMES_ROW:
    case NAMES_WAVE_ROW:
        return machine->log2_rows;
    case NAMES_PAUSE:
        return machine->reconfigures;
    case NAMES_TX_FLIT:
        return machine->log2_flits;
    case NAMES_SEND:
        return engine == ENGINE_CSIM ? 32 : 1 + machine->log2_packets;
    case NAMES_RECEIVE_VALID:
        return engine == ENGINE_CSIM ? 32 : 1;
    case NAMES_RECEIVE_PACKET:
        return engine == ENGINE_CSIM ? 32 : machine->log2_packets;
    case NAMES_LANE_OUT:
    case NAMES_LANE_IN:
    case NAMES_STAGE_LANE:
        return machine->width + 1;
    case NAMES_TO_CHILDREN:
    case NAMES_TO_PARENT:
    case NAMES_FROM_CHILDREN:
    case NAMES_FROM_PARENT:
        return (machine->width + 1) *
               (engine == ENGINE_CSIM ? 1 : machine->topology.router_ports[stage]);
    case NAMES_FLAGS:
        return 3;
    case NAMES_STAGE_SETTING:
        return setting_width(machine, stage);
    default:
        return 1;
    }
}

/* Replaces the placeholders of a pattern with a number or a string. */
static size_t expand(const char *pattern, enum engine_kind engine, const struct machine *machine,
                     unsigned stage, uint32_t at, char name[NAMES_ROOM])
{
    size_t length = 0;
    for (; *pattern != '\0' && length < NAMES_ROOM - 1; pattern++) {
        char *end = name + length;
        size_t room = NAMES_ROOM - length;
        int written = *pattern == '$'   ? put_root(engine, machine, end, room)
                      : *pattern == '@' ? snprintf(end, room, "%" PRIu32, at)
                      : *pattern == '#' ? snprintf(end, room, "%u", stage)
                                        : snprintf(end, room, "%c", *pattern);
        length += (size_t)written;
    }
    return length;
}

static struct names_vector vector_of(const char *pattern, enum engine_kind engine,
                                     const struct machine *machine, unsigned width, unsigned stage,
                                     uint32_t at)
{
    struct names_vector vector = {.width = pattern == NULL ? 0 : width};
    if (vector.width == 0)
        return vector;
    size_t length = expand(pattern, engine, machine, stage, at, vector.name);
    /* one bit has no range, even if the RTL declares [0:0] */
    if (width > 1 && length < NAMES_ROOM)
        snprintf(vector.name + length, NAMES_ROOM - length, "[%u:0]", width - 1);
    return vector;
}

struct names_vector names_find(enum engine_kind engine, const struct machine *machine,
                               enum names_signal signal, unsigned stage, uint32_t at)
{
    return vector_of(pattern_of(engine, signal), engine, machine,
                     width_of(engine, machine, signal, stage), stage, at);
}

/* Returns the part of a name common to every column of switches, of either kind. */
static struct names_vector of_column(const struct machine *machine, unsigned stage, unsigned width,
                                     const char *signal)
{
    char pattern[NAMES_ROOM];
    snprintf(pattern, sizeof pattern, "$.u_core.u_network.g_%s[#].u_stage.%s",
             multistage_has_crossbars(&machine->network) ? "crossbar_stage" : "stage", signal);
    return vector_of(pattern, ENGINE_RTL, machine, width, stage, 0);
}

struct names_vector names_stage_row(enum engine_kind engine, const struct machine *machine,
                                    unsigned stage)
{
    unsigned registers = machine->pipe ? stage / machine->pipe : 0; /* registers before the stage */
    bool has_setting_index = machine_has_setting_index(machine);
    unsigned width = has_setting_index ? machine_setting_index_bits(machine) : machine->log2_rows;
    if (engine == ENGINE_RTL) /* a stage controlled by a tag has further signals */
        return of_column(machine, stage, width,
                         machine_has_tags(machine) ? "g_tag.u_settings.tag_i" : "setting_index_i");
    if (engine == ENGINE_NETLIST)
        return (struct names_vector){0};
    /* A lane of the network's delay line. A single register is not a vector. */
    const char *pattern =
        registers == 0 ? (has_setting_index ? "$.network.setting_index_i" : "$.network.wave_row_i")
        : machine_latency(machine) == 1
            ? (has_setting_index ? "$.network.setting_index" : "$.network.row")
            : (has_setting_index ? "$.network.setting_index.lane@" : "$.network.row.lane@");
    return vector_of(pattern, engine, machine, width, stage, registers - 1);
}

struct names_vector names_stage_setting(enum engine_kind engine, const struct machine *machine,
                                        unsigned stage)
{
    if (engine == ENGINE_RTL)
        return of_column(machine, stage, setting_width(machine, stage), "setting");
    return names_find(engine, machine, NAMES_STAGE_SETTING, stage, 0);
}

/* Returns a lane after crossbars: in the RTL an output of one of them. */
static struct names_vector crossbar_lane(const struct machine *machine, unsigned stage,
                                         uint32_t lane)
{
    struct multistage_crossbars bars = multistage_crossbars(&machine->network, stage);
    uint32_t within = lane % (bars.stride * bars.outputs);
    uint32_t crossbar = lane / (bars.stride * bars.outputs) * bars.stride + within % bars.stride;
    char pattern[NAMES_ROOM];
    snprintf(pattern, sizeof pattern,
             "$.u_core.u_network.g_crossbar_stage[#].u_stage.g_crossbar[%" PRIu32
             "].u_crossbar.g_output[@].lane",
             crossbar);
    return vector_of(pattern, ENGINE_RTL, machine, machine->width + 1, stage, within / bars.stride);
}

/* Returns a lane after 2×2 switches: an output of a switch. A lane that bypasses the switches has
 * its own register, or, without a register, is the lane before the stage. */
static struct names_vector switch_lane(const struct machine *machine, unsigned stage, uint32_t lane)
{
    const struct multistage *net = &machine->network;
    uint32_t sw, partner = multistage_partner(net, stage, lane, &sw);
    bool passes = partner == lane;
    bool registered = machine->pipe != 0 && (stage + 1) % machine->pipe == 0;
    if (passes && !registered)
        return (struct names_vector){0};
    char pattern[NAMES_ROOM], output[64];
    snprintf(output, sizeof output, "g_switch[@].g_%s.u_switch.%s_o",
             multistage_stage_combines(net, stage) ? "combine" : "route",
             lane > partner ? "high" : "low");
    snprintf(pattern, sizeof pattern,
             "$.u_core.u_network.g_stage[#].u_stage.g_block[%" PRIu32 "].%s",
             multistage_block(net, multistage_level(net, stage), lane),
             passes ? "g_lane[@].g_passes.g_register.u_lane.q_o" : output);
    return vector_of(pattern, ENGINE_RTL, machine, machine->width + 1, stage, passes ? lane : sw);
}

struct names_vector names_stage_lane(enum engine_kind engine, const struct machine *machine,
                                     unsigned stage, uint32_t lane)
{
    if (engine != ENGINE_RTL)
        return names_find(engine, machine, NAMES_STAGE_LANE, stage, lane);
    return multistage_has_crossbars(&machine->network) ? crossbar_lane(machine, stage, lane)
                                                       : switch_lane(machine, stage, lane);
}

struct names_bits names_router_lane(enum engine_kind engine, const struct machine *machine,
                                    enum names_direction direction, unsigned level, uint32_t router,
                                    uint32_t port)
{
    const struct topology *tree = &machine->topology;
    uint32_t ports = tree->router_ports[level], above = wiring_parent_lanes(tree, level);
    uint32_t below = ports - above;
    bool child = port < below;
    enum names_signal signal = direction == NAMES_TO ? child ? NAMES_TO_CHILDREN : NAMES_TO_PARENT
                               : child               ? NAMES_FROM_CHILDREN
                                                     : NAMES_FROM_PARENT;
    unsigned size = machine->width + 1;
    if (engine != ENGINE_CSIM)
        return (struct names_bits){names_find(engine, machine, signal, level, router),
                                   (ports - 1 - port) * size, size};
    uint32_t lane = child ? router * below + port : router * above + port - below;
    return (struct names_bits){names_find(engine, machine, signal, level, lane), 0, size};
}
