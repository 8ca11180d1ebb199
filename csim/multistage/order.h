/* SPDX-License-Identifier: Apache-2.0 */
/* order: which settings a row has: a word for each setting phase (machine.h), read as the row's
 * wavefront sets out; rtl/shell/rc_order.sv. */
#ifndef ROUNDCAST_ORDER_H
#define ROUNDCAST_ORDER_H

#include "csim/kernel/ports.h"
#include "csim/shell/host_port.h"
#include "sched/machine/machine.h"

#define ORDER_PORTS(INPUT)                     \
    INPUT(setting_phase, machine->log2_period) \
    HOST_TABLE_PORTS(INPUT)

struct order {
    ORDER_PORTS(PORTS_INPUT_FIELD)
    struct csim_in fetch_i;
    struct csim_out order_o, host_rdata_o;
    struct csim_out length_o; /* of machines that hold settings */
    uint32_t *words;          /* words[setting_period] */
    unsigned setting_phase_bits, bits, word_bits, unit;
    size_t size; /* bytes */
};

/* The order of a machine that has one, in `parent`; NULL if a building call failed. The host finds
 * it behind the stages. */
struct order *order_new(struct csim_module *parent, const char *name,
                        const struct machine *machine);

/* Fetch the order of the row that is due; it is returned, too. */
uint32_t order_fetch(struct order *o);

#endif
