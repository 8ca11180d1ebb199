/* SPDX-License-Identifier: Apache-2.0 */
/* setting_index: selects the settings of a row: a word for each setting phase (machine.h), read
 * when the row's wavefront starts; rtl/shell/rc_setting_index.sv. */
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
    struct csim_out length_o; /* in machines with reconfiguration */
    uint32_t *words;          /* words[setting_period] */
    unsigned setting_phase_bits, bits, word_bits, bank;
    size_t size; /* bytes */
};

/* Builds the setting index of a machine that has one, in `parent`. Returns NULL if a building call
 * failed. In the address map it follows the stages. */
struct setting_index *setting_index_new(struct csim_module *parent, const char *name,
                                        const struct machine *machine);

/* Fetches the setting index of the next row and returns it. */
uint32_t setting_index_fetch(struct setting_index *o);

#endif
