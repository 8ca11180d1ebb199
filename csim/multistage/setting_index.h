/* SPDX-License-Identifier: Apache-2.0 */
/* setting_index: which settings a row has: a word for each setting phase (machine.h), read as the
 * row's wavefront sets out; rtl/shell/rc_setting_index.sv. */
#ifndef ROUNDCAST_SETTING_INDEX_H
#define ROUNDCAST_SETTING_INDEX_H

#include "csim/kernel/ports.h"
#include "csim/shell/host_port.h"
#include "sched/machine/machine.h"

#define SETTING_INDEX_PORTS(INPUT)             \
    INPUT(setting_phase, machine->log2_period) \
    HOST_TABLE_PORTS(INPUT)

struct setting_index {
    SETTING_INDEX_PORTS(PORTS_INPUT_FIELD)
    struct csim_in fetch_i;
    struct csim_out setting_index_o, host_rdata_o;
    struct csim_out length_o; /* of machines that hold settings */
    uint32_t *words;          /* words[setting_period] */
    unsigned setting_phase_bits, bits, word_bits, unit;
    size_t size; /* bytes */
};

/* The setting index of a machine that has one, in `parent`; NULL if a building call failed. The
 * host finds it behind the stages. */
struct setting_index *setting_index_new(struct csim_module *parent, const char *name,
                                        const struct machine *machine);

/* Fetch the setting index of the row that is due; it is returned, too. */
uint32_t setting_index_fetch(struct setting_index *o);

#endif
