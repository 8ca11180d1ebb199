/* SPDX-License-Identifier: Apache-2.0 */
/* names: the names of signals in a trace, for every engine, in one table.
 *
 * csim has vectors with a lane per node, the RTL a module per node, and a netlist shows only its
 * ports. A signal that an engine does not show has no name, and is omitted.
 */
#ifndef ROUNDCAST_NAMES_H
#define ROUNDCAST_NAMES_H

#include "testbench/engine/engine.h"

/* In the patterns @ stands for a node, lane, or (RTL) router of its level, # for a stage or level,
 * $ for the machine.
 *   signal, csim, RTL, netlist */
#define NAMES_TABLE(X)                                                                             \
    X(CLK, "TOP.clk", "TOP.clk_i", "TOP.clk_i")                                                    \
    X(START, "TOP.start_i", "TOP.start_i", "TOP.start_i")                                          \
    X(RUN, "TOP.run_o", "TOP.run_o", "TOP.run_o")                                                  \
    X(DONE, "TOP.done_o", "TOP.done_o", "TOP.done_o")                                              \
    X(STROBE, "TOP.obs_strobe_o", "TOP.obs_strobe_o", "TOP.obs_strobe_o")                          \
    X(OBS, "TOP.obs_o.lane@", "TOP.obs_o", "TOP.obs_o")                                            \
    X(ACTIVE, "$.active", "$.u_shell.active", NULL)                                                \
    X(ROW, "$.row", "$.u_shell.row", NULL)                                                         \
    X(WAVE_ROW, "$.wave_row", "$.u_shell.wave_row", NULL)                                          \
    X(TX_EN, "$.tx_en", "$.u_shell.tx_en", NULL)                                                   \
    X(PAUSE, "$.pause", "$.u_shell.u_sequencer.pause", NULL)                                       \
    X(TX_FLIT, "$.tx_flit", "$.u_shell.tx_flit", NULL)                                             \
    X(SEND, "$.endpoint.send.lane@",                                                               \
      "$.u_shell.g_node[@].u_endpoint.g_send_program.u_send_program.rdata_o", NULL)                \
    X(RECEIVE_VALID, "$.endpoint.recv.lane@", "$.u_shell.g_node[@].u_endpoint.recv_valid", NULL)   \
    X(RECEIVE_PACKET, "$.endpoint.recv.lane@", "$.u_shell.g_node[@].u_endpoint.recv_packet", NULL) \
    X(LANE_OUT, "$.tx_lanes.lane@", "$.u_shell.g_node[@].u_endpoint.lane_o", NULL)                 \
    X(LANE_IN, "$.rx_lanes.lane@", "$.u_shell.g_node[@].u_endpoint.lane_i", NULL)                  \
    X(FLAGS, "$.endpoint.flags_q.lane@", "$.u_shell.g_node[@].u_endpoint.flags_o", NULL)           \
    X(STAGE_SETTING, "$.network.stage#.setting_o", NULL, NULL)                                     \
    X(STAGE_LANE, "$.network.stage#.lanes_o.lane@", NULL, NULL)                                    \
    X(TO_CHILDREN, "$.level#.children_o.lane@", "$.g_level[#].g_router[@].lanes_out", NULL)        \
    X(TO_PARENT, "$.level#.parent_o.lane@", "$.g_level[#].g_router[@].lanes_out", NULL)            \
    X(FROM_CHILDREN, "$.level#.children_i.lane@", "$.g_level[#].g_router[@].lanes_in", NULL)       \
    X(FROM_PARENT, "$.level#.parent_i.lane@", "$.g_level[#].g_router[@].lanes_in", NULL)

enum names_signal {
#define NAMES_ENUM(signal, csim, rtl, netlist) NAMES_##signal,
    NAMES_TABLE(NAMES_ENUM)
#undef NAMES_ENUM
        NAMES_COUNT
};

#define NAMES_ROOM 160

/* The name of a signal in a save file, with its range: `TOP.multistage_machine.row[5:0]`. */
struct names_vector {
    char name[NAMES_ROOM];
    unsigned width; /* 0: the engine does not show the signal */
};

/* Some bits of a vector, counted from the left. */
struct names_bits {
    struct names_vector vector;
    unsigned first, count;
};

/* Looks up a signal; `at` replaces @ in the pattern, `stage` replaces #. */
struct names_vector names_find(enum engine_kind engine, const struct machine *machine,
                               enum names_signal signal, unsigned stage, uint32_t at);

/* Returns the signal of the wavefront at a stage: the row, or the setting index. */
struct names_vector names_stage_row(enum engine_kind engine, const struct machine *machine,
                                    unsigned stage);

/* Returns the signal of the stage's settings for that row, if they are one word of csim. */
struct names_vector names_stage_setting(enum engine_kind engine, const struct machine *machine,
                                        unsigned stage);

/* Returns the signal of a lane after a stage. */
struct names_vector names_stage_lane(enum engine_kind engine, const struct machine *machine,
                                     unsigned stage, uint32_t lane);

enum names_direction { NAMES_TO, NAMES_FROM };

/* Returns the signal that router `router` of a level, counted from 0, sends or receives at a port
 * (wiring.h): in csim a lane of its level, in the RTL a part of the router's lanes. */
struct names_bits names_router_lane(enum engine_kind engine, const struct machine *machine,
                                    enum names_direction direction, unsigned level, uint32_t router,
                                    uint32_t port);

#endif
