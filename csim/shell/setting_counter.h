/* SPDX-License-Identifier: Apache-2.0 */
/* setting_counter: counts the setting phases and turns of the rows (machine.h) that pass;
 * rtl/shell/rc_setting_counter.sv.
 *
 * setting_phase_o and base_o belong to the row that is fetched next; a computed program adds base_o
 * to its offsets.
 */
#ifndef ROUNDCAST_SETTING_COUNTER_H
#define ROUNDCAST_SETTING_COUNTER_H

#include "csim/kernel/ports.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"

#define SETTING_COUNTER_PORTS(INPUT, OUTPUT)    \
    INPUT(rst, 1)                               \
    INPUT(start, 1)                             \
    INPUT(fetch, 1)                             \
    INPUT(period, 32) /* {first, period} */     \
    OUTPUT(setting_phase, machine->log2_period) \
    OUTPUT(base, machine_offset_bits(machine))

struct setting_counter {
    SETTING_COUNTER_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
    unsigned setting_phase_bits, base_bits;
};

/* Builds a counter in `parent`, for a machine with a setting period; NULL if a building call
 * failed. */
struct setting_counter *setting_counter_new(struct csim_module *parent, const char *name,
                                            const struct machine *machine);

/* Advances the counter when a row is fetched. */
void setting_counter_pass(struct setting_counter *t);

#endif
