/* SPDX-License-Identifier: Apache-2.0 */
/* wave: the wavefront of a tree, which reaches the receivers of all levels at once, with the flits:
 * fetch, row and tag, delayed by machine->pad cycles; wires if that is 0.
 */
#ifndef ROUNDCAST_WAVE_H
#define ROUNDCAST_WAVE_H

#include "csim/kernel/ports.h"
#include "sched/machine/machine.h"

#define WAVE_PORTS(INPUT, OUTPUT)          \
    INPUT(wave_fetch, 1)                   \
    INPUT(wave_row, machine->log2_rows)    \
    INPUT(tx_tag, machine->log2_flits + 2) \
    OUTPUT(rx_fetch, 1)                    \
    OUTPUT(rx_row, machine->log2_rows)     \
    OUTPUT(rx_tag, machine->log2_flits + 2)

struct wave_front {
    uint32_t fetch, row, tag;
};

struct wave {
    WAVE_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
    struct wave_front in_flight[MACHINE_MAX_PAD]; /* wavefronts that are not yet on the outputs, in
                                                   * a ring */
    uint32_t depth, at;                           /* at: the oldest */
};

/* Builds a wave in `parent`; NULL if a building call failed. */
struct wave *wave_new(struct csim_module *parent, const char *name, const struct machine *machine);

#endif
