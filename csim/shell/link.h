/* SPDX-License-Identifier: Apache-2.0 */
/* link: the pipeline registers of all lanes of one direction between two levels of a tree. A trace
 * shows only the input and the output.
 */
#ifndef ROUNDCAST_LINK_H
#define ROUNDCAST_LINK_H

#include "csim/kernel/ports.h"
#include "sched/machine/machine.h"

struct link {
    struct csim_in ce_i;
    struct csim_in flow_i; /* lanes_i may carry flits; all are 0 if not */
    struct csim_in lanes_i;
    struct csim_out lanes_o;
    uint32_t lanes, depth, at; /* at: the oldest of rows[] */
    /* rows[depth - 1][lanes]: the inputs of earlier cycles, except the one on lanes_o */
    uint32_t *rows;
    uint32_t busy; /* cycles until all registers are 0, if no flit arrives */
};

/* Builds a link of `lanes` lanes and machine->pad >= 1 registers; NULL if a building call
 * failed. */
struct link *link_new(struct csim_module *parent, const char *name, const struct machine *machine,
                      uint32_t lanes);

#endif
