/* SPDX-License-Identifier: Apache-2.0 */
/* multistage_network: a Beneš, omega or Clos network with the wavefront that controls it;
 * rtl/multistage/rc_multistage_network.sv, sched/shape/multistage.h.
 *
 *     lanes_i ─► stage0 ─► stage1 ─► … ─► pad0 ─► … ─► lanes_o         a module each
 *     wave_fetch_i, wave_row_i, tx_tag_i ─► fetch, row, tag ─► rx_fetch_o, rx_row_o, rx_tag_o
 *
 * One process does the work of all of these modules: it stores what enters (transit.h, wavefront.h)
 * and computes what leaves. The lanes after each stage and register are views (csim.h), which are
 * computed only for a trace or csim_peek.
 *
 * In the views the wavefront is a set of vectors; lane d is the wavefront after d+1 pipeline
 * registers. `flow` is a further vector: whether the lanes may carry flits, in the same cycle as
 * the lanes and not one cycle ahead.
 */
#ifndef ROUNDCAST_MULTISTAGE_NETWORK_H
#define ROUNDCAST_MULTISTAGE_NETWORK_H

#include "csim/kernel/ports.h"
#include "csim/multistage/transit.h"
#include "csim/multistage/wavefront.h"
#include "csim/shell/host_port.h"
#include "sched/machine/machine.h"

#define MULTISTAGE_NETWORK_PORTS(INPUT, OUTPUT) \
    INPUT(ce, 1)                                \
    INPUT(wave_fetch, 1)                        \
    INPUT(wave_row, machine->log2_rows)         \
    INPUT(tx_tag, machine->log2_flits + 2)      \
    INPUT(tx_flow, 1)                           \
    OUTPUT(rx_fetch, 1)                         \
    OUTPUT(rx_row, machine->log2_rows)          \
    OUTPUT(rx_tag, machine->log2_flits + 2)     \
    HOST_TABLE_PORTS(INPUT)

struct multistage_network {
    MULTISTAGE_NETWORK_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
    struct csim_out host_rdata_o;
    struct csim_in operation_i;     /* the operator of switches that combine, if `operates` */
    struct csim_in setting_index_i; /* selects the settings if the row number does not */
    struct csim_in lanes_i;         /* [ports] */
    struct csim_out lanes_o;        /* [ports]; a register or combinational */
    /* lanes[wire][multistage_lanes]: after stage or pad `wire`, except the last */
    struct csim_signal *lanes;
    struct csim_signal *settings; /* settings[stage][multistage_columns] */
    /* masks[stage]: the words that the host reads instead of settings; NULL without masks */
    struct csim_signal *masks;
    struct csim_signal read_at; /* {stage, column} of the last host read, two lanes */
    struct csim_signal fetch, row, tag, flow, setting_index; /* [depth]; none if the depth is 0 */
    struct transit transit;
    struct wavefront wave;
    bool zero;                      /* lanes_o is all 0 */
    bool operates;                  /* a register selects the operator; else it is a sum */
    bool registered;                /* lanes_o is a register */
    bool loaded;                    /* a stage loaded settings at the last edge */
    bool has_setting_index, tables; /* a setting index selects the settings; stages have tables */
    bool settings_kept;             /* the tables contain settings, which are registers, not
                                     * views */
    struct multistage net;
    uint32_t depth; /* pipeline registers: the latency */
    unsigned stages, pads;
};

/* Builds a network in `parent`; NULL if a building call failed. With `operates`, its switches
 * combine, and operation_i is to be bound. */
struct multistage_network *multistage_network_new(struct csim_module *parent, const char *name,
                                                  const struct machine *machine, bool operates);

/* Simulates the leap of a row (sequencer.h): its flits, routed as `row` says, have left, and the
 * wavefront of the next row has passed one register. */
void network_leap(struct multistage_network *network, const struct wavefront_front *row,
                  const struct wavefront_front *next);

/* The clocked process. */
void network_edge(void *state);

/* Combinational processes: drive lanes_o if no register follows the last stage; the other
 * outputs. */
void network_exit(void *state);
void network_outputs(void *state);

/* The view. */
void network_show(void *state);

void network_reset(void *state);

#endif
