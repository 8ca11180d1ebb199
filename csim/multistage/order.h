/* order: which settings a row has: a word for each beat (machine.h), read as the row's wavefront
 * sets out; rtl/frame/rc_order.sv. */
#ifndef ROUNDCAST_ORDER_H
#define ROUNDCAST_ORDER_H

#include "csim/frame/host_port.h"
#include "csim/kernel/ports.h"
#include "sched/machine/machine.h"

#define ORDER_PORTS(INPUT, OUTPUT)                      \
    INPUT(fetch_i, 1)                                   \
    INPUT(beat_i, machine->log2_period)                 \
    OUTPUT(order_o, machine_order_bits(machine))        \
    INPUT(host_strobe_i, 1)                             \
    INPUT(host_re_i, 1)                                 \
    INPUT(host_stage_i, host_port_stage_width(machine)) \
    INPUT(host_row_i, machine->log2_rows)               \
    INPUT(host_wdata_i, 32)                             \
    OUTPUT(host_rdata_o, 32)

struct order {
    ORDER_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
    uint32_t *words; /* words[beats] */
    unsigned beat_bits, bits, unit;
    size_t size; /* bytes */
};

/* The order of a machine that has one, in `parent`; NULL if a building call failed. The host finds
 * it behind the stages. */
struct order *order_new(struct csim_module *parent, const char *name,
                        const struct machine *machine);

#endif
