/* SPDX-License-Identifier: Apache-2.0 */
/* pad: a further pipeline register after a network, for all lanes. Its module has the ports that a
 * trace shows; the network moves the flits of all its registers (transit.h). */
#ifndef ROUNDCAST_PAD_H
#define ROUNDCAST_PAD_H

#include "csim/kernel/ports.h"
#include "sched/machine/machine.h"

struct pad {
    struct csim_in ce_i;
    struct csim_in flow_i; /* [depth], as of a stage */
    struct csim_in lanes_i;
    struct csim_out lanes_o;
};

/* Builds pad `number` in `parent`, after `registers` of the network's `depth` pipeline registers,
 * as stage_new. NULL if a building call failed. */
struct pad *pad_new(struct csim_module *parent, const struct machine *machine, unsigned number,
                    unsigned registers, unsigned depth);

#endif
