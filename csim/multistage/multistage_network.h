/* multistage_network: a Beneš, omega or Clos network with the wavefront that steers it;
 * rtl/multistage/rc_multistage_network.sv, sched/shape/multistage.h.
 *
 *     lanes_i ─► stage0 ─► stage1 ─► … ─► pad0 ─► … ─► lanes_o         a module each
 *     fetch_i, row_i, tag_i ─► fetch, row, tag ─► fetch_o, row_o, tag_o
 *
 * The wavefront stands in vectors, lane d being what stands behind d+1 pipeline registers. `flow`
 * is one more, in step with the lanes and not a cycle ahead: whether they may carry flits
 * (stage.h).
 */
#ifndef ROUNDCAST_MULTISTAGE_NETWORK_H
#define ROUNDCAST_MULTISTAGE_NETWORK_H

#include "csim/kernel/ports.h"
#include "sched/machine/machine.h"

#define MULTISTAGE_NETWORK_PORTS(INPUT, OUTPUT)           \
    INPUT(ce_i, 1)                                        \
    INPUT(fetch_i, 1)                                     \
    INPUT(row_i, machine->log2_rows)                      \
    INPUT(tag_i, machine->log2_flits + 2)                 \
    INPUT(flow_i, 1)                                      \
    OUTPUT(fetch_o, 1)                                    \
    OUTPUT(row_o, machine->log2_rows)                     \
    OUTPUT(tag_o, machine->log2_flits + 2)                \
    INPUT(host_strobe_i, 1)                               \
    INPUT(host_re_i, 1)                                   \
    INPUT(host_stage_i, host_port_stage_width(machine))   \
    INPUT(host_row_i, machine->log2_rows)                 \
    INPUT(host_column_i, host_port_column_width(machine)) \
    INPUT(host_wdata_i, 32)                               \
    OUTPUT(host_rdata_o, 32)

/* A delay line in one vector register, which is held as soon as all of it is the same. */
struct wave_line {
    struct csim_signal lanes; /* [depth]; none if the depth is 0 */
    unsigned uneven;          /* shifts until all is the same, if the input stays */
};

struct multistage_network {
    MULTISTAGE_NETWORK_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
    struct csim_in order_i;  /* where the stages do not go by the row: what they go by */
    struct csim_in lanes_i;  /* [ports] */
    struct csim_out lanes_o; /* [ports] */
    /* lanes[wire][multistage_lanes]: behind stage or pad `wire`; not the last */
    struct csim_signal *lanes;
    struct csim_signal *settings; /* settings[stage][multistage_columns] */
    /* masks[stage]: what the host reads in their place; NULL if there are none */
    struct csim_signal *masks;
    struct csim_signal read_at; /* {stage, column} of the last host read, two lanes */
    struct wave_line fetch, row, tag, flow, order;
    bool ordered, tables; /* stages go by an order; have tables */
    struct multistage net;
    uint32_t depth; /* pipeline registers: the latency */
    unsigned stages, pads;
};

/* A network in `parent`; NULL if a building call failed. */
struct multistage_network *multistage_network_new(struct csim_module *parent, const char *name,
                                                  const struct machine *machine);

#endif
